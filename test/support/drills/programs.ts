import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { nameOfTestRedis } from '../redis.ts';

/**
 * Where Debian's postgresql-15 has its programs; the embedded Postgres has neither `pg_basebackup` nor `pg_isready`.
 */
export const POSTGRES_15 = '/usr/lib/postgresql/15/bin';

/** A library of Debian's `faketime` that gives a process another clock; null where it is not installed. */
export const FAKETIME_LIBRARY =
  ['x86_64', 'aarch64']
    .map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketime.so.1`)
    .find((path) => existsSync(path)) ?? null;

/** The programs of Debian that a drill needs: what is missing is in the name of the skipped tests. */
const DRILL_PROGRAMS = {
  postgres: { there: existsSync(`${POSTGRES_15}/pg_basebackup`), missing: 'no postgresql-15' },
  faketime: { there: FAKETIME_LIBRARY !== null, missing: 'no faketime' },
  haproxy: { there: isThere('haproxy', '-v'), missing: 'no haproxy' },
  pgbouncer: { there: isThere('pgbouncer', '--version'), missing: 'no pgbouncer' },
  redis: { there: nameOfTestRedis() !== null, missing: 'no valkey-server or redis-server' },
};

/** What of the named programs is missing; null where all are there. */
export function missingOf(...names: (keyof typeof DRILL_PROGRAMS)[]): string | null {
  const missing = names.map((name) => DRILL_PROGRAMS[name]).filter(({ there }) => !there);
  return missing.length === 0 ? null : missing.map((one) => one.missing).join(', ');
}

function isThere(name: string, argument: string): boolean {
  // Debian has some of them where only root's PATH looks.
  return spawnSync(name, [argument], { stdio: 'ignore', env: withSbin() }).status === 0;
}

function withSbin(): Record<string, string> {
  return { PATH: `${process.env.PATH ?? ''}:/usr/sbin:/sbin` };
}

/** A program that a test runs in the foreground until it ends it. */
export interface Running {
  pid: number;
  /** What it has printed. */
  output(): string;
  end(signal: NodeJS.Signals): Promise<void>;
}

/** Starts a program. It is killed when this process ends. @param user by default the user of this process */
export function run(
  file: string,
  args: readonly string[],
  user: { uid: number; gid: number } | null = null,
): Running {
  const identity = user ? { uid: user.uid, gid: user.gid } : {};
  const child: ChildProcess = spawn(file, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: '/',
    env: withSbin(),
    ...identity,
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  const ended = new Promise<void>((resolve) => {
    child.once('error', (error) => {
      printed += error.message;
      resolve();
    });
    child.once('close', () => resolve());
  });
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  return {
    pid: child.pid ?? 0,
    output: () => printed,
    async end(signal) {
      process.off('exit', kill);
      child.kill(signal);
      await ended;
    },
  };
}
