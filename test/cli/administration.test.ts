import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { parseKey } from '../../src/auth/api-key.ts';
import { newUuid, toTypeId } from '../../src/ids.ts';
import { runCli, runJson, startCli } from '../support/cli/run-cli.ts';
import { createTestDatabase } from '../support/database.ts';
import { useFolder } from '../support/fixture.ts';
import { useDatabase } from '../support/use-database.ts';

let url: string;

const folder = useFolder('rewards-cli-');
const { database } = useDatabase();

beforeAll(() => {
  url = database.adminUrl;
});

test('from a tenant to a key that works, a published program and clean books', async () => {
  const { tenantId } = await runJson<{ tenantId: string }>(url, ['tenant', 'create', 'Beans & Co']);
  const { environmentId } = await runJson<{ environmentId: string }>(url, [
    ...['env', 'create', '--tenant', tenantId, '--kind', 'production', '--actor', 'ada'],
  ]);
  const issued = await runCli(url, [
    ...[
      'key',
      'issue',
      '-e',
      environmentId,
      '--principal',
      'shop',
      '-s',
      'events:write,reading',
      '--actor',
      'ada',
    ],
  ]);
  // The key alone stands on stdout, so that it can go straight into a secret manager.
  const parsed = parseKey(issued.stdout.trim());
  expect(parsed).toMatchObject({ environmentKind: 'production' });
  expect(issued.stderr).toContain('only time');

  const publish = ['program', 'publish', 'demo/coffee-club.yaml', '-e', environmentId];
  expect(await runJson(url, publish)).toMatchObject({
    programId: 'coffee-club',
    version: 1,
    published: true,
  });
  expect(await runCli(url, publish)).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/this very document, effective from .*; nothing was published/),
  });
  const shown = await runCli(url, ['program', 'show', 'coffee-club', '-e', environmentId, '--version', '1']);
  expect(shown.stdout).toContain('id: coffee-club');

  expect(await runJson(url, ['env', 'lock', environmentId])).toMatchObject({ locked: true, changed: true });
  const { environments } = await runJson<{ environments: object[] }>(url, ['env', 'list']);
  expect(environments).toMatchObject([
    { environmentId, tenantId, tenantName: 'Beans & Co', locked: true, programIds: ['coffee-club'] },
  ]);
  expect((await runCli(url, ['env', 'list'])).stdout).toContain(environmentId);

  expect(await runJson(url, ['tenant', 'list'])).toMatchObject({
    tenants: [{ tenantId, name: 'Beans & Co', environmentIds: [environmentId] }],
  });
  expect((await runCli(url, ['tenant', 'list'])).stdout).toContain(environmentId);
  const later = publish.with(2, await renamedProgram());
  await runJson(url, [...later, '--effective-from', '2999-01-01']);
  expect(await runJson(url, ['program', 'list', '-e', environmentId])).toMatchObject({
    environmentId,
    programs: [{ programId: 'coffee-club', name: 'Bean Club', versionInEffect: 1, newestVersion: 2 }],
  });
  expect((await runCli(url, ['program', 'list', '-e', environmentId])).stdout).toMatch(
    /coffee-club +Bean Club +1 +2/,
  );
  const byOption = ['program', 'show', '-p', 'coffee-club', '-e', environmentId, '--version', '1'];
  expect((await runCli(url, byOption)).stdout).toBe(shown.stdout);

  const keyId = toTypeId('key', parsed?.keyId ?? '');
  const rotated = await runJson<{ key: string }>(url, ['key', 'rotate', keyId, '--overlap', '90m']);
  expect(parseKey(rotated.key)?.keyId).toBe(parsed?.keyId);
  await runJson(url, ['key', 'revoke', keyId, '--actor', 'ada']);
  const { keys } = await runJson<{ keys: object[] }>(url, ['key', 'list', '-e', environmentId]);
  // The old secret, which had 90 minutes left, went with its key.
  expect(keys).toMatchObject([{ keyId, status: 'revoked', principal: 'shop', previousValidUntil: null }]);
  expect((await runCli(url, ['key', 'list', '-e', environmentId])).stdout).not.toContain('old secret');

  const { rows } = await database.adminPool.query<{ actor_id: string }>(
    `select actor_id from audit_events where action in ('environment.created', 'api_key.issued', 'api_key.revoked')`,
  );
  expect(rows.map((row) => row.actor_id)).toEqual(['ada', 'ada', 'ada']);

  const verified = await runJson<{ passed: boolean; controls: object[] }>(url, ['verify', 'ledger']);
  expect(verified.passed).toBe(true);
});

