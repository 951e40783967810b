import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { SecretBox } from '../../src/auth/secret-box.ts';
import { fromTypeId } from '../../src/ids.ts';
import { runCli, runJson } from '../support/cli/run-cli.ts';
import { useFolder } from '../support/fixture.ts';
import { claimsOf, customerToken, makeKey, tokenOf } from '../support/surfaces/customers.ts';
import { createWorld } from '../support/surfaces/world.ts';
import { useDatabase } from '../support/use-database.ts';

let url: string;
let environmentId: string;
const key = makeKey('RS256', 'one');
const SECRET = 'a secret of the shop, longer than 32 bytes';

const folder = useFolder('rewards-issuer-');
const { database } = useDatabase();

beforeAll(async () => {
  url = database.adminUrl;
  ({ environmentId } = await createWorld(database).environment());
  await writeFile(join(folder, 'keys.json'), JSON.stringify({ keys: [{ ...key.jwk, alg: 'RS256' }] }));
  await writeFile(join(folder, 'key.pem'), key.publicKey.export({ format: 'pem', type: 'spki' }).toString());
  await writeFile(
    join(folder, 'private.pem'),
    key.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
  );
  await writeFile(join(folder, 'secret.txt'), `${SECRET}\n`);
});

const add = (issuer: string, ...rest: string[]) => [
  ...['issuer', 'add', '-e', environmentId, '--issuer', issuer, '--audience', 'loyalty', '--actor', 'ada'],
  ...rest,
];

test('issuers are added with each kind of keys, listed without them, and removed', async () => {
  const jwks = 'https://login.shop.example/jwks.json';
  const added = await runCli(url, [
    ...add('a', '--jwks', jwks),
    '--origin',
    'https://shop.example',
    '--origin',
    'http://localhost:3000',
  ]);
  expect(added).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^iss_[0-9a-z]{26}\n$/) });
  await runJson(url, add('b', '--keys', join(folder, 'keys.json')));
  await runJson(url, add('c', '--keys', join(folder, 'key.pem')));
  process.env.SECRETS_KEY = Buffer.alloc(32, 7).toString('base64');
  await runJson(url, add('d', '--hs256', join(folder, 'secret.txt')));
  delete process.env.SECRETS_KEY;

  const listed = await runJson<{ issuers: { issuerId: string }[] }>(url, [
    'issuer',
    'list',
    '-e',
    environmentId,
  ]);
  expect(listed.issuers).toMatchObject([
    { issuer: 'a', keys: 'jwks', jwksUrl: jwks, origins: ['https://shop.example', 'http://localhost:3000'] },
    { issuer: 'b', keys: 'keys', jwksUrl: null, origins: [] },
    { issuer: 'c', keys: 'keys' },
    { issuer: 'd', keys: 'hs256', removedAt: null },
  ]);
  const { stdout } = await runCli(url, ['issuer', 'list', '-e', environmentId]);
  expect(stdout).toContain(jwks);
  expect(stdout + JSON.stringify(listed)).not.toMatch(/secret of|sealed|"n":/);

  const [first] = listed.issuers;
  const remove = ['issuer', 'remove', first?.issuerId ?? '', '--actor', 'ada'];
  expect(await runJson(url, remove)).toMatchObject({ changed: true });
  expect(await runJson(url, remove)).toMatchObject({ changed: false });
  // Once it is removed, another one may have its name.
  await runJson(url, add('a', '--jwks', jwks));

  const { rows } = await database.adminPool.query<{ action: string; target_id: string; changes: object }>(
    `select action, target_id, changes from audit_events
     where actor_type = 'operator' and actor_id = 'ada' order by at, id`,
  );
  expect(rows.map(({ action }) => action)).toEqual([
    ...Array(4).fill('token_issuer.added'),
    'token_issuer.removed',
    'token_issuer.added',
  ]);
  expect(rows[0]).toMatchObject({
    target_id: first?.issuerId,
    changes: { issuer: 'a', audience: 'loyalty', keys: 'jwks', jwksUrl: jwks },
  });
  const stored = await database.adminPool.query<{ keys: object[] | null; sealed_secret: Buffer | null }>(
    'select keys, sealed_secret from token_issuers where environment_id = $1 order by created_at',
    [fromTypeId('env', environmentId)],
  );
  expect(stored.rows[1]?.keys).toEqual([key.jwk]);
  expect(stored.rows[3]?.sealed_secret?.includes('a secret')).toBe(false);
});

test('secrets of issuers are encrypted again with a new key', async () => {
  const [old, fresh, other] = [7, 8, 9].map((byte) => Buffer.alloc(32, byte).toString('base64'));
  const withKeys = async <T>(keys: string, run: () => Promise<T>): Promise<T> => {
    process.env.SECRETS_KEY = keys;
    return run().finally(() => delete process.env.SECRETS_KEY);
  };
  const reencrypt = ['secrets', 'reencrypt'];
  const file = join(folder, 'secret.txt');
  const { issuerId } = await withKeys(`${old}`, () =>
    runJson<{ issuerId: string }>(url, add('e', '--hs256', file)),
  );
  const lost = await withKeys(`${other}`, () => runCli(url, reencrypt));
  expect(lost).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(issuerId) });
  const both = await withKeys(`${fresh},${old}`, () => runJson<{ secrets: number }>(url, reencrypt));
  expect(both.secrets).toBeGreaterThan(0);
  const { rows } = await database.adminPool.query<{ id: string; sealed_secret: Buffer }>(
    'select id, sealed_secret from token_issuers where sealed_secret is not null',
  );
  for (const { id, sealed_secret } of rows) {
    expect(SecretBox.ofKeys([`${fresh}`]).open(sealed_secret, id)).toBe(SECRET);
  }
});

