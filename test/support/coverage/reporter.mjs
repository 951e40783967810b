import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import coverage from 'istanbul-lib-coverage';
import report from 'istanbul-lib-report';
import reports from 'istanbul-reports';
import { coverageFolder, isCounted, withCounters } from './counters.ts';

/**
 * Jest reporter: tells which lines and branches of the service the tests have run, and writes a page about each file.
 */
export default class CoverageReporter {
  #rootDir;

  constructor({ rootDir }) {
    this.#rootDir = rootDir;
  }

  onRunStart() {
    // Jest starts its processes later, with the environment of this one.
    process.env.COVERAGE_FOLDER = mkdtempSync(join(tmpdir(), 'rewards-coverage-'));
  }

  onRunComplete() {
    const coverageMap = coverage.createCoverageMap({});
    for (const fileCoverage of leftCounters(coverageFolder())) coverageMap.addFileCoverage(fileCoverage);
    rmSync(coverageFolder(), { recursive: true });
    for (const path of countedFiles(this.#rootDir)) {
      if (!coverageMap.data[path]) coverageMap.addFileCoverage(withCounters(stripped(path), path).zero);
    }
    const context = report.createContext({ dir: join(this.#rootDir, 'coverage'), coverageMap });
    reports.create('html').execute(context);
    tell(coverageMap.getCoverageSummary());
  }
}

/** What the processes of jest have left, in Istanbul's form: a file's coverage for each file and process. */
function* leftCounters(folder) {
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.files'))) {
    const counts = JSON.parse(readFileSync(join(folder, name.replace(/files$/, 'counts')), 'utf8'));
    for (const line of readFileSync(join(folder, name), 'utf8').trimEnd().split('\n')) {
      const described = JSON.parse(line);
      yield { ...described, ...counts[described.path] };
    }
  }
}

function countedFiles(rootDir) {
  return ['src', 'rest-adapter']
    .flatMap((folder) =>
      readdirSync(join(rootDir, folder), { recursive: true }).map((name) => join(rootDir, folder, name)),
    )
    .filter((path) => path.endsWith('.ts') && isCounted(path));
}

function stripped(path) {
  return stripTypeScriptTypes(readFileSync(path, 'utf8'), { mode: 'strip' });
}

/** On standard error, as jest's own lines are. */
function tell(summary) {
  const lines = ['lines', 'branches', 'functions'].map((kind) => {
    const { pct, covered, total } = summary[kind];
    return `  ${kind.padEnd(9)} ${pct.toFixed(1).padStart(5)} % (${covered} of ${total})\n`;
  });
  process.stderr.write(`Coverage of src and rest-adapter, without what is generated:\n${lines.join('')}`);
}
