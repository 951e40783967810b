import { generateKeyPairSync } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { removeIssuer } from '../../../src/admin/issuers/remove-issuer.ts';
import { isInForce, readToken } from '../../../src/auth/customer/customer-token.ts';
import { explainToken } from '../../../src/auth/customer/explain-token.ts';
import { IssuerDirectory } from '../../../src/auth/customer/issuer-directory.ts';
import { pickKey } from '../../../src/auth/customer/verification-keys.ts';
import { SecretBox } from '../../../src/auth/secret-box.ts';
import { atEnd } from '../../support/fixture.ts';
import { leastOf } from '../../support/least-of.ts';
import { addMembers, type Received } from '../../support/surfaces/client.ts';
import {
  addTestIssuer,
  claimsOf,
  customerToken,
  ISSUER,
  type IssuerKey,
  loyalty,
  makeKey,
  signerOf,
  tokenOf,
} from '../../support/surfaces/customers.ts';
import { useServer } from '../../support/surfaces/use-shop.ts';
import type { TestEnvironment } from '../../support/surfaces/world.ts';
import { until } from '../../support/until.ts';

const HOUR = 3_600;
const SECRET = 'a secret of the shop, longer than 32 bytes';

let shop: TestEnvironment;
let elsewhere: TestEnvironment;
const rsa = makeKey('RS256', 'rsa');
const ec = makeKey('ES256', 'ec');
const ed = makeKey('EdDSA', 'ed');
const foreign = makeKey('ES256', 'foreign');
const gone = makeKey('ES256', 'gone');
const stranger = makeKey('ES256', 'ec');

const { database, world, client } = useServer({
  settings: {
    customerRateLimitPerMinute: 1_000_000,
    webhookAllowPrivate: true,
  },
});

beforeAll(async () => {
  [shop, elsewhere] = [await world.environment(), await world.environment()];
  await addTestIssuer(world, shop.id, [rsa, ec, ed]);
  await addTestIssuer(world, shop.id, { kind: 'hs256', content: Buffer.from(SECRET) }, { issuer: 'app' });
  await addTestIssuer(world, elsewhere.id, [foreign], { issuer: 'https://elsewhere.example' });
  const removed = await addTestIssuer(world, shop.id, [gone], { issuer: 'gone' });
  await removeIssuer(world.administrator, removed);
  await addMembers(client, shop, ['ada']);
});

atEnd(() => jest.restoreAllMocks());

function read(token: string, environment = shop): Promise<Received> {
  return client.send(loyalty(environment, token, 'GET', '/member'));
}

const now = () => Math.floor(Date.now() / 1000);
const good = { alg: 'ES256', kid: 'ec' };
/** A token that is right but for its header or claims, with the right signature. */
const signed = (claims: object | string, header: object | string = good) => tokenOf(header, claims, ec.sign);
const withClaims = (changed: object) => signed(claimsOf(changed));
const without = (name: string) => {
  const { [name]: _, ...claims } = claimsOf();
  return signed(claims);
};
const doubled = (text: string) => signed(JSON.stringify(claimsOf()).replace('{', `{${text},`));

describe('tokens that are taken', () => {
  test.each<[string, () => string]>([
    ['RS256', () => customerToken(rsa, 'ada')],
    ['ES256', () => customerToken(ec, 'ada')],
    ['EdDSA', () => customerToken(ed, 'ada')],
    ['HS256', () => tokenOf({ alg: 'HS256' }, claimsOf({ iss: 'app' }), signerOf('HS256', SECRET))],
    ['of several audiences', () => withClaims({ aud: ['other', 'loyalty'] })],
    ['without iat', () => without('iat')],
    ['of 24 hours', () => withClaims({ exp: now() + 24 * HOUR })],
    ['expired for less than the leeway', () => withClaims({ iat: now() - 60, exp: now() - 10 })],
    ['in force from within the leeway on', () => withClaims({ nbf: now() + 20 })],
    ['of type at+jwt', () => signed(claimsOf(), { ...good, typ: 'at+JWT' })],
  ])('%s', async (_name, token) => {
    const text = token();
    const { status, code } = await read(text);
    expect({ status, code }).toEqual({ status: 200, code: null });
    expect((await explained(text)).filter(({ ok }) => !ok)).toEqual([]);
  });
});

