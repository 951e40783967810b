import { spawn } from 'node:child_process';
import { chmod, mkdtemp, realpath, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/db/embedded-postgres.ts';

/** Faster settings, because test data need not survive a power failure, and connections for several suites at once. */
export const FAST_SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '300',
};

/** A file system in memory, which most Linux machines have. */
const IN_MEMORY = '/dev/shm';
/**
 * More than the test files that run at a time leave there: the largest one a gigabyte, and Postgres as much of its log.
 */
const ROOM_BYTES = 6 * 2 ** 30;

/** A new empty DATA_DIR that every user may enter. @param parent the folder in which it is made */
export async function makeDataDir(parent = tmpdir()): Promise<string> {
  const dataDir = await mkdtemp(join(parent, 'rewards-test-'));
  await chmod(dataDir, 0o755);
  return dataDir;
}

/** Removes a DATA_DIR and its cluster, which may be in another folder. */
export async function removeDataDir(dataDir: string): Promise<void> {
  const home = await realpath(join(dataDir, 'postgres')).catch(() => null);
  // Processes that are ending may still write.
  const options = { recursive: true, force: true, maxRetries: 10, retryDelay: 50 };
  if (home) await rm(home, options);
  await rm(dataDir, options);
}

/**
 * Starts an embedded Postgres in a folder that is removed when it stops, also when this process is killed. The folder
 * is in memory where there is room: on disk, making and removing six hundred files for each test database takes a fifth
 * of the processor's time that Postgres takes.
 */
export async function startTemporaryCluster(): Promise<EmbeddedPostgres> {
  const dataDir = await makeDataDir((await hasRoom(IN_MEMORY)) ? IN_MEMORY : tmpdir());
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => {}, settings: FAST_SETTINGS });
  const home = await realpath(join(dataDir, 'postgres'));
  const watchdog = spawn('/bin/sh', ['-c', WATCHDOG, String(process.pid), home, dataDir], {
    detached: true,
    stdio: 'ignore',
  });
  watchdog.unref();
  return {
    ...postgres,
    async stop() {
      await postgres.stop();
      await removeDataDir(dataDir);
    },
  };
}

async function hasRoom(folder: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder).catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize >= ROOM_BYTES;
}

/** A script that ends when the folder is removed, and cleans up when the process has ended. */
const WATCHDOG = `
while kill -0 "$0" 2>/dev/null && [ -d "$1" ]; do sleep 2; done
[ -d "$1" ] || exit 0
read pid < "$1/cluster/postmaster.pid" && kill -QUIT "$pid"
sleep 1
rm -rf "$1" "$2"`;
