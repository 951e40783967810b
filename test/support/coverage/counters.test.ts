import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { afterAll, expect, test } from '@jest/globals';
import { isCounted, leaveCounters, shareCounters, withCounters } from './counters.ts';

const PROJECT_DIR = join(import.meta.dirname, '../../..');
const CODE = 'function sign(value) {\n  if (value < 0) {\n    return -1;\n  }\n  return 1;\n}\n';

const folder = mkdtempSync(join(tmpdir(), 'rewards-counters-'));
afterAll(() => rmSync(folder, { recursive: true }));

function leftCounts(suffix: string): string {
  const name = readdirSync(folder).find((file) => file.endsWith(suffix));
  return readFileSync(join(folder, name ?? 'nothing was left'), 'utf8');
}

test('all contexts of a process count in the same counters, which it leaves after each', () => {
  const path = join(PROJECT_DIR, 'src/sign.ts');
  const { code, zero } = withCounters(CODE, path);
  for (const value of [5, 7, -1]) {
    const context = createContext({});
    shareCounters(context);
    runInContext(`${code}; sign(${value})`, context);
    leaveCounters(folder);
  }
  const files = leftCounts('.files').trimEnd().split('\n');
  expect(files.map((line) => JSON.parse(line).path)).toEqual([path]);
  expect(JSON.parse(leftCounts('.counts'))).toEqual({
    [path]: { s: { 0: 3, 1: 1, 2: 2 }, f: { 0: 3 }, b: { 0: [1, 2] } },
  });
  expect(zero).toMatchObject({ path, s: { 0: 0, 1: 0, 2: 0 }, f: { 0: 0 }, b: { 0: [0, 0] } });
});

test.each([
  ['src/refusal.ts', true],
  ['rest-adapter/routes/purchases.ts', true],
  ['src/graphql/generated/types.ts', false],
  ['test/ids.test.ts', false],
  ['node_modules/pg/src/index.ts', false],
])('counts the lines of %s: %s', (file, counted) => {
  expect(isCounted(join(PROJECT_DIR, file))).toBe(counted);
});