/** What `rewards issuer check` says of a token, for the issuer that it names. */
async function explained(token: string) {
  const directory = new IssuerDirectory(database.adminPool, new SecretBox([Buffer.alloc(32, 7)]), () => {});
  const read = await directory.of(shop.id);
  const named = readToken(token)?.issuer;
  const ofName = (name: string | undefined) => read.issuers.find(({ issuer }) => issuer === name);
  const issuer = ofName(named) ?? ofName(ISSUER);
  if (!issuer) throw new Error('no issuer');
  return explainToken(token, issuer, directory.timeSince(read), async (kid) => ({
    ...{ key: pickKey(issuer.keys, kid), kids: issuer.keys.map((key) => key.kid), problem: null },
  }));
}

const publicPem = (key: IssuerKey) => key.publicKey.export({ format: 'pem', type: 'spki' }).toString();
const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' });

type Forgeries = Readonly<Record<string, () => string>>;

/** What is no token of a customer, whoever has signed it. */
const MALFORMED: Forgeries = {
  'no token': () => '',
  'three words': () => 'a.b.c',
  'two segments': () => customerToken(ec, 'ada').split('.').slice(0, 2).join('.'),
  'four segments': () => `${customerToken(ec, 'ada')}.x`,
  'an empty signature': () => customerToken(ec, 'ada').replace(/[^.]*$/, ''),
  'alg none': () => tokenOf({ alg: 'none' }, claimsOf(), () => ''),
  'a kid that is a list': () => signed(claimsOf(), { alg: 'ES256', kid: ['ec'] }),
  'jwk in the header': () => tokenOf({ ...good, jwk: stranger.jwk }, claimsOf(), stranger.sign),
  'jwk beside a right signature': () => signed(claimsOf(), { ...good, jwk: ec.jwk }),
  'jku in the header': () => signed(claimsOf(), { ...good, jku: 'https://evil.example/jwks.json' }),
  'x5u in the header': () => signed(claimsOf(), { ...good, x5u: 'https://evil.example/cert.pem' }),
  'x5c in the header': () => signed(claimsOf(), { ...good, x5c: ['MIIB'] }),
  'a critical header': () => signed(claimsOf(), { ...good, crit: ['exp'] }),
  'an unencoded payload': () => signed(claimsOf(), { ...good, b64: false, crit: ['b64'] }),
  'another type': () => signed(claimsOf(), { ...good, typ: 'logout+jwt' }),
  'a doubled alg': () => signed(claimsOf(), '{"alg":"none","alg":"ES256","kid":"ec"}'),
  'no issuer': () => without('iss'),
  'a list of issuers': () => withClaims({ iss: [ISSUER] }),
  'no audience': () => without('aud'),
  'an audience of another type': () => withClaims({ aud: ['loyalty', 1] }),
  'no exp': () => without('exp'),
  'an infinite exp': () => signed(JSON.stringify(claimsOf()).replace(/"exp":\d+/, '"exp":1e999')),
  'an exp of text': () => withClaims({ exp: String(now() + 60) }),
  'an nbf of text': () => withClaims({ nbf: '0' }),
  'no sub': () => without('sub'),
  'an empty sub': () => withClaims({ sub: '' }),
  'a number as sub': () => withClaims({ sub: 1 }),
  'a list as sub': () => withClaims({ sub: ['ada'] }),
  'a sub of 201 characters': () => withClaims({ sub: 'a'.repeat(201) }),
  'a sub with a control character': () => withClaims({ sub: 'ada\u0000' }),
  'a sub with a line break': () => withClaims({ sub: 'ada\nX' }),
  'a sub with a space at its end': () => withClaims({ sub: 'ada ' }),
  'a sub with a zero-width space': () => withClaims({ sub: 'a\u200bda' }),
  'a doubled sub': () => doubled('"sub":"grace"'),
  'a doubled sub in another spelling': () => doubled('"s\\u0075b":"grace"'),
  'a doubled exp': () => doubled(`"exp":${now() + 60}`),
  'a doubled aud': () => doubled('"aud":"loyalty"'),
  'an authorization of another type': () => withClaims({ authorization_reference: { a: 1 } }),
  'claims that are a list': () => signed('[]'),
  'claims that are no JSON': () => signed('{'),
  'padded base64': () => `${customerToken(ec, 'ada')}=`,
  // The last character of 64 bytes has four bits that say nothing.
  'a signature in another spelling': () => {
    const token = customerToken(ec, 'ada');
    const last = { A: 'B', Q: 'R', g: 'h', w: 'x' }[token.at(-1) ?? ''];
    return `${token.slice(0, -1)}${last}`;
  },
  '10,000 characters': () => withClaims({ padding: 'x'.repeat(9_000) }),
  'a server key': () => shop.key,
};

