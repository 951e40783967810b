import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { runCommandLine } from '../../../src/cli/run.ts';
import { COMPILE_CACHE } from '../compile-cache.ts';

/** The output and the exit code of a command. */
export interface CliRun {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

/** Starts `rewards …` on a database, as its owner, in a separate process, which can be killed. */
export function startCli(
  databaseUrl: string,
  args: string[],
): { process: ChildProcessWithoutNullStreams; ended: Promise<CliRun> } {
  const child = spawn(process.execPath, ['--no-warnings', 'src/cli/main.ts', ...args], {
    env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl, NODE_COMPILE_CACHE: COMPILE_CACHE },
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  child.stdin.end();
  const ended = new Promise<CliRun>((resolve, reject) => {
    child.on('error', reject).on('close', (exitCode) => resolve({ exitCode, stdout, stderr }));
  });
  return { process: child, ended };
}

/**
 * Runs `rewards …` to its end inside this process, which is ten times as fast as starting one. Only one at a time,
 * because its output is captured on the streams of this process.
 */
export async function runCli(databaseUrl: string, args: string[]): Promise<CliRun> {
  const { stdout, stderr, env } = process;
  const writes = [stdout.write, stderr.write] as const;
  const run: CliRun = { exitCode: null, stdout: '', stderr: '' };
  const before = env.DATABASE_URL;
  const catchInto = (name: 'stdout' | 'stderr') => (text: string | Uint8Array) => {
    run[name] += String(text);
    return true;
  };
  stdout.write = catchInto('stdout');
  stderr.write = catchInto('stderr');
  env.DATABASE_URL = databaseUrl;
  try {
    run.exitCode = await runCommandLine(args);
  } finally {
    [stdout.write, stderr.write] = writes;
    if (before === undefined) delete env.DATABASE_URL;
    else env.DATABASE_URL = before;
    // A command may have set it, and it must not become the exit code of the tests.
    process.exitCode = undefined;
  }
  return run;
}

/** Runs `rewards … --json`. @throws where it does not end with 0 */
export async function runJson<T>(databaseUrl: string, args: string[]): Promise<T> {
  const { exitCode, stdout, stderr } = await runCli(databaseUrl, [...args, '--json']);
  if (exitCode !== 0) throw new Error(`rewards ${args.join(' ')} ended with ${exitCode}: ${stderr}`);
  return JSON.parse(stdout) as T;
}
