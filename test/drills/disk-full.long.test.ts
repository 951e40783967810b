import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { chmod, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { migrate } from '../../src/db/migrate.ts';
import { addDatabase, PostgresNode, settingsOf } from '../support/drills/postgres-node.ts';
import { missingOf } from '../support/drills/programs.ts';
import { expectEachOnce, startRetryingLoad } from '../support/drills/retrying-load.ts';
import { until } from '../support/drills/until.ts';
import { type ServerProcess, spawnServer } from '../support/server.ts';
import { addMembers, Client, earn, readMember } from '../support/surfaces/client.ts';
import { createWorld, type TestEnvironment, type World } from '../support/surfaces/world.ts';
import { describeWhere } from '../support/where.ts';

const SENDERS = 8;
const MEMBERS = ['ada', 'ben', 'cyd'];
/** The cluster, its log of writes and some room. */
const DISK_MIB = 400;
const MIB = 2 ** 20;

function mount(folder: string): boolean {
  const options = ['-t', 'tmpfs', '-o', `size=${DISK_MIB}m,mode=755`, 'tmpfs', folder];
  return spawnSync('mount', options, { stdio: 'ignore' }).status === 0;
}

function unmount(folder: string): void {
  spawnSync('umount', ['-l', folder], { stdio: 'ignore' });
}

/** Only root may mount, and in many containers not even root. */
function missingToMount(): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'rewards-mount-'));
  const mounted = mount(folder);
  if (mounted) unmount(folder);
  rmSync(folder, { recursive: true });
  return mounted ? null : 'no right to mount a small disk';
}

const MISSING = missingOf('postgres') ?? missingToMount();

describeWhere(MISSING === null, MISSING ?? '')('a disk that is full', () => {
  let folder: string;
  let node: PostgresNode;
  let world: World;
  let shop: TestEnvironment;
  let server: ServerProcess;
  let client: Client;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'rewards-disk-'));
    mount(folder);
    await chmod(folder, 0o755);
    node = await PostgresNode.create(folder, 'primary');
    await node.start({ max_wal_size: '64MB', min_wal_size: '64MB' });
    await addDatabase(node);
    await migrate(node.adminUrl());
    world = createWorld({ adminPool: node.pool });
    shop = await world.environment();
    server = await spawnServer({ ...settingsOf([node]), LOG_LEVEL: 'fatal' });
    client = new Client(server.url);
    await addMembers(client, shop, MEMBERS);
  });

  afterAll(async () => {
    client?.close();
    await server?.end('SIGKILL');
    await node?.drop();
    unmount(folder);
    await rm(folder, { recursive: true, force: true });
  });

  const ballast = () => join(folder, 'ballast');

  /** Takes the room that is left. */
  async function fill(): Promise<void> {
    const { bavail, bsize } = await statfs(folder);
    await writeFile(ballast(), Buffer.alloc(bavail * bsize)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOSPC') throw error;
    });
  }

  async function underLoad(name: string, happens: (refusals: () => number) => Promise<void>): Promise<void> {
    const load = startRetryingLoad(server.url, shop, { name, senders: SENDERS, members: MEMBERS });
    await until('the load', () => load.acknowledged.size > SENDERS * 2);
    await happens(() => load.doubts.get(503) ?? 0);
    const before = load.acknowledged.size;
    await until('the load goes on', () => load.acknowledged.size > before + SENDERS * 2);
    await load.stop();
    process.stdout.write(`${name}: answers in doubt by status ${JSON.stringify([...load.doubts])}\n`);
    expect([...load.doubts.keys()]).toEqual([503]);
    await expectEachOnce(node.pool, name, load.acknowledged);
    expect(await world.failedControls()).toEqual([]);
  }

  test('changes are answered 503 with Retry-After, reads go on, and all is well once there is room', async () => {
    expect(DISK_MIB * MIB).toBeGreaterThan(0);
    await underLoad('tables', async (refusals) => {
      await fill();
      await until('refusals', () => refusals() > SENDERS * 4);
      const purchase = { externalCustomerId: 'ada', sourceReference: 'full', amountMinor: 1000 };
      const change = await client.send(earn(shop, purchase, 'full'));
      expect({
        status: change.status,
        code: change.code,
        'retry-after': change.headers['retry-after'],
      }).toEqual({ status: 503, code: 'unavailable', 'retry-after': '1' });
      expect((await client.send(readMember(shop, 'ada'))).status).toBe(200);
      await rm(ballast());
    });
  }, 300_000);

  test('where not even the write-ahead log has room, Postgres stops; after its start all is well', async () => {
    await underLoad('log', async (refusals) => {
      await fill();
      const before = refusals();
      // Each switch needs a new file of the log.
      await until('the end of Postgres', async () => {
        const switched = await node.pool.query('select pg_switch_wal()').catch(() => null);
        return switched === null;
      });
      await until('refusals', () => refusals() > before + SENDERS * 2);
      await rm(ballast());
      await node.kill();
      await node.start();
    });
  }, 300_000);
});