/** Tokens of another time, or for too long a time. */
const NOT_IN_FORCE: Forgeries = {
  expired: () => withClaims({ iat: now() - 2 * HOUR, exp: now() - HOUR }),
  'expired for longer than the leeway': () => withClaims({ iat: now() - 90, exp: now() - 40 }),
  'more than 24 hours ahead': () => withClaims({ exp: now() + 25 * HOUR }),
  'more than 24 hours ahead, without iat': () =>
    signed({ ...claimsOf({ exp: now() + 25 * HOUR }), iat: undefined }),
  'a lifetime of more than 24 hours': () => withClaims({ iat: now() - 20 * HOUR, exp: now() + 5 * HOUR }),
  'a future nbf': () => withClaims({ nbf: now() + 120 }),
  'a future iat': () => withClaims({ iat: now() + 120 }),
};

/** Tokens that are well formed and in force, and that no issuer of the environment has signed for this audience. */
const UNPROVEN: Forgeries = {
  'alg none with a signature': () => signed(claimsOf(), { alg: 'none', kid: 'ec' }),
  'alg None': () => signed(claimsOf(), { alg: 'None', kid: 'ec' }),
  'HMAC with the RSA key as PEM': () =>
    tokenOf({ alg: 'HS256', kid: 'rsa' }, claimsOf(), signerOf('HS256', publicPem(rsa))),
  'HMAC with the RSA key as JWK': () =>
    tokenOf({ alg: 'HS256', kid: 'rsa' }, claimsOf(), signerOf('HS256', JSON.stringify(rsa.jwk))),
  'HMAC with an empty secret': () =>
    tokenOf({ alg: 'HS256' }, claimsOf({ iss: 'app' }), signerOf('HS256', '')),
  'the right key under another algorithm': () => signed(claimsOf(), { alg: 'RS256', kid: 'ec' }),
  'another key of the issuer': () => tokenOf(good, claimsOf(), rsa.sign),
  'another curve': () => tokenOf({ alg: 'ES384', kid: 'ec' }, claimsOf(), signerOf('ES256', p384.privateKey)),
  'an unknown kid': () => tokenOf({ alg: 'ES256', kid: 'other' }, claimsOf(), ec.sign),
  'a kid that is a path': () =>
    tokenOf({ alg: 'HS256', kid: '../../dev/null' }, claimsOf(), signerOf('HS256', '')),
  'a kid that is SQL': () => signed(claimsOf(), { alg: 'ES256', kid: "ec' or '1'='1" }),
  'no kid where there are several keys': () => signed(claimsOf(), { alg: 'ES256' }),
  'a kid where the secret has none': () =>
    tokenOf({ alg: 'HS256', kid: 'x' }, claimsOf({ iss: 'app' }), signerOf('HS256', SECRET)),
  'a key of a stranger under a known kid': () => customerToken(stranger, 'ada'),
  'another issuer': () => withClaims({ iss: 'https://evil.example' }),
  'an issuer with a slash more': () => withClaims({ iss: `${ISSUER}/` }),
  'another audience': () => withClaims({ aud: 'other' }),
  'an empty list of audiences': () => withClaims({ aud: [] }),
  'an issuer of another environment': () =>
    tokenOf({ alg: 'ES256', kid: 'foreign' }, claimsOf({ iss: 'https://elsewhere.example' }), foreign.sign),
  'a removed issuer': () => customerToken(gone, 'ada', { iss: 'gone' }),
  'a changed payload': () => {
    const [head = '', , signature = ''] = customerToken(ec, 'ada').split('.');
    return `${head}.${Buffer.from(JSON.stringify(claimsOf({ sub: 'grace' }))).toString('base64url')}.${signature}`;
  },
};

