import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { freePort } from '../free-port.ts';
import type { Block } from './pages.ts';

/** What a block has printed, and which of its commands have failed. */
export interface BlockRun {
  output: string;
  /** A failed command with its exit code. */
  failures: string[];
}

/** Where the receiver of docs/guide/webhooks.md listens: a free port takes its place. */
const RECEIVER_PORT = '9009';
const LIMIT_MS = 240_000;

/**
 * Runs blocks one after the other in one shell, as a reader types them into one terminal. Before each its files are
 * written. A variable that is not set ends the shell; any other failing command is noted, and the next one runs.
 * @param folder in which they run
 * @returns a run for each block; for one that was not reached the failure says so
 */
export async function runBlocks(blocks: readonly Block[], folder: string): Promise<BlockRun[]> {
  const scripts = await mkdtemp(join(tmpdir(), 'rewards-docs-'));
  try {
    const port = String(await freePort());
    const atPort = (text: string): string => text.replaceAll(RECEIVER_PORT, port);
    const steps = await Promise.all(
      blocks.map(({ commands, files }, index) => {
        const moved = new Map(Array.from(files, ([path, content]) => [path, atPort(content)]));
        return step({ commands: atPort(commands), files: moved }, index, scripts, folder);
      }),
    );
    const output = await bash([PRELUDE, ...steps, END].join('\n'), folder);
    return blocks.map((_, index) => runOf(output, index));
  } finally {
    await rm(scripts, { recursive: true });
  }
}

/** `npx rewards` as npx runs it in a clone, without the second that npx takes. */
const PRELUDE = `
npx() { if [ "$1" = rewards ]; then shift; node bin/rewards.mjs "$@"; else command npx "$@"; fi; }
set -uE
trap 'code=$?; case $BASH_COMMAND in "source "*) ;; *) echo "@@failed exit code $code: $BASH_COMMAND" >&2;; esac' ERR`;
const END = 'echo "@@block end"';

async function step(
  block: Pick<Block, 'commands' | 'files'>,
  index: number,
  scripts: string,
  folder: string,
): Promise<string> {
  const script = join(scripts, `${index}.sh`);
  await writeFile(script, block.commands);
  const lines: string[] = [];
  for (const [path, content] of block.files) {
    const source = join(scripts, `${index}-${lines.length}`);
    await writeFile(source, content);
    await mkdir(dirname(join(folder, path)), { recursive: true });
    lines.push(`cp '${source}' '${path}'`);
  }
  return [`echo; echo "@@block ${index}"`, ...lines, `source '${script}'`].join('\n');
}

/** Runs a script, and returns what it prints on both outputs, in order. What it leaves in the background is ended. */
function bash(script: string, folder: string): Promise<string> {
  // The machine's own Node, as a reader has it, and not the one that runs the tests.
  const path = (process.env.PATH ?? '').split(delimiter).filter((part) => !part.includes('node_modules'));
  const child = spawn('bash', ['-c', `exec 2>&1\n${script}`], {
    cwd: folder,
    detached: true,
    env: { PATH: path.join(delimiter), HOME: process.env.HOME },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    let output = '';
    const kill = () => {
      try {
        process.kill(-(child.pid ?? 0), 'SIGKILL');
      } catch {
        // All have ended.
      }
    };
    const timer = setTimeout(kill, LIMIT_MS);
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    child.once('error', reject).once('exit', () => {
      clearTimeout(timer);
      kill();
    });
    child.once('close', () => resolve(output));
  });
}

function runOf(output: string, index: number): BlockRun {
  const [, part] = new RegExp(`^@@block ${index}\n(.*?)(?=^@@block |$(?![^]))`, 'ms').exec(output) ?? [];
  if (part === undefined) return { output: '', failures: ['It was not reached.'] };
  // A command of a function fails in the function and where that is called.
  const failures = [
    ...new Set(Array.from(part.matchAll(/^@@failed (.*)$/gm), ([, failure = '']) => failure)),
  ];
  if (!output.includes(`@@block end`) && !output.includes(`@@block ${index + 1}\n`)) {
    failures.push('The shell ended here.');
  }
  return { output: part.replaceAll(/^@@failed .*\n/gm, ''), failures };
}
