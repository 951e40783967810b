import { randomInt } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { rollUp } from '../../../src/ledger/closed-days/roll-up.ts';
import { keepVerified } from '../../../src/ledger/closed-days/verified-days.ts';
import { type Control, examineLedger, LEFT_OUT, type Verdict } from '../../../src/ledger/controls/verify.ts';
import { fixture } from '../../support/fixture.ts';
import type { Shop } from '../../support/ledger/counter.ts';
import { nested } from '../../support/ledger/nested.ts';
import { useCounter } from '../../support/ledger/use-counter.ts';
import { Rounds } from '../../support/simulator/rounds.ts';
import { install } from '../../support/time-machine.ts';
import { useConnection } from '../../support/use-database.ts';

const DAY_MS = 86_400_000;
const SEED = Number(process.env.SIMULATION_SEED ?? randomInt(2 ** 32 - 1));

const counter = useCounter();
const client = useConnection(() => counter.database.adminPool);
const time = fixture('the time machine', () => install(counter.database.adminUrl));

async function examine(shop: Shop, since?: string, on = client): Promise<Verdict> {
  const verdict = await examineLedger(on, { environmentId: shop.id, since });
  if ('unverified' in verdict) throw new Error(JSON.stringify(verdict));
  return verdict;
}

const failed = (controls: readonly Control[]): string[] =>
  controls.filter(({ passed }) => !passed).map(({ id }) => id);

/** Closes the days that have ended, and verifies them. @returns the last one */
async function verifyDays(shop: Shop): Promise<string> {
  await rollUp(counter.database.adminPool, shop.id);
  const { controls, closed } = await examine(shop);
  expect(failed(controls)).toEqual([]);
  await keepVerified(counter.database.adminPool, closed);
  return closed[0]?.through ?? '';
}

test(`whatever the service has written, a run after any verified day finds it right (SIMULATION_SEED=${SEED})`, async () => {
  const shop = await counter.environment();
  const rounds = new Rounds(SEED, counter, shop, [counter.writer(), counter.writer({ maxBatch: 7 })], time);
  await rounds.begin();
  const days: string[] = [];
  for (let part = 0; part < 3; part++) {
    for (let round = 0; round < 20; round++) await rounds.round(false);
    for (const day of days) expect(failed((await examine(shop, day)).controls)).toEqual([]);
    days.push(await verifyDays(shop));
  }
  const { controls } = await examine(shop, days[0]);
  expect(controls.filter(({ checked }) => checked > 0).length).toBeGreaterThan(15);
  expect(controls.some(({ id }) => LEFT_OUT.some((left) => left.id === id))).toBe(false);
}, 240_000);

/** An environment with an order before a verified day, and one after it. */
async function twoDays(): Promise<{ shop: Shop; day: string }> {
  const shop = await counter.environment();
  const writer = counter.writer();
  await shop.addMembers(writer, ['ann', 'ben']);
  await writer.submit(shop.earn('ann', { sourceReference: 'old', idempotencyKey: 'old' }));
  await time.travel(2 * DAY_MS);
  const day = await verifyDays(shop);
  await writer.submit(shop.earn('ann', { sourceReference: 'new', idempotencyKey: 'new' }));
  return { shop, day };
}

test('a run after a day looks at what is newer, and at all balances', async () => {
  const { shop, day } = await twoDays();
  const checked = async (since?: string): Promise<object> =>
    Object.fromEntries((await examine(shop, since)).controls.map((control) => [control.id, control.checked]));
  const newer = { 'postings-of-transactions': 1, 'keys-of-transactions': 1, 'lots-equal-postings': 3 };
  const balances = { 'balances-equal-postings': 6, 'roll-forward': 1 };
  expect(await checked(day)).toMatchObject({ ...newer, ...balances, 'verified-days-unchanged': 1 });
  const all = { 'postings-of-transactions': 2, 'keys-of-transactions': 2, 'lots-equal-postings': 6 };
  expect(await checked()).toMatchObject({ ...all, ...balances });
});

