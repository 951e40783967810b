import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { freePort } from './free-port.ts';
import { describeWhere } from './where.ts';

/** The program that tests run: Valkey where it is installed, else Redis. Debian has Valkey from release 13 on. */
const BINARY = ['valkey-server', 'redis-server'].find(
  (name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0,
);

/** What `startTestRedis` starts, with its version, such as `redis-server 7.0.15`; null where neither is installed. */
export function nameOfTestRedis(): string | null {
  if (!BINARY) return null;
  const printed = spawnSync(BINARY, ['--version'], { encoding: 'utf8' }).stdout;
  return `${BINARY} ${/v=(\S+)/.exec(printed)?.[1] ?? 'of an unknown version'}`;
}

/** A `describe` for tests that need Redis. */
export const describeWithRedis = describeWhere(BINARY !== undefined, 'no valkey-server or redis-server');

/** A Redis for one test file, in memory only, on a free port of 127.0.0.1. */
export interface TestRedis {
  url: string;
  /** Starts it, empty, on its port. */
  start(): Promise<void>;
  /** Kills it as a crash would, and waits for its end. */
  kill(): Promise<void>;
}

/** Starts a Redis. Kill it in afterAll. */
export async function startTestRedis(): Promise<TestRedis> {
  const port = await freePort();
  let running: ChildProcess | null = null;
  process.once('exit', () => running?.kill('SIGKILL'));
  const redis: TestRedis = {
    url: `redis://127.0.0.1:${port}`,
    async start() {
      running = await start(port);
    },
    async kill() {
      const child = running;
      running = null;
      if (!child) return;
      const ended = new Promise((resolve) => child.once('close', resolve));
      child.kill('SIGKILL');
      await ended;
    },
  };
  await redis.start();
  return redis;
}

async function start(port: number): Promise<ChildProcess> {
  const settings = { port, bind: '127.0.0.1', save: '', appendonly: 'no', dir: tmpdir() };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const child = spawn(BINARY ?? 'redis-server', args, { stdio: ['ignore', 'pipe', 'ignore'] });
  let printed = '';
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject).once('close', () => reject(new Error(`Redis did not start:\n${printed}`)));
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
      if (printed.includes('Ready to accept connections')) resolve();
    });
  });
  return child;
}
