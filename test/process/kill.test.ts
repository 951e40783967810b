import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import type { Demo } from '../../src/admin/demo/demo.ts';
import { startEmbeddedPostgres } from '../../src/db/embedded-postgres.ts';
import { createPool } from '../../src/db/pool.ts';
import { toTypeId } from '../../src/ids.ts';
import { createTestDatabase } from '../support/database.ts';
import { databaseSettings, type ServerProcess, spawnServer } from '../support/server.ts';
import { addMembers, Client, earn } from '../support/surfaces/client.ts';
import { createWorld, type TestEnvironment, type World } from '../support/surfaces/world.ts';
import { makeDataDir, removeDataDir } from '../support/temporary-cluster.ts';

const KILLS = process.env.FULL === '1' ? 100 : 20;
const SENDERS = 32;
const MEMBERS = 8;

type Credentials = Pick<TestEnvironment, 'key' | 'environmentId'>;

/** What clients know of their purchases: by key, the transaction that was acknowledged, or null. */
type Known = Map<string, string | null>;

test(`kill -9 of the server under load, ${KILLS} times: each purchase once, acknowledged or sent again`, async () => {
  const database = await createTestDatabase();
  const world = createWorld(database);
  const shop = await world.environment();
  const known: Known = new Map();
  let cut = 0;
  let server = await spawnServer(databaseSettings(database));
  try {
    const client = new Client(server.url);
    await addMembers(client, shop, memberIds());
    client.close();
    for (let round = 0; round < KILLS; round += 1) {
      const load = startLoad(server, shop, known, round);
      await load.underway;
      await sleep(20 + Math.random() * 120);
      await server.end('SIGKILL');
      cut += await load.ended;
      server = await spawnServer(databaseSettings(database));
      await expectAcknowledged(world, known);
      await sendAgain(server, shop, known);
    }
    // A kill that cuts nothing off shows nothing.
    expect(cut).toBeGreaterThan(KILLS);
    await expectEachOnce(world, known);
    expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null });
  } finally {
    await server.end('SIGKILL');
    await database.drop();
  }
}, 300_000);

test('kill -9 of the server and of its Postgres: the next start recovers by itself, and nothing is lost', async () => {
  const dataDir = await makeDataDir();
  const settings = { DATA_DIR: dataDir };
  const known: Known = new Map();
  let server = await spawnServer(settings, ['--demo']);
  try {
    const demo = JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8')) as Demo;
    const shop = { key: demo.sandbox.apiKey, environmentId: demo.sandbox.environmentId };
    const client = new Client(server.url);
    await addMembers(client, shop, memberIds());
    client.close();
    for (let round = 0; round < 2; round += 1) {
      const load = startLoad(server, shop, known, round);
      await load.underway;
      await sleep(100);
      const postmaster = await postmasterOf(dataDir);
      process.kill(postmaster, 'SIGKILL');
      await server.end('SIGKILL');
      await load.ended;
      server = await spawnServer(settings, ['--demo']);
      expect(JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8'))).toEqual(demo);
      await sendAgain(server, shop, known);
    }
    await withWorld(dataDir, async (world) => {
      await expectAcknowledged(world, known);
      await expectEachOnce(world, known);
    });
    expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null });
    await expect(readFile(join(dataDir, 'postgres/cluster/postmaster.pid'))).rejects.toThrow('ENOENT');
  } finally {
    await server.end('SIGTERM');
    await removeDataDir(dataDir);
  }
});

interface Load {
  /** Some purchases were acknowledged. */
  underway: Promise<void>;
  /** Every sender has met the end of the server. @returns how many purchases are in doubt */
  ended: Promise<number>;
}

