import { chown, copyFile, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { findPostgresUser } from '../../src/db/cluster-home.ts';
import { migrate } from '../../src/db/migrate.ts';
import { runCli } from '../support/cli/run-cli.ts';
import { addDatabase, PostgresNode, settingsOf } from '../support/drills/postgres-node.ts';
import { missingOf } from '../support/drills/programs.ts';
import { until } from '../support/drills/until.ts';
import { type ServerProcess, spawnServer } from '../support/server.ts';
import { addMembers, Client, earn, type Received } from '../support/surfaces/client.ts';
import { createWorld, type TestEnvironment, type World } from '../support/surfaces/world.ts';
import { makeDataDir } from '../support/temporary-cluster.ts';
import { describeWhere } from '../support/where.ts';

const MISSING = missingOf('postgres');
const SCRIPT = resolve(import.meta.dirname, '../../docs/operate/production/archive-wal.sh');
const SEGMENT_BYTES = 16 * 2 ** 20;

describeWhere(MISSING === null, MISSING ?? '')('a base backup with archived WAL', () => {
  let folder: string;
  let archive: string;
  let script: string;
  let node: PostgresNode;
  let restored: PostgresNode;
  let world: World;
  let shop: TestEnvironment;
  let server: ServerProcess;

  beforeAll(async () => {
    folder = await makeDataDir();
    archive = join(folder, 'archive');
    await mkdir(archive, { mode: 0o700 });
    const user = await findPostgresUser();
    if (user) await chown(archive, user.uid, user.gid);
    // Where the user that Postgres runs as can read it.
    script = join(folder, 'archive-wal.sh');
    await copyFile(SCRIPT, script);
    node = await PostgresNode.create(folder, 'primary');
    await node.write(
      'postgresql.auto.conf',
      `archive_mode = on\narchive_timeout = 1\narchive_command = '${archiveCommand()}'\n`,
    );
    await node.start();
    await addDatabase(node);
    await migrate(node.adminUrl());
    world = createWorld({ adminPool: node.pool });
    shop = await world.environment();
    server = await spawnServer(settingsOf([node]));
  }, 180_000);

  afterAll(async () => {
    await server?.end('SIGTERM');
    await Promise.all([node?.drop(), restored?.drop()]);
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  });

  /** As docs/operate/production.md prints it. @param first what the shell does before */
  const archiveCommand = (first = ''): string => `${first}${script} "%p" "${archive}/%f"`;

  async function archiveWith(command: string): Promise<void> {
    await node.pool.query(`alter system set archive_command = '${command.replaceAll("'", "''")}'`);
    await node.pool.query('select pg_reload_conf()');
  }

  /** Waits until all that is committed by now is in the archive, without asking Postgres for another segment. */
  async function archived(): Promise<void> {
    const { rows } = await node.pool.query<{ file: string }>(
      'select pg_walfile_name(pg_current_wal_lsn()) as file',
    );
    await until('the archive', async () => {
      const { rowCount } = await node.pool.query(
        'select from pg_stat_archiver where last_archived_wal >= $1',
        [rows[0]?.file],
      );
      return rowCount === 1;
    });
  }

  async function buy(url: string, order: number): Promise<Received> {
    const client = new Client(url, 1);
    const purchase = { externalCustomerId: 'ada', sourceReference: `o-${order}`, amountMinor: 1000 };
    const answer = await client.send(earn(shop, purchase, `k-${order}`));
    client.close();
    expect([200, 201]).toContain(answer.status);
    return answer;
  }

  test('is restored to a moment: what was before it is there, and verified; what came after it is sent again', async () => {
    const client = new Client(server.url);
    await addMembers(client, shop, ['ada']);
    client.close();
    await buy(server.url, 1);
    restored = await PostgresNode.copyOf(node, folder, 'restored', { asStandby: false });
    // After the base backup, so these are in the archive alone.
    for (const order of [2, 3]) await buy(server.url, order);
    const { rows } = await node.pool.query<{ moment: string }>('select clock_timestamp()::text as moment');
    await node.pool.query('select pg_sleep(0.1)');
    await archived();
    // The archive has no room: a copy ends half-way, and files of the shell have 4 MiB at most.
    await archiveWith(archiveCommand('ulimit -f 8192; '));
    const failed = async (): Promise<number> => {
      const { rows: found } = await node.pool.query<{ count: number }>(
        'select failed_count::integer as count from pg_stat_archiver',
      );
      return found[0]?.count ?? 0;
    };
    const before = await failed();
    for (const order of [4, 5]) await buy(server.url, order);
    await until('a failure of the archive', async () => (await failed()) > before);
    expect((await readdir(archive)).some((name) => name.endsWith('.part'))).toBe(true);
    await archiveWith(archiveCommand());
    await archived();
    for (const name of await readdir(archive))
      if (/^[0-9A-F]{24}$/.test(name)) expect((await stat(join(archive, name))).size).toBe(SEGMENT_BYTES);
    // The disk is lost.
    await node.kill();

    await restored.write(
      'postgresql.auto.conf',
      [
        `restore_command = 'cp ${archive}/%f %p'`,
        `recovery_target_time = '${rows[0]?.moment}'`,
        `recovery_target_action = 'promote'`,
        '',
      ].join('\n'),
    );
    await restored.write('recovery.signal', '');
    await restored.start();
    await until('the end of the recovery', async () => {
      const { rows: state } = await restored.pool.query<{ over: boolean }>(
        'select not pg_is_in_recovery() as over',
      );
      return state[0]?.over === true;
    });

    const there = createWorld({ adminPool: restored.pool });
    expect(await there.count('select count(*) from orders')).toBe(3);
    const verified = await runCli(restored.adminUrl(), ['verify', 'ledger', '--json']);
    expect(verified).toEqual({ ...verified, exitCode: 0 });

    // A client that sends its purchases again: the first three were recorded, the others are now.
    const again = await spawnServer(settingsOf([restored]));
    try {
      const replayed = [];
      for (const order of [1, 2, 3, 4, 5]) replayed.push((await buy(again.url, order)).replayed);
      expect(replayed).toEqual([true, true, true, false, false]);
    } finally {
      await again.end('SIGTERM');
    }
    expect(await there.count('select count(*) from orders')).toBe(5);
    expect(await there.failedControls()).toEqual([]);
  }, 240_000);
});