describe('a token is checked claim by claim', () => {
  const check = async (token: string, issuerId: string) => {
    const file = join(folder, 'token.jwt');
    await writeFile(file, `Bearer ${token}\n`);
    return runCli(url, ['issuer', 'check', issuerId, file]);
  };
  const signed = (changed: object) => customerToken(key, 'ada', { iss: 'checked', ...changed });
  const now = () => Math.floor(Date.now() / 1000);
  let issuerId: string;

  beforeAll(async () => {
    const keys = ['--keys', join(folder, 'keys.json')];
    ({ issuerId } = await runJson<{ issuerId: string }>(url, add('checked', ...keys)));
  });

  test('one that is taken', async () => {
    const run = await check(signed({}), issuerId);
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    expect(run.stdout).not.toContain('wrong');
    for (const part of ['iss', 'aud', 'sub', 'exp', 'nbf', 'iat', 'key', 'signature'])
      expect(run.stdout).toMatch(new RegExp(`^${part} +ok`, 'm'));
  });

  test.each<[string, () => string, RegExp]>([
    ['no token', () => 'abc', /^form +wrong +must be a signed JWT/m],
    [
      'another issuer',
      () => signed({ iss: 'x' }),
      /^iss +wrong +is x: it must be checked, letter by letter/m,
    ],
    [
      'another audience',
      () => signed({ aud: ['a'] }),
      /^aud +wrong +is \["a"\]: it must be or contain loyalty/m,
    ],
    ['no customer', () => signed({ sub: '' }), /^sub +wrong/m],
    [
      'one that is over',
      () => signed({ iat: now() - 900, exp: now() - 600 }),
      /^exp +wrong .* over since 10 minutes/m,
    ],
    [
      'one of two days',
      () => signed({ exp: now() + 172_800 }),
      /^exp +wrong .* within 24 hours, and ends in 48 hours/m,
    ],
    [
      'one of tomorrow',
      () => signed({ nbf: now() + 86_000 }),
      /^nbf +wrong .* in the future: compare the clocks/m,
    ],
    [
      'another key',
      () => tokenOf({ alg: 'RS256', kid: 'two' }, claimsOf({ iss: 'checked' }), key.sign),
      /^key +wrong +no key of the issuer has the kid two; there are one$/m,
    ],
    [
      'a changed token',
      () => `${signed({}).split('.').slice(0, 2).join('.')}.${signed({ sub: 'eve' }).split('.')[2]}`,
      /^signature +wrong +is not made by this key with RS256/m,
    ],
  ])('%s', async (_what, token, said) => {
    const run = await check(token(), issuerId);
    expect(run.stdout).toMatch(said);
    expect(run).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('does not take this token') });
  });

  test('a set of keys that cannot be read is named', async () => {
    const jwks = 'https://login.shop.invalid/jwks.json';
    const { issuerId: remote } = await runJson<{ issuerId: string }>(url, add('remote', '--jwks', jwks));
    const run = await check(customerToken(key, 'ada', { iss: 'remote' }), remote);
    expect(run.stdout).toMatch(/^key +wrong +https:\/\/login\.shop\.invalid\/jwks\.json cannot be read: /m);
  });
});

describe('what is wrong is said', () => {
  const jwks = ['--jwks', 'https://login.shop.example/jwks.json'];
  test.each<[string, () => string[], number, string]>([
    ['no keys', () => add('x'), 2, 'one of --jwks, --keys and --hs256'],
    ['two kinds of keys', () => add('x', ...jwks, '--keys', 'y'), 2, 'one of --jwks, --keys and --hs256'],
    ['no issuer', () => ['issuer', 'add', '-e', environmentId, '--audience', 'a', ...jwks], 2, '--issuer'],
    ['a file that is not there', () => add('x', '--keys', 'nowhere'), 1, 'nowhere cannot be read'],
    ['a private key', () => add('x', '--keys', join(folder, 'private.pem')), 1, 'public key in PEM'],
    ['a short secret', () => add('x', '--hs256', 'package.json.none'), 1, 'cannot be read'],
    ['a secret without SECRETS_KEY', () => add('x', '--hs256', join(folder, 'secret.txt')), 1, 'SECRETS_KEY'],
    ['http', () => add('x', '--jwks', 'http://login.shop.example/jwks.json'), 1, 'public https URL'],
    [
      'a private address',
      () => add('x', '--jwks', 'https://10.0.0.1/jwks.json'),
      1,
      'WEBHOOK_ALLOW_PRIVATE=true',
    ],
    ['what to do about it', () => add('x', '--jwks', 'http://10.0.0.1/jwks.json'), 1, '--keys FILE'],
    ['an origin with a path', () => add('x', ...jwks, '--origin', 'https://shop.example/'), 1, 'is none'],
    [
      'an origin with its default port',
      () => add('x', ...jwks, '--origin', 'https://shop.example:443'),
      1,
      'is none',
    ],
    ['any origin', () => add('x', ...jwks, '--origin', '*'), 1, 'is none'],
    ['no origin', () => add('x', ...jwks, '--origin', 'null'), 1, 'is none'],
    ['one that is there', () => add('b', ...jwks), 1, 'has this issuer and audience'],
    ['an unknown one', () => ['issuer', 'remove', 'iss_01h455vb4pex5vsknk084sn02q'], 1, 'no issuer'],
    ['an id of another kind', () => ['issuer', 'remove', environmentId], 2, 'iss_ and 26 characters'],
  ])('%s', async (_what, args, exitCode, message) => {
    const run = await runCli(url, args());
    expect(run.stderr).toContain(message);
    expect(run).toMatchObject({ exitCode, stdout: '' });
  });
});
