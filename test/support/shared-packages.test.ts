import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

const PROJECT_DIR = fileURLToPath(new URL('../..', import.meta.url));

interface Report {
  testResults: { status: string; assertionResults: { title: string }[] }[];
}

/** Runs the files of `isolation` one after the other in one process, without a Postgres and without coverage. */
async function runFixtures(): Promise<Report> {
  const { default: config } = (await import(join(PROJECT_DIR, 'jest.config.mjs'))) as { default: object };
  const { globalSetup, globalTeardown, reporters, ...others } = config as Record<string, unknown>;
  const changed = {
    ...others,
    rootDir: PROJECT_DIR,
    testMatch: ['<rootDir>/test/support/isolation/*.fixture.ts'],
  };
  const jest = join(PROJECT_DIR, 'node_modules/jest/bin/jest.js');
  const args = ['--experimental-vm-modules', jest, '-i', '--json', '--config', JSON.stringify(changed)];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: { PATH: process.env.PATH } });
  return JSON.parse(stdout) as Report;
}

test('test files of one process share packages, and nothing else', async () => {
  const { testResults } = await runFixtures();
  expect(testResults.map(({ status }) => status)).toEqual(['passed', 'passed']);
  const titles = testResults.flatMap(({ assertionResults }) => assertionResults.map(({ title }) => title));
  expect(titles.map((title) => title.split(' ')[1]).toSorted()).toEqual(['1', '2']);
});
