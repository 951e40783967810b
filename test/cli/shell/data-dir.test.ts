import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runCli } from '../../support/cli/run-cli.ts';

let folder: string;
const before = process.env.DATA_DIR;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rewards-data-dir-'));
});

afterAll(async () => {
  if (before === undefined) delete process.env.DATA_DIR;
  else process.env.DATA_DIR = before;
  await rm(folder, { recursive: true });
});

test.each([['tenant', 'list'], ['verify', 'ledger'], ['tenant', 'create', 'Beans'], ['sweep']])(
  'a DATA_DIR without a database is not filled by: rewards %s %s',
  async (...args) => {
    const dataDir = join(folder, 'mistyped');
    process.env.DATA_DIR = dataDir;
    const run = await runCli(
      '',
      args.filter((each) => typeof each === 'string'),
    );
    expect(run).toMatchObject({ exitCode: 1, stdout: '' });
    expect(run.stderr).toContain(`There is no database in ${dataDir}.`);
    expect(run.stderr).toContain('rewards migrate');
    expect(existsSync(dataDir)).toBe(false);
  },
);
