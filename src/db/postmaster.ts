import { execFile } from 'node:child_process';
import { readdir, readFile, readlink, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { OsUser } from './cluster-home.ts';

/** The result of a Postgres program. */
export interface ProgramResult {
  ok: boolean;
  /** Standard output and error together. */
  output: string;
}

/**
 * Runs a Postgres program as the given user. It has a process group of its own, so that Ctrl-C in the terminal does not
 * reach it, and does not inherit PG… environment variables.
 */
export async function runProgram(file: string, args: string[], user: OsUser | null): Promise<ProgramResult> {
  const env = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };
  const identity = user ? { uid: user.uid, gid: user.gid } : {};
  return new Promise((resolve) => {
    const options = { ...identity, env, cwd: '/', detached: true };
    execFile(file, args, options, (error, stdout, stderr) => {
      const failedToRun = error && typeof error.code === 'string' ? `${error.message}\n` : '';
      resolve({ ok: error === null, output: `${failedToRun}${stdout}${stderr}`.trim() });
    });
  });
}

/** The process id and port of a postmaster, from its lock file. */
export interface Postmaster {
  pid: number;
  port: number;
}

/**
 * The postmaster in the cluster's lock file, running or not; null where there is no valid lock file. Port 0: unknown.
 */
export async function readLockFile(clusterDir: string): Promise<Postmaster | null> {
  let text: string;
  try {
    text = await readFile(join(clusterDir, 'postmaster.pid'), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const lines = text.split('\n');
  const pid = Number(lines[0]);
  const port = Number(lines[3]);
  return Number.isInteger(pid) && pid > 0 ? { pid, port: Number.isInteger(port) ? port : 0 } : null;
}

/** Whether a process with this id exists, of any user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Removes a lock file whose process id now belongs to another program. After a reboot or in a new container process ids
 * repeat, and Postgres only checks whether the id exists, so it would refuse to start for ever. It is safe because
 * every process of a cluster has the cluster's folder as its working directory: the file is removed only where no
 * process has.
 * @returns whether the file was removed; always false on systems other than Linux
 */
export async function removeForeignLockFile(clusterDir: string): Promise<boolean> {
  const lock = await readLockFile(clusterDir);
  if (!lock || !isAlive(lock.pid) || process.platform !== 'linux') return false;
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const cwd = await readlink(`/proc/${entry}/cwd`).catch(() => null);
    if (cwd === clusterDir) return false;
    // This process may not read the entry of the named one, which could be the postmaster.
    if (cwd === null && Number(entry) === lock.pid) return false;
  }
  await rm(join(clusterDir, 'postmaster.pid'), { force: true });
  return true;
}

/** The preferred port if nothing listens on it, otherwise any free port of 127.0.0.1. */
export async function choosePort(preferred: number | null): Promise<number> {
  if (preferred !== null && (await tryPort(preferred)) !== null) return preferred;
  const free = await tryPort(0);
  if (free === null) throw new Error('No free port was found on 127.0.0.1.');
  return free;
}

async function tryPort(port: number): Promise<number | null> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(null));
    probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      const address = probe.address();
      const boundPort = typeof address === 'object' && address !== null ? address.port : null;
      probe.close(() => resolve(boundPort));
    });
  });
}