/** The demo's program under another name. */
async function renamedProgram(): Promise<string> {
  const file = join(folder, 'renamed.yaml');
  const text = await readFile('demo/coffee-club.yaml', 'utf8');
  await writeFile(file, text.replace('name: Coffee Club', 'name: Bean Club'));
  return file;
}

test('verify ledger ends with 1 and says what differs', async () => {
  const other = await createTestDatabase();
  try {
    const { tenantId } = await runJson<{ tenantId: string }>(other.adminUrl, ['tenant', 'create', 'T']);
    const { environmentId } = await runJson<{ environmentId: string }>(other.adminUrl, [
      ...['env', 'create', '--tenant', tenantId, '--kind', 'sandbox'],
    ]);
    await other.adminPool.query(
      `with environment as (select id from environments), member as (
        insert into members select id, gen_random_uuid(), 'c', null, 'active', 'unverified', 'granted', 'v1', now(), now()
        from environment returning environment_id, id
      ), program as (insert into programs select id, 'p' from environment returning id)
      select * from member, program`,
    );
    await other.adminPool.query(
      `insert into program_profiles (environment_id, program_id, member_id, enrolled, tier, available, enrolled_at)
       select environment_id, 'p', id, true, 'basic', 7, now() from members`,
    );
    const all = await runCli(other.adminUrl, ['verify', 'ledger']);
    expect(all.exitCode).toBe(1);
    expect(all.stdout).toMatch(/FAILED +balances-equal-postings/);
    expect(all.stdout).toContain('expected 0, found 7');
    const one = await runCli(other.adminUrl, ['verify', 'ledger', '-e', environmentId, '--json']);
    expect(one.exitCode).toBe(1);
    expect(JSON.parse(one.stdout)).toMatchObject({ passed: false });
  } finally {
    await other.drop();
  }
});

