import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  findPostgresUser,
  hasHome,
  locateBinaries,
  makeHome,
  type OsUser,
  type PostgresBinaries,
} from './cluster-home.ts';
import { DataDirInUseError, joinCluster, type Presence } from './cluster-presence.ts';
import { clusterSettings } from './cluster-settings.ts';
import { checkRelease } from './postgres-release.ts';
import { choosePort, isAlive, readLockFile, removeForeignLockFile, runProgram } from './postmaster.ts';
import { MANAGEMENT_LOGIN, managementPassword, provisionDatabase } from './provision.ts';

export interface EmbeddedPostgresOptions {
  /** The folder of all stored data; created if missing. */
  dataDir: string;
  /** Called with one line of plain text for each noteworthy event. */
  log: (line: string) => void;
  /** Only one server may use a DATA_DIR at a time; tools may share it with it and with each other. Default: server. */
  use?: 'server' | 'tool';
  /** Settings of Postgres by name; they replace those of `clusterSettings`. */
  settings?: Readonly<Record<string, string>>;
}

export interface EmbeddedPostgres {
  /** The superuser's URL of the database `rewards`: for migrations and administration. */
  adminUrl: string;
  /** The URL of the login `rewards_server`, which has the privileges of `rewards_app` and owns nothing. */
  serverUrl: string;
  /** The URL of the login `rewards_management`, which has the privileges of `rewards_operator` and owns nothing. */
  operatorUrl: string;
  /** Leaves the cluster, and stops it unless another process uses it. Waits until that is done. */
  stop(): Promise<void>;
}

interface Secrets {
  adminPassword: string;
  serverPassword: string;
  port: number | null;
}

interface Cluster {
  user: OsUser | null;
  binaries: PostgresBinaries;
  /** The real path of `DATA_DIR/postgres`. */
  home: string;
  clusterDir: string;
  secretsFile: string;
  secrets: Secrets;
  socketDir: string | null;
  settings: Readonly<Record<string, string>>;
  log: (line: string) => void;
}

/** The longest that a start may take, including recovery after a crash. */
const START_TIMEOUT_MS = 120_000;
/** The longest path of a Unix socket that every system accepts. */
const SOCKET_PATH_LIMIT_BYTES = 100;

