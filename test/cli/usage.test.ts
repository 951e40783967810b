import { afterAll, describe, expect, test } from '@jest/globals';
import { newUuid, toTypeId } from '../../src/ids.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { type CliRun, runCli } from './run-cli.ts';

const nowhere = 'postgresql://nobody@127.0.0.1:1/none';

/** Runs with REWARDS_ENVIRONMENT. */
async function runWith(environment: string, url: string, args: string[]): Promise<CliRun> {
  process.env.REWARDS_ENVIRONMENT = environment;
  try {
    return await runCli(url, args);
  } finally {
    delete process.env.REWARDS_ENVIRONMENT;
  }
}

describe('what was probably meant is suggested', () => {
  test.each([
    [['key', 'list', '--env', 'env_x'], 'Did you mean --environment?'],
    [['key', 'list', '--env=env_x'], 'Did you mean --environment?'],
    [['key', 'list', '--envronment', 'env_x'], 'Did you mean --environment?'],
    [['key', 'issue', '-p', 'web-shop', '-s', 'all'], 'Did you mean --principal?'],
    [['close', '--prog', 'coffee-club'], 'Did you mean --program?'],
    [['env', 'list', '--Json'], 'Did you mean --json?'],
    [['environments', 'list'], 'Did you mean env?'],
    [['program', 'publsh'], 'Did you mean publish?'],
    [['key', 'list'], 'Or set REWARDS_ENVIRONMENT. The environments there are: rewards env list'],
  ])('%j', async (args, suggestion) => {
    const run = await runCli(nowhere, args);
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain(suggestion);
  });

  test.each([[['key', 'list', '--colour']], [['launch']], [['key', 'list', '-z']]])(
    'nothing for %j, which is near to nothing',
    async (args) => {
      expect((await runCli(nowhere, args)).stderr).not.toContain('Did you mean');
    },
  );
});

describe('REWARDS_ENVIRONMENT', () => {
  let database: TestDatabase | null = null;

  afterAll(() => database?.drop());

  test('stands in for -e, is checked as it is, and -e wins', async () => {
    database = await createTestDatabase();
    const [unknown, other] = [toTypeId('env', newUuid()), toTypeId('env', newUuid())];
    const url = database.adminUrl;
    expect((await runWith(unknown, url, ['key', 'list'])).stderr).toContain(`no environment ${unknown}`);
    const both = await runWith(unknown, url, ['key', 'list', '-e', other]);
    expect(both.stderr).toContain(`no environment ${other}`);
  });

  test('that is no id is a usage error that names the variable; an empty one counts as absent', async () => {
    const wrong = await runWith('sandbox', nowhere, ['key', 'list']);
    expect(wrong).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("env 'REWARDS_ENVIRONMENT'"),
    });
    const empty = await runWith('', nowhere, ['key', 'list']);
    expect(empty.stderr).toContain("required option '-e, --environment <id>' not specified");
  });

  test('does not narrow commands that go through all environments', async () => {
    const url = (database ?? (await createTestDatabase())).adminUrl;
    const verified = await runWith(toTypeId('env', newUuid()), url, ['verify', 'ledger']);
    expect(verified).toMatchObject({ exitCode: 0 });
  });

  test('asks for nothing of a trial without a customer', async () => {
    const args = ['program', 'try', 'demo/coffee-club.yaml', '--purchase', 'nowhere.json'];
    const run = await runWith(toTypeId('env', newUuid()), nowhere, args);
    expect(run.stderr).toContain('nowhere.json cannot be read');
  });
});

test.each([
  'close',
  'finance show',
  'finance approve',
  'import purchases',
  'program publish',
  'program diff',
])('-p is the program of %s', async (command) => {
  const { stdout } = await runCli(nowhere, [...command.split(' '), '--help']);
  expect(stdout).toMatch(/-p, --program <id>/);
});
