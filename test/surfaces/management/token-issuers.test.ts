import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { SecretBox } from '../../../src/auth/secret-box.ts';
import { fromTypeId } from '../../../src/ids.ts';
import type { RunningServer } from '../../../src/server/process/http-server.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { startTestServer } from '../../support/server.ts';
import { Client, type Received } from '../../support/surfaces/client.ts';
import {
  addTestIssuer,
  claimsOf,
  customerToken,
  ISSUER,
  loyalty,
  makeKey,
  signerOf,
  tokenOf,
} from '../../support/surfaces/customers.ts';
import { createWorld, type TestEnvironment, type World } from '../../support/surfaces/world.ts';
import { until } from '../../support/until.ts';

const SECRET = 'a secret of the shop, longer than 32 bytes';
const MISSING = 'iss_01jz8k2v9hf0sd1p9b4x6y8abc';
const key = makeKey('ES256', 'one');

let database: TestDatabase;
let world: World;
let server: RunningServer;
let client: Client;
let keySets: Server;
/** What the issuer's server answers with. */
let keySet = JSON.stringify({ keys: [key.jwk] });
let jwksUrl: string;
let requests = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  world = createWorld(database);
  server = await startTestServer(database, { webhookAllowPrivate: true });
  client = new Client(server.url);
  keySets = createServer((_request, response) => response.end(keySet)).listen(0, '127.0.0.1');
  await new Promise((resolve) => keySets.once('listening', resolve));
  jwksUrl = `http://127.0.0.1:${(keySets.address() as AddressInfo).port}/jwks.json`;
});

afterAll(async () => {
  client.close();
  await server.close();
  keySets.closeAllConnections();
  keySets.close();
  await world.administrator.prisma.$disconnect();
  await database.drop();
});

interface Asked {
  body?: object;
  idempotencyKey?: string | null;
  through?: Client;
}

