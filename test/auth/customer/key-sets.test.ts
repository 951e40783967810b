import { expect, test } from '@jest/globals';
import { type FetchKeySet, KeySets } from '../../../src/auth/customer/key-sets.ts';
import { keyOfPem, keysOfSet, pickKey } from '../../../src/auth/customer/verification-keys.ts';
import { makeKey } from '../../support/surfaces/customers.ts';

const first = makeKey('ES256', 'first');
const second = makeKey('EdDSA', 'second');
const rsa = makeKey('RS256', 'rsa');

function setUp(fetch: FetchKeySet) {
  let [now, asked] = [0, 0];
  const warnings: string[] = [];
  const sets = new KeySets(
    (...given) => {
      asked += 1;
      return fetch(...given);
    },
    (_error, message) => warnings.push(message),
    () => now,
  );
  return {
    find: async (kid: string | null, url = 'https://a.example/jwks') =>
      (await sets.find(url, false, kid))?.kid ?? null,
    pass: (seconds: number) => {
      now += seconds * 1000;
    },
    asked: () => asked,
    warnings,
  };
}

test('a set is asked for at its first use, and for an unknown kid once in 30 seconds', async () => {
  let keys: object[] = [first.jwk];
  const { find, pass, asked } = setUp(async () => ({ keys }));
  expect(await Promise.all([find('first'), find('first'), find('other')])).toEqual(['first', 'first', null]);
  expect(asked()).toBe(1);
  keys = [second.jwk];
  for (let i = 0; i < 1_000; i++) expect(await find(`forged ${i}`)).toBeNull();
  expect(await find('second')).toBeNull();
  expect(asked()).toBe(1);
  pass(30);
  expect(await find('second')).toBe('second');
  expect(await find('first')).toBeNull();
  expect(asked()).toBe(2);
});

test('a key in use is taken at once while the set is asked for again, and is gone when it was left out', async () => {
  let keys: object[] = [first.jwk];
  const { find, pass, asked } = setUp(async () => ({ keys }));
  await find('first');
  keys = [second.jwk];
  pass(31);
  expect(await find('first')).toBe('first');
  expect(asked()).toBe(2);
  expect(await find('second')).toBe('second');
  expect(await find('first')).toBeNull();
});

test('keys stay in use while their issuer is away, or does not answer with a set, and it is asked once in 30 seconds', async () => {
  let answer: () => unknown = () => ({ keys: [first.jwk] });
  const { find, pass, asked, warnings } = setUp(async () => answer());
  await find('first');
  const broken = [
    () => {
      throw new Error('away');
    },
    () => null,
    () => 'text',
    () => [],
    () => ({ keys: 'none' }),
  ];
  for (const [index, one] of broken.entries()) {
    answer = one;
    pass(31);
    expect(await find('other')).toBeNull();
    expect(await find('first')).toBe('first');
    expect({ asked: asked(), warnings: warnings.length }).toEqual({ asked: index + 2, warnings: index + 1 });
  }
});

test.each([
  ['none', []],
  ['none that verifies tokens', [{ kty: 'oct', kid: 'first', k: 'c2VjcmV0' }]],
])('a set with %s takes the keys away that it had, and an operator hears of it', async (_what, keys) => {
  let answer: object[] = [first.jwk];
  const { find, pass, warnings } = setUp(async () => ({ keys: answer }));
  expect(await find('first')).toBe('first');
  answer = keys;
  pass(31);
  expect(await find('other')).toBeNull();
  expect(await find('first')).toBeNull();
  expect(warnings).toEqual(['No token of https://a.example/jwks is accepted any more']);
  answer = [first.jwk];
  pass(31);
  expect(await find('first')).toBe('first');
});

test('a set that nobody has used for a minute is asked for before its key is trusted', async () => {
  let keys: object[] = [first.jwk];
  const { find, pass, asked } = setUp(async () => ({ keys }));
  expect(await find('first')).toBe('first');
  keys = [second.jwk];
  pass(59);
  expect(await find('first')).toBe('first');
  expect(asked()).toBe(2);
  keys = [first.jwk];
  pass(31);
  await find('second');
  keys = [second.jwk];
  pass(60);
  expect(await find('first')).toBeNull();
});

test('a key stays in use while its issuer is away for hours, whoever asks first', async () => {
  let away = false;
  const { find, pass } = setUp(async () => {
    if (away) throw new Error('away');
    return { keys: [first.jwk] };
  });
  await find('first');
  away = true;
  for (let minutes = 0; minutes < 180; minutes += 2) {
    pass(120);
    expect(await find('first')).toBe('first');
  }
});

test('one set that does not answer holds up no other', async () => {
  const never = new Promise(() => {});
  const { find } = setUp((url) => (url.includes('slow') ? never : Promise.resolve({ keys: [first.jwk] })));
  void find('first', 'https://slow.example/jwks');
  expect(await find('first')).toBe('first');
});

test('of a JWKS only the keys that verify tokens are used', () => {
  const rejected: object[] = [
    { kty: 'oct', kid: 'a', k: 'c2VjcmV0' },
    { ...rsa.jwk, kid: 'b', use: 'enc' },
    { ...rsa.jwk, kid: 'c', alg: 'HS256' },
    { ...rsa.jwk, kid: 'd', alg: 'PS256' },
    { ...rsa.jwk, kid: 'e', key_ops: ['encrypt'] },
    { ...first.privateKey.export({ format: 'jwk' }), kid: 'private' },
    { ...first.jwk, kid: 1 },
    { ...first.jwk, kid: 'f', crv: 'P-384' },
    { ...first.jwk, kid: 'g', x: 'AAAA' },
    { kty: 'OKP', kid: 'h', crv: 'X25519', x: 'A'.repeat(43) },
    {},
  ];
  const taken = [{ ...rsa.jwk, use: 'sig', alg: 'RS256', key_ops: ['verify'] }, first.jwk, second.jwk];
  const keys = keysOfSet({ keys: [...rejected, null, 'text', ...taken] });
  expect(keys.map(({ kid, algorithm }) => [kid, algorithm])).toEqual([
    ['rsa', 'RS256'],
    ['first', 'ES256'],
    ['second', 'EdDSA'],
  ]);
  expect(pickKey(keys, null)).toBeNull();
  expect(pickKey(keys.slice(0, 1), null)?.kid).toBe('rsa');
});

test('only the first 100 keys are looked at', () => {
  const keys = Array.from({ length: 100 }, (_, nth) => ({ ...first.jwk, kid: `${nth}` }));
  expect(keysOfSet({ keys: [...keys, second.jwk] })).toHaveLength(100);
  expect(keysOfSet({ keys: [...keys.slice(1), second.jwk] }).at(-1)?.kid).toBe('second');
  expect(keysOfSet({ keys: [...Array(100).fill({ kty: 'oct' }), second.jwk] })).toEqual([]);
});

test('of PEM one public key is taken, and no private one', () => {
  const pem = first.publicKey.export({ format: 'pem', type: 'spki' }).toString();
  expect(keyOfPem(pem)).toMatchObject({ kid: null, algorithm: 'ES256' });
  expect(keyOfPem(first.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString())).toBeNull();
  expect(keyOfPem(pem + pem)).toBeNull();
  expect(keyOfPem('text')).toBeNull();
});
