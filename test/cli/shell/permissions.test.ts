import { beforeAll, expect, test } from '@jest/globals';
import { explainPermission } from '../../../src/cli/shell/explain-permission.ts';
import { runCli } from '../../support/cli/run-cli.ts';
import { atEnd } from '../../support/fixture.ts';
import { useDatabase } from '../../support/use-database.ts';

let login: string;
let url: string;

const { database } = useDatabase();

beforeAll(async () => {
  login = `${database.name}_reader`;
  await database.adminPool.query(`create role ${login} login password 'x'`);
  const withLogin = new URL(database.adminUrl);
  [withLogin.username, withLogin.password] = [login, 'x'];
  url = withLogin.href;
});

atEnd(() => database.adminPool.query(`drop role ${login}`));
atEnd(() => database.adminPool.query(`drop owned by ${login}`));

test('a login that may nothing is told of the grants, one after the other, until they are enough', async () => {
  const said = async (args: string[]) => {
    const run = await runCli(url, args);
    expect(run).toMatchObject({ exitCode: 1, stdout: '' });
    expect(run.stderr).not.toMatch(/DEBUG=1|prisma\./);
    return run.stderr;
  };
  expect(await said(['env', 'list'])).toContain(`grant <owner> to ${login};`);
  await database.adminPool.query(`grant select on _prisma_migrations to ${login}`);
  // Through Prisma, and through a plain connection.
  expect(await said(['tenant', 'create', 'T'])).toContain('permission denied for table tenants');
  expect(await said(['verify', 'ledger'])).toContain(`grant <owner> to ${login};`);
  const create = `grant usage, create on schema public to ${login};`;
  expect(await said(['migrate'])).toContain(create);

  const owner = decodeURIComponent(new URL(database.adminUrl).username);
  await database.adminPool.query(create);
  await database.adminPool.query(`grant "${owner}" to ${login}`);
  expect(await runCli(url, ['env', 'list'])).toMatchObject({ exitCode: 0, stderr: '' });
});

const denied = (message: string) => Object.assign(new Error(message), { code: '42501' });

test.each([
  ['permission denied for schema public', 'grant usage, create on schema public to ada;'],
  ['permission denied for database rewards', 'grant create on database rewards to ada;'],
  ['permission denied to create role', 'alter role ada createrole;'],
  ['permission denied to grant role "rewards_app"', 'grant rewards_app to ada with admin option;'],
  ['permission denied to set role "rewards_app"', 'grant rewards_app to ada;'],
  ['must be owner of table lots', 'grant <owner> to ada;'],
])('%s', (message, grant) => {
  const wrapped = new Error('A migration failed', { cause: denied(message) });
  for (const error of [denied(message), wrapped]) {
    const text = explainPermission(error, 'postgresql://ada:secret@db/rewards');
    expect(text?.split('\n')[2]).toMatch(grant);
    expect(text).not.toContain('secret');
  }
});

test('a login is quoted where it has to be, and is a placeholder where it is not known', () => {
  const error = denied('permission denied to create role');
  expect(explainPermission(error, 'postgresql://Ada%20%22B@db/x')).toContain(
    'alter role "Ada ""B" createrole;',
  );
  expect(explainPermission(error, null)).toContain('alter role <login> createrole;');
});

test('other errors, and those that name the grant themselves, are left alone', () => {
  const own = new Error('Once, run: grant rewards_app to ada', { cause: denied('permission denied to x') });
  for (const error of [new Error('x'), null, 'text', own]) expect(explainPermission(error, null)).toBeNull();
});
