import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readLicences } from '../../codegen/licences.ts';
import { describeWhere } from '../support/where.ts';

const PROJECT = resolve(import.meta.dirname, '../..');
const FILES = [
  'SHA256SUMS',
  'rewards-service-9.0.0-source.tar.gz',
  'rewards-service-9.0.0.cdx.json',
  'rewards-service-9.0.0.tgz',
];

describeWhere(existsSync(join(PROJECT, '.git')), 'no git')('a release', () => {
  let folder: string;
  let clone: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'rewards-release-test-'));
    clone = join(folder, 'clone');
    git('clone', '--quiet', '--no-hardlinks', PROJECT, clone);
    git('-C', clone, 'config', 'user.name', 'tests');
    git('-C', clone, 'config', 'user.email', 'tests@example.com');
    // The script as it is now, committed or not.
    cpSync(join(PROJECT, 'scripts'), join(clone, 'scripts'), { recursive: true });
    symlinkSync(join(PROJECT, 'node_modules'), join(clone, 'node_modules'));
    appendFileSync(join(clone, '.git/info/exclude'), 'node_modules\n');
    git('-C', clone, 'add', '--all');
    git('-C', clone, 'commit', '--quiet', '--allow-empty', '--message', 'As it is now');
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function git(...args: string[]): string {
    const { status, stdout, stderr } = spawnSync('git', args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
    return stdout.trim();
  }

  function release(...args: string[]): { status: number | null; output: string } {
    const { status, stdout, stderr } = spawnSync('node', ['scripts/release.mjs', ...args], {
      cwd: clone,
      encoding: 'utf8',
    });
    return { status, output: `${stdout}${stderr}` };
  }

  test('is not made of what is not committed, or of no version', () => {
    expect(release()).toMatchObject({ status: 1, output: expect.stringContaining('Usage') });
    expect(release('9.0')).toMatchObject({ status: 1, output: expect.stringContaining('Usage') });
    writeFileSync(join(clone, 'left-over'), '');
    expect(release('9.0.0')).toMatchObject({ status: 1, output: expect.stringContaining('left-over') });
    rmSync(join(clone, 'left-over'));
  });

  test('is tried without a commit or a tag', () => {
    const before = git('-C', clone, 'rev-parse', 'HEAD');
    expect(release('9.0.0', '--dry-run')).toMatchObject({ status: 0 });
    expect(readdirSync(join(clone, 'release')).sort()).toEqual(FILES);
    expect(git('-C', clone, 'tag')).not.toContain('v9.0.0');
    expect(git('-C', clone, 'rev-parse', 'HEAD')).toBe(before);
    expect(git('-C', clone, 'status', '--porcelain')).toBe('');
    expect(git('-C', clone, 'worktree', 'list').split('\n')).toHaveLength(1);
  }, 240_000);

  test('is a commit with the version and the changelog, its tag and its files, once', () => {
    // What the registry knows of the packages on the day of the test is not what is tested here.
    expect(release('9.0.0', '--accept', 'a test')).toMatchObject({ status: 0 });
    git('-C', clone, 'merge', '--quiet', '--ff-only', 'v9.0.0');
    for (const file of ['package.json', 'package-lock.json'])
      expect(JSON.parse(readFileSync(join(clone, file), 'utf8')).version).toBe('9.0.0');
    expect(readFileSync(join(clone, 'CHANGELOG.md'), 'utf8')).toMatch(
      /^## Unreleased\n\n## 9\.0\.0 - \d{4}-\d\d-\d\d\n/m,
    );
    const checked = spawnSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], {
      cwd: join(clone, 'release'),
    });
    expect(checked.status).toBe(0);
    const widget = spawnSync('tar', ['tzf', 'release/rewards-service-9.0.0.tgz'], {
      cwd: clone,
      encoding: 'utf8',
    });
    expect(widget.stdout).toContain('package/web/widget/dist/svc-rewards.js');
    expect(widget.stdout).not.toContain('package/src');
    const { components } = JSON.parse(
      readFileSync(join(clone, 'release/rewards-service-9.0.0.cdx.json'), 'utf8'),
    ) as { components: { group?: string; name: string; version: string }[] };
    const listed = components.map(({ name, version }) => `${name} ${version}`);
    const lockfile = JSON.parse(readFileSync(join(clone, 'package-lock.json'), 'utf8'));
    const used = readLicences(lockfile).filter(({ development }) => !development);
    expect([...new Set(listed)].sort()).toEqual(used.map(({ name, version }) => `${name} ${version}`).sort());
    expect(release('9.0.0')).toMatchObject({ status: 1, output: expect.stringContaining('v9.0.0') });
    expect(release('9.0.1')).toMatchObject({ status: 1, output: expect.stringContaining('Unreleased') });
  }, 240_000);
});
