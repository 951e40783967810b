import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { runCli, runJson } from '../../support/cli/run-cli.ts';
import { useFolder } from '../../support/fixture.ts';
import { useDatabase } from '../../support/use-database.ts';

const nowhere = 'postgresql://nobody@127.0.0.1:1/none';

const folder = useFolder('rewards-new-');
const { database } = useDatabase();

test('what it writes can be checked and published as it is', async () => {
  const file = join(folder, 'tea.yaml');
  const made = await runCli(nowhere, ['program', 'new', file, '-p', 'tea-club', '--currency', 'EUR']);
  expect(made).toMatchObject({ exitCode: 0, stdout: '' });
  expect((await runCli(nowhere, ['program', 'validate', file])).stdout).toContain('is valid: tea-club');
  const url = database.adminUrl;
  const { tenantId } = await runJson<{ tenantId: string }>(url, ['tenant', 'create', 'T']);
  const { environmentId } = await runJson<{ environmentId: string }>(url, [
    ...['env', 'create', '-t', tenantId, '-k', 'sandbox'],
  ]);
  expect(await runJson(url, ['program', 'publish', file, '-e', environmentId])).toMatchObject({
    programId: 'tea-club',
    version: 1,
  });
});

test('a file that is there stays as it is', async () => {
  const file = join(folder, 'mine.yaml');
  await writeFile(file, 'mine');
  const run = await runCli(nowhere, ['program', 'new', file]);
  expect(run).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('is there already') });
  expect(await readFile(file, 'utf8')).toBe('mine');
});

test('what is left out as a comment can be taken in', async () => {
  const { stdout } = await runCli(nowhere, ['program', 'new']);
  const file = join(folder, 'whole.yaml');
  // Comments of prose begin with a capital letter.
  await writeFile(file, stdout.replaceAll(/^# (?=[a-z ])/gm, ''));
  expect((await runCli(nowhere, ['program', 'validate', file])).stderr).toBe('');
  expect(parse(await readFile(file, 'utf8'))).toMatchObject({
    tiers: [{ id: 'member' }, { id: 'gold' }],
    expiration: { days: 365 },
    rewards: [{ id: 'free-coffee' }],
  });
});

test.each([
  ['JPY', 0],
  ['KWD', 3],
])('amounts in %s have %d decimals', async (currency, exponent) => {
  const { stdout } = await runCli(nowhere, ['program', 'new', '--currency', currency]);
  expect(parse(stdout).earn.rules[0].earn.currencyExponent).toBe(exponent);
});

test.each([
  [['--currency', 'XXZ'], 'currency is no ISO 4217 currency'],
  [['--currency', 'usd'], 'currency does not fit'],
  [['-p', ' a'], 'id does not fit'],
])('%j is refused', async (options, message) => {
  const run = await runCli(nowhere, ['program', 'new', ...options]);
  expect(run).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining(message) });
});

test.each(['yes', '7', '{}', 'a: b', '# x', '- a', '"q"'])('an id such as %s is what it says', async (id) => {
  const { stdout } = await runCli(nowhere, ['program', 'new', '-p', id]);
  expect(parse(stdout).id).toBe(id);
});
