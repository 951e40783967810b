import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command, InvalidArgumentError, Option } from 'commander';
import { distribute } from '../../src/db/distribute.ts';
import { MIGRATIONS_DIRECTORY, migrate } from '../../src/db/migrate.ts';
import { createPool } from '../../src/db/pool.ts';
import { withDatabase } from '../../test/support/cluster.ts';
import { LAST_BEFORE_DISTRIBUTION } from '../../test/support/sql/citus-migration-problems.ts';
import { BUILDS, buildCitus } from './build.ts';
import { type Cluster, run, startCluster } from './cluster.ts';
import { compareGuards } from './guards.ts';
import { type Move, moveUnderLoad } from './moves.ts';
import { measureRates, type Rate } from './rates.ts';
import { planStatements } from './statements.ts';
import { SUITES } from './suites.ts';

// npm run bench:citus: see docs/operate/distributed.md. The exit code is 1 where a statement, a test or a point is not
// as expected.

const PROJECT_DIR = fileURLToPath(new URL('../..', import.meta.url));
const PARTS = ['statements', 'upgrade', 'suites', 'rates', 'moves'] as const;
const WORKERS = 2;
/** Each is moved with those of all other tables beside it. */
const FEW_SHARDS = 8;
const PLAIN = 'rewards_plain';
const DISTRIBUTED = 'rewards';

interface Options {
  postgres: string;
  citus?: string;
  builds: string;
  only: (typeof PARTS)[number][];
  seconds: number;
  environments: number[];
}

const { postgres, citus, builds, only, seconds, environments } = readOptions();
/** Folder of `initdb` and `pg_ctl` of a Postgres that Citus is installed into. */
let binaries = postgres;
let cluster: Cluster | null = null;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void Promise.resolve(cluster?.close()).finally(() => process.exit(130)));
}
try {
  if (citus) binaries = await buildCitus(citus, postgres, builds);
  if (only.includes('statements')) await onCluster({ fsync: 'off' }, runStatements);
  if (only.includes('upgrade')) await onCluster({ fsync: 'off' }, runUpgrade);
  if (only.includes('suites')) await onCluster({ fsync: 'off' }, runSuites);
  if (only.includes('rates')) await onCluster({}, runRates);
  if (only.includes('moves')) await onCluster({}, runMoves, WORKERS + 1);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}

function readOptions(): Options {
  const command = new Command('npm run bench:citus --')
    .description(
      'Runs the service on a Citus cluster on this machine: a coordinator ' +
        'and two workers, and a third to move shards to.',
    )
    .requiredOption(
      '--postgres <folder>',
      'folder of initdb and pg_ctl of a Postgres: with --citus of any, otherwise of one that Citus is installed into',
    )
    .option('--citus <folder>', 'a checkout of Citus, which is built for a copy of that Postgres', path)
    .option('--builds <folder>', 'where such builds are kept for the next run', path, BUILDS)
    .addOption(new Option('--only <parts...>', 'what to run').choices(PARTS).default([...PARTS]))
    .option('--seconds <number>', 'length of one measurement', numberOf, 10)
    .option(
      '--environments <numbers>',
      'how many share the load',
      (text) => text.split(',').map(numberOf),
      [1, 8, 64],
    )
    .parse();
  return command.opts<Options>();
}

function path(text: string): string {
  return resolve(text);
}

function numberOf(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError('A whole number from 1.');
  return value;
}

/** @param settings of every node */
async function onCluster(
  settings: Record<string, string>,
  work: (on: Cluster) => Promise<void>,
  workers = WORKERS,
): Promise<void> {
  process.stderr.write(`Starting a coordinator and ${workers} workers …\n`);
  cluster = await startCluster(binaries, { workers, settings });
  try {
    await work(cluster);
  } finally {
    await cluster.close();
    cluster = null;
  }
}

/**
 * Makes the database of the service on every node, and distributes its tables over the first workers.
 * @param options `migrations`: folder of those that it has before it is distributed
 * @returns its URL
 */
async function makeDistributed(
  { coordinatorUrl, workerUrls }: Cluster,
  { shards = 32, migrations = MIGRATIONS_DIRECTORY } = {},
): Promise<string> {
  for (const url of [coordinatorUrl, ...workerUrls]) {
    await run(url, `create database ${DISTRIBUTED}`);
    await run(withDatabase(url, DISTRIBUTED), 'create extension citus');
  }
  const url = withDatabase(coordinatorUrl, DISTRIBUTED);
  const nodes = workerUrls.slice(0, WORKERS).map((worker) => new URL(worker).port);
  await run(
    url,
    `select citus_set_coordinator_host('127.0.0.1', ${new URL(url).port})`,
    ...nodes.map((port) => `select citus_add_node('127.0.0.1', ${port})`),
  );
  await migrate(url, migrations);
  process.stderr.write('Distributing the tables …\n');
  await distribute({ url, server: { url, role: 'rewards_app' }, shards });
  return url;
}