const FORGED: Forgeries = { ...MALFORMED, ...NOT_IN_FORCE, ...UNPROVEN };

describe('forged tokens are refused, each by its own check, and all with the same answer', () => {
  type Check = 'malformed' | 'not in force' | 'unproven';
  const named = (check: Check, forgeries: Forgeries) =>
    Object.entries(forgeries).map(([name, forge]) => [name, check, forge] as const);
  /** The answer without what differs from one request to the next. */
  const shapeOf = ({ status, body, headers }: Received) => {
    const { requestId, ...error } = body.error as unknown as Record<string, unknown>;
    expect(requestId).toBe(headers['x-request-id']);
    const { date: _date, 'x-request-id': _id, 'content-length': _length, ...same } = headers;
    return { status, error, headers: same };
  };
  function checkOf(text: string): Check {
    const token = readToken(text);
    if (!token) return 'malformed';
    return isInForce(token, Date.now()) ? 'unproven' : 'not in force';
  }

  test.each([
    ...named('malformed', MALFORMED),
    ...named('not in force', NOT_IN_FORCE),
    ...named('unproven', UNPROVEN),
  ])('%s: %s', async (_name, check, forge) => {
    const before = await world.countRows();
    const token = forge();
    expect(checkOf(token)).toBe(check);
    const answer = await read(token);
    expect(answer).toMatchObject({ status: 401, code: 'unauthorized' });
    expect(shapeOf(answer)).toEqual(shapeOf(await read('x')));
    expect(await world.countRows()).toEqual(before);
    expect((await explained(token)).filter(({ ok }) => !ok)).not.toEqual([]);
  });
});

test('a token is for its environment alone', async () => {
  const token = customerToken(ec, 'ada');
  expect((await read(token)).status).toBe(200);
  const { status, body } = await read(token, elsewhere);
  expect({ status, message: body.error?.message }).toEqual({
    status: 401,
    message: (await read('x')).body.error?.message,
  });
  for (const environmentId of ['', 'env_', 'env_01h455vb4pex5vsknk084sn02q', shop.id]) {
    expect((await read(token, { ...shop, environmentId })).status).toBe(401);
  }
});

test('a token that was taken is refused once it is over, and once its issuer is removed', async () => {
  const key = makeKey('EdDSA', 'short');
  const issuerId = await addTestIssuer(world, shop.id, [key], { issuer: 'short' });
  const token = customerToken(key, 'ada', { iss: 'short' });
  await answers(200, token);
  // It is taken for half a minute longer than it says.
  const soonOver = customerToken(key, 'ada', { iss: 'short', iat: now() - 60, exp: now() - 25 });
  expect((await read(soonOver)).status).toBe(200);
  await answers(401, soonOver);
  expect((await read(token)).status).toBe(200);
  await removeIssuer(world.administrator, issuerId);
  const removedAt = performance.now();
  await answers(401, token);
  // Without an announcement it would be trusted for half a minute.
  expect(performance.now() - removedAt).toBeLessThan(20_000);
});

async function answers(status: number, token: string): Promise<void> {
  const isAnswered = async (): Promise<boolean> => {
    if ((await read(token)).status === status) return true;
    // The database's clock decides, which takes seconds: asking all the time would only keep the processor busy.
    await sleep(100);
    return false;
  };
  await until(isAnswered, `an answer of ${status}`);
}

