import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { enterEnvironment } from '../../src/ledger/tables/environments.ts';
import type { RunningServer } from '../../src/server/process/http-server.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { startTestServer } from '../support/server.ts';
import { addMembers, Client, earn, type Received, readMember, rest } from '../support/surfaces/client.ts';
import { addTestWidget, openSession, redeemInWidget } from '../support/surfaces/widgets.ts';
import { createWorld, programId, type TestEnvironment, type World } from '../support/surfaces/world.ts';

const [MINUTE_MS, HOUR_MS, DAY_MS] = [60_000, 3_600_000, 86_400_000];

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
  expect(await world.failedControls()).toEqual([]);
  client.close();
  await server.close();
  await database.drop();
});

/** A Sandbox whose points are pending for a day and expire after 30 days, with members. */
async function sandbox(...members: string[]): Promise<TestEnvironment> {
  const shop = await world.environment();
  await world.publish(shop.id, (yaml) =>
    yaml
      .replace(/^pending:\n(?: .*\n)*/m, 'pending: { days: 1 }\n')
      .replace(/^expiration:\n(?: .*\n)*/m, 'expiration: { policy: rolling_days, days: 30 }\n'),
  );
  await addMembers(client, shop, members);
  return shop;
}

function move(shop: TestEnvironment, body: object, key = `move-${++keys}`): Promise<Received> {
  return client.send(rest(shop, 'POST', '/sandbox/clock', body, key));
}

function buy(shop: TestEnvironment, externalCustomerId: string): Promise<Received> {
  const sourceReference = `order-${++keys}`;
  return client.send(
    earn(shop, { externalCustomerId, sourceReference, amountMinor: 5_000 }, sourceReference),
  );
}

async function shown(shop: TestEnvironment): Promise<{ now: string; realTime: string; state: string }> {
  const { status, body } = await client.send(rest(shop, 'GET', '/sandbox/clock'));
  expect(status).toBe(200);
  return body.clock as { now: string; realTime: string; state: string };
}

async function balances(shop: TestEnvironment, customer: string): Promise<object> {
  const { body } = await client.send(readMember(shop, customer));
  const programs = body.programs as {
    programId: string;
    balances: { available: number; pending: number; reserved: number }[];
  }[];
  const [own] = programs.find((one) => one.programId === programId)?.balances ?? [];
  return own ? { available: own.available, pending: own.pending, reserved: own.reserved } : {};
}

const inFuture = (ms: number): Date => new Date(Date.now() + ms);

test('points become available and expire by the clock, and what is due is posted when the answer comes', async () => {
  const shop = await sandbox('ada');
  expect(await shown(shop)).toMatchObject({ state: 'real' });
  const noon = inFuture(10 * DAY_MS);
  const set = await move(shop, { action: 'set', at: noon.toISOString() });
  expect({ status: set.status, clock: set.body.clock }).toMatchObject({
    status: 200,
    clock: { now: noon.toISOString(), state: 'stands' },
  });
  await buy(shop, 'ada');
  const newest = `select max(created_at) = $2::timestamptz from transactions where environment_id = $1`;
  expect(await world.count(newest, [shop.id, noon])).toBe(true);
  expect(await balances(shop, 'ada')).toEqual({ available: 0, pending: 50, reserved: 0 });
  const day = await move(shop, { action: 'advance', seconds: 86_400 });
  expect(day.body).toMatchObject({
    clock: { now: new Date(noon.getTime() + DAY_MS).toISOString(), state: 'stands' },
    swept: { profilesSettled: 1, transactions: 1, failed: 0 },
  });
  expect(await balances(shop, 'ada')).toEqual({ available: 50, pending: 0, reserved: 0 });
  const month = await move(shop, { action: 'advance', seconds: 31 * 86_400 });
  const now = new Date(noon.getTime() + 32 * DAY_MS);
  expect(month.body).toMatchObject({
    swept: {
      transactions: 1,
      closedThrough: new Date(now.getTime() - DAY_MS - 600_000).toISOString().slice(0, 10),
    },
  });
  expect(await balances(shop, 'ada')).toEqual({ available: 0, pending: 0, reserved: 0 });
  expect(await world.count(newest, [shop.id, now])).toBe(true);
});

