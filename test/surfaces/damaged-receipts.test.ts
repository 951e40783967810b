import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { RunningServer } from '../../src/server/http-server.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { startTestServer } from '../support/server.ts';
import { addMembers, Client, earn, graphql, rest } from '../support/surfaces/client.ts';
import { createWorld, programId, type TestEnvironment, type World } from '../support/surfaces/world.ts';

let database: TestDatabase;
let world: World;
let server: RunningServer;
let client: Client;
let shop: TestEnvironment;

beforeAll(async () => {
  database = await createTestDatabase();
  world = createWorld(database);
  shop = await world.environment();
  server = await startTestServer(database);
  client = new Client(server.url);
  await addMembers(client, shop, ['ada']);
});

afterAll(async () => {
  client.close();
  await server.close();
  await database.drop();
});

/** The answer to a purchase that was sent before, over REST, and over GraphQL with hardly a field selected. */
async function replay(sourceReference: string): Promise<{ rest: unknown[]; graphql: unknown[] }> {
  const input = { externalCustomerId: 'ada', amountMinor: 1250, sourceReference };
  const again = await client.send(earn(shop, input, sourceReference));
  const mutation = 'mutation ($input: PurchaseEarnInput!) { purchaseEarn(input: $input) { status } }';
  const sent = { ...input, programId, channel: 'web', idempotencyKey: sourceReference };
  const overGraphql = await client.send(graphql(shop, mutation, { input: sent }));
  return {
    rest: [again.status, again.code, again.body.error?.message],
    graphql: [overGraphql.status, overGraphql.code, overGraphql.body.errors?.[0]?.message],
  };
}

const WHOLE = {
  id: 'txn_01m82vt7k2e1bs6xn0w4y8z2ab',
  status: 'committed',
  member: { id: 'mem_01m82vt7k2e1bs6xn0w4y8z2ab', externalCustomerId: 'ada', tier: 'bronze' },
  award: { points: 12, basePoints: 12, campaignPoints: 0 },
  campaigns: [],
  ruleDecisions: [],
};

test.each([
  ['nothing but the award', { award: WHOLE.award }],
  ['no id', { ...WHOLE, id: undefined }],
  ['a status that there is not', { ...WHOLE, status: 'lost' }],
  ['a member without an id', { ...WHOLE, member: { externalCustomerId: 'ada', tier: 'bronze' } }],
  ['a text for its decisions', { ...WHOLE, ruleDecisions: 'x' }],
  ['a decision without its kind', { ...WHOLE, ruleDecisions: [{ id: 'base' }] }],
  ['points that are a text', { ...WHOLE, award: { ...WHOLE.award, basePoints: 'x' } }],
  ['an instant that is none', { ...WHOLE, evaluationAt: 'yesterday' }],
])(
  'a purchase whose receipt has %s is told that it was done, over REST and GraphQL',
  async (title, receipt) => {
    const what = title.replaceAll(' ', '-');
    const input = { externalCustomerId: 'ada', amountMinor: 1250, sourceReference: what };
    expect((await client.send(earn(shop, input, what))).status).toBe(201);
    const store = 'update transactions set receipt = $2 where source_reference = $1';
    await database.adminPool.query(store, [what, WHOLE]);
    expect((await replay(what)).rest).toEqual([200, null, undefined]);
    await database.adminPool.query(store, [what, receipt]);
    const told = [500, 'receipt_unreadable', expect.stringContaining('read what it did')];
    expect(await replay(what)).toEqual({ rest: told, graphql: told });
  },
);

test('so is any other mutation', async () => {
  const body = { externalCustomerId: 'eve', consentStatus: 'opted_in', noticeVersion: 'v1' };
  expect((await client.send(rest(shop, 'POST', '/members', body, 'eve'))).status).toBe(201);
  await database.adminPool.query(`update idempotency_keys set receipt = '{"member": {}}' where key = 'eve'`);
  const again = await client.send(rest(shop, 'POST', '/members', body, 'eve'));
  expect([again.status, again.code]).toEqual([500, 'receipt_unreadable']);
});

test('so is a list of members, whose receipt has places in its input', async () => {
  const body = { externalCustomerIds: ['ada', 'nobody'] };
  const add = () => client.send(rest(shop, 'POST', '/lists/vip/members', body, 'vip'));
  expect((await add()).status).toBe(200);
  await database.adminPool.query(`update idempotency_keys set receipt = '{"added": 1}' where key = 'vip'`);
  const again = await add();
  expect([again.status, again.code]).toEqual([500, 'receipt_unreadable']);
});

test('a receipt that is null is said to be unreadable, in the list and alone', async () => {
  const input = { externalCustomerId: 'ada', amountMinor: 1250, sourceReference: 'null' };
  const { body } = await client.send(earn(shop, input, 'null'));
  await database.adminPool.query(`update transactions set receipt = 'null' where source_reference = 'null'`);
  const list = await client.send(rest(shop, 'GET', '/transactions?sourceReference=null'));
  const said = { evaluation: null, evaluationUnreadable: true };
  expect(list.body.data).toMatchObject([said]);
  const alone = await client.send(rest(shop, 'GET', `/transactions/${body.id}`));
  expect(alone.body.transaction).toMatchObject(said);
});
