import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { migrate } from '../../src/db/migrate.ts';
import { createPool, type Pool } from '../../src/db/pool.ts';
import { findLedgerClose } from '../../src/queries/reports/ledger-close/find-ledger-close.ts';
import { Replica } from '../../src/queries/shared/replica.ts';
import { isRefusal } from '../../src/refusal.ts';
import type { RunningServer } from '../../src/server/process/http-server.ts';
import { runCli } from '../support/cli/run-cli.ts';
import { addDatabase, PostgresNode, serverUrlOf } from '../support/drills/postgres-node.ts';
import { missingOf } from '../support/drills/programs.ts';
import { until } from '../support/drills/until.ts';
import { startTestServer } from '../support/server.ts';
import { addMembers, Client, earn, rest } from '../support/surfaces/client.ts';
import { createWorld, programId, type TestEnvironment, type World } from '../support/surfaces/world.ts';
import { makeDataDir } from '../support/temporary-cluster.ts';
import { describeWhere } from '../support/where.ts';

const MISSING = missingOf('postgres');
const LOGGED = { log_statement: 'all', log_line_prefix: '<%a> ' };

/** The order of these tests matters: the last one promotes the replica. */
describeWhere(MISSING === null, MISSING ?? '')('a replica for reports', () => {
  let folder: string;
  let primary: PostgresNode;
  let standby: PostgresNode;
  let world: World;
  let shop: TestEnvironment;
  let server: RunningServer;
  let client: Client;
  let orders = 0;

  beforeAll(async () => {
    folder = await makeDataDir();
    primary = await PostgresNode.create(folder, 'primary');
    await primary.start();
    await addDatabase(primary);
    await migrate(primary.adminUrl());
    standby = await PostgresNode.copyOf(primary, folder, 'replica', { asStandby: true });
    await standby.start(LOGGED);
    world = createWorld({ adminPool: primary.pool });
    shop = await world.environment();
    server = await startTestServer(
      { serverUrl: serverUrlOf(primary), operatorUrl: null },
      { databaseUrl: primary.adminUrl(), readDatabaseUrl: serverUrlOf(standby), logLevel: 'fatal' },
    );
    client = new Client(server.url);
    await addMembers(client, shop, ['ada']);
  });

  afterAll(async () => {
    client?.close();
    await server?.close();
    await Promise.all([primary?.drop(), standby?.drop()]);
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  });

  async function buy(): Promise<void> {
    orders += 1;
    const purchase = { externalCustomerId: 'ada', sourceReference: `o-${orders}`, amountMinor: 1000 };
    expect((await client.send(earn(shop, purchase, `k-${orders}`))).status).toBe(201);
  }

  /** The transactions that the ledger close counts. */
  async function closed(): Promise<number> {
    const answer = await client.send(rest(shop, 'GET', `/reports/ledger-close?programId=${programId}`));
    expect(answer).toEqual({ ...answer, status: 200 });
    return (answer.body.totals as { transactions: number }).transactions;
  }

  /** The transactions that the summary counts. */
  async function summed(): Promise<number> {
    const [from, to] = [new Date(Date.now() - 86_400_000), new Date(Date.now() + 86_400_000)];
    const path = `/analytics/ledger-summary?from=${from.toISOString()}&to=${to.toISOString()}`;
    const answer = await client.send(rest(shop, 'GET', path));
    expect(answer).toEqual({ ...answer, status: 200 });
    return (answer.body.transactions as { posted: number }).posted;
  }

  /** How many reports were read with an outcome, so far. */
  async function reads(outcome: string): Promise<number> {
    const text = await server.metrics();
    return Number(
      new RegExp(`^rewards_replica_reads_total\\{outcome="${outcome}"\\} (\\d+)$`, 'm').exec(text)?.[1] ?? 0,
    );
  }

  test('a close and a summary right after a purchase show it, and are read from the replica', async () => {
    for (let round = 0; round < 15; round += 1) {
      await buy();
      expect({ closed: await closed(), summed: await summed() }).toEqual({ closed: orders, summed: orders });
    }
    // On a busy machine the replica may lag for longer than a report waits.
    expect((await reads('replica')) + (await reads('lagging'))).toBe(30);
    expect(await reads('replica')).toBeGreaterThan(0);
  });

  test('only reports go there', async () => {
    expect(await readersOf(standby)).toEqual(['rewards reports']);
  });

  test('the replica gives the evidence of the primary; while a batch runs on the primary, no period is over', async () => {
    const replica = new Replica({ pool: createPool({ url: serverUrlOf(standby), size: 3 }) });
    try {
      const query = { programId, from: null, to: new Date() };
      const onPrimary = await close(primary.pool);
      const onReplica = await close(primary.pool, replica);
      expect(onReplica.evidenceHash).toBe(onPrimary.evidenceHash);
      expect(notOver(onReplica)).toBe(false);
      // What a batch does first.
      const batch = await primary.pool.connect();
      try {
        await batch.query('begin');
        await batch.query('select pg_advisory_xact_lock_shared(hashtextextended($1, 0))', [shop.id]);
        expect(notOver(await close(primary.pool, replica))).toBe(true);
      } finally {
        await batch.query('rollback');
        batch.release();
      }

      async function close(pool: Pool, other?: Replica) {
        const report = await findLedgerClose(
          ...([pool, shop.id, query] as const),
          other && ((work) => other.read(pool, other.pool, work)),
        );
        if (isRefusal(report)) throw new Error(report.message);
        return report;
      }
    } finally {
      await replica.pool.end();
    }
  });

  test('the command line closes and exports from there', async () => {
    const period = ['--from', '2026-01-01', '--to', '2100-01-01'];
    const out = await mkdtemp(join(tmpdir(), 'rewards-export-'));
    process.env.READ_DATABASE_URL = serverUrlOf(standby);
    try {
      const environment = ['-e', shop.environmentId];
      const report = await runCli(primary.adminUrl(), ['close', ...environment, '-p', programId, '--json']);
      expect(report).toMatchObject({ exitCode: 0 });
      const { totals } = JSON.parse(report.stdout) as { totals: { transactions: number } };
      expect(totals.transactions).toBe(orders);
      const file = join(out, 'rows.csv');
      const exported = await runCli(primary.adminUrl(), [
        ...['export', 'transactions', ...environment, ...period, '--out', file, '--json'],
      ]);
      expect(exported).toMatchObject({ exitCode: 0 });
      expect(JSON.parse(exported.stdout)).toMatchObject({ rows: orders });
    } finally {
      delete process.env.READ_DATABASE_URL;
      await rm(out, { recursive: true, force: true });
    }
    expect(await readersOf(standby)).toContain('rewards cli reports');
  });

  test('a replica that lags is not waited for for long: the primary answers, and nothing is missing', async () => {
    const lagging = await reads('lagging');
    await standby.pool.query('select pg_wal_replay_pause()');
    await buy();
    expect(await closed()).toBe(orders);
    expect(await reads('lagging')).toBe(lagging + 1);
    await standby.pool.query('select pg_wal_replay_resume()');
    const before = await reads('replica');
    await until(
      'the replica again',
      async () => (await closed()) === orders && (await reads('replica')) > before,
    );
  }, 180_000);

  test('a replica that is gone is left alone, and used again when it is back', async () => {
    await standby.kill();
    await buy();
    expect({ closed: await closed(), summed: await summed() }).toEqual({ closed: orders, summed: orders });
    expect(await reads('unreachable')).toBe(2);
    await standby.start(LOGGED);
    const before = await reads('replica');
    await until(
      'the replica again',
      async () => (await closed()) === orders && (await reads('replica')) > before,
    );
  }, 180_000);

  test('a replica that was promoted is one no more', async () => {
    await standby.promote();
    await buy();
    expect(await closed()).toBe(orders);
    expect(await reads('not_a_replica')).toBe(1);
  });
});

/** The names under which the service has sent statements to a server. */
async function readersOf(node: PostgresNode): Promise<string[]> {
  const names = [...(await node.log()).matchAll(/^<(rewards[^>]*)> /gm)].map(([, name = '']) => name);
  return [...new Set(names)];
}

function notOver({ controls }: { controls: { id: string; passed: boolean }[] }): boolean {
  return controls.some(({ id, passed }) => id === 'period_over' && !passed);
}
