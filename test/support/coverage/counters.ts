import { appendFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative, sep } from 'node:path';

const PROJECT_DIR = join(import.meta.dirname, '../../..');

/**
 * The name of the counters among the globals of a test file. Not Istanbul's own, which jest would copy after each file.
 */
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

/**
 * What Istanbul puts before the code of a module, compact: a function that gives the counters, with all that it says of
 * the file.
 */
const PROLOGUE = /function (?<name>cov_\w+)\(\)\{.*?\}return actualCoverage;\}\k<name>\(\);/s;

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
  const counting = instrumenter.instrumentSync(code, path);
  const zero = instrumenter.lastFileCoverage();
  return { code: withSharedCounters(counting, zero), zero };
}

/**
 * Istanbul's code calls a function for each statement, and describes the file again for each test file that loads it.
 * Here the counters are variables, and the file is described once in a process.
 */
function withSharedCounters(counting: string, zero: FileCoverage): string {
  const name = PROLOGUE.exec(counting)?.groups?.name;
  if (name === undefined) throw new Error(`Istanbul counts in another form in ${zero.path}`);
  const names = { s: `${name}_s`, f: `${name}_f`, b: `${name}_b` };
  const shared = `var {s:${names.s},f:${names.f},b:${names.b}}=globalThis.${VARIABLE}(${JSON.stringify(zero.path)},${name});\
function ${name}(){return${JSON.stringify(zero)}}`;
  return counting
    .replace(PROLOGUE, () => shared)
    .replaceAll(`${name}().s[`, `${names.s}[`)
    .replaceAll(`${name}().f[`, `${names.f}[`)
    .replaceAll(`${name}().b[`, `${names.b}[`);
}

/** Gives a test file's global object the counters of the process. */
export function shareCounters(global: object): void {
  Object.defineProperty(global, VARIABLE, { value: countersOf });
}

/** @param describe gives the coverage of a file of which nothing is counted yet */
function countersOf(path: string, describe: () => FileCoverage): Counts {
  counters[path] ??= describe();
  return counters[path];
}

/**
 * Leaves what this process has counted so far in a folder: in `PID.files` a line for each file with what is counted
 * there, in `PID.counts` the counts. After each test file, for jest may end its processes with a signal.
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