describe('what is wrong is said, with its exit code', () => {
  const unknown = toTypeId('env', newUuid());

  test.each([
    ['no command', [], 2, 'Usage: rewards'],
    ['an unknown command', ['launch'], 2, "unknown command 'launch'"],
    ['a tenant without a name', ['tenant', 'create', ' '], 2, '1 to 200 characters'],
    [
      'a principal without a name',
      ['key', 'issue', '-e', unknown, '--principal', '', '-s', 'all'],
      2,
      '1 to 200',
    ],
    ['an unknown option', ['env', 'list', '--verbose'], 2, "unknown option '--verbose'"],
    ['a missing argument', ['tenant', 'create'], 2, "missing required argument 'name'"],
    ['an id of another kind', ['env', 'lock', 'key_01h455vb4pex5vsknk084sn02q'], 2, 'env_ and 26 characters'],
    [
      'an unknown scope',
      ['key', 'issue', '-e', unknown, '--principal', 'x', '-s', 'everything'],
      2,
      '"everything" is no scope',
    ],
    ['an unreadable span', ['key', 'rotate', 'key_01h455vb4pex5vsknk084sn02q', '--overlap', '1y'], 2, '24h'],
    [
      'enrolling without a notice',
      ['import', 'purchases', 'x.csv', '-e', unknown, '-p', 'p', '--enroll'],
      2,
      '--notice-version',
    ],
    ['an unknown environment', ['env', 'lock', unknown], 1, `no environment ${unknown}`],
    ['an unknown key', ['key', 'revoke', 'key_01h455vb4pex5vsknk084sn02q'], 1, 'There is no key'],
    ['a file that is not there', ['program', 'validate', 'nowhere.yaml'], 1, 'nowhere.yaml cannot be read'],
  ])('%s', async (_what, args, exitCode, message) => {
    const run = await runCli(url, args);
    expect(run.stderr).toContain(message);
    expect(run.stderr).not.toMatch(/\n {4}at /);
    expect(run).toMatchObject({ exitCode, stdout: '' });
  });

  test('a program document that is wrong, with the line of each problem', async () => {
    const file = join(folder, 'wrong.yaml');
    await writeFile(file, 'id: coffee-club\nname: 7\n');
    const run = await runCli(url, ['program', 'validate', file]);
    expect(run.exitCode).toBe(1);
    expect(run.stderr).toMatch(/wrong\.yaml:2:\d+ name /);
  });

  test('a program document that is not UTF-8, with the line, and one that holds itself', async () => {
    const file = join(folder, 'latin1.yaml');
    await writeFile(file, Buffer.from('id: coffee-club\nname: Caf\u00e9\n', 'latin1'));
    const run = await runCli(url, ['program', 'validate', file]);
    expect(run).toMatchObject({ exitCode: 1, stdout: '' });
    expect(run.stderr).toContain('latin1.yaml:2:1 is not UTF-8');
    const loop = join(folder, 'loop.yaml');
    await writeFile(loop, 'id: a\neventDefinitions: [{ type: a, attributesSchema: &s { not: *s } }]\n');
    expect((await runCli(url, ['program', 'validate', loop])).stderr).toMatch(
      /loop\.yaml:2:\d+ eventDefinitions\[0\]\.attributesSchema\.not \*s stands within/,
    );
  });

  test('a database without tables, which migrate mends', async () => {
    const empty = new URL(url);
    empty.pathname = `/${database.name}_empty`;
    await database.adminPool.query(`create database ${database.name}_empty`);
    try {
      const before = await runCli(empty.href, ['env', 'list']);
      expect(before).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('rewards migrate') });
      expect((await runCli(empty.href, ['migrate', '--status'])).exitCode).toBe(1);
      const applied = await runJson<{ applied: string[] }>(empty.href, ['migrate']);
      expect(applied.applied).toContain('20261121000000_ledger_foundation');
      expect((await runCli(empty.href, ['migrate', '--status'])).exitCode).toBe(0);
      expect((await runCli(empty.href, ['env', 'list'])).exitCode).toBe(0);
    } finally {
      await database.adminPool.query(`drop database if exists ${database.name}_empty with (force)`);
    }
  });

  test('a database that cannot be reached', async () => {
    const run = await runCli('postgresql://nobody@127.0.0.1:1/none', ['env', 'list']);
    expect(run).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('DATABASE_URL') });
  });
});

test.each([
  [['--help']],
  [['key', 'issue', '--help']],
  [['import', 'purchases', '--help']],
  [['verify', 'ledger', '--help']],
])('help with an example needs no database: %j', async (args) => {
  const run = await runCli('postgresql://nobody@127.0.0.1:1/none', args);
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  expect(run.stdout).toContain('  $ rewards ');
});

describe('as a process of its own', () => {
  test.each([[['--help']], [['env', 'list', '--json']]])(
    'nobody reads what %j prints: it ends as it would',
    async (args) => {
      const { process: unread, ended } = startCli(url, args);
      unread.stdout.destroy();
      expect(await ended).toMatchObject({ exitCode: 0, stderr: '' });
    },
  );

  test.each([
    [['env', 'list', '--json'], 0],
    [['env', 'lock', toTypeId('env', newUuid())], 1],
    [['env', 'lock'], 2],
  ])('%j ends with %d', async (args, exitCode) => {
    expect(await startCli(url, args).ended).toMatchObject({ exitCode });
  });
});