test('a clock runs on from where it is set, is advanced, and goes back to the real time while nothing is recorded', async () => {
  const shop = await sandbox('ada');
  // Two minutes in all: a day is closed ten minutes after its end, so the clock passes no closed day at any time of the
  // day.
  const at = inFuture(MINUTE_MS);
  expect((await move(shop, { action: 'set', at: at.toISOString(), runs: true })).body.clock).toMatchObject({
    state: 'runs_ahead',
  });
  const first = await shown(shop);
  await move(shop, { action: 'advance', seconds: 60 });
  const second = await shown(shop);
  expect(Date.parse(first.now)).toBeGreaterThanOrEqual(at.getTime());
  const elapsed = Date.parse(second.realTime) - Date.parse(first.realTime);
  expect(Date.parse(second.now) - Date.parse(first.now)).toBeLessThanOrEqual(MINUTE_MS + elapsed + 5);
  expect(Date.parse(second.now) - Date.parse(first.now)).toBeGreaterThanOrEqual(MINUTE_MS + elapsed - 5);
  expect((await move(shop, { action: 'reset' })).body.clock).toMatchObject({ state: 'real' });
  expect(await shown(shop)).toMatchObject({ state: 'real' });
});

test('a replay moves nothing, and answers what the first one did', async () => {
  const shop = await sandbox();
  const body = { action: 'advance', seconds: 60 };
  const first = await move(shop, body, 'once');
  const second = await move(shop, body, 'once');
  expect({ status: second.status, replayed: second.replayed, clock: second.body.clock }).toEqual({
    status: 200,
    replayed: true,
    clock: first.body.clock,
  });
  const { now, realTime } = await shown(shop);
  expect(Date.parse(now) - Date.parse(realTime)).toBe(60_000);
  expect((await move(shop, { ...body, seconds: 61 }, 'once')).code).toBe('idempotency_key_reused');
});

test.each<[string, object, number, string]>([
  ['before the real time', { action: 'set', at: '2020-01-01T00:00:00Z' }, 409, 'invalid_clock_time'],
  ['too far ahead', { action: 'set', at: '2099-01-01T00:00:00Z' }, 409, 'invalid_clock_time'],
  ['set without an instant', { action: 'set' }, 422, 'validation_failed'],
  ['advance without seconds', { action: 'advance' }, 422, 'validation_failed'],
  [
    'advance to an instant',
    { action: 'advance', seconds: 1, at: '2030-01-01T00:00:00Z' },
    422,
    'validation_failed',
  ],
  ['reset that runs', { action: 'reset', runs: true }, 422, 'validation_failed'],
])('%s is refused', async (_what, body, status, code) => {
  const shop = await world.environment();
  const answer = await move(shop, body);
  expect(answer).toMatchObject({ status, code });
  expect(await shown(shop)).toMatchObject({ state: 'real' });
});

test('a clock does not go behind what the environment has recorded, nor behind its closed days', async () => {
  const shop = await sandbox('ada');
  const at = inFuture(40 * DAY_MS);
  await move(shop, { action: 'set', at: at.toISOString() });
  await buy(shop, 'ada');
  for (const back of [{ action: 'reset' }, { action: 'set', at: new Date(at.getTime() - 1).toISOString() }]) {
    const refused = await move(shop, back);
    expect(refused).toMatchObject({ status: 409, code: 'invalid_clock_time' });
  }
  await move(shop, { action: 'advance', seconds: 60 });
  expect((await move(shop, { action: 'set', at: at.toISOString() })).status).toBe(200);
  const quiet = await sandbox();
  await move(quiet, { action: 'advance', seconds: 40 * 86_400 });
  // The sweep has closed the days until then.
  expect((await move(quiet, { action: 'reset' })).code).toBe('invalid_clock_time');
});

test('a closed day is closed to its end: a clock does not go back to an hour of it', async () => {
  const shop = await sandbox();
  const midnight = new Date(inFuture(40 * DAY_MS).setUTCHours(0, 0, 0, 0));
  await move(shop, { action: 'set', at: new Date(midnight.getTime() + DAY_MS / 2).toISOString() });
  const within = await move(shop, { action: 'set', at: new Date(midnight.getTime() - 1).toISOString() });
  expect(within.code).toBe('invalid_clock_time');
  expect((await move(shop, { action: 'set', at: midnight.toISOString() })).status).toBe(200);
});

test('Production has the real time alone', async () => {
  const live = await world.environment('production');
  const moved = await move(live, { action: 'advance', seconds: 1 });
  expect(moved).toMatchObject({ status: 409, code: 'sandbox_required' });
  expect((await client.send(rest(live, 'GET', '/sandbox/clock'))).code).toBe('sandbox_required');
  for (const column of ['clock_ahead_ms = 1', `clock_stands_at = '2030-01-01'`]) {
    const planted = database.adminPool.query(`update environments set ${column} where id = $1`, [live.id]);
    await expect(planted).rejects.toMatchObject({ constraint: 'environments_clock_check' });
  }
});

