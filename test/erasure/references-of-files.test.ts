import { beforeAll, expect, test } from '@jest/globals';
import { openBalance } from '../../src/commands/adjustments/open-balance.ts';
import { reverseExchange } from '../../src/commands/exchange/reverse-exchange.ts';
import { type SettleExchangeInput, settleExchange } from '../../src/commands/exchange/settle-exchange.ts';
import { eraseMember } from '../../src/erasure/erase-member.ts';
import { TRANSACTIONS } from '../../src/erasure/erasure-statements.ts';
import { importKey } from '../../src/import/import-keys.ts';
import type { Command, Outcome } from '../../src/ledger/command.ts';
import { isRefusal } from '../../src/refusal.ts';
import { searchDatabase } from '../support/erasure/search-database.ts';
import { fixture } from '../support/fixture.ts';
import { useCounter } from '../support/ledger/use-counter.ts';
import { startTestServer } from '../support/server.ts';
import { addMembers, Client, earn, readMember } from '../support/surfaces/client.ts';
import { createWorld, programId, type TestEnvironment } from '../support/surfaces/world.ts';

// References of settlements and opening balances, which only imports submit.

let submit: (command: Command) => Promise<Outcome>;

const counter = useCounter();
const world = fixture('the world', () => createWorld(counter.database));
const server = fixture(
  'the server',
  () => startTestServer(counter.database),
  (opened) => opened.close(),
);
const client = fixture(
  'the client',
  () => new Client(server.url),
  (opened) => opened.close(),
);

beforeAll(() => {
  const writer = counter.writer();
  submit = (command) => writer.submit(command);
});

const callerOf = ({ id: environmentId }: TestEnvironment) =>
  ({ environmentId, actor: { type: 'operator', id: 'ada' }, requestId: 'req' }) as const;

function settlement(
  shop: TestEnvironment,
  settlementReference: string,
  externalCustomerId: string,
  given: Partial<SettleExchangeInput> = {},
): Command {
  const idempotencyKey = importKey(settlementReference);
  const of = { idempotencyKey, settlementReference, programId, externalCustomerId, partnerId: 'airline' };
  return settleExchange({ ...of, direction: 'in', points: 10, ...given }, callerOf(shop));
}

function reversal(shop: TestEnvironment, settlementReference: string, reverses: string): Command {
  const of = { settlementReference, programId, externalCustomerId: 'zelda', reverses };
  return reverseExchange({ ...of, idempotencyKey: importKey(settlementReference) }, callerOf(shop));
}

function opening(shop: TestEnvironment, reference: string, externalCustomerId: string): Command {
  const of = { idempotencyKey: importKey(reference), programId, externalCustomerId, reference };
  return openBalance({ ...of, points: 300, expiresAt: 'never' }, callerOf(shop));
}

async function accepted(command: Command): Promise<{ receipt: object; idempotent: boolean }> {
  const outcome = await submit(command);
  if (isRefusal(outcome)) throw new Error(outcome.message);
  return outcome;
}

async function erase({ id: environmentId }: TestEnvironment): Promise<string> {
  const { adminPool: pool } = counter.database;
  const eraser = { administrator: world.administrator, pool, door: counter.writer() };
  const request = { environmentId, externalCustomerId: 'zelda', reason: 'asked', forfeit: true };
  const done = await eraseMember(eraser, request);
  if (isRefusal(done)) throw new Error(done.message);
  return done.externalCustomerId;
}

async function settlements({ id }: TestEnvironment): Promise<unknown[]> {
  const { rows } = await counter.database.adminPool.query(
    `select s.settlement_reference, s.reverses, s.reversed_by, s.partner_id,
       t.source_reference = s.settlement_reference as is_named_alike
     from exchange_settlements s
     join transactions t on t.environment_id = s.environment_id and t.id = s.transaction_id
     where s.environment_id = $1 and coalesce(s.reverses, s.reversed_by) is not null
     order by t.created_at, t.id`,
    [id],
  );
  return rows;
}

