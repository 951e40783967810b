import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { revokeApiKey } from '../../src/admin/keys/revoke-api-key.ts';
import { SCOPES } from '../../src/auth/scopes.ts';
import type { RunningServer } from '../../src/server/process/http-server.ts';
import { leastOf } from '../support/least-of.ts';
import { type OutageCluster, startOutageCluster } from '../support/outage-cluster.ts';
import { startTestServer } from '../support/server.ts';
import { addMembers, Client, graphql, readMember } from '../support/surfaces/client.ts';
import { createWorld, type TestEnvironment, type World } from '../support/surfaces/world.ts';

let cluster: OutageCluster;
let world: World;
let server: RunningServer;
let client: Client;
let shop: TestEnvironment;

beforeAll(async () => {
  cluster = await startOutageCluster();
  world = createWorld(cluster);
  shop = await world.environment();
  server = await startTestServer(cluster);
  client = new Client(server.url);
  await addMembers(client, shop, ['ada']);
});

afterAll(async () => {
  client.close();
  await server.close();
  await cluster.drop();
});

const query = '{ member(externalCustomerId: "ada") { member { id } } }';

/** Uses the key on both surfaces. @returns the statuses */
async function use(key: string): Promise<number[]> {
  const sent = [readMember({ ...shop, key }, 'ada'), graphql({ ...shop, key }, query)];
  return Promise.all(sent.map(async (each) => (await client.send(each)).status));
}

/** Process ids of the database's ends of the connections for notices. */
async function noticePids(): Promise<number[]> {
  const { rows } = await cluster.adminPool.query<{ pid: number }>(
    `select pid from pg_stat_activity where application_name = 'rewards notices' and datname = current_database()`,
  );
  return rows.map(({ pid }) => pid);
}

async function millisecondsUntilRefused(key: string): Promise<number> {
  const begun = performance.now();
  while (performance.now() - begun < 40_000) {
    const statuses = await use(key);
    if (statuses.every((status) => status === 401)) return performance.now() - begun;
    await sleep(10);
  }
  throw new Error('The key still works');
}

/** Revokes a key that has just been used while no notice comes through. @returns how long it works on */
async function revokeUnheard(silentMs: number): Promise<number> {
  const { key, keyId } = await world.key(shop.id, SCOPES);
  await sleep(500);
  expect(await use(key)).toEqual([200, 200]);
  const pids = await noticePids();
  expect(pids.length).toBe(1);
  try {
    for (const pid of pids) process.kill(pid, 'SIGSTOP');
    await sleep(silentMs);
    expect(await use(key)).toEqual([200, 200]);
    await revokeApiKey(world.administrator, keyId);
    return await millisecondsUntilRefused(key);
  } finally {
    for (const pid of pids) process.kill(pid, 'SIGCONT');
  }
}

/** Revokes a key that was used so long ago, while notices come through. @returns how long it works on */
async function revokeHeard(usedMs: number): Promise<number> {
  const { key, keyId } = await world.key(shop.id, SCOPES);
  expect(await use(key)).toEqual([200, 200]);
  await sleep(usedMs);
  await revokeApiKey(world.administrator, keyId);
  return millisecondsUntilRefused(key);
}

test('a revoked key works for a second at most where the connection for notices is silent without being closed', async () => {
  // The test's own steps take their time too, on a busy machine.
  expect(await leastOf(5, 2_000, () => revokeUnheard(0))).toBeLessThan(2_000);
});

test('so it is where the silence has lasted, and the same connection is heard again afterwards', async () => {
  const before = await noticePids();
  expect(await leastOf(3, 2_000, () => revokeUnheard(2_000))).toBeLessThan(2_000);
  await sleep(1_500);
  expect(await noticePids()).toEqual(before);
  expect(await leastOf(5, 500, () => revokeHeard(0))).toBeLessThan(500);
});

test('a connection that stays silent is given up for a new one, which is heard', async () => {
  const [silent = 0] = await noticePids();
  try {
    process.kill(silent, 'SIGSTOP');
    let pids = await noticePids();
    for (let waited = 0; pids.every((pid) => pid === silent); waited += 50) {
      if (waited > 120_000) throw new Error('No new connection was made');
      await sleep(50);
      pids = await noticePids();
    }
    await sleep(1_000);
    expect(await leastOf(5, 500, () => revokeHeard(1_500))).toBeLessThan(500);
  } finally {
    process.kill(silent, 'SIGCONT');
  }
});
