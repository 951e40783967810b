import { rm } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { revokeApiKey } from '../../src/admin/keys/revoke-api-key.ts';
import { checkSessions, PoolerError } from '../../src/db/check-sessions.ts';
import { migrate } from '../../src/db/migrate.ts';
import { runCli } from '../support/cli/run-cli.ts';
import { IGNORED, type PgBouncer, startPgBouncer } from '../support/drills/pgbouncer.ts';
import { addDatabase, PostgresNode, serverUrlOf } from '../support/drills/postgres-node.ts';
import { missingOf } from '../support/drills/programs.ts';
import { expectEachOnce, startRetryingLoad } from '../support/drills/retrying-load.ts';
import { until } from '../support/drills/until.ts';
import { type ServerProcess, spawnServer } from '../support/server.ts';
import { addMembers, Client, readMember } from '../support/surfaces/client.ts';
import { createWorld, type World } from '../support/surfaces/world.ts';
import { makeDataDir } from '../support/temporary-cluster.ts';
import { describeWhere } from '../support/where.ts';

const MISSING = missingOf('postgres', 'pgbouncer');
const SENDERS = 8;

describeWhere(MISSING === null, MISSING ?? '')('a PgBouncer in front of Postgres', () => {
  let folder: string;
  let node: PostgresNode;
  let world: World;
  let pooler: PgBouncer | null = null;

  beforeAll(async () => {
    folder = await makeDataDir();
    node = await PostgresNode.create(folder, 'primary');
    await node.start();
    await addDatabase(node);
    await migrate(node.adminUrl());
    world = createWorld({ adminPool: node.pool });
  });

  afterEach(async () => {
    await pooler?.end();
    pooler = null;
  });

  afterAll(async () => {
    await node?.drop();
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  });

  test('Postgres itself, and one behind a proxy, give sessions of their own', async () => {
    await checkSessions(node.adminUrl(), true);
    await checkSessions(serverUrlOf(node), false);
  });

  test('in transaction mode the service does not start, and says what to do', async () => {
    pooler = await startPgBouncer(folder, node, { mode: 'transaction', ignored: IGNORED });
    const settings = { DATABASE_URL: node.adminUrl(), SERVER_DATABASE_URL: pooler.serverUrl };
    await expect(spawnServer(settings)).rejects.toThrow(
      /in transaction mode answers.*docs\/operate\/production\.md/s,
    );
    const { exitCode, stderr } = await runCli(pooler.adminUrl, ['migrate', '--status']);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: expect.stringContaining('in transaction mode answers'),
    });
  });

  test('where it refuses the settings of a session, the message says so', async () => {
    pooler = await startPgBouncer(folder, node, { mode: 'session', ignored: '' });
    await expect(checkSessions(pooler.serverUrl, false)).rejects.toThrow(
      /unsupported startup parameter.*docs\/operate\/production\.md/s,
    );
  });

  test('where it drops them and the login lacks them, it says so', async () => {
    pooler = await startPgBouncer(folder, node, { mode: 'session', ignored: IGNORED });
    await expect(checkSessions(pooler.serverUrl, false)).rejects.toThrow(PoolerError);
    await node.pool.query('alter role postgres set search_path = public, pg_temp');
    // The role would not be taken either.
    await expect(checkSessions(pooler.adminUrl, true)).rejects.toThrow('set SERVER_DATABASE_URL');
  });

  test('in session mode, with the settings of docs/operate/production.md, everything works', async () => {
    for (const login of ['postgres', 'rewards_server'])
      await node.pool.query(`alter role ${login} set search_path = public, pg_temp`);
    pooler = await startPgBouncer(folder, node, { mode: 'session', ignored: IGNORED });
    const shop = await world.environment();
    const server: ServerProcess = await spawnServer({
      ...{ DATABASE_URL: pooler.adminUrl, SERVER_DATABASE_URL: pooler.serverUrl },
      SWEEP_SECONDS: '1',
    });
    const client = new Client(server.url);
    try {
      await addMembers(client, shop, ['ada', 'ben']);
      const load = startRetryingLoad(server.url, shop, {
        ...{ name: 'bouncer', senders: SENDERS, members: ['ada', 'ben'] },
      });
      await until('the load', () => load.acknowledged.size > SENDERS * 4);
      await load.stop();
      await expectEachOnce(node.pool, 'bouncer', load.acknowledged);
      const { key, keyId } = await world.key(shop.id);
      expect((await client.send(readMember({ ...shop, key }, 'ada'))).status).toBe(200);
      await revokeApiKey(world.administrator, keyId);
      await until('the refusal', async () => {
        return (await client.send(readMember({ ...shop, key }, 'ada'))).status === 401;
      });
      expect(await world.failedControls()).toEqual([]);
    } finally {
      client.close();
      await server.end('SIGTERM');
    }
  });
});