test('a settlement and its reversal keep to each other, however far apart they are and whichever has the id', async () => {
  const shop = await world.environment('production');
  await addMembers(client, shop, ['zelda']);
  await accepted(settlement(shop, 'in-zelda-1', 'zelda'));
  await accepted(settlement(shop, 'in-zelda-2', 'zelda'));
  await accepted(settlement(shop, 'in-3', 'zelda'));
  for (let line = 0; line < TRANSACTIONS; line += 1) {
    await accepted(settlement(shop, `line-${line}`, 'zelda', { points: 1 }));
  }
  await accepted(reversal(shop, 'back-zelda-1', 'in-zelda-1'));
  await accepted(reversal(shop, 'back-2', 'in-zelda-2'));
  await accepted(reversal(shop, 'back-zelda-3', 'in-3'));
  const id = await erase(shop);
  const of = { partner_id: 'airline', is_named_alike: true };
  const pair = (settled: string, reversed: string) => [
    { settlement_reference: settled, reverses: null, reversed_by: reversed, ...of },
    { settlement_reference: reversed, reverses: settled, reversed_by: null, ...of },
  ];
  const pairs = [
    pair(`in-${id}-1`, `back-${id}-1`),
    pair(`in-${id}-2`, 'back-2'),
    pair('in-3', `back-${id}-3`),
  ];
  expect(await settlements(shop)).toEqual([...pairs.map(([one]) => one), ...pairs.map(([, other]) => other)]);
  expect(await searchDatabase(counter.database.adminPool, ['zelda'])).toEqual([]);
  expect(await world.failedControls()).toEqual([]);
});

test('a transaction of another member with the reference of an order stays as it is', async () => {
  const shop = await world.environment('production');
  await addMembers(client, shop, ['zelda', 'ann', 'bob']);
  const order = { externalCustomerId: 'zelda', amountMinor: 1_000, sourceReference: 'file-zelda' };
  expect((await client.send(earn(shop, order, 'order'))).status).toBe(201);
  await accepted(settlement(shop, 'file-zelda', 'ann'));
  await accepted(opening(shop, 'file-zelda', 'bob'));
  const id = await erase(shop);
  const { rows } = await counter.database.adminPool.query(
    `select t.event_type, t.source_reference from transactions t
     where t.environment_id = $1 and t.source_reference is not null order by t.created_at, t.id`,
    [shop.id],
  );
  expect(rows).toEqual([
    { event_type: 'purchase.completed', source_reference: `file-${id}` },
    { event_type: 'exchange.settled', source_reference: 'file-zelda' },
    { event_type: 'adjustment.posted', source_reference: 'file-zelda' },
  ]);
  expect(await world.failedControls()).toEqual([]);
});

test('a transaction that does not end is told of, nothing is erased, and the next try succeeds', async () => {
  const shop = await world.environment('production');
  await addMembers(client, shop, ['zelda']);
  const { adminPool: pool } = counter.database;
  const hanging = await pool.connect();
  await hanging.query('begin');
  await hanging.query('select pg_advisory_xact_lock_shared(hashtextextended($1, 0))', [shop.id]);
  const eraser = { administrator: world.administrator, pool, door: counter.writer(), patienceMs: 200 };
  const request = { environmentId: shop.id, externalCustomerId: 'zelda', reason: 'asked', forfeit: true };
  expect(await eraseMember(eraser, request)).toMatchObject({
    code: 'overloaded',
    message: expect.stringContaining('Run it again'),
  });
  await hanging.query('rollback');
  hanging.release();
  const left = `select status, (input::jsonb ? 'externalCustomerId') as names from operations where environment_id = $1`;
  expect((await pool.query(left, [shop.id])).rows).toEqual([{ status: 'failed', names: false }]);
  expect((await client.send(readMember(shop, 'zelda'))).status).toBe(200);
  expect(isRefusal(await eraseMember(eraser, request))).toBe(false);
});

test('a row that is sent again posts nothing, neither for the erased member nor for the next one with the id', async () => {
  const shop = await world.environment('production');
  await addMembers(client, shop, ['zelda']);
  const withId = [opening(shop, 'old-zelda', 'zelda'), settlement(shop, 'in-zelda', 'zelda')];
  const without = [opening(shop, 'old-1', 'zelda'), settlement(shop, 'in-1', 'zelda')];
  const receipts: object[] = [];
  for (const command of [...withId, ...without]) receipts.push((await accepted(command)).receipt);
  await erase(shop);
  const isRefused = async () => {
    for (const command of withId) {
      expect(await submit(command)).toMatchObject({ code: 'idempotency_key_reused' });
    }
  };
  await isRefused();
  for (const [index, command] of without.entries()) {
    expect(await accepted(command)).toEqual({ receipt: receipts[index + 2], idempotent: true });
  }
  // Another customer has the id now.
  await addMembers(client, shop, ['zelda']);
  await isRefused();
  for (const command of without) expect(await accepted(command)).toMatchObject({ idempotent: true });
  for (const used of ['in-1', 'in-zelda']) {
    expect(await submit(settlement(shop, used, 'zelda', { idempotencyKey: 'another' }))).toMatchObject({
      code: 'source_reference_conflict',
    });
  }
  const anew = [opening(shop, 'new-zelda', 'zelda'), settlement(shop, 'new-in-zelda', 'zelda')];
  for (const command of anew) expect(await accepted(command)).toMatchObject({ idempotent: false });
  expect(await world.failedControls()).toEqual([]);
});
