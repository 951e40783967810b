import { cp, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { migrate } from '../../../src/db/migrate.ts';
import { freePort } from '../free-port.ts';
import { startTestRedis, type TestRedis } from '../redis.ts';
import { type ServerProcess, spawnServer } from '../server.ts';
import { makeDataDir } from '../temporary-cluster.ts';
import { type Haproxy, startHaproxy } from './haproxy.ts';
import { addDatabase, PostgresNode, settingsOf } from './postgres-node.ts';
import { until } from './until.ts';

const PROJECT_DIR = fileURLToPath(new URL('../../..', import.meta.url));
const NODES = 3;
/** What a serving process reads of the project. */
const RELEASE = ['src', 'rest-adapter', 'generated', 'prisma', 'web', 'docs', 'demo', 'codegen'];
const FILES = ['package.json', 'schema.graphql', 'openapi.json', 'openapi.customer.json', 'README.md'];

/** Three serving processes behind HAProxy, with a Valkey or Redis, a primary and a synchronous standby. */
export interface ManyNodes {
  /** The proxy's. */
  url: string;
  primary: PostgresNode;
  standby: PostgresNode;
  redis: TestRedis;
  /** Ends a node and starts it again on its port. @param release the folder of another release */
  restartNode(index: number, signal: 'SIGTERM' | 'SIGKILL', release?: string): Promise<void>;
  /** Makes a copy of this release with one more migration. @returns its folder */
  nextRelease(): Promise<string>;
  /** Makes a standby of the server that was promoted, in the place of the first primary. */
  rebuildPrimary(): Promise<PostgresNode>;
  drop(): Promise<void>;
}

export async function startManyNodes(): Promise<ManyNodes> {
  const folder = await makeDataDir();
  const primary = await PostgresNode.create(folder, 'primary');
  await primary.start();
  await addDatabase(primary);
  await migrate(primary.adminUrl());
  const standby = await PostgresNode.copyOf(primary, folder, 'standby', { asStandby: true });
  await standby.start();
  await makeSynchronous(primary);
  let rebuilt: PostgresNode | null = null;
  const redis = await startTestRedis();
  const settings = {
    ...settingsOf([primary, standby]),
    REDIS_URL: redis.url,
    SWEEP_SECONDS: '5',
    LOG_LEVEL: 'fatal',
  };
  const ports: number[] = [];
  for (let index = 0; index < NODES; index += 1) ports.push(await freePort());
  const start = (index: number, release?: string): Promise<ServerProcess> =>
    spawnServer({ ...settings, PORT: String(ports[index]) }, [], release);
  const servers = await Promise.all(ports.map((_, index) => start(index)));
  const proxy: Haproxy = await startHaproxy(folder, ports);
  return {
    ...{ url: proxy.url, primary, standby, redis },
    async restartNode(index, signal, release) {
      await servers[index]?.end(signal);
      servers[index] = await start(index, release);
    },
    nextRelease: () => nextRelease(folder),
    async rebuildPrimary() {
      await primary.drop();
      rebuilt = await PostgresNode.copyOf(standby, folder, 'rebuilt', {
        asStandby: true,
        port: primary.port,
      });
      await rebuilt.start();
      await makeSynchronous(standby);
      return rebuilt;
    },
    async drop() {
      await proxy.end();
      await Promise.all(servers.map((server) => server.end('SIGKILL')));
      await redis.kill();
      await Promise.all([primary, standby, rebuilt].map((node) => node?.drop()));
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
    },
  };
}

/** From now on a commit is acknowledged only after a standby has it on disk. */
async function makeSynchronous(primary: PostgresNode): Promise<void> {
  const { pool } = primary;
  await pool.query(`alter system set synchronous_standby_names = '*'`);
  await pool.query('select pg_reload_conf()');
  await until('the synchronous standby', async () => {
    const { rowCount } = await pool.query(`select from pg_stat_replication where sync_state = 'sync'`);
    return rowCount === 1;
  });
}

async function nextRelease(folder: string): Promise<string> {
  const release = join(folder, 'next-release');
  await mkdir(release);
  for (const name of [...RELEASE, ...FILES])
    await cp(join(PROJECT_DIR, name), join(release, name), { recursive: true });
  await symlink(join(PROJECT_DIR, 'node_modules'), join(release, 'node_modules'));
  const migration = join(release, 'prisma/migrations/29990101000000_next_release');
  await mkdir(migration);
  await writeFile(join(migration, 'migration.sql'), 'alter table "orders" add column "next_release" text;\n');
  return release;
}