/**
 * Starts the Postgres of a DATA_DIR, or joins it where it runs already: left behind by a killed process, or in use by
 * another one. The first time it creates the cluster, the database and the server's login.
 * @throws DataDirInUseError where another server uses the folder
 * @throws ReleaseError where the service must not write to the release of Postgres that the packages have
 * @throws where the platform has no binaries, the folder cannot be used, or Postgres does not start within two minutes
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir);
  const user = await findPostgresUser();
  const binaries = await locateBinaries(user);
  if (!(await hasHome(dataDir))) {
    options.log(`Creating a Postgres ${binaries.majorVersion} database in ${join(dataDir, 'postgres')}`);
    await makeHome(dataDir, user, (unfinished) =>
      createCluster(unfinished, binaries, user, options.settings?.fsync !== 'off'),
    );
  }
  const cluster = await openCluster(dataDir, user, binaries, options);
  const use = options.use ?? 'server';
  let presence = await bringUp(cluster, use);
  let stopping = false;
  const comeBack = async (): Promise<void> => {
    while (!stopping) {
      options.log('The connection to the embedded Postgres was lost; bringing it back.');
      try {
        presence = await bringUp(cluster, use);
        if (stopping) await presence.leave();
        else presence.onLost(() => void comeBack());
        return;
      } catch (error) {
        options.log(`The embedded Postgres did not come back: ${(error as Error).message}`);
        if (error instanceof DataDirInUseError) return;
        await sleep(2_000, undefined, { ref: false });
      }
    }
  };
  presence.onLost(() => void comeBack());
  const stop = async (): Promise<void> => {
    if (stopping) return;
    stopping = true;
    if (await presence.isLast()) await stopPostmaster(cluster);
    await presence.leave();
  };
  try {
    await checkRelease(presence.client);
    const { adminPassword, serverPassword: server } = cluster.secrets;
    await provisionDatabase(presence, { server, management: managementPassword(adminPassword) });
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    adminUrl: databaseUrl(cluster, 'postgres', cluster.secrets.adminPassword, 'rewards'),
    serverUrl: databaseUrl(cluster, 'rewards_server', cluster.secrets.serverPassword, 'rewards'),
    operatorUrl: databaseUrl(
      cluster,
      MANAGEMENT_LOGIN,
      managementPassword(cluster.secrets.adminPassword),
      'rewards',
    ),
    stop,
  };
}

async function createCluster(
  home: string,
  binaries: PostgresBinaries,
  user: OsUser | null,
  durable: boolean,
): Promise<void> {
  const secrets: Secrets = { adminPassword: newPassword(), serverPassword: newPassword(), port: null };
  await writePrivate(join(home, 'secrets.json'), JSON.stringify(secrets));
  await mkdir(join(home, 'socket'), { mode: 0o700 });
  const passwordFile = join(home, 'password');
  await writePrivate(passwordFile, secrets.adminPassword);
  if (user) {
    await chown(passwordFile, user.uid, user.gid);
    await chown(join(home, 'socket'), user.uid, user.gid);
  }
  const args = ['--pgdata', join(home, 'cluster'), '--username', 'postgres', '--pwfile', passwordFile];
  args.push('--auth', 'scram-sha-256', '--encoding', 'UTF8', '--data-checksums');
  // The built-in locale C.UTF-8 sorts in the same way on every system.
  args.push('--locale', 'C', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8');
  if (!durable) args.push('--no-sync');
  const result = await runProgram(binaries.initdb, args, user);
  if (!result.ok) throw new Error(`The database could not be created: ${result.output}`);
  await rm(passwordFile);
}

async function openCluster(
  dataDir: string,
  user: OsUser | null,
  binaries: PostgresBinaries,
  options: EmbeddedPostgresOptions,
): Promise<Cluster> {
  const home = await realpath(join(dataDir, 'postgres'));
  const clusterDir = join(home, 'cluster');
  const version = (await readFile(join(clusterDir, 'PG_VERSION'), 'utf8')).trim();
  if (version !== binaries.majorVersion) {
    throw new Error(`${home} belongs to Postgres ${version}; this release brings ${binaries.majorVersion}.`);
  }
  const secretsFile = join(home, 'secrets.json');
  const secrets = JSON.parse(await readFile(secretsFile, 'utf8')) as Secrets;
  const socketDir = join(home, 'socket');
  const fits = Buffer.byteLength(join(socketDir, '.s.PGSQL.65535.lock')) <= SOCKET_PATH_LIMIT_BYTES;
  return {
    user,
    binaries,
    home,
    clusterDir,
    secretsFile,
    secrets,
    socketDir: fits ? socketDir : null,
    settings: options.settings ?? {},
    log: options.log,
  };
}

/**
 * Joins the running postmaster, or starts one and joins it. Tries again until it has joined.
 * @throws after START_TIMEOUT_MS or eight failed starts
 */
async function bringUp(cluster: Cluster, use: 'server' | 'tool'): Promise<Presence> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  let failures = 0;
  for (;;) {
    const running = await readLockFile(cluster.clusterDir);
    if (running && isAlive(running.pid)) {
      if (running.port > 0) cluster.secrets.port = running.port;
      const url = databaseUrl(cluster, 'postgres', cluster.secrets.adminPassword, 'postgres');
      const joined = await joinCluster(url, { use, clusterDir: cluster.clusterDir }).catch(async (error) => {
        // A Postgres of another folder may listen on the port that this cluster's lock file names.
        if (error instanceof DataDirInUseError || !(await removeForeignLockFile(cluster.clusterDir)))
          throw error;
        return 'starting' as const;
      });
      if (typeof joined !== 'string') return joined;
      // Nothing listens: Postgres is starting or stopping, or the process id now belongs to another program.
      if (joined === 'unreachable' && (await removeForeignLockFile(cluster.clusterDir))) {
        cluster.log('Removed the lock file of a Postgres that is gone.');
      }
      if (Date.now() > deadline) throw new Error(`Postgres does not answer (see ${logFile(cluster)}).`);
      await sleep(50);
      continue;
    }
    const started = await startPostmaster(cluster);
    if (started.ok) continue;
    failures += 1;
    if (failures >= 8 || Date.now() > deadline) {
      throw new Error(`Postgres did not start: ${started.output}\n${await lastLogLines(cluster)}`);
    }
    // Right after a kill the old processes may still be running, or another program has taken the port.
    cluster.log('Postgres is not ready to start yet (its last processes may still be ending); trying again.');
    await sleep(250 * failures);
  }
}

