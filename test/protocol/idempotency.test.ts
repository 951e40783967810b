import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { RunningServer } from '../../src/server/process/http-server.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { repetitions } from '../support/repetitions.ts';
import { databaseSettings, type ServerProcess, spawnServer, startTestServer } from '../support/server.ts';
import { addMembers, Client, earn, type Received } from '../support/surfaces/client.ts';
import { createWorld, type TestEnvironment, type World } from '../support/surfaces/world.ts';

const KEYS = repetitions({ few: 60, many: 200 });
const TIMES = 50;

let database: TestDatabase;
let world: World;
let here: RunningServer;
let there: ServerProcess;
/** Two processes on one database, so that replays must be found in the database and not in memory. */
let clients: [Client, Client];
let shop: TestEnvironment;

beforeAll(async () => {
  database = await createTestDatabase();
  world = createWorld(database);
  shop = await world.environment();
  here = await startTestServer(database);
  there = await spawnServer(databaseSettings(database));
  clients = [new Client(here.url, 128), new Client(there.url, 128)];
  await addMembers(
    clients[0],
    shop,
    Array.from({ length: 10 }, (_, index) => `c-${index}`),
  );
});

afterAll(async () => {
  for (const client of clients) client.close();
  await here.close();
  expect(await there.end('SIGTERM')).toEqual({ code: 0, signal: null });
  await database.drop();
});

const purchase = (index: number) => ({
  externalCustomerId: `c-${index % 10}`,
  sourceReference: `order-${index}`,
  amountMinor: 1000 + index,
});

test(`${KEYS} keys, each sent ${TIMES} times at once to two processes: ${KEYS} effects`, async () => {
  const sent = Array.from({ length: KEYS }, (_, index) =>
    Array.from({ length: TIMES }, (_, time) =>
      clients[time % 2 ? 1 : 0].send(earn(shop, purchase(index), `key-${index}`)),
    ),
  );
  const answers = await Promise.all(sent.map((same) => Promise.all(same)));
  for (const same of answers) {
    expect(same.map(({ status }) => status).toSorted()).toEqual([...Array(TIMES - 1).fill(200), 201]);
    expect(same.filter(({ replayed }) => replayed)).toHaveLength(TIMES - 1);
    // All get the same receipt, each with its own request id.
    expect(new Set(same.map(receipt)).size).toBe(1);
    expect(new Set(same.map(({ body }) => body.requestId)).size).toBe(TIMES);
  }
  const { countRows } = world;
  expect(await countRows()).toMatchObject({
    transactions: KEYS,
    orders: KEYS,
    lots: KEYS,
    postings: KEYS,
    // A key for each purchase, and for the creation and the enrollment of each of ten members.
    idempotency_keys: KEYS + 20,
  });
  // A point for each whole unit.
  const points = sent.map((_same, index) => Math.floor(purchase(index).amountMinor / 100));
  expect(await world.count('select sum(available)::bigint from program_profiles')).toBe(
    points.reduce((sum, each) => sum + each, 0),
  );
  expect(await world.failedControls()).toEqual([]);
});

test('the same key with another body is refused, through both processes, and has no effect', async () => {
  const before = await world.countRows();
  for (const client of clients) {
    for (const change of [{ amountMinor: 1001 }, { externalCustomerId: 'c-1' }, { couponCode: 'X' }]) {
      const answer = await client.send(earn(shop, { ...purchase(0), ...change }, 'key-0'));
      expect(answer).toMatchObject({ status: 409, code: 'idempotency_key_reused' });
    }
    // The same input: members in another order, a default written out, a number written differently.
    const same = await client.send({
      ...earn(shop, {}, 'key-0'),
      body: `{"sourceReference":"order-0","amountMinor":1e3,"externalCustomerId":"c-0","channel":"web",
        "programId":"coffee-club","type":"purchase.completed"}`,
    });
    expect(same).toMatchObject({ status: 200, replayed: true });
  }
  expect(await world.countRows()).toEqual(before);
});

test('of many bodies under one key at once, one acts and the others are refused', async () => {
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, index) =>
      clients[index % 2 ? 1 : 0].send(
        earn(shop, { ...purchase(0), sourceReference: `contested-${index % 20}` }, 'contested'),
      ),
    ),
  );
  const acted = answers.filter(({ status }) => status === 201);
  const replayed = answers.filter(({ status }) => status === 200);
  const refused = answers.filter(({ code }) => code === 'idempotency_key_reused');
  expect({ acted: acted.length, replayed: replayed.length, refused: refused.length }).toEqual({
    acted: 1,
    replayed: 2,
    refused: 57,
  });
  expect(new Set([...acted, ...replayed].map(receipt)).size).toBe(1);
  expect(await world.count(`select count(*) from orders where source_reference like 'contested%'`)).toBe(1);
});

test('refusals store nothing: the same key may succeed later', async () => {
  const send = () =>
    clients[0].send(
      earn(shop, { ...purchase(0), externalCustomerId: 'late', sourceReference: 'late' }, 'late'),
    );
  const before = await world.countRows();
  const refused = await send();
  expect(refused).toMatchObject({ status: 404, code: 'member_not_found' });
  expect(await world.countRows()).toEqual(before);
  await addMembers(clients[0], shop, ['late']);
  expect((await send()).status).toBe(201);
  expect((await send()).status).toBe(200);
});

test('a replay checks anew who asks, and another environment knows nothing of the key', async () => {
  const before = await world.countRows();
  const sent = (key: string, environmentId = shop.environmentId) =>
    clients[0].send(earn({ key, environmentId }, purchase(0), 'key-0'));
  const reader = await world.key(shop.id, ['members:read']);
  const writer = await world.key(shop.id, ['events:write']);
  expect((await sent(reader.key)).code).toBe('insufficient_scope');
  expect((await sent(`${shop.key.slice(0, -3)}xxx`)).code).toBe('unauthorized');
  const byAnother = await sent(writer.key);
  expect(byAnother).toMatchObject({ status: 200, replayed: true });
  const other = await world.environment();
  expect((await sent(other.key, other.environmentId)).code).toBe('member_not_found');
  const after = await world.countRows();
  expect(after.transactions).toBe(before.transactions);
  expect(after.idempotency_keys).toBe(before.idempotency_keys);
});

/** The part of a response that a replay must repeat. */
function receipt({ body }: Received): string {
  const { requestId: _requestId, ...rest } = body;
  return JSON.stringify(rest);
}
