import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { enterEnvironment } from '../../../src/ledger/tables/environments.ts';
import type { RunningServer } from '../../../src/server/process/http-server.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { startTestServer } from '../../support/server.ts';
import { Client, createMember, type Received, rest } from '../../support/surfaces/client.ts';
import { createWorld, programId, type TestEnvironment, type World } from '../../support/surfaces/world.ts';

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
  client.close();
  await server.close();
  await world.administrator.prisma.$disconnect();
  await database.drop();
});

const read = (shop: TestEnvironment) => client.send(rest(shop, 'GET', '/environment'));
const lock = (shop: TestEnvironment, key = `lock-${++keys}`) =>
  client.send(rest(shop, 'POST', '/environment/lock', undefined, key));
const unlock = (shop: TestEnvironment, key = `unlock-${++keys}`) =>
  client.send(rest(shop, 'POST', '/environment/unlock', undefined, key));
const add = (shop: TestEnvironment) => client.send(createMember(shop, `customer-${++keys}`));
const said = ({ status, code, body }: Received) => [status, code ?? body.locked, body.changed];

async function auditOf(shop: TestEnvironment) {
  const { rows } = await database.adminPool.query(
    `select action, actor_type, actor_id, changes from audit_events
     where environment_id = $1 and action like 'environment.%locked' order by id`,
    [shop.id],
  );
  return rows;
}

describe('an environment', () => {
  test('says what it is, whether it is locked, and what its clock shows', async () => {
    const [sandbox, shop] = [await world.environment(), await world.environment('production')];
    await client.send(
      rest(sandbox, 'POST', '/sandbox/clock', { action: 'set', at: '2040-01-01T00:00:00Z' }, 'far'),
    );
    expect((await read(sandbox)).body.environment).toEqual({
      ...{ environmentId: sandbox.environmentId, kind: 'sandbox', name: 'sandbox', locked: false },
      clock: { now: '2040-01-01T00:00:00.000Z', realTime: expect.any(String), state: 'stands' },
      createdAt: expect.any(String),
    });
    await world.lock(shop.id, true);
    expect((await read(shop)).body.environment).toMatchObject({
      ...{ environmentId: shop.environmentId, kind: 'production', locked: true, clock: { state: 'real' } },
    });
    const writer = { ...shop, ...(await world.key(shop.id, ['members:read'])) };
    expect((await read(writer)).code).toBe('insufficient_scope');
  });
});

describe('Production', () => {
  test('is locked and unlocked; mutations are refused in between, and the unlock goes through', async () => {
    const shop = await world.environment('production');
    const key = await world.key(shop.id, ['environment:write'], null, 'on-call');
    const operator = { ...shop, ...key };
    expect(said(await unlock(operator))).toEqual([200, false, false]);
    expect(said(await lock(operator))).toEqual([200, true, true]);
    expect(said(await lock(operator))).toEqual([200, true, false]);
    expect(await add(shop)).toMatchObject({ status: 409, code: 'production_locked' });
    const path = `/programs/${programId}/versions/1/finance/approve`;
    expect(await client.send(rest(shop, 'POST', path, { sections: ['finance'] }, 'no'))).toMatchObject({
      code: 'production_locked',
    });
    expect(said(await unlock(operator))).toEqual([200, false, true]);
    expect((await add(shop)).status).toBe(201);
    expect(await auditOf(shop)).toEqual(
      [true, false].map((to) => ({
        action: to ? 'environment.locked' : 'environment.unlocked',
        ...{ actor_type: 'api_key', actor_id: 'on-call', changes: { locked: { from: !to, to } } },
      })),
    );
    expect(await world.failedControls()).toEqual([]);
    expect(await world.eventFaults()).toEqual([]);
  });

  test('is not locked again by a lock that comes once more', async () => {
    const shop = await world.environment('production');
    const first = await lock(shop, 'once');
    await unlock(shop);
    const again = await lock(shop, 'once');
    expect(again.replayed).toBe(true);
    expect({ ...again.body, requestId: '' }).toEqual({ ...first.body, requestId: '' });
    expect((await add(shop)).status).toBe(201);
    expect(await auditOf(shop)).toHaveLength(2);
  });

  test('is locked once by many at once, and not before its running batches have ended', async () => {
    const shop = await world.environment('production');
    const batch = await database.adminPool.connect();
    try {
      await batch.query('begin');
      await batch.query(enterEnvironment(shop.id));
      let answered = 0;
      const asked = Array.from({ length: 6 }, () => lock(shop).finally(() => (answered += 1)));
      await setTimeout(300);
      expect(answered).toBe(0);
      await batch.query('commit');
      const answers = await Promise.all(asked);
      expect(answers.map(said).sort()).toEqual([...Array(5).fill([200, true, false]), [200, true, true]]);
      expect(await auditOf(shop)).toHaveLength(1);
    } finally {
      batch.release();
    }
  });
});

describe('a lock is refused', () => {
  test('for a Sandbox, without scope or key, and with the key of another environment', async () => {
    const [sandbox, shop] = [await world.environment(), await world.environment('production')];
    const writer = { ...shop, ...(await world.key(shop.id, ['programs:write', 'programs:publish'])) };
    const stranger = { ...sandbox, environmentId: shop.environmentId };
    const code = async (sent: Promise<Received>) => said(await sent).slice(0, 2);
    for (const act of [lock, unlock]) {
      expect(await code(act(sandbox))).toEqual([409, 'production_required']);
      expect(await code(act(writer))).toEqual([403, 'insufficient_scope']);
      expect(await code(act(stranger))).toEqual([401, 'unauthorized']);
    }
    const bare = rest(shop, 'POST', '/environment/lock');
    expect(await code(client.send(bare))).toEqual([400, 'idempotency_key_required']);
    const more = rest(shop, 'POST', '/environment/lock', { locked: false }, 'more');
    expect(await code(client.send(more))).toEqual([422, 'validation_failed']);
    expect((await read(shop)).body.environment).toMatchObject({ locked: false });
  });

  test('where there is no login for management', async () => {
    const bare = await startTestServer({ serverUrl: database.serverUrl });
    const own = new Client(bare.url);
    const shop = await world.environment('production');
    try {
      for (const act of ['lock', 'unlock']) {
        const { code } = await own.send(rest(shop, 'POST', `/environment/${act}`, undefined, 'none'));
        expect(code).toBe('management_unavailable');
      }
    } finally {
      own.close();
      await bare.close();
    }
  });
});
