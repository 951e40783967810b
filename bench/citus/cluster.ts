import { chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { findPostgresUser, type OsUser } from '../../src/db/cluster-home.ts';
import { runProgram } from '../../src/db/postmaster.ts';
import { freePort } from '../../test/support/free-port.ts';

/** A Citus cluster of a coordinator and some workers on this machine. */
export interface Cluster {
  /** URL of a database of the coordinator, with a superuser's login. */
  coordinatorUrl: string;
  /** The same of each worker. */
  workerUrls: string[];
  /** Stops the nodes and removes their data. */
  close(): Promise<void>;
}

interface Node {
  folder: string;
  port: number;
}

const SETTINGS: Readonly<Record<string, string>> = {
  shared_preload_libraries: 'citus',
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '400',
  max_prepared_transactions: '200',
  max_locks_per_transaction: '512',
  wal_level: 'logical',
  shared_buffers: '256MB',
  random_page_cost: '1.1',
  jit: 'off',
  lc_messages: 'C',
  'citus.node_conninfo': 'sslmode=prefer',
  'citus.local_hostname': '127.0.0.1',
  'citus.enable_statistics_collection': 'off',
};

/**
 * Starts new nodes on free ports of 127.0.0.1, in a temporary folder. They let every login of this machine in, and have
 * the role of the server.
 * @param binaries folder with `initdb` and `pg_ctl` of a Postgres that Citus is installed into
 * @param options `workers`: how many besides the coordinator; `settings`: of every node, such as `{ fsync: 'off' }`
 * @throws where a node does not start
 */
export async function startCluster(
  binaries: string,
  { workers, settings }: { workers: number; settings: Readonly<Record<string, string>> },
): Promise<Cluster> {
  const home = await mkdtemp(join(tmpdir(), 'rewards-citus-'));
  await chmod(home, 0o755);
  const user = await findPostgresUser();
  const nodes: Node[] = [];
  const close = async (): Promise<void> => {
    for (const { folder } of nodes) {
      await runProgram(join(binaries, 'pg_ctl'), ['stop', '-D', folder, '-m', 'immediate', '-s'], user);
    }
    await rm(home, { recursive: true, force: true });
  };
  try {
    for (let number = 0; number <= workers; number++) {
      const node = { folder: join(home, `node${number}`), port: await freePort() };
      nodes.push(node);
      await startNode(binaries, node, user, settings);
    }
    const urls = nodes.map(({ port }) => `postgresql://postgres@127.0.0.1:${port}/postgres`);
    for (const url of urls) await run(url, 'create role rewards_app login');
    const [coordinatorUrl = '', ...workerUrls] = urls;
    return { coordinatorUrl, workerUrls, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function startNode(
  binaries: string,
  { folder, port }: Node,
  user: OsUser | null,
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  await mkdir(folder, { mode: 0o700 });
  if (user) await chown(folder, user.uid, user.gid);
  const program = async (name: string, args: string[]): Promise<void> => {
    const done = await runProgram(join(binaries, name), args, user);
    if (done.ok) return;
    const log = await readFile(join(folder, 'log'), 'utf8').catch(() => '');
    throw new Error(`${name} failed: ${done.output}\n${log.slice(-2_000)}`);
  };
  await program('initdb', [
    ...['-D', folder, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync'],
  ]);
  const lines = Object.entries({ ...SETTINGS, ...settings, port: String(port) });
  const file = join(folder, 'postgresql.conf');
  await writeFile(file, lines.map(([name, value]) => `${name} = '${value}'\n`).join(''), { flag: 'a' });
  await program('pg_ctl', ['start', '-D', folder, '-w', '-s', '-t', '120', '-l', join(folder, 'log')]);
}

/** Runs statements on one database. */
export async function run(url: string, ...statements: string[]): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
