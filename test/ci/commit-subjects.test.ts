import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

const SCRIPT = resolve(import.meta.dirname, '../../.ci/commit-subjects');

let repository: string;
let start: string;

beforeAll(() => {
  repository = mkdtempSync(join(tmpdir(), 'rewards-subjects-test-'));
  git('init', '--quiet', '--initial-branch=main');
  start = commit('x'.repeat(100));
});

afterAll(() => rmSync(repository, { recursive: true, force: true }));

test('subjects of 72 characters are taken, whatever their bytes, and older ones are not looked at', () => {
  commit('y'.repeat(72));
  commit(
    'ü'.repeat(72),
    'A body may have lines that are longer than that, such as this one, which has more characters.',
  );
  expect(check(start)).toEqual({ status: 0, output: '' });
});

test('longer ones are named', () => {
  const last = git('rev-parse', 'HEAD');
  const long = commit(`Take ${'z'.repeat(68)}`);
  const { status, output } = check(start);
  expect(status).toBe(1);
  expect(output.split('\n')).toEqual([
    expect.stringMatching(new RegExp(`^${long.slice(0, 7)}[0-9a-f]* Take z+$`)),
    expect.stringContaining('more than 72 characters'),
  ]);
  git('reset', '--quiet', '--hard', last);
});

test('a clone that lacks the commit says how it gets it', () => {
  expect(check('8d10f614bb5c30d093b0b2c96f06ada1ddb3976f')).toEqual({
    status: 0,
    output: expect.stringContaining('git fetch --unshallow'),
  });
});

function check(since: string): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(SCRIPT, [since], { cwd: repository, encoding: 'utf8' });
  return { status, output: `${stdout}${stderr}`.trim() };
}

/** Makes an empty commit. @returns its hash */
function commit(subject: string, body = ''): string {
  const author = ['-c', 'user.name=tests', '-c', 'user.email=tests@example.com'];
  git(...author, 'commit', '--quiet', '--allow-empty', '-m', subject, ...(body ? ['-m', body] : []));
  return git('rev-parse', 'HEAD');
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: repository, encoding: 'utf8' }).trim();
}