test('purchases that have read the later time are committed before the clock goes back, or not at all', async () => {
  const customers = Array.from({ length: 8 }, (_, index) => `racer-${index}`);
  const shop = await sandbox(...customers);
  const start = Date.now() + HOUR_MS;
  let [refused, moved] = [0, 0];
  for (let round = 0; round < 10; round++) {
    const later = start + round * 60_000 + 30_000;
    expect((await move(shop, { action: 'set', at: new Date(later).toISOString() })).status).toBe(200);
    const purchases = customers.map((customer) => buy(shop, customer));
    const back = await move(shop, { action: 'set', at: new Date(later - 20_000).toISOString() });
    for (const { status } of await Promise.all(purchases)) expect(status).toBe(201);
    if (back.status === 200) moved += 1;
    else refused += 1;
    const ahead = `select count(*) from transactions t join environments e on e.id = t.environment_id
      where t.environment_id = $1 and t.created_at > e.clock_stands_at`;
    expect(await world.count(ahead, [shop.id])).toBe(0);
  }
  expect(refused + moved).toBe(10);
}, 300_000);

test('a clock waits until the batches that have read it are committed', async () => {
  const shop = await sandbox();
  await move(shop, { action: 'advance', seconds: 60 });
  const batch = await database.adminPool.connect();
  await batch.query('begin');
  await batch.query(enterEnvironment(shop.id));
  let answered = false;
  const back = move(shop, { action: 'reset' }).finally(() => {
    answered = true;
  });
  const waiting = `select count(*) from pg_locks
    where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())`;
  while (!answered && (await world.count(waiting, [])) === 0) await setTimeout(10);
  expect(answered).toBe(false);
  await batch.query('commit');
  batch.release();
  expect((await back).status).toBe(200);
});

test('deliveries of webhooks and signatures stay in the real time', async () => {
  const shop = await sandbox();
  await move(shop, { action: 'advance', seconds: 86_400 });
  const made = await client.send(
    rest(
      shop,
      'POST',
      '/webhook-endpoints',
      { url: 'https://example.com/hook', eventTypes: ['points.earned'] },
      'hook',
    ),
  );
  const { id } = made.body.endpoint as { id: string };
  const rotated = await client.send(
    rest(shop, 'POST', `/webhook-endpoints/${id}/rotate-secret`, {}, 'rotate'),
  );
  const tested = await client.send(rest(shop, 'POST', `/webhook-endpoints/${id}/test`, {}, 'test'));
  expect({ rotated: rotated.status, tested: tested.status }).toEqual({ rotated: 200, tested: 202 });
  const soon = `select count(*) from webhook_endpoints e join webhook_deliveries d
      on d.environment_id = e.environment_id and d.endpoint_id = e.id
    where e.environment_id = $1 and e.previous_secret_until < clock_timestamp() + interval '25 hours'
      and d.created_at > clock_timestamp() + interval '23 hours'
      and coalesce(d.next_attempt_at, d.delivered_at, '-infinity') < clock_timestamp() + interval '1 hour'`;
  expect(await world.count(soon, [shop.id])).toBe(1);
});

test('sessions of widgets stay in the real time, while what they redeem goes by the clock', async () => {
  const shop = await sandbox('ann');
  const deploymentId = await addTestWidget(world, shop.id);
  const before = await openSession(client, shop, deploymentId, 'ann');
  // 50 points each; a coffee takes 150.
  for (let purchase = 0; purchase < 6; purchase += 1) await buy(shop, 'ann');
  const redeem = (token: string, idempotencyKey: string): Promise<Received> =>
    client.send(redeemInWidget(deploymentId, token, { rewardId: 'free-coffee', idempotencyKey }));
  const pending = await redeem(before, 'intent-while-pending');
  expect(pending).toMatchObject({ status: 409, code: 'reward_not_available' });
  await move(shop, { action: 'advance', seconds: 2 * 86_400 });
  for (const [token, key] of [
    [before, 'intent-of-before'],
    [await openSession(client, shop, deploymentId, 'ann'), 'intent-of-after'],
  ] as const) {
    const redeemed = await redeem(token, key);
    expect(redeemed).toMatchObject({ code: null, status: 201 });
  }
});
