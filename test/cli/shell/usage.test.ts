import { afterAll, describe, expect, test } from '@jest/globals';
import { createCommandLine } from '../../../src/cli/command-line.ts';
import { commandWords } from '../../../src/cli/completion/completion.ts';
import { newUuid, toTypeId } from '../../../src/ids.ts';
import { type CliRun, runCli } from '../../support/cli/run-cli.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

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
    [['close', '-e', 'env_01h455vb4pex5vsknk084sn02q'], 'rewards program list -e ENVIRONMENT'],
    [['key', 'revoke', 'key_abc'], 'It must be a whole id: key_ and 26 characters.'],
    [['audit', 'show', '--target', 'ada b'], "Such as: rewards audit show --target 'ada b' -e env_…"],
    [
      ['member', 'erase', 'ada', '-e', 'env_01h455vb4pex5vsknk084sn02q', '--forfeit'],
      'Such as: rewards member erase ada --forfeit -e env_01h455vb4pex5vsknk084sn02q --reason TEXT',
    ],
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

describe('the help of every command', () => {
  const tree = commandWords(createCommandLine());
  const leaves = tree.filter(({ path, commands }) => path.length > 0 && commands.length === 0);
  const named = (words: readonly string[]) =>
    tree.findLast(({ path }) => path.length > 0 && path.every((word, index) => words[index] === word));

  test.each(leaves.map(({ path }) => path.join(' ')))(
    '%s: one sentence, its arguments, examples',
    async (name) => {
      const { stdout } = await runCli(nowhere, [...name.split(' '), '--help']);
      const [usage, , description] = stdout.split('\n');
      expect(usage).toMatch(new RegExp(`^Usage: rewards ${name} `));
      expect(description).toMatch(/^[a-z].*[^.]$/);
      const examples = stdout.split(/ \$ |; |\| /).filter((part) => part.startsWith('rewards '));
      expect(examples.some((example) => example.startsWith(`rewards ${name}`))).toBe(true);
      // What an example says has to be there: its command, and each option of it.
      for (const example of examples) {
        const [, ...words] =
          example
            .split('\n\n')[0]
            ?.replace(/[>#|&].*/, '')
            .split(/\s+/) ?? [];
        const command = named(words);
        const known = command?.options.flatMap(({ names }) => names);
        expect([example, command?.commands]).toEqual([example, []]);
        expect(known).toEqual(expect.arrayContaining(words.filter((word) => /^--?[a-z]/.test(word))));
      }
    },
  );

  test.each(leaves)('arguments of $path are described', ({ path }) => {
    const command = path.reduce(
      (at, word) => at.commands.find((child) => child.name() === word) ?? at,
      createCommandLine(),
    );
    const undescribed = command.registeredArguments.filter((argument) => argument.description === '');
    expect(undescribed).toEqual([]);
  });
});
