import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';

/** What a command left behind when it ended. */
export interface CliRun {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

/** Starts `rewards …` against a database, as its owner. */
export function startCli(
  databaseUrl: string,
  args: string[],
  env: Record<string, string> = {},
): { process: ChildProcessWithoutNullStreams; ended: Promise<CliRun> } {
  const child = spawn(process.execPath, ['--no-warnings', 'src/cli/main.ts', ...args], {
    env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl, ...env },
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

/** Runs `rewards …` to its end. */
export function runCli(
  databaseUrl: string,
  args: string[],
  env: Record<string, string> = {},
): Promise<CliRun> {
  return startCli(databaseUrl, args, env).ended;
}

/** Runs `rewards … --json`. @throws where it does not end with 0 */
export async function runJson<T>(databaseUrl: string, args: string[]): Promise<T> {
  const { exitCode, stdout, stderr } = await runCli(databaseUrl, [...args, '--json']);
  if (exitCode !== 0) throw new Error(`rewards ${args.join(' ')} ended with ${exitCode}: ${stderr}`);
  return JSON.parse(stdout) as T;
}
