import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, open, readFile, realpath, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { V8_OPTIONS } from '../scripts/launch.mjs';
import { operator } from '../src/admin/shared/admin-change.ts';
import { readSecretsFile } from '../src/auth/secrets-file.ts';
import { hasHome } from '../src/db/cluster-home.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../src/db/embedded-postgres.ts';
import { migrate } from '../src/db/migrate.ts';
import { createPool, type Pool } from '../src/db/pool.ts';
import { createPrisma } from '../src/db/prisma.ts';
import type { Multipliers } from './answer-checks.ts';
import { makeCustomerAccess } from './customers.ts';
import { firstPurchase } from './first-purchase.ts';
import type { BenchOptions } from './options.ts';
import { packedReceipts } from './packed-receipt.ts';
import { installPgledger } from './pgledger.ts';
import type { Target } from './scenarios.ts';
import { Seeder } from './seed.ts';

const BENCH_DIR = fileURLToPath(new URL('.', import.meta.url));
const READY_LIMIT_MS = 30_000;

export interface StageOptions extends Pick<BenchOptions, 'members' | 'keys' | 'items' | 'profileDir'> {
  /** Settings of the server beside the defaults. */
  settings?: Readonly<Record<string, string>>;
  /**
   * A folder without a database, in which that of the stage stays. Otherwise it is in a temporary one, and is removed.
   */
  keepDir?: string | null;
  /** A checkout of pgledger, where its transfers are measured. */
  pgledgerDir?: string | null;
}

/**
 * The connections of a sweep stay open: those of the baseline and of pgledger are more than Postgres admits by default.
 */
const TWO_BASELINES = { max_connections: '300' };

/** The running processes of the bench and a filled database. */
export interface Stage {
  target: Target;
  seeder: Seeder;
  /** UUIDs of the environments that the service and the baseline write into. */
  environmentId: string;
  baselineEnvironmentId: string;
  dataDir: string;
  /** Connections of the owner, without a statement timeout. */
  pool: Pool;
  load: ChildProcess;
  serverPid: number;
  barePid: number;
  postmasterPid: number;
  /** Stops all processes, and removes the data unless it is kept. */
  close(): Promise<void>;
}

/**
 * Starts an embedded Postgres with the production settings in a temporary folder, fills it, and starts the server, the
 * bare Express handler and the load, each as a process of its own.
 * @throws where `keepDir` has a database already
 */