async function startPostmaster(cluster: Cluster): Promise<{ ok: boolean; output: string }> {
  const port = await choosePort(cluster.secrets.port);
  if (port !== cluster.secrets.port) {
    if (cluster.secrets.port !== null) {
      cluster.log(`Port ${cluster.secrets.port} is taken; Postgres moves to ${port}.`);
    }
    cluster.secrets.port = port;
    await writePrivate(cluster.secretsFile, JSON.stringify(cluster.secrets));
  }
  const settingsFile = join(cluster.clusterDir, 'postgresql.auto.conf');
  await writePrivate(settingsFile, clusterSettings(port, cluster.socketDir, cluster.settings));
  if (cluster.user) await chown(settingsFile, cluster.user.uid, cluster.user.gid);
  await keepLogShort(logFile(cluster));
  const args = ['start', '-D', cluster.clusterDir, '-l', logFile(cluster), '-w', '-t', '110', '-s'];
  return runProgram(cluster.binaries.pgCtl, args, cluster.user);
}

async function stopPostmaster(cluster: Cluster): Promise<void> {
  const args = ['stop', '-D', cluster.clusterDir, '-w', '-s'];
  const fast = await runProgram(cluster.binaries.pgCtl, [...args, '-m', 'fast', '-t', '60'], cluster.user);
  if (fast.ok) return;
  const lockFile = await readLockFile(cluster.clusterDir);
  if (!lockFile || !isAlive(lockFile.pid)) return;
  cluster.log('Postgres did not stop in time; it is stopped hard and will recover at the next start.');
  const hard = await runProgram(
    cluster.binaries.pgCtl,
    [...args, '-m', 'immediate', '-t', '20'],
    cluster.user,
  );
  if (!hard.ok) throw new Error(`Postgres did not stop: ${hard.output}`);
}

function databaseUrl(cluster: Cluster, login: string, password: string, database: string): string {
  const base = `postgresql://${login}:${password}@127.0.0.1:${cluster.secrets.port}/${database}`;
  return cluster.socketDir ? `${base}?host=${encodeURIComponent(cluster.socketDir)}` : base;
}

function logFile(cluster: Cluster): string {
  return join(cluster.home, 'postgres.log');
}

async function lastLogLines(cluster: Cluster): Promise<string> {
  const text = await readFile(logFile(cluster), 'utf8').catch(() => '');
  return text.trimEnd().split('\n').slice(-5).join('\n');
}

/** Renames a log of more than 10 MiB, replacing the one renamed before, so that logs do not fill the disk. */
async function keepLogShort(file: string): Promise<void> {
  const size = await stat(file).then(
    (found) => found.size,
    () => 0,
  );
  if (size > 10 * 1024 * 1024) await rename(file, `${file}.1`);
}

/** Writes a file that only its owner may read. It is replaced in one step. */
async function writePrivate(file: string, text: string): Promise<void> {
  const unfinished = `${file}.${randomBytes(4).toString('hex')}`;
  await writeFile(unfinished, text, { mode: 0o600 });
  await chmod(unfinished, 0o600);
  await rename(unfinished, file);
}

function newPassword(): string {
  return randomBytes(24).toString('base64url');
}
