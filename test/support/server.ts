import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { register } from 'prom-client';
import { type Config, readConfig } from '../../src/config.ts';
import { type RunningServer, startServer } from '../../src/server/process/http-server.ts';
import { COMPILE_CACHE } from './compile-cache.ts';
import type { TestDatabase } from './database.ts';
import { checkRefusals, seenRefusals } from './seen-refusals.ts';

const PROJECT_DIR = fileURLToPath(new URL('../..', import.meta.url));
/** Ends a server when its test run is killed. The server's workers inherit this but have another parent. */
const FOLLOW_PARENT = `data:text/javascript,if (process.ppid === ${process.pid}) {
  process.channel.unref();
  process.on('disconnect', () => process.exit(1));
}`.replace(/\s+/g, ' ');

/**
 * Starts the whole server in this process, on a free port, with a login that has only the privileges of `rewards_app`.
 */
export async function startTestServer(
  database: Pick<TestDatabase, 'serverUrl'> & { operatorUrl?: string | null },
  settings: Partial<Config> = {},
): Promise<RunningServer> {
  // Metrics are global in the process, and a test file may start several servers.
  register.clear();
  const config: Config = {
    ...readConfig({}),
    port: 0,
    logLevel: 'error',
    rateLimitPerMinute: 1_000_000_000,
    sweepSeconds: 0,
    secretsKeys: [Buffer.alloc(32, 7).toString('base64')],
    ...settings,
  };
  const server = await startServer({
    config,
    database: {
      ...{ serverUrl: database.serverUrl, serverRole: null },
      ...{ operatorUrl: database.operatorUrl ?? null, operatorRole: null },
    },
    graphiql: {},
  });
  const seen = seenRefusals();
  return {
    ...server,
    async close() {
      await server.close();
      await checkRefusals(seen);
    },
  };
}

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A running `rewards serve` in a separate process. */
export interface ServerProcess {
  url: string;
  pid: number;
  /** Its output so far. */
  stdout(): string;
  stderr(): string;
  /** Sends a signal, and waits until the process has ended. */
  end(signal: NodeJS.Signals): Promise<Exit>;
  ended: Promise<Exit>;
}

/**
 * Starts `rewards serve` and waits until it listens. It ends when this process ends.
 * @param env further settings; they override PORT, LOG_LEVEL, RATE_LIMIT_PER_MINUTE and SWEEP_SECONDS (0)
 * @param projectDir the folder of another release; by default this one
 * @throws where it ends before it listens
 */
export async function spawnServer(
  env: Record<string, string>,
  args: readonly string[] = [],
  projectDir = PROJECT_DIR,
): Promise<ServerProcess> {
  const command = ['--no-warnings', '--import', FOLLOW_PARENT, 'src/cli/main.ts', 'serve', ...args];
  const child = spawn(process.execPath, command, {
    cwd: projectDir,
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: COMPILE_CACHE,
      PORT: '0',
      LOG_LEVEL: 'error',
      RATE_LIMIT_PER_MINUTE: '1000000000',
      SWEEP_SECONDS: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  // By the channel the child notices the end of this process; it must not keep this process alive.
  child.channel?.unref();
  const output = collect(child);
  const ended = new Promise<Exit>((resolve, reject) => {
    child.once('error', reject).once('close', (code, signal) => resolve({ code, signal }));
  });
  const url = await Promise.race([
    output.url,
    ended.then((exit) => {
      throw new Error(`serve ended before it listened: ${JSON.stringify(exit)}\n${output.stderr()}`);
    }),
  ]);
  return {
    url,
    pid: child.pid ?? 0,
    stdout: output.stdout,
    stderr: output.stderr,
    ended,
    end(signal) {
      child.kill(signal);
      return ended;
    },
  };
}

/** The settings of a child process that serves a test database. */
export function databaseSettings(database: TestDatabase): Record<string, string> {
  const { adminUrl, serverUrl, operatorUrl } = database;
  return { DATABASE_URL: adminUrl, SERVER_DATABASE_URL: serverUrl, OPERATOR_DATABASE_URL: operatorUrl };
}

function collect(child: ChildProcess) {
  let stdout = '';
  let stderr = '';
  const url = new Promise<string>((resolve) => {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      const url = /REST +(http:\S+)\/api\/v1\n/.exec(stdout)?.[1];
      if (url) resolve(url);
    });
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return { url, stdout: () => stdout, stderr: () => stderr };
}
