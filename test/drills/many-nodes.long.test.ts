import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { revokeApiKey } from '../../src/admin/keys/revoke-api-key.ts';
import { primaryUrl } from '../../src/db/primary.ts';
import { type ManyNodes, startManyNodes } from '../support/drills/many-nodes.ts';
import { type PostgresNode, settingsOf } from '../support/drills/postgres-node.ts';
import { missingOf } from '../support/drills/programs.ts';
import { expectEachOnce, type RetryingLoad, startRetryingLoad } from '../support/drills/retrying-load.ts';
import { until } from '../support/drills/until.ts';
import { nameOfTestRedis } from '../support/redis.ts';
import { addMembers, Client, readMember } from '../support/surfaces/client.ts';
import { createWorld, type TestEnvironment, type World } from '../support/surfaces/world.ts';
import { describeWhere } from '../support/where.ts';

const SENDERS = 24;
const MEMBERS = Array.from({ length: 12 }, (_, index) => `c-${index}`);
const KILLS = process.env.FULL === '1' ? 30 : 3;
const MISSING = missingOf('postgres', 'haproxy', 'redis');

/** The order of these tests matters: the last ones take the primary away. */
describeWhere(MISSING === null, MISSING ?? '')(
  'three nodes behind HAProxy, a primary and a synchronous standby',
  () => {
    let site: ManyNodes;
    let world: World;
    let shop: TestEnvironment;
    /** Everything that was acknowledged, by the name of its load. */
    const all = new Map<string, ReadonlyMap<string, string>>();

    beforeAll(async () => {
      process.stdout.write(`Rate limits are shared through ${nameOfTestRedis()}.\n`);
      site = await startManyNodes();
      world = createWorld({ adminPool: site.primary.pool });
      shop = await world.environment();
      const client = new Client(site.url);
      await addMembers(client, shop, MEMBERS);
      client.close();
    }, 240_000);

    afterAll(() => site?.drop(), 60_000);

    /** Runs a load beside what happens to the site, and ends it once every sender has got through again. */
    async function underLoad(name: string, happens: (load: RetryingLoad) => Promise<void>) {
      const load = startRetryingLoad(site.url, shop, { name, senders: SENDERS, members: MEMBERS });
      try {
        await until('the load', () => load.acknowledged.size > SENDERS * 2);
        await happens(load);
        const before = load.acknowledged.size;
        await until('the load goes on', () => load.acknowledged.size > before + SENDERS * 2);
      } finally {
        await load.stop();
      }
      all.set(name, load.acknowledged);
      return load;
    }

    test(`kill -9 of nodes, ${KILLS} times: each purchase once, acknowledged or settled by its retry`, async () => {
      const load = await underLoad('kill', async () => {
        for (let round = 0; round < KILLS; round += 1) {
          await sleep(100 + Math.random() * 200);
          await site.restartNode(round % 3, 'SIGKILL');
        }
      });
      await expectEachOnce(site.primary.pool, 'kill', load.acknowledged);
      // A kill that cuts nothing off shows nothing.
      expect([...load.doubts.values()].reduce((sum, one) => sum + one, 0)).toBeGreaterThan(0);
    }, 300_000);

    test('a rolling restart onto a release with one more migration: old and new nodes serve side by side', async () => {
      const load = await underLoad('upgrade', async () => {
        const release = await site.nextRelease();
        for (const node of [0, 1, 2]) await site.restartNode(node, 'SIGTERM', release);
      });
      process.stdout.write(
        `Answers in doubt during the rolling restart, by status: ${JSON.stringify([...load.doubts])}\n`,
      );
      await expectEachOnce(site.primary.pool, 'upgrade', load.acknowledged);
      expect(
        await world.count(`select count(*) from _prisma_migrations where migration_name ~ '^2999'`),
      ).toBe(1);
    }, 300_000);

    test('the loss of Valkey, or of Redis in its place: each node counts for itself, and nothing else changes', async () => {
      const load = await underLoad('valkey', async (running) => {
        await site.redis.kill();
        const before = running.acknowledged.size;
        await until('purchases without it', () => running.acknowledged.size > before + SENDERS * 4);
        await site.redis.start();
      });
      await expectEachOnce(site.primary.pool, 'valkey', load.acknowledged);
      expect([...load.doubts]).toEqual([]);
    }, 180_000);

    test('the loss of the connections that listen: they come back, and a revoked key is refused', async () => {
      const listeners = () =>
        world.count(`select count(*) from pg_stat_activity where application_name = 'rewards notices'`);
      const { key, keyId } = await world.key(shop.id);
      const client = new Client(site.url, 3);
      try {
        expect((await client.send(readMember({ ...shop, key }, 'c-0'))).status).toBe(200);
        await underLoad('listen', async () => {
          await site.primary.pool.query(
            `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'rewards notices'`,
          );
          await revokeApiKey(world.administrator, keyId);
          await until('the refusal by every node', async () => {
            const answers = await Promise.all(
              [0, 1, 2].map(() => client.send(readMember({ ...shop, key }, 'c-0'))),
            );
            return answers.every(({ status }) => status === 401);
          });
          await until('the listeners', async () => (await listeners()) === 3);
        });
      } finally {
        client.close();
      }
    }, 180_000);

    test('the primary is killed and the standby promoted: nothing acknowledged is lost, nothing happens twice', async () => {
      const load = await underLoad('failover', async (running) => {
        await site.primary.kill();
        await sinceKill(running);
        const before = running.acknowledged.size;
        const seconds = await promote(site.standby, running);
        process.stdout.write(
          `First success ${seconds} s after the command to promote; ${before} purchases were acknowledged before.\n`,
        );
      });
      expect(load.doubts.size).toBeGreaterThan(0);
      for (const [name, acknowledged] of all) await expectEachOnce(site.standby.pool, name, acknowledged);
      const after = createWorld({ adminPool: site.standby.pool });
      expect(await after.failedControls()).toEqual([]);
      // What every node does in the background has found the new primary as well.
      await until('the listeners on the new primary', async () => {
        const sql = `select count(*) from pg_stat_activity where application_name = 'rewards notices'`;
        return (await after.count(sql)) === 3;
      });
      await until('the jobs on the new primary', async () => {
        const sql = `select count(*) from pg_stat_activity where application_name = 'rewards jobs'`;
        return (await after.count(sql)) >= 3;
      });
    }, 300_000);

    test('the old primary comes back as a primary: it is not taken for the primary, and acknowledges nothing', async () => {
      await site.primary.start();
      const { DATABASE_URL = '' } = settingsOf([site.primary, site.standby]);
      expect(await primaryUrl(DATABASE_URL)).toContain(site.standby.host);
      // Its commits wait for a standby that it no longer has.
      const lost = site.primary.pool.query('create table lost ()').then(
        () => 'acknowledged',
        () => 'failed',
      );
      expect(await Promise.race([lost, sleep(1_000, 'waiting')])).toBe('waiting');
      const load = await underLoad('afterwards', async () => {
        await site.restartNode(0, 'SIGTERM');
      });
      await expectEachOnce(site.standby.pool, 'afterwards', load.acknowledged);
    }, 180_000);

    test('the old primary is rebuilt as a standby, and takes over from a primary that hangs', async () => {
      const rebuilt = await site.rebuildPrimary();
      await underLoad('hang', async (running) => {
        await site.standby.hang();
        await sinceKill(running);
        const seconds = await promote(rebuilt, running);
        process.stdout.write(
          `After a primary that hangs: first success ${seconds} s after the command to promote.\n`,
        );
      });
      await site.standby.kill();
      for (const [name, acknowledged] of all) await expectEachOnce(rebuilt.pool, name, acknowledged);
      expect(await createWorld({ adminPool: rebuilt.pool }).failedControls()).toEqual([]);
    }, 300_000);
  },
);

/** Waits until answers that were on their way have come, so that what comes later is of the new primary. */
function sinceKill(load: RetryingLoad): Promise<void> {
  return until('every sender is in doubt', () => performance.now() - load.lastSuccessAt > 1_000);
}

/** Promotes a standby. @returns the seconds from the command to the first purchase that is recorded */
async function promote(standby: PostgresNode, load: RetryingLoad): Promise<string> {
  const begun = performance.now();
  await standby.promote();
  await until('a purchase on the new primary', () => load.lastSuccessAt > begun);
  return ((load.lastSuccessAt - begun) / 1000).toFixed(1);
}
