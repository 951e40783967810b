import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { RunningServer } from '../../../src/server/process/http-server.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { startTestServer } from '../../support/server.ts';
import { addMembers, Client, earn, rest } from '../../support/surfaces/client.ts';
import { createWorld, type TestEnvironment, type World } from '../../support/surfaces/world.ts';

let database: TestDatabase;
let world: World;
let server: RunningServer;
let client: Client;
let keys = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  world = createWorld(database);
  server = await startTestServer(database);
  client = new Client(server.url);
});

afterAll(async () => {
  expect(await world.eventFaults()).toEqual([]);
  client.close();
  await server.close();
  await world.administrator.prisma.$disconnect();
  await database.drop();
});

const change = (shop: TestEnvironment, act: 'suspend' | 'resume', customer = 'ada', key = `k${++keys}`) =>
  client.send(rest(shop, 'POST', `/members/${encodeURIComponent(customer)}/${act}`, undefined, key));

async function buy(shop: TestEnvironment): Promise<number> {
  const purchase = { externalCustomerId: 'ada', sourceReference: `o${++keys}`, amountMinor: 100 };
  return (await client.send(earn(shop, purchase, `k${++keys}`))).status;
}

async function written(shop: TestEnvironment) {
  const { rows } = await database.adminPool.query(
    `select action, actor_type, actor_id, request_id, changes from audit_events
     where environment_id = $1 and action in ('member.suspended', 'member.resumed') order by at, id`,
    [shop.id],
  );
  const { rows: events } = await database.adminPool.query<{ type: string }>(
    `select type from events where environment_id = $1 and type in ('member.suspended', 'member.updated')
     order by at, id`,
    [shop.id],
  );
  return { audits: rows, events: events.map(({ type }) => type) };
}

test('a suspended member earns nothing until it is resumed, and both are audited and announced', async () => {
  const shop = await world.environment();
  await addMembers(client, shop, ['ada']);
  const suspended = await change(shop, 'suspend', 'ada', 'first');
  expect(suspended.status).toBe(200);
  expect(suspended.body).toMatchObject({
    member: { externalCustomerId: 'ada', id: expect.stringMatching(/^mem_/) },
    status: 'suspended',
    changed: true,
  });
  expect(await buy(shop)).toBe(404);
  const again = await change(shop, 'suspend');
  expect([again.body.status, again.body.changed]).toEqual(['suspended', false]);
  const replay = await change(shop, 'suspend', 'ada', 'first');
  expect([replay.replayed, replay.body.changed]).toEqual([true, true]);
  const resumed = await change(shop, 'resume');
  expect([resumed.body.status, resumed.body.changed]).toEqual(['active', true]);
  // The receipt of the first request is of its time: nothing is suspended by it once more.
  expect((await change(shop, 'suspend', 'ada', 'first')).replayed).toBe(true);
  expect(await buy(shop)).toBe(201);
  const by = { actor_type: 'api_key', actor_id: 'tests' };
  expect(await written(shop)).toEqual({
    audits: [
      {
        ...{ ...by, action: 'member.suspended', request_id: suspended.body.requestId },
        changes: { from: 'active', to: 'suspended' },
      },
      {
        ...{ ...by, action: 'member.resumed', request_id: resumed.body.requestId },
        changes: { from: 'suspended', to: 'active' },
      },
    ],
    events: ['member.suspended', 'member.updated'],
  });
  expect(await world.failedControls()).toEqual([]);
});

test('it is refused without the scope, for who is not there, and under a key with another input', async () => {
  const shop = await world.environment();
  const other = await world.environment('sandbox', shop.tenantId);
  await addMembers(client, shop, ['ada', 'bob']);
  const reader = { ...shop, ...(await world.key(shop.id, ['members:read', 'events:write'])) };
  for (const act of ['suspend', 'resume'] as const) {
    expect((await change(reader, act)).code).toBe('insufficient_scope');
    expect((await change(shop, act, 'nobody')).code).toBe('member_not_found');
    expect((await change(other, act)).code).toBe('member_not_found');
    await change(shop, act, 'ada', `${act} one`.replace(' ', '-'));
    expect((await change(shop, act, 'bob', `${act}-one`)).code).toBe('idempotency_key_reused');
    const keyless = await client.send(rest(shop, 'POST', `/members/ada/${act}`));
    expect([keyless.status, keyless.code]).toEqual([400, 'idempotency_key_required']);
    const more = await client.send(rest(shop, 'POST', `/members/ada/${act}`, { until: 'May' }, `k${++keys}`));
    expect(more.code).toBe('validation_failed');
  }
});

test('it is possible while Production is locked', async () => {
  const shop = await world.environment('production');
  await addMembers(client, shop, ['ada']);
  await world.lock(shop.id, true);
  expect((await change(shop, 'suspend')).body.changed).toBe(true);
  expect((await change(shop, 'resume')).body.changed).toBe(true);
});

test('of many at once one changes something', async () => {
  const shop = await world.environment();
  await addMembers(client, shop, ['ada']);
  const answers = await Promise.all(Array.from({ length: 16 }, () => change(shop, 'suspend')));
  expect(answers.map(({ status }) => status)).toEqual(Array(16).fill(200));
  expect(answers.filter(({ body }) => body.changed)).toHaveLength(1);
  expect((await written(shop)).events).toEqual(['member.suspended']);
  const same = await Promise.all(Array.from({ length: 16 }, () => change(shop, 'resume', 'ada', 'one-key')));
  expect(same.filter(({ replayed }) => !replayed)).toHaveLength(1);
});