/** Senders that send one purchase after the other until the server is gone. */
function startLoad({ url }: ServerProcess, credentials: Credentials, known: Known, round: number): Load {
  const client = new Client(url, SENDERS);
  let acknowledged = 0;
  const { promise: underway, resolve } = Promise.withResolvers<void>();
  const send = async (sender: number): Promise<number> => {
    for (let index = 0; ; index += 1) {
      const key = `${round}-${sender}-${index}`;
      known.set(key, null);
      const answer = await client.send(earn(credentials, purchaseOf(key), key)).catch(() => null);
      if (!answer) return 1;
      if (answer.status === 201) known.set(key, answer.body.id ?? '');
      // What a dying database leaves is a 503 that says so; nothing else is allowed.
      else expect(answer).toMatchObject({ status: 503, code: 'unavailable' });
      acknowledged += 1;
      if (acknowledged === SENDERS * 2) resolve();
    }
  };
  const ended = Promise.all(Array.from({ length: SENDERS }, (_, sender) => send(sender))).then((cut) => {
    client.close();
    return cut.reduce((sum, one) => sum + one, 0);
  });
  return { underway: Promise.race([underway, ended.then(() => undefined)]), ended };
}

/** Sends what was not acknowledged again, under its own key: it may have happened, and must not happen twice. */
async function sendAgain({ url }: ServerProcess, credentials: Credentials, known: Known): Promise<void> {
  const client = new Client(url, SENDERS);
  const doubtful = [...known].filter(([, id]) => id === null).map(([key]) => key);
  await Promise.all(
    doubtful.map(async (key) => {
      const answer = await client.send(earn(credentials, purchaseOf(key), key));
      expect([200, 201]).toContain(answer.status);
      expect(answer.replayed).toBe(answer.status === 200);
      known.set(key, answer.body.id ?? '');
    }),
  );
  client.close();
}

/** Every acknowledged purchase is there, under the id that was acknowledged. */
async function expectAcknowledged(world: World, known: Known): Promise<void> {
  const acknowledged = [...known].filter(([, id]) => id !== null);
  const stored = await storedPurchases(world);
  expect(acknowledged.filter(([key, id]) => stored.get(key) !== id)).toEqual([]);
}

/** Every purchase that was sent is there once, and nothing else is. */
async function expectEachOnce(world: World, known: Known): Promise<void> {
  const stored = await storedPurchases(world);
  expect(stored.size).toBe(known.size);
  expect([...known].filter(([key, id]) => stored.get(key) !== id)).toEqual([]);
  expect(
    await world.count(`select count(*) from transactions where starts_with(source_reference, 'order-')`),
  ).toBe(known.size);
  expect(await world.failedControls()).toEqual([]);
}

/** Transaction ids by key, out of the keys' own rows and the orders'. */
async function storedPurchases({ administrator }: World): Promise<Map<string, string>> {
  const rows = await administrator.prisma.$queryRaw<{ key: string; id: string }[]>`
    select k.key, t.id
    from idempotency_keys k
    join transactions t on (t.environment_id, t.id) = (k.environment_id, k.transaction_id)
    join orders o on (o.environment_id, o.source_reference) = (t.environment_id, 'order-' || k.key)
      and o.transaction_id = t.id
    where k.operation = 'purchaseEarn'`;
  return new Map(rows.map(({ key, id }) => [key, toTypeId('txn', id)]));
}

async function withWorld(dataDir: string, work: (world: World) => Promise<void>): Promise<void> {
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => {}, use: 'tool' });
  const adminPool = createPool({ url: postgres.adminUrl, size: 2 });
  try {
    await work(createWorld({ adminPool }));
  } finally {
    await adminPool.end();
    await postgres.stop();
  }
}

async function postmasterOf(dataDir: string): Promise<number> {
  const [pid = ''] = (await readFile(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8')).split('\n');
  return Number(pid);
}

function purchaseOf(key: string) {
  const member = Number(key.split('-')[1]) % MEMBERS;
  return { externalCustomerId: `c-${member}`, sourceReference: `order-${key}`, amountMinor: 1000 };
}

function memberIds(): string[] {
  return Array.from({ length: MEMBERS }, (_, index) => `c-${index}`);
}