/** Makes a database that is not distributed, on the coordinator. @returns its URL */
async function makePlain({ coordinatorUrl }: Cluster): Promise<string> {
  const url = withDatabase(coordinatorUrl, PLAIN);
  await run(coordinatorUrl, `create database ${PLAIN}`);
  await migrate(url);
  return url;
}

async function runStatements(on: Cluster): Promise<void> {
  const pool = createPool({ url: await makeDistributed(on), size: 1, statementTimeoutMs: 0 });
  const { planned, problems } = await planStatements(pool).finally(() => pool.end());
  process.stdout.write(`${planned} statements, of which ${problems.length} fail.\n`);
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

/** Migrates a database that is distributed already, and compares what its shards guard with one that is not. */
async function runUpgrade(on: Cluster): Promise<void> {
  const earlier = await mkdtemp(join(tmpdir(), 'rewards-migrations-'));
  try {
    const migrations = await readdir(MIGRATIONS_DIRECTORY);
    for (const name of migrations.filter((name) => name <= LAST_BEFORE_DISTRIBUTION)) {
      await cp(join(MIGRATIONS_DIRECTORY, name), join(earlier, name), { recursive: true });
    }
    const url = await makeDistributed(on, { migrations: earlier });
    const applied = await migrate(url);
    await distribute({ url, server: { url, role: 'rewards_app' }, shards: 32 });
    const workers = on.workerUrls.map((worker) => withDatabase(worker, DISTRIBUTED));
    const { tables, shards, guards, problems } = await compareGuards(await makePlain(on), workers);
    process.stdout.write(
      `${applied.length} migrations of distributed tables. ${tables} tables with ${guards} columns, constraints, indexes and ` +
        `privileges, in ${shards} shards: ${problems.length} differences.\n`,
    );
    if (problems.length > 0) throw new Error(problems.join('\n'));
  } finally {
    await rm(earlier, { recursive: true });
  }
}

async function runSuites({ coordinatorUrl, workerUrls }: Cluster): Promise<void> {
  const tests = spawn(
    process.execPath,
    [join(PROJECT_DIR, 'scripts/test.mjs'), '--maxWorkers=1', ...SUITES],
    {
      cwd: PROJECT_DIR,
      stdio: 'inherit',
      env: {
        ...process.env,
        TEST_DATABASE_URL: coordinatorUrl,
        TEST_CITUS_WORKERS: workerUrls.join(' '),
      },
    },
  );
  const [code] = await once(tests, 'exit');
  if (code !== 0) throw new Error('Tests have failed on Citus.');
}

async function runRates(on: Cluster): Promise<void> {
  const plainUrl = await makePlain(on);
  const distributedUrl = await makeDistributed(on);
  process.stderr.write('Measuring …\n');
  const plain = await measureRates(plainUrl, { seconds, environments });
  const distributed = await measureRates(distributedUrl, { seconds, environments });
  process.stdout.write(`${table(plain, distributed)}\nThe ledgers of both were verified.\n`);
}

async function runMoves(on: Cluster): Promise<void> {
  const url = await makeDistributed(on, { shards: FEW_SHARDS });
  const { hostname: host, port } = new URL(on.workerUrls[WORKERS] ?? '');
  process.stderr.write('Moving shards while clients buy …\n');
  const moves = await moveUnderLoad(url, { host, port: Number(port) });
  process.stdout.write(
    `${describe(moves)}\nEach acknowledged purchase is there once, and the ledger was verified.\n`,
  );
}

function describe(moves: readonly Move[]): string {
  const lines = moves.map(({ statement, seconds, acknowledged, longestSeconds }) => [
    `\`${statement}\``,
    seconds.toFixed(1),
    acknowledged,
    longestSeconds.toFixed(1),
  ]);
  return inTable(['statement', 'seconds', 'purchases meanwhile', 'the longest, seconds'], lines);
}

function table(plain: readonly Rate[], distributed: readonly Rate[]): string {
  const lines = distributed.map((rate, index) => {
    const alone = plain[index];
    return [
      rate.environments,
      Math.round(alone?.purchasesPerSecond ?? 0),
      Math.round(alone?.batch ?? 0),
      Math.round(rate.purchasesPerSecond),
      Math.round(rate.batch),
    ];
  });
  const head = ['environments', 'one Postgres, purchases/s', 'a batch', 'Citus, purchases/s', 'a batch'];
  return inTable(head, lines);
}

function inTable(head: readonly string[], lines: readonly (readonly (string | number)[])[]): string {
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
