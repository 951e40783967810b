import { chown, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findPostgresUser, type OsUser } from '../../../src/db/cluster-home.ts';
import { createPool, type Pool } from '../../../src/db/pool.ts';
import { isAlive, readLockFile, runProgram } from '../../../src/db/postmaster.ts';
import { freePort } from '../free-port.ts';
import { POSTGRES_15 } from './programs.ts';
import { until } from './until.ts';

/** The drills kill processes, never the machine: what was written is there without fsync. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  fsync: 'off',
  full_page_writes: 'off',
  max_connections: '300',
  wal_level: 'replica',
};
/** Of every login. */
export const PASSWORD = 'drill';

/** A Postgres 15 of Debian's package on a free port of 127.0.0.1, in a folder of the test. */
export class PostgresNode {
  readonly port: number;
  readonly #folder: string;
  readonly #user: OsUser | null;
  #pool: Pool | null = null;

  private constructor(folder: string, port: number, user: OsUser | null) {
    this.#folder = folder;
    this.port = port;
    this.#user = user;
  }

  /** A new cluster, which is not started yet. @param folder the folder in which its own is made */
  static async create(folder: string, name: string): Promise<PostgresNode> {
    const node = await PostgresNode.#inFolder(folder, name);
    const passwordFile = join(folder, `${name}.password`);
    await writeFile(passwordFile, PASSWORD, { mode: 0o644 });
    await node.#run('initdb', [
      ...['-D', node.#folder, '-U', 'postgres', `--pwfile=${passwordFile}`],
      ...['--auth=scram-sha-256', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync'],
    ]);
    return node;
  }

  /**
   * A copy of a running cluster: a standby of it with `asStandby`, otherwise a base backup. `port`: by default a free
   * one.
   */
  static async copyOf(
    source: PostgresNode,
    folder: string,
    name: string,
    { asStandby, port }: { asStandby: boolean; port?: number },
  ): Promise<PostgresNode> {
    const node = await PostgresNode.#inFolder(folder, name, port);
    await node.#run('pg_basebackup', [
      ...['-d', `${source.adminUrl('postgres')}?application_name=${name}`, '-D', node.#folder],
      ...['--checkpoint=fast', '--no-sync', '--wal-method=stream'],
      ...(asStandby ? ['--write-recovery-conf'] : []),
    ]);
    return node;
  }

  static async #inFolder(folder: string, name: string, port?: number): Promise<PostgresNode> {
    const user = await findPostgresUser();
    const nodeFolder = join(folder, name);
    await mkdir(nodeFolder, { mode: 0o700 });
    if (user) await chown(nodeFolder, user.uid, user.gid);
    return new PostgresNode(nodeFolder, port ?? (await freePort()), user);
  }

  /** The superuser's URL. */
  adminUrl(database = 'rewards'): string {
    return `postgresql://postgres:${PASSWORD}@${this.host}/${database}`;
  }

  get host(): string {
    return `127.0.0.1:${this.port}`;
  }

  /** A pool of the superuser on this server; it lives as long as the server. */
  get pool(): Pool {
    this.#pool ??= createPool({ url: this.adminUrl(), size: 4, applicationName: 'rewards test' });
    return this.#pool;
  }

  /** Starts it, and waits until it takes connections. @param environment variables of its processes */
  async start(
    settings: Readonly<Record<string, string>> = {},
    environment: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    const all = { ...SETTINGS, port: String(this.port), ...settings };
    const options = Object.entries(all).map(([name, value]) => `-c ${name}='${value}'`);
    const args = [
      ...['start', '-D', this.#folder, '-w', '-s', '-t', '120'],
      ...['-l', join(this.#folder, 'log'), '-o', options.join(' ')],
    ];
    await this.#run('pg_ctl', args, environment);
  }

  async promote(): Promise<void> {
    await this.#run('pg_ctl', ['promote', '-D', this.#folder, '-w', '-s', '-t', '120']);
  }

  /** What it has logged. */
  log(): Promise<string> {
    return readFile(join(this.#folder, 'log'), 'utf8');
  }

  /** Writes a file into the cluster's folder. */
  async write(name: string, text: string): Promise<void> {
    const path = join(this.#folder, name);
    await writeFile(path, text, { mode: 0o600 });
    if (this.#user) await chown(path, this.#user.uid, this.#user.gid);
  }

  /** Kills all of its processes as a lost machine would. */
  async kill(): Promise<void> {
    const pid = await this.#signal('SIGKILL');
    await until('the end of Postgres', () => pid === null || !isAlive(pid));
  }

  /** Makes it hang, as a machine does that is cut off: its connections stay open, and nothing answers. */
  async hang(): Promise<void> {
    await this.#signal('SIGSTOP');
  }

  /** Lets it go on where it hangs. */
  async wake(): Promise<void> {
    await this.#signal('SIGCONT');
  }

  /** Signals the postmaster and all of its processes. @returns the postmaster's id; null where it does not run */
  async #signal(signal: NodeJS.Signals): Promise<number | null> {
    const postmaster = await readLockFile(this.#folder);
    if (!postmaster) return null;
    const { pid } = postmaster;
    const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
    for (const one of [pid, ...children.trim().split(' ').filter(Boolean).map(Number)]) {
      if (isAlive(one)) process.kill(one, signal);
    }
    return pid;
  }

  /** Stops it if it runs, and ends its pool. */
  async drop(): Promise<void> {
    const stop = ['stop', '-D', this.#folder, '-m', 'immediate', '-s'];
    await runProgram(`${POSTGRES_15}/pg_ctl`, stop, this.#user);
    await this.#pool?.end();
    this.#pool = null;
  }

  async #run(
    program: string,
    args: string[],
    environment: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
    const command = [...variables, `${POSTGRES_15}/${program}`, ...args];
    const done = await runProgram('/usr/bin/env', command, this.#user);
    if (done.ok) return;
    const log = await readFile(join(this.#folder, 'log'), 'utf8').catch(() => '');
    throw new Error(`${program} ${args.join(' ')}: ${done.output}\n${log.slice(-4_000)}`);
  }
}

/** Creates the database `rewards` with the server's login, not migrated. */
export async function addDatabase(node: PostgresNode): Promise<void> {
  const pool = createPool({ url: node.adminUrl('postgres'), size: 1 });
  try {
    await pool.query('create database rewards');
    await pool.query('create role rewards_app nologin');
    await pool.query(`create role rewards_server login password '${PASSWORD}' in role rewards_app`);
  } finally {
    await pool.end();
  }
}

/** The URL of the server's login on one server. */
export function serverUrlOf({ host }: PostgresNode): string {
  return `postgresql://rewards_server:${PASSWORD}@${host}/rewards`;
}

/** The settings of a serving process on one of these servers, whichever is the primary. */
export function settingsOf(nodes: readonly PostgresNode[]): Record<string, string> {
  const hosts = nodes.map(({ host }) => host).join(',');
  return {
    DATABASE_URL: `postgresql://postgres:${PASSWORD}@${hosts}/rewards?target_session_attrs=read-write`,
    SERVER_DATABASE_URL: `postgresql://rewards_server:${PASSWORD}@${hosts}/rewards?target_session_attrs=read-write`,
  };
}