export async function openStage(options: StageOptions): Promise<Stage> {
  const { keepDir = null } = options;
  const dataDir = keepDir ? await newDataDir(keepDir) : await mkdtemp(join(tmpdir(), 'rewards-bench-'));
  await chmod(dataDir, 0o755);
  const closing: (() => Promise<unknown>)[] = keepDir ? [] : [() => removeDataDir(dataDir)];
  const close = async (): Promise<void> => {
    for (const step of closing.splice(0).reverse()) await step();
  };
  try {
    const settings = options.pgledgerDir ? TWO_BASELINES : {};
    const postgres = await startEmbeddedPostgres({ dataDir, log: () => {}, use: 'tool', settings });
    closing.push(() => postgres.stop());
    await migrate(postgres.adminUrl);
    const pool = createPool({ url: postgres.adminUrl, size: 4, statementTimeoutMs: 0 });
    const prisma = createPrisma(pool);
    closing.push(async () => {
      await prisma.$disconnect();
      await pool.end();
    });
    await pool.query(await readFile(join(BENCH_DIR, 'baseline.sql'), 'utf8'));
    const administrator = { prisma, actor: operator('bench') };
    const seeder = await Seeder.open(administrator, pool);
    const { uuid: environmentId, place } = await seeder.makePlace('Service', options.members, options.keys);
    const { uuid: baselineEnvironmentId } = await seeder.makePlace('Baseline', options.members, 1);
    const customers = await makeCustomerAccess(administrator, pool, environmentId, place.programId);
    const pgledger = options.pgledgerDir
      ? await installPgledger(pool, postgres.adminUrl, options.pgledgerDir, options.members)
      : null;
    // Autovacuum would do this within a minute, during the measurements.
    await pool.query('vacuum analyze');
    const serverPort = await freePort();
    const server = await startServer(dataDir, serverPort, options);
    closing.push(() => stop(server));
    const bare = await startBare(postgres, environmentId);
    closing.push(() => stop(bare.process));
    const load = fork(join(BENCH_DIR, 'load-process.ts'), { stdio: 'inherit' });
    closing.push(() => stop(load));
    const { items } = options;
    const secretsKey = await readSecretsFile(dataDir);
    const target = {
      ...{ ...place, serverPort, barePort: bare.port, items, multipliers: multipliersOf(seeder) },
      ...{ customers, secretsKey, pgledger },
    };
    const written = await firstPurchase(target, pool, environmentId);
    await pool.query(packedReceipts(written.receipt, baselineEnvironmentId).storeTemplate);
    const baseline = { databaseUrl: postgres.serverUrl, environmentId: baselineEnvironmentId, ...written };
    return {
      target: { ...target, baseline },
      seeder,
      environmentId,
      baselineEnvironmentId,
      dataDir,
      pool,
      load,
      serverPid: server.pid as number,
      barePid: bare.process.pid as number,
      postmasterPid: await postmasterPid(dataDir),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Makes a folder for a database that stays. @throws where it has one */
async function newDataDir(folder: string): Promise<string> {
  const dataDir = resolve(folder);
  if (await hasHome(dataDir)) throw new Error(`${dataDir} has a database already`);
  await mkdir(dataDir, { recursive: true });
  return dataDir;
}

function multipliersOf({ document }: Seeder): Multipliers {
  return Object.fromEntries(
    document.tiers.map(({ id, multiplier }) => [id, [multiplier.numerator, multiplier.denominator]]),
  );
}

/** Starts the server as `npm start` does, without the demo. It stops by itself if the bench is killed. */
async function startServer(
  dataDir: string,
  port: number,
  { profileDir, settings }: StageOptions,
): Promise<ChildProcess> {
  const follow = pathToFileURL(join(BENCH_DIR, '../scripts/follow-parent.mjs')).href;
  const args = [...V8_OPTIONS, '--import', follow, join(BENCH_DIR, '../src/cli/main.ts'), 'serve'];
  if (profileDir) args.unshift('--cpu-prof', `--cpu-prof-dir=${resolve(profileDir)}`);
  const logFile = join(dataDir, 'server.log');
  const log = await open(logFile, 'w');
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', log.fd, log.fd, 'ipc'],
    env: {
      ...withoutSettings(process.env),
      // All of the load comes from one address, and from few customers where the run has few members.
      WIDGET_RATE_LIMIT_PER_MINUTE: '1000000000',
      WIDGET_SESSION_RATE_LIMIT_PER_MINUTE: '1000000000',
      CUSTOMER_RATE_LIMIT_PER_MINUTE: '1000000000',
      ...settings,
      DATA_DIR: dataDir,
      PORT: String(port),
      REWARDS_STARTER_PID: String(process.pid),
    },
    // Ctrl-C must reach only the bench, which stops the server itself.
    detached: true,
  });
  await log.close();
  const deadline = Date.now() + READY_LIMIT_MS;
  while (!(await isReady(port))) {
    if (child.exitCode !== null || Date.now() > deadline) {
      child.kill('SIGKILL');
      throw new Error(`The server did not start:\n${await readFile(logFile, 'utf8')}`);
    }
    await sleep(50);
  }
  return child;
}

/** The environment variables without the service's settings, so that the server runs with the defaults. */
function withoutSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const names =
    /^(PORT|HOST|.*DATABASE_.*|DATA_DIR|WORKERS|REDIS_URL|LOG_LEVEL|RATE_LIMIT_.*|QUEUE_LIMIT|STATEMENT_.*|SHUTDOWN_.*|RETENTION_.*|WEBHOOK_.*|CUSTOMER_.*|WIDGET_.*|SECRETS_KEY)$/;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !names.test(name)));
}

async function isReady(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/readyz`).then(
    (response) => response.ok,
    () => false,
  );
}

async function startBare({ serverUrl }: EmbeddedPostgres, environmentId: string) {
  const child = fork(join(BENCH_DIR, 'bare-express.ts'), {
    env: { ...process.env, BENCH_DATABASE_URL: serverUrl, BENCH_ENVIRONMENT_ID: environmentId },
  });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return { process: child, port };
}

/** Stops a child: by closing its channel where it has one, otherwise by SIGTERM; by SIGKILL after 30 seconds. */
async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  if (child.connected) child.disconnect();
  else child.kill('SIGTERM');
  await Promise.race([gone, sleep(30_000, undefined, { ref: false })]);
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

async function postmasterPid(dataDir: string): Promise<number> {
  const home = await realpath(join(dataDir, 'postgres'));
  const text = await readFile(join(home, 'cluster', 'postmaster.pid'), 'utf8');
  return Number.parseInt(text, 10);
}

/** Removes the data. `postgres` may be a link to a folder that the database's user can read. */
async function removeDataDir(dataDir: string): Promise<void> {
  const home = await realpath(join(dataDir, 'postgres')).catch(() => null);
  const options = { recursive: true, force: true, maxRetries: 10, retryDelay: 50 };
  if (home) await rm(home, options);
  await rm(dataDir, options);
}
