import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { runCli, runJson } from '../../support/cli/run-cli.ts';
import { useFolder } from '../../support/fixture.ts';
import { useDatabase } from '../../support/use-database.ts';

let draft: string;
let environment: string[];

/** The demo's document, and a changed one. */
const folder = useFolder('rewards-diff-');
const { database } = useDatabase();

beforeAll(async () => {
  draft = join(folder, 'spring.yaml');
  const demo = await readFile('demo/coffee-club.yaml', 'utf8');
  await writeFile(
    draft,
    demo
      .replace('numerator: 5, denominator: 4', 'numerator: 4, denominator: 3')
      .replace('operator: gte, value: 5000 }\n    award', 'operator: gte, value: 4000 }\n    award')
      .replace('  - code: BEANS10 # opens', '  - code: SPRING\n  - code: BEANS10 # opens'),
  );
  const { tenantId } = await runJson<{ tenantId: string }>(database.adminUrl, ['tenant', 'create', 'T']);
  const made = await runJson<{ environmentId: string }>(database.adminUrl, [
    ...['env', 'create', '--tenant', tenantId, '--kind', 'sandbox'],
  ]);
  environment = ['-e', made.environmentId];
  await runJson(database.adminUrl, ['program', 'publish', 'demo/coffee-club.yaml', ...environment]);
});

const diff = (...args: string[]) => runCli(database.adminUrl, ['program', 'diff', ...args, ...environment]);

test('a file against what is published, then the two versions against each other', async () => {
  const drafted = await diff(draft);
  expect(drafted).toMatchObject({ exitCode: 0, stderr: expect.stringContaining(`version 1 → ${draft}`) });
  expect(
    drafted.stdout
      .trim()
      .split('\n')
      .map((line) => line.split(/ {2,}/)),
  ).toEqual([
    ['SECTION', 'ID', 'CHANGE', 'WHAT', 'BEFORE', 'AFTER'],
    ['tiers', 'silver', 'changed', 'multiplier.numerator', '5', '4'],
    ['tiers', 'silver', 'changed', 'multiplier.denominator', '4', '3'],
    ['campaigns', 'big-basket', 'removed', 'conditions', 'purchase.amountMinor gte 5000'],
    ['campaigns', 'big-basket', 'added', 'conditions', 'purchase.amountMinor gte 4000'],
    ['coupons', 'SPRING', 'added', '{"code":"SPRING"}'],
  ]);

  await runJson(database.adminUrl, ['program', 'publish', draft, ...environment]);
  const versions = ['--program', 'coffee-club', '--from', '1', '--to', '2'];
  expect((await diff(...versions)).stdout).toBe(drafted.stdout);
  // Without --to, the newest version is compared.
  const json = JSON.parse((await diff('--program', 'coffee-club', '--from', '1', '--json')).stdout);
  expect(json).toMatchObject({ programId: 'coffee-club', from: 1, to: 2 });
  expect(json.changes).toHaveLength(5);
  expect(json.changes[4]).toEqual({
    ...{ section: 'coupons', id: 'SPRING', change: 'added', path: '', after: { code: 'SPRING' } },
  });
  expect((await diff(draft)).stdout).toBe('Nothing differs.\n');
  expect(JSON.parse((await diff(draft, '--from', '1', '--json')).stdout)).toMatchObject({
    from: 1,
    to: null,
  });
});

test.each<[string, string[], number, string]>([
  ['nothing to compare', [], 2, 'Name a file'],
  ['a program without a version', ['--program', 'coffee-club'], 2, 'Name a file'],
  ['a file and a version', ['demo/coffee-club.yaml', '--to', '1'], 2, '--to is a version'],
  ['another program', ['demo/coffee-club.yaml', '--program', 'tea-club'], 1, 'not of tea-club'],
  ['a program that is not published', ['demo/record-club.yaml'], 1, 'No program record-club is published'],
  ['a version that there is not', ['--program', 'coffee-club', '--from', '9'], 1, 'no version 9'],
  ['a file that there is not', ['none.yaml'], 1, 'cannot be read'],
])('%s', async (_what, args, exitCode, stderr) => {
  expect(await diff(...args)).toMatchObject({
    exitCode,
    stdout: '',
    stderr: expect.stringContaining(stderr),
  });
});
