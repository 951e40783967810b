import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { access, chmod, cp, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { promisify } from 'node:util';

const runFile = promisify(execFile);

/** Where builds are kept, if nothing else is said. */
export const BUILDS = join(tmpdir(), 'rewards-citus-builds');

/** What the service does not use, so that it takes fewer packages to build. */
const WITHOUT = ['--without-libcurl', '--without-lz4', '--without-zstd'];

/** What a build leaves in a checkout, and the history: none of it is source. */
const NOT_SOURCE = /^(\.git|\.deps|build|Makefile\.global|config\.(log|status)|.*\.(o|so|a|bc))$/;

/**
 * Headers that the sources of Citus include, also by way of those of Postgres, with the Debian packages that have them.
 * `zstd.h` is included where Postgres was built with it, as Debian's is, whatever `WITHOUT` says.
 */
const HEADERS: Readonly<Record<string, string>> = {
  'libpq-fe.h': 'libpq-dev',
  'openssl/ssl.h': 'libssl-dev',
  'gssapi/gssapi.h': 'libkrb5-dev',
  'zstd.h': 'libzstd-dev',
};

/** Runs a program, whose messages are in English. @throws where it fails */
function run(program: string, args: readonly string[], cwd?: string): Promise<{ stdout: string }> {
  const env = { ...process.env, LC_ALL: 'C' };
  return runFile(program, args, { cwd, env, maxBuffer: 64 * 1024 * 1024 });
}

interface Postgres {
  /** Its `pg_config`. */
  config: string;
  /** Such as `PostgreSQL 15.20`. */
  version: string;
  /** Folders of programs, of libraries and of what both platforms share: absolute paths. */
  folders: { bin: string; library: string; share: string };
  /** Of headers. */
  includes: string[];
}

/**
 * Builds Citus from a checkout, and installs it into a copy of a Postgres. Neither of the two is changed: the sources
 * are copied first. Where the checkout, the Postgres and the folder are those of an earlier call, its build is used.
 * @param checkout folder of the sources of Citus
 * @param postgres folder of `pg_config`, `initdb` and `pg_ctl` of a Postgres
 * @param builds folder to keep builds in; it is made where it is missing
 * @returns folder of `initdb` and `pg_ctl` of the copy
 * @throws where something is missing, with the name of the Debian package, and where the build fails
 */
export async function buildCitus(checkout: string, postgres: string, builds = BUILDS): Promise<string> {
  const sources = await sourcesOf(checkout);
  const installed = await readPostgres(postgres);
  await makeBuilds(builds);
  const key = createHash('sha256')
    .update(JSON.stringify([installed, WITHOUT, sources]))
    .digest('hex');
  const target = join(builds, key.slice(0, 16));
  const binaries = join(target, installed.folders.bin);
  if (await exists(binaries)) return binaries;
  await checkTools(installed);
  process.stderr.write(`Building Citus for ${installed.version} in ${target}, once …\n`);
  const root = `${target}.${randomBytes(4).toString('hex')}`;
  try {
    await mkdir(root, { mode: 0o755 });
    await build(checkout, installed, root);
    // Complete or not at all, also where two do this at once.
    await rename(root, target).catch(async (error: unknown) => {
      if (!(await exists(binaries))) throw error;
    });
  } finally {
    await rm(root, { recursive: true, force: true });
  }
  return binaries;
}

async function build(checkout: string, { config, folders }: Postgres, root: string): Promise<void> {
  const source = join(root, 'source');
  await cp(checkout, source, {
    recursive: true,
    preserveTimestamps: true,
    filter: (path) => path === checkout || !NOT_SOURCE.test(basename(path)),
  });
  // Postgres finds its libraries and extensions from where its programs are.
  for (const folder of Object.values(folders)) {
    await cp(folder, join(root, folder), { recursive: true, dereference: true });
  }
  const steps: [program: string, args: string[]][] = [
    ['./configure', [...WITHOUT, `PG_CONFIG=${config}`]],
    ['make', ['-j', String(availableParallelism()), 'with_llvm=no']],
    ['make', ['install', 'with_llvm=no', `DESTDIR=${root}`]],
  ];
  for (const [program, args] of steps) {
    await run(program, args, source).catch((error) => {
      const { stdout, stderr } = error as { stdout: string; stderr: string };
      throw new Error(`${program} ${args[0]} failed:\n${`${stdout}\n${stderr}`.trim().slice(-3_000)}`);
    });
  }
  await rm(source, { recursive: true });
  // The OS user that runs Postgres is another one where this process is root.
  await run('chmod', ['-R', 'go=u-w', root]);
}

/** @returns path, size and time of each file. @throws where the folder has no sources of Citus */
async function sourcesOf(checkout: string): Promise<string[]> {
  if (
    !(await exists(join(checkout, 'configure'))) ||
    !(await exists(join(checkout, 'src/backend/distributed')))
  ) {
    throw new Error(
      `${checkout} is no checkout of Citus: it has no configure, or no src/backend/distributed.`,
    );
  }
  const files: string[] = [];
  const walk = async (folder: string): Promise<void> => {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (NOT_SOURCE.test(entry.name)) continue;
      if (entry.isDirectory()) await walk(path);
      else if (entry.isFile()) {
        const { size, mtimeMs } = await stat(path);
        files.push(`${relative(checkout, path)} ${size} ${mtimeMs}`);
      }
    }
  };
  await walk(checkout);
  return files.sort();
}

async function readPostgres(postgres: string): Promise<Postgres> {
  const config = join(postgres, 'pg_config');
  if (!(await exists(config))) throw missing([config], ['postgresql-server-dev-<version>']);
  const read = async (name: string): Promise<string> => (await run(config, [`--${name}`])).stdout.trim();
  const version = await read('version');
  const major = /\d+/.exec(version)?.[0] ?? '';
  const server = await read('includedir-server');
  const wanted = [await read('pgxs'), join(server, 'postgres.h')];
  const absent: string[] = [];
  for (const file of wanted) if (!(await exists(file))) absent.push(file);
  if (absent.length > 0) throw missing(absent, [`postgresql-server-dev-${major}`]);
  return {
    config,
    version,
    folders: { bin: await read('bindir'), library: await read('pkglibdir'), share: await read('sharedir') },
    includes: [await read('includedir'), server],
  };
}

/** @throws where a compiler, `make` or a header is missing */
async function checkTools({ includes }: Postgres): Promise<void> {
  for (const tool of ['cc', 'make']) {
    if (!(await succeeds(tool, ['--version']))) throw missing([tool], ['build-essential']);
  }
  const paths = includes.map((folder) => `-I${folder}`);
  const absent: string[] = [];
  for (const header of Object.keys(HEADERS)) {
    const args = [...paths, '-include', header, '-E', '-x', 'c', '-o', '/dev/null', '/dev/null'];
    if (!(await succeeds('cc', args))) absent.push(header);
  }
  if (absent.length > 0)
    throw missing(
      absent,
      absent.map((header) => HEADERS[header] as string),
    );
}

function missing(what: readonly string[], packages: readonly string[]): Error {
  return new Error(
    `Citus cannot be built without ${what.join(' and ')}. On Debian: apt-get install ${packages.join(' ')}`,
  );
}

/** @throws where the folder is another user's, who could put a program into it */
async function makeBuilds(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const { uid } = await stat(folder);
  if (process.getuid && uid !== process.getuid()) throw new Error(`${folder} belongs to another user.`);
  await chmod(folder, 0o755);
}

async function succeeds(program: string, args: readonly string[]): Promise<boolean> {
  return run(program, args).then(
    () => true,
    () => false,
  );
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
