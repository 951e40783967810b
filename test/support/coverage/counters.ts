import { appendFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative, sep } from 'node:path';

const PROJECT_DIR = join(import.meta.dirname, '../../..');

/** The name of the counters among the globals of a test file. Not Istanbul's own, which jest would copy after each file. */
const VARIABLE = 'coverageOfTests';

/** How often each statement, function and branch of a file was run: the part of Istanbul's form that changes. */
interface Counts {
  s: Record<string, number>;
  f: Record<string, number>;
  b: Record<string, number[]>;
}

/** A file's coverage in Istanbul's form, with where each statement, function and branch is. */
interface FileCoverage extends Counts {
  path: string;
}

interface Instrumenter {
  instrumentSync(code: string, path: string): string;
  lastFileCoverage(): FileCoverage;
}

/** The counters of the files that this process has loaded, by path: all its test files count in the same ones. */
const counters: Record<string, FileCoverage> = {};
const described = new Set<string>();

/** The folder in which each process of jest leaves what it has counted. Undefined where coverage is not counted. */
export function coverageFolder(): string | undefined {
  return process.env.COVERAGE_FOLDER;
}

/** Tells whether the lines and branches of a file are counted: those of the service, without what is generated. */
export function isCounted(path: string): boolean {
  const [folder, ...rest] = relative(PROJECT_DIR, path).split(sep);
  return (folder === 'src' || folder === 'rest-adapter') && !rest.includes('generated');
}

/**
 * The code of a module with counters of its statements, functions and branches.
 * @returns `zero`: the file's coverage with nothing counted
 */
export function withCounters(code: string, path: string): { code: string; zero: FileCoverage } {
  // Loaded here, for it takes as long as many a test file, and is seldom needed.
  const { createInstrumenter } = createRequire(import.meta.url)('istanbul-lib-instrument') as {
    createInstrumenter(options: Record<string, unknown>): Instrumenter;
  };
  const instrumenter = createInstrumenter({
    esModules: true,
    coverageVariable: VARIABLE,
    coverageGlobalScope: 'globalThis',
    coverageGlobalScopeFunc: false,
  });
  return { code: instrumenter.instrumentSync(code, path), zero: instrumenter.lastFileCoverage() };
}

/** Gives a test file's global object the counters of the process. */
export function shareCounters(global: object): void {
  Object.defineProperty(global, VARIABLE, { value: counters });
}

/**
 * Leaves what this process has counted so far in a folder: in `PID.files` a line for each file with what is counted there, in
 * `PID.counts` the counts. After each test file, for jest may end its processes with a signal.
 */
export function leaveCounters(folder: string): void {
  for (const [path, coverage] of Object.entries(counters)) {
    if (described.has(path)) continue;
    described.add(path);
    appendFileSync(join(folder, `${process.pid}.files`), `${JSON.stringify(coverage)}\n`);
  }
  const counts = Object.entries(counters).map(([path, { s, f, b }]): [string, Counts] => [path, { s, f, b }]);
  writeFileSync(join(folder, `${process.pid}.counts`), JSON.stringify(Object.fromEntries(counts)));
}
