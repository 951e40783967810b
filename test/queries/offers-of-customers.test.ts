import { describe, expect, test } from '@jest/globals';
import type { ProgramDocument } from '../../src/programs/document/program-document.ts';
import { readCouponUses } from '../../src/queries/coupon-uses.ts';
import { createQueries } from '../../src/queries/queries.ts';
import { isRefusal } from '../../src/refusal.ts';
import type { Shop } from '../support/ledger/counter.ts';
import { useCounter, useWriter } from '../support/ledger/use-counter.ts';
import { program } from '../support/rules/fixtures.ts';
import { usePool } from '../support/use-database.ts';

const counter = useCounter({ twins: true });
const writer = useWriter(counter);
const pool = usePool(() => ({ url: counter.database.serverUrl, size: 2 }));

const limits = { total: 5, perMember: 2 };
const codes = ['A_1', 'AX1', 'A%'];
const coffee = program({ coupons: codes.map((code) => ({ code, limits })) });
const tea: ProgramDocument = { ...coffee, id: 'tea-club' };

async function use(shop: Shop, customer: string, couponCode: string, programId = 'coffee-club') {
  const outcome = await writer.submit(shop.earn(customer, { couponCode, programId }));
  if (isRefusal(outcome)) throw new Error(outcome.code);
  expect(outcome.receipt).toMatchObject({ coupon: { redeemed: true } });
}

async function open(): Promise<Shop> {
  const shop = await counter.environment(coffee, tea);
  await shop.addMembers(writer, ['ann', 'bob']);
  for (const customer of ['ann', 'bob']) await writer.submit(shop.enroll(customer, undefined, 'tea-club'));
  return shop;
}

test('uses of a coupon are those of its letters, its program, its environment and the member', async () => {
  const [shop, other] = [await open(), await open()];
  for (const code of codes) await use(shop, 'ann', code);
  await use(shop, 'ann', 'A_1');
  await use(shop, 'bob', 'A_1');
  await use(shop, 'ann', 'A_1', 'tea-club');
  await use(other, 'ann', 'A_1');
  const annId = await counter.value<string>(
    `select id from members where environment_id = $1 and external_customer_id = 'ann'`,
    [shop.id],
  );
  const read = async (code: string, memberId: string | null, of = shop) =>
    Object.fromEntries(
      await readCouponUses(
        pool,
        of.id,
        ['coffee-club', 'tea-club', 'none'].map((programId) => ({ programId, couponId: code })),
        memberId,
      ),
    );
  const unused = { total: 0, member: 0 };
  expect(await read('A_1', annId)).toEqual({
    'coffee-club': { total: 3, member: 2 },
    'tea-club': { total: 1, member: 1 },
    none: unused,
  });
  expect((await read('A_1', null))['coffee-club']).toEqual({ total: 3, member: 0 });
  expect((await read('A%', annId))['coffee-club']).toEqual({ total: 1, member: 1 });
  // A member of another environment is unknown here.
  expect((await read('A_1', annId, other))['coffee-club']).toEqual({ total: 1, member: 0 });
});

test('the event loop turns while many steps are taken', async () => {
  const dear = program({
    offers: Array.from({ length: 45 }, (_, index) => ({
      id: `offer-${index}`,
      name: 'Dear to evaluate',
      match: 'all' as const,
      conditions: [],
      lines: {
        match: 'any' as const,
        conditions: Array.from({ length: 10 }, (_each, other) => ({
          field: 'items.sku',
          operator: 'equals' as const,
          value: `none-${other}`,
        })),
      },
      effect: { kind: 'amount' as const, amountMinor: 100 },
    })),
  });
  const shop = await counter.environment(dear);
  const queries = createQueries(pool);
  const items = Array.from({ length: 500 }, (_, index) => ({ sku: `sku-${index}`, unitPriceMinor: 1_000 }));
  const ask = (lines: number) =>
    queries.evaluateOffers(shop.id, { programId: 'coffee-club', items: items.slice(0, lines) });
  let turns = 0;
  let open = true;
  const turn = (): void => {
    turns += 1;
    if (open) setImmediate(turn);
  };
  // Turns that it takes to read the programs, besides those of the evaluation, are the database's.
  await ask(1);
  const reader = createQueries(pool);
  expect(
    isRefusal(await reader.evaluateOffers(shop.id, { programId: 'none', items: items.slice(0, 1) })),
  ).toBe(true);
  setImmediate(turn);
  const evaluation = await ask(500);
  open = false;
  expect(evaluation).toMatchObject({ effects: [], discountMinor: 0 });
  expect(turns).toBeGreaterThanOrEqual(8);
});

describe('a customer who is known but not enrolled', () => {
  const offersOf = (field: string, value: string | number): ProgramDocument =>
    program({
      audiences: [{ id: 'them', match: 'all', conditions: [{ field, operator: 'equals', value }] }],
      offers: [
        {
          id: 'for-them',
          name: 'For them',
          audiences: ['them'],
          match: 'all',
          conditions: [],
          effect: { kind: 'amount', amountMinor: 100 },
        },
      ],
    });

  test.each<[string, string, string | number, string[]]>([
    ['has tags', 'member.tags', 'vip', ['for-them']],
    ['has lists', 'member.lists', 'spring', ['for-them']],
    ['has bought nothing in the program', 'history.purchaseCount', 0, ['for-them']],
    ['has no tier', 'profile.tier', 'bronze', []],
  ])('%s', async (_what, field, value, applied) => {
    const shop = await counter.environment(offersOf(field, value));
    await writer.submit(shop.createMember('cat'));
    await counter.database.adminPool.query(
      `update members set tags = '{vip}', lists = '{spring}' where environment_id = $1`,
      [shop.id],
    );
    const evaluation = await createQueries(pool).evaluateOffers(shop.id, {
      programId: 'coffee-club',
      externalCustomerId: 'cat',
      items: [{ sku: 'mug', unitPriceMinor: 1_000 }],
    } as Parameters<ReturnType<typeof createQueries>['evaluateOffers']>[1]);
    if (isRefusal(evaluation)) throw new Error(evaluation.code);
    expect(evaluation.effects.map(({ offerId }) => offerId)).toEqual(applied);
  });
});