function ask(
  shop: Pick<TestEnvironment, 'key' | 'environmentId'>,
  method: string,
  path: string,
  { body, idempotencyKey = `issuer-${++requests}`, through = client }: Asked = {},
): Promise<Received> {
  return through.send({
    method,
    path: `/api/v1/issuers${path}`,
    headers: {
      authorization: `Bearer ${shop.key}`,
      'x-environment': shop.environmentId,
      ...(body && { 'content-type': 'application/json' }),
      ...(method !== 'GET' && idempotencyKey !== null && { 'idempotency-key': idempotencyKey }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
}

const described = { issuer: ISSUER, audience: 'loyalty' };
const withKeys = { ...described, jwks: { keys: [key.jwk] } };
const withSecret = { issuer: 'app', audience: 'loyalty', secret: SECRET };
const secretToken = (changed: object = {}, secret = SECRET) =>
  tokenOf({ alg: 'HS256' }, claimsOf({ iss: 'app', ...changed }), signerOf('HS256', secret));

const idOf = ({ body }: Received) => (body.issuer as { id: string }).id;
const codeOf = ({ status, code }: Received) => `${status} ${code}`;

/** Whether the API for customers takes a token, whoever it is of. */
async function taken(shop: TestEnvironment, token: string): Promise<boolean> {
  const { status } = await client.send(loyalty(shop, token, 'GET', '/member'));
  return status !== 401;
}

describe('an issuer', () => {
  test('is added with each kind of keys, and its tokens are taken; it is listed, read and removed', async () => {
    const shop = await world.environment();
    const added = [
      await ask(shop, 'POST', '', { body: { ...withKeys, origins: ['https://shop.example'] } }),
      await ask(shop, 'POST', '', { body: withSecret }),
      await ask(shop, 'POST', '', {
        body: {
          issuer: 'pem',
          audience: 'loyalty',
          publicKey: key.publicKey.export({ format: 'pem', type: 'spki' }).toString(),
        },
      }),
      await ask(shop, 'POST', '', { body: { issuer: 'url', audience: 'loyalty', jwksUrl } }),
    ];
    expect(added.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(added[0]?.body.issuer).toEqual({
      ...described,
      id: expect.stringMatching(/^iss_/),
      ...{ keysFrom: 'jwks', jwksUrl: null, origins: ['https://shop.example'] },
      ...{ createdAt: expect.any(String), removedAt: null },
    });
    expect(added.map(({ body }) => (body.issuer as { keysFrom: string }).keysFrom)).toEqual([
      'jwks',
      'secret',
      'jwks',
      'jwks_url',
    ]);
    const tokens = [
      customerToken(key, 'ada'),
      secretToken(),
      tokenOf({ alg: 'ES256' }, claimsOf({ iss: 'pem' }), key.sign),
      customerToken(key, 'ada', { iss: 'url' }),
    ];
    await until(
      async () => (await Promise.all(tokens.map((one) => taken(shop, one)))).every(Boolean),
      'all four tokens are taken',
    );

    const first = await ask(shop, 'GET', '?limit=3');
    const { nextCursor } = first.body.page as unknown as { nextCursor: string };
    const second = await ask(shop, 'GET', `?limit=3&cursor=${nextCursor}`);
    const listed = [
      ...(first.body.data as unknown as object[]),
      ...(second.body.data as unknown as object[]),
    ];
    expect(listed).toEqual(added.map(({ body }) => body.issuer).reverse());
    const [one] = added;
    if (!one) throw new Error('none was added');
    expect((await ask(shop, 'GET', `/${idOf(one)}`)).body.issuer).toEqual(one.body.issuer);

    const removed = await ask(shop, 'DELETE', `/${idOf(one)}`);
    expect(removed.status).toBe(200);
    expect(removed.body.issuer).toEqual({ ...(one.body.issuer as object), removedAt: expect.any(String) });
    await until(async () => !(await taken(shop, tokens[0] ?? '')), 'the token is refused');
    const again = await ask(shop, 'DELETE', `/${idOf(one)}`);
    expect(again.body.issuer).toEqual(removed.body.issuer);
    // Once it is removed, another one may have its name.
    expect((await ask(shop, 'POST', '', { body: withKeys })).status).toBe(201);
  });

  test('is added once for each key, also by many at once', async () => {
    const shop = await world.environment();
    const idempotencyKey = 'one-key';
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => ask(shop, 'POST', '', { body: withSecret, idempotencyKey })),
    );
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(new Set(answers.map(({ body }) => JSON.stringify(body.issuer))).size).toBe(1);
    const others = await Promise.all(
      Array.from({ length: 4 }, () => ask(shop, 'POST', '', { body: withKeys })),
    );
    expect(others.map(codeOf).sort()).toEqual(['201 null', ...Array(3).fill('409 issuer_exists')]);
    const other = { ...withSecret, secret: `${SECRET}!` };
    expect(codeOf(await ask(shop, 'POST', '', { body: other, idempotencyKey }))).toBe(
      '409 idempotency_key_reused',
    );
    const [first] = answers;
    const id = first ? idOf(first) : '';
    const removals = await Promise.all([ask(shop, 'DELETE', `/${id}`), ask(shop, 'DELETE', `/${id}`)]);
    expect(new Set(removals.map(({ body }) => JSON.stringify(body.issuer))).size).toBe(1);
    // The stored answer is that of the time of the request.
    const replayed = await ask(shop, 'POST', '', { body: withSecret, idempotencyKey });
    expect({ replayed: replayed.replayed, issuer: replayed.body.issuer }).toEqual({
      replayed: true,
      issuer: first?.body.issuer,
    });
  });

  test('is audited by its key, and its secret stands nowhere but encrypted', async () => {
    const shop = await world.environment();
    const added = await ask(shop, 'POST', '', { body: withSecret, idempotencyKey: 'audited' });
    const removed = await ask(shop, 'DELETE', `/${idOf(added)}`);
    const { rows } = await database.adminPool.query(
      `select actor_type, actor_id, request_id, action, target_id from audit_events
       where environment_id = $1 and action like 'token_issuer.%' order by at, id`,
      [shop.id],
    );
    const by = { actor_type: 'api_key', actor_id: 'tests', target_id: idOf(added) };
    expect(rows).toEqual([
      { ...by, action: 'token_issuer.added', request_id: added.body.requestId },
      { ...by, action: 'token_issuer.removed', request_id: removed.body.requestId },
    ]);
    const stored = await database.adminPool.query<{ text: string }>(
      `select row_to_json(k)::text || row_to_json(i)::text || a.text as text
       from idempotency_keys k
       join token_issuers i on i.environment_id = k.environment_id
       cross join (select string_agg(row_to_json(a)::text, '') as text from audit_events a where environment_id = $1) a
       where k.environment_id = $1 and k.key = 'audited'`,
      [shop.id],
    );
    expect(stored.rows).toHaveLength(1);
    expect(stored.rows[0]?.text).not.toContain(SECRET);
    const { rows: sealed } = await database.adminPool.query<{ id: string; sealed_secret: Buffer }>(
      'select id, sealed_secret from token_issuers where environment_id = $1',
      [shop.id],
    );
    const box = new SecretBox([Buffer.alloc(32, 7)]);
    expect(sealed.map((row) => box.open(row.sealed_secret, row.id))).toEqual([SECRET]);
    expect([added.text, removed.text].join()).not.toMatch(/secret of|sealed/);
    expect(await world.failedControls()).toEqual([]);
  });
});

describe('an issuer is refused', () => {
  test.each<[string, object, string, string]>([
    ['without keys', described, '422 validation_failed', ''],
    ['with two kinds of keys', { ...withKeys, secret: SECRET }, '422 validation_failed', ''],
    ['with a short secret', { ...withSecret, secret: 'short' }, '422 validation_failed', 'secret'],
    [
      'with a private key',
      { ...described, publicKey: '-----BEGIN PRIVATE KEY-----' },
      '422 validation_failed',
      'jwks',
    ],
    ['with an empty set', { ...described, jwks: { keys: [] } }, '422 validation_failed', 'jwks'],
    [
      'with a path as its origin',
      { ...withKeys, origins: ['https://shop.example/'] },
      '422 validation_failed',
      'origins',
    ],
    ['with a line break', { ...withKeys, issuer: 'a\nb' }, '422 validation_failed', 'issuer'],
    [
      'with a user in its URL',
      { ...described, jwksUrl: 'https://me@shop.example' },
      '422 url_not_public',
      'jwksUrl',
    ],
    ['with an unknown property', { ...withKeys, kid: 'one' }, '422 validation_failed', 'kid'],
  ])('%s', async (_name, body, expected, path) => {
    const shop = await world.environment();
    const before = await world.countRows();
    const answer = await ask(shop, 'POST', '', { body });
    expect(codeOf(answer)).toBe(expected);
    expect(answer.body.error?.details?.[0]?.path).toBe(path);
    expect(answer.body.error?.message).not.toContain('--');
    expect(await world.countRows()).toEqual(before);
  });

  test('without its scope, in another environment, in a locked one, or without a login for management', async () => {
    const shop = await world.environment('production');
    const other = await world.environment();
    const issuerId = idOf(await ask(shop, 'POST', '', { body: withKeys }));
    const poor = { ...shop, ...(await world.key(shop.id, ['programs:publish', 'members:write'])) };
    const token = { token: customerToken(key, 'ada') };
    const all = (as: TestEnvironment, id: string) =>
      Promise.all([
        ask(as, 'GET', `/${id}`),
        ask(as, 'DELETE', `/${id}`),
        ask(as, 'POST', `/${id}/check`, { body: token }),
      ]);
    const denied = [
      ...(await all(poor, issuerId)),
      await ask(poor, 'GET', ''),
      await ask(poor, 'POST', '', { body: withKeys }),
    ];
    expect(denied.map(codeOf)).toEqual(Array(5).fill('403 insufficient_scope'));
    for (const id of [issuerId, MISSING, 'x']) {
      expect((await all(other, id)).map(codeOf)).toEqual(Array(3).fill('404 issuer_not_found'));
    }
    expect((await ask(other, 'GET', '')).body.data).toEqual([]);
    expect(codeOf(await ask(shop, 'GET', '?cursor=x'))).toBe('422 invalid_cursor');
    expect(codeOf(await ask(shop, 'DELETE', `/${issuerId}`, { idempotencyKey: null }))).toBe(
      '400 idempotency_key_required',
    );
    // Production reaches no private address, whatever the server allows.
    expect(codeOf(await ask(shop, 'POST', '', { body: { ...described, jwksUrl } }))).toBe(
      '422 url_not_public',
    );

    const bare = await startTestServer({ serverUrl: database.serverUrl }, { secretsKeys: [] });
    const through = new Client(bare.url);
    try {
      const answers = [
        await ask(shop, 'POST', '', { body: { ...withKeys, issuer: 'bare' }, through }),
        await ask(shop, 'DELETE', `/${issuerId}`, { through }),
        await ask(shop, 'POST', '', { body: withSecret, through }),
      ];
      expect(answers.map(codeOf)).toEqual([
        '503 management_unavailable',
        '503 management_unavailable',
        '503 unavailable',
      ]);
    } finally {
      through.close();
      await bare.close();
    }
    await world.lock(shop.id, true);
    const locked = await Promise.all([
      ask(shop, 'POST', '', { body: withSecret }),
      ask(shop, 'DELETE', `/${issuerId}`),
    ]);
    expect(locked.map(codeOf)).toEqual(Array(2).fill('409 production_locked'));
    const checked = await ask(shop, 'POST', `/${issuerId}/check`, { body: token });
    expect({ status: checked.status, accepted: checked.body.accepted }).toEqual({
      status: 200,
      accepted: true,
    });
  });
});

describe('a token is checked claim by claim', () => {
  type Finding = { part: string; ok: boolean; message: string };
  const check = async (shop: TestEnvironment, issuerId: string, token: string) => {
    const { status, body } = await ask(shop, 'POST', `/${issuerId}/check`, {
      body: { token },
      idempotencyKey: null,
    });
    expect(status).toBe(200);
    const findings = body.findings as unknown as Finding[];
    return { accepted: body.accepted, wrong: findings.filter(({ ok }) => !ok) };
  };

  test('with a secret', async () => {
    const shop = await world.environment();
    const id = idOf(await ask(shop, 'POST', '', { body: withSecret }));
    const hour = Math.floor(Date.now() / 1000) - 3_600;
    const before = await world.countRows();
    expect(await check(shop, id, `Bearer ${secretToken()}\n`)).toEqual({ accepted: true, wrong: [] });
    const wrong = await check(
      shop,
      id,
      secretToken({ iss: 'other', exp: hour, iat: hour - 60 }, `${SECRET}!`),
    );
    expect(wrong.accepted).toBe(false);
    expect(wrong.wrong.map(({ part }) => part)).toEqual(['iss', 'exp', 'signature']);
    expect(wrong.wrong[0]?.message).toBe('is other: it must be app, letter by letter');
    expect((await check(shop, id, 'no token')).wrong).toMatchObject([{ part: 'form' }]);
    expect(await world.countRows()).toEqual(before);
    await ask(shop, 'DELETE', `/${id}`);
    expect(await check(shop, id, secretToken())).toEqual({
      accepted: false,
      wrong: [{ part: 'issuer', ok: false, message: 'was removed: none of its tokens is taken' }],
    });
  });

  test('with a secret that the server cannot open', async () => {
    const shop = await world.environment();
    const keys = { kind: 'hs256', content: Buffer.from(SECRET) } as const;
    const id = await addTestIssuer(world, shop.id, keys, { issuer: 'app' });
    await database.adminPool.query(
      `update token_issuers set sealed_secret = set_byte(sealed_secret, 0, get_byte(sealed_secret, 0) # 1) where id = $1`,
      [id],
    );
    const { body } = await ask(shop, 'GET', '');
    const [listed] = body.data as unknown as { id: string }[];
    expect(fromTypeId('iss', listed?.id ?? '')).toBe(id);
    const { wrong } = await check(shop, listed?.id ?? '', secretToken());
    expect(wrong).toMatchObject([{ part: 'key', message: expect.stringContaining('cannot be opened') }]);
  });

  test('with the key set as it is now', async () => {
    const shop = await world.environment();
    const id = idOf(await ask(shop, 'POST', '', { body: { ...described, jwksUrl } }));
    const next = makeKey('EdDSA', 'two');
    expect((await check(shop, id, customerToken(next, 'ada'))).wrong).toMatchObject([
      { part: 'key', message: 'no key of the issuer has the kid two; there are one' },
    ]);
    const before = keySet;
    try {
      keySet = JSON.stringify({ keys: [next.jwk] });
      expect(await check(shop, id, customerToken(next, 'ada'))).toEqual({ accepted: true, wrong: [] });
      keySet = '<html>of an inner service</html>';
      const { wrong } = await check(shop, id, customerToken(next, 'ada'));
      expect(wrong).toEqual([
        { part: 'key', ok: false, message: `${jwksUrl} answers with something else than a JSON Web Key Set` },
      ]);
    } finally {
      keySet = before;
    }
  });
});
