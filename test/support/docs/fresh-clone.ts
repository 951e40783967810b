import { type ChildProcess, spawn } from 'node:child_process';
import { cp, readdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../free-port.ts';
import { makeDataDir, removeDataDir } from '../temporary-cluster.ts';
import { ROOT } from './pages.ts';

/** What a clone does not have: what is ignored, and the history. */
const NOT_CLONED = ['.git', '.data', 'coverage', 'node_modules', 'release'];

/** A copy of the repository in which `npm start` runs. */
export interface FreshClone {
  folder: string;
  /** What is printed by `npm start`. */
  output(): string;
  /** The files outside of what git ignores, by their paths. */
  files(): Promise<string[]>;
  close(): Promise<void>;
}

/**
 * Copies the repository, with the installed packages, and starts the demo there as the README says, on a free port.
 * @throws where `npm start` ends before it listens
 */
export async function startFreshClone(): Promise<FreshClone> {
  // A folder that the user may enter as whom Postgres runs where this process is root.
  const folder = await makeDataDir();
  for (const name of await readdir(ROOT)) {
    if (!NOT_CLONED.includes(name)) await cp(join(ROOT, name), join(folder, name), { recursive: true });
  }
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const server = spawn('npm', ['start'], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PORT: String(await freePort()),
      WEBHOOK_ALLOW_PRIVATE: 'true',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = collect(server);
  const ended = new Promise<void>((resolve) => server.once('close', () => resolve()));
  await Promise.race([output.listens, ended]);
  if (server.exitCode !== null) throw new Error(`npm start has ended:\n${output.text()}`);
  return {
    folder,
    output: output.text,
    async files() {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      return entries.map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
    },
    async close() {
      server.kill('SIGTERM');
      await ended;
      await removeDataDir(join(folder, '.data'));
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
    },
  };
}

function collect(server: ChildProcess) {
  let text = '';
  const listens = new Promise<void>((resolve) => {
    for (const stream of [server.stdout, server.stderr]) {
      stream?.setEncoding('utf8').on('data', (part: string) => {
        text += part;
        if (/See what the widget shows/.test(text)) resolve();
      });
    }
  });
  return { text: () => text, listens };
}