describe('a difference', () => {
  const named = "transaction_id = (select id from transactions where source_reference = 'PART')";
  const corruptions: [what: string, sql: string, control: string][] = [
    ['a lost posting', `delete from postings where ${named}`, 'points-of-transactions'],
    [
      'other points of a transaction',
      "update transactions set points = 1 where source_reference = 'PART'",
      'points-of-transactions',
    ],
    ['a lost order', "delete from orders where source_reference = 'PART'", 'orders-equal-transactions'],
    [
      'other points of an order',
      "update orders set points = 1 where source_reference = 'PART'",
      'orders-equal-transactions',
    ],
    ['a lot granted more', `update lots set granted = granted + 1 where ${named}`, 'grants-of-lots'],
    ['a lost key', "delete from idempotency_keys where key = 'PART'", 'keys-of-transactions'],
    [
      'a receipt that promised more',
      `update transactions set receipt = '{"award":{"points":1}}' where source_reference = 'PART'`,
      'receipts-equal-transactions',
    ],
  ];
  test.each(corruptions)(
    '%s: found in the newer part, out of scope in the older one',
    async (_what, sql, control) => {
      const { shop, day } = await twoDays();
      for (const part of ['old', 'new']) {
        await client.query('begin');
        try {
          await client.query('set local session_replication_role = replica');
          await client.query(sql.replace("= 'PART'", `= '${part}' and environment_id = '${shop.id}'`));
          const since = failed((await examine(shop, day, nested(client))).controls);
          if (part === 'new') expect(since).toContain(control);
          else expect(since).not.toContain(control);
          expect(failed((await examine(shop, undefined, nested(client))).controls)).toContain(control);
        } finally {
          await client.query('rollback');
        }
      }
    },
  );

  test.each([
    [
      'a balance of a member without anything newer',
      `update program_profiles set available = available + 1 where environment_id = 'SHOP' and member_id = (
         select id from members where environment_id = 'SHOP' and external_customer_id = 'ben')`,
      'balances-equal-postings',
    ],
    [
      'a closed day that has changed since',
      'update ledger_days set amount = amount + 1',
      'verified-days-unchanged',
    ],
    [
      'a balance at the end of a closed day that has changed since',
      'update member_days set available = available + 1',
      'carried-balances-equal-days',
    ],
    [
      'one more posting in an old transaction, written now',
      `insert into postings select environment_id, transaction_id, line + 1, program_id, member_id, debit_account,
         credit_account, amount, lot_id, clock_timestamp() from postings where environment_id = 'SHOP' order by created_at limit 1`,
      'postings-of-transactions',
    ],
  ])('%s is found', async (_what, sql, control) => {
    const { shop, day } = await twoDays();
    await client.query('begin');
    try {
      await client.query(sql.replaceAll('SHOP', shop.id));
      expect(failed((await examine(shop, day, nested(client))).controls)).toContain(control);
    } finally {
      await client.query('rollback');
    }
  });
});

test('a run cannot begin after a day until which something was posted and not verified', async () => {
  const shop = await counter.environment();
  const writer = counter.writer();
  const today = async (): Promise<string> => (await time.now()).toISOString().slice(0, 10);
  const before = new Date((await time.now()).getTime() - DAY_MS).toISOString().slice(0, 10);
  await shop.addMembers(writer, ['ann']);
  await writer.submit(shop.earn('ann'));
  const after = (since: string) => examineLedger(client, { environmentId: shop.id, since });
  // Nothing was posted until then.
  expect(await after(before)).toHaveProperty('controls');
  const none = { unverified: [{ environmentId: shop.id, verifiedThrough: null }] };
  expect(await after(await today())).toEqual(none);
  await time.travel(2 * DAY_MS);
  const day = await verifyDays(shop);
  expect(await after(day)).toHaveProperty('controls');
  expect(await after(await today())).toEqual({
    unverified: [{ environmentId: shop.id, verifiedThrough: day }],
  });
});
