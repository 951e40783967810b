import { expect, test } from '@jest/globals';
import { runCli } from '../support/cli/run-cli.ts';

const NO_DATABASE = 'postgres://localhost:1/none';
const DEPLOYMENT = 'wdg_01h455vb4pex5vsknk084sn02q';

test.each<[string, string[], RegExp]>([
  ['no deployment', [], /--deployment <id>/],
  [
    'a deployment of another kind',
    ['--deployment', 'env_01h455vb4pex5vsknk084sn02q'],
    /wdg_ and 26 characters/,
  ],
  ['a base that is no URL', ['--deployment', DEPLOYMENT, '--base', 'rewards.example'], /must be a URL/],
  ['a base that is a file', ['--deployment', DEPLOYMENT, '--base', 'file:///etc/passwd'], /must be a URL/],
])('%s is wrong usage, with nothing on standard output', async (_name, args, message) => {
  const { exitCode, stdout, stderr } = await runCli(NO_DATABASE, ['mcp', ...args]);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toMatch(message);
});

test('a file of a token that is not there ends the command', async () => {
  const args = ['mcp', '--deployment', DEPLOYMENT, '--token-file', '/nowhere/session.txt'];
  const { exitCode, stdout, stderr } = await runCli(NO_DATABASE, args);
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  expect(stderr).toMatch(/^\/nowhere\/session\.txt cannot be read/);
});