describe('the keys of a JWKS', () => {
  const first = makeKey('ES256', 'first');
  const second = makeKey('RS256', 'second');
  const encryption = makeKey('RS256', 'encryption');
  let published: object[] = [];
  let asked = 0;
  let status = 200;
  let issuerServer: Server;

  beforeAll(async () => {
    issuerServer = createServer((_request, response) => {
      asked += 1;
      response.writeHead(status).end(JSON.stringify({ keys: published }));
    });
    await new Promise<void>((resolve) => {
      issuerServer.listen(0, '127.0.0.1', resolve);
    });
    const { port } = issuerServer.address() as AddressInfo;
    published = [
      first.jwk,
      { ...encryption.jwk, use: 'enc' },
      { kty: 'oct', kid: 'oct', k: Buffer.from(SECRET).toString('base64url') },
    ];
    const url = `http://127.0.0.1:${port}/jwks.json`;
    await addTestIssuer(world, shop.id, { kind: 'jwks', url }, { issuer: 'remote' });
  });

  afterAll(() => {
    issuerServer.close();
  });

  const of = (key: IssuerKey) => customerToken(key, 'ada', { iss: 'remote' });

  test('are read once, however many forged tokens come, and stay while the issuer is away', async () => {
    await answers(200, of(first));
    expect((await read(of(encryption))).status).toBe(401);
    const oct = tokenOf({ alg: 'HS256', kid: 'oct' }, claimsOf({ iss: 'remote' }), signerOf('HS256', SECRET));
    expect((await read(oct)).status).toBe(401);
    status = 500;
    for (let i = 0; i < 200; i++) {
      const forged = tokenOf({ alg: 'ES256', kid: `kid ${i}` }, claimsOf({ iss: 'remote' }), ec.sign);
      expect((await read(forged)).status).toBe(401);
    }
    expect(asked).toBeLessThanOrEqual(2);
    expect((await read(of(first))).status).toBe(200);
  });

  test('are read again for a new one after half a minute, and one that is gone is refused', async () => {
    [published, status] = [[second.jwk], 200];
    // Half a minute passes at once on the monotonic clock of this process, and so of the server in it.
    const clock = performance.now.bind(performance);
    jest.spyOn(performance, 'now').mockImplementation(() => clock() + 30_000);
    await answers(200, of(second));
    expect((await read(of(first))).status).toBe(401);
    expect(asked).toBeLessThanOrEqual(4);
  });
});

test('a forged token takes no longer than any other, whatever is wrong with it, and none waits for an issuer', async () => {
  const ANSWER_MS = 500;
  const rounds = 15;
  const key = makeKey('ES256', 'slow');
  let asked = 0;
  const issuerServer = createServer((_request, response) => {
    asked += 1;
    setTimeout(() => response.end(JSON.stringify({ keys: [key.jwk] })), ANSWER_MS);
  });
  await new Promise<void>((resolve) => {
    issuerServer.listen(0, '127.0.0.1', resolve);
  });
  try {
    const { port } = issuerServer.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/jwks.json`;
    await addTestIssuer(world, shop.id, { kind: 'jwks', url }, { issuer: 'slow' });
    await answers(200, customerToken(key, 'ada', { iss: 'slow' }));
    let made = 0;
    const unknown = () =>
      tokenOf({ alg: 'ES256', kid: `unknown ${made++}` }, claimsOf({ iss: 'slow' }), ec.sign);
    const kinds = Object.entries({ ...FORGED, 'an unknown kid of a slow issuer': unknown });
    const times = new Map(kinds.map(([name]) => [name, [] as number[]]));
    // Each round times every kind once, so that a busy machine slows all of them alike.
    const milliseconds = async (forge: () => string): Promise<number> => {
      const token = forge();
      const begun = performance.now();
      await read(token);
      return performance.now() - begun;
    };
    for (let round = 0; round < rounds; round++)
      for (const [name, forge] of kinds) times.get(name)?.push(await milliseconds(forge));
    // The least of the rounds is what the work takes: the rest is what the machine did besides.
    const least = new Map(Array.from(times, ([name, values]) => [name, Math.min(...values)]));
    const usual = [...least.values()].toSorted((a, b) => a - b)[Math.floor(least.size / 2)] ?? 0;
    // A signature takes a tenth of a millisecond. What would take longer is a request to the issuer or a statement.
    const limitMs = 3 * usual + 5;
    for (const [name, forge] of kinds) {
      if ((least.get(name) ?? 0) > limitMs)
        least.set(name, await leastOf(100, limitMs, () => milliseconds(forge)));
    }
    expect([...least].filter(([, ms]) => ms > limitMs)).toEqual([]);
    expect(asked).toBeLessThanOrEqual(2);
  } finally {
    issuerServer.closeAllConnections();
    issuerServer.close();
  }
});
