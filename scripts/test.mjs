// npm test: installs missing packages, then runs all tests but the long ones, or those that the arguments name, as
// thoroughly as npm run test:long does. That runs the long ones, and those that npm test repeats less often.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { installMissing, PROJECT_DIR, runPinnedNode } from './launch.mjs';

/** The long tests: whole folders, and files of their own name. */
const LONG = '<rootDir>/test/(drills|history|process|web)/|\\.long\\.test\\.ts$';

installMissing({ development: true });
const long = process.argv[2] === '--long';
const given = process.argv.slice(long ? 3 : 2);
const named = given.some((argument) => /(^|\/)test\//.test(argument));
// Read by test/support/repetitions.ts. LONG= before the command keeps the repetitions few.
if (long || named) process.env.LONG ??= '1';
const args = [
  '--no-warnings',
  '--max-semi-space-size=32',
  // Each test file loads the service's modules anew, and runs most of their code a few times only: what V8's last
  // compiler makes of it takes more time than it saves. The long tests run long enough.
  ...(long ? [] : ['--no-turbofan']),
  join(PROJECT_DIR, 'node_modules/jest/bin/jest.js'),
];
runPinnedNode([...args, '--rootDir', PROJECT_DIR, ...workers(), ...given, ...selection()]);

/** The long tests wait more of their time: for processes that start or are paused, and for retries and timeouts. */
function workers() {
  const isGiven = given.some((argument) => /^(-w|-i|--maxWorkers|--runInBand)/.test(argument));
  return long && !isGiven ? ['--maxWorkers=4'] : [];
}

/** The arguments that choose the files. They come last: jest takes what follows them for paths. */
function selection() {
  if (long) return ['--runTestsByPath', ...longTests()];
  return named ? [] : ['--testPathIgnorePatterns', LONG];
}

function longTests() {
  const isLong = new RegExp(LONG.replace('<rootDir>/', ''));
  return readdirSync(join(PROJECT_DIR, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join('test', name))
    .filter(
      (file) =>
        isLong.test(file) || readFileSync(join(PROJECT_DIR, file), 'utf8').includes('/repetitions.ts'),
    )
    .map((file) => join(PROJECT_DIR, file));
}
