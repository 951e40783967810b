import { execFile } from 'node:child_process';
import { readdir, readFile, readlink, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { OsUser } from './cluster-home.ts';

/** What a program of Postgres ended with. */
export interface ProgramResult {
  ok: boolean;
  /** Standard output and error together. */
  output: string;
}

/**
 * Runs a program of Postgres, as the user that it must run as. It gets a process group of its own, so that the
 * terminal's Ctrl-C does not reach it, and none of our PG… variables.
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

/** A postmaster's process id and port, as its lock file has them. */
export interface Postmaster {
  pid: number;
  port: number;
}

/** The postmaster that the cluster's lock file names, alive or not; null where there is no lock file. */
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

/** Whether a process with this id exists, whoever owns it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Removes a lock file whose process id now belongs to something else: after a reboot or in a new container ids
 * repeat, and Postgres, which can only ask whether the id is alive, would refuse to start for ever.
 * Safe because every process of a cluster works in the cluster's folder: the file goes only where none does.
 * @returns whether it was removed.
 */
export async function removeForeignLockFile(clusterDir: string): Promise<boolean> {
  const lock = await readLockFile(clusterDir);
  if (!lock || !isAlive(lock.pid) || process.platform !== 'linux') return false;
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const cwd = await readlink(`/proc/${entry}/cwd`).catch(() => null);
    if (cwd === clusterDir) return false;
    // A process that we may not look at could be the one, if it is the one named.
    if (cwd === null && Number(entry) === lock.pid) return false;
  }
  await rm(join(clusterDir, 'postmaster.pid'), { force: true });
  return true;
}

/** The preferred port if nobody listens on it, else one that is free on 127.0.0.1. */
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
      const found = typeof address === 'object' && address !== null ? address.port : null;
      probe.close(() => resolve(found));
    });
  });
}
