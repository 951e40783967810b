import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Received } from '../../support/surfaces/client.ts';
import { addTestIssuer, customerToken, loyalty, makeKey } from '../../support/surfaces/customers.ts';
import { useShop } from '../../support/surfaces/use-shop.ts';

const SHOP = 'https://shop.example';
const APP = 'http://localhost:5173';
const OTHER = 'https://other.example';

const { world, client, shop } = useShop({ members: ['ada'] });
const key = makeKey('ES256', 'one');

beforeAll(async () => {
  await addTestIssuer(world, shop.id, [key], { origins: [SHOP, APP] });
  const other = await world.environment();
  await addTestIssuer(world, other.id, [key], { origins: [OTHER] });
});

function preflight(origin: string, path = '/loyalty/v1/member', method = 'GET'): Promise<Received> {
  const headers = {
    origin,
    'access-control-request-method': method,
    'access-control-request-headers': 'authorization,x-environment,idempotency-key,content-type',
  };
  return client.send({ method: 'OPTIONS', path, headers });
}

function read(origin: string, token = customerToken(key, 'ada')): Promise<Received> {
  const sent = loyalty(shop, token, 'GET', '/member');
  return client.send({ ...sent, headers: { ...sent.headers, origin } });
}

describe('preflights', () => {
  test.each([SHOP, APP, OTHER])('of an origin of an issuer are answered: %s', async (origin) => {
    for (const [path, method] of [
      ['/loyalty/v1/member', 'GET'],
      ['/loyalty/v1/redemptions/quote', 'POST'],
      ['/loyalty/v1/programs/x/enrollment', 'PUT'],
    ] as const) {
      const { status, headers, text } = await preflight(origin, path, method);
      expect({ status, text }).toEqual({ status: 204, text: '' });
      expect(headers).toMatchObject({
        'access-control-allow-origin': origin,
        'access-control-allow-methods': expect.stringContaining(method),
        'access-control-allow-headers': expect.stringMatching(
          /Authorization.*Idempotency-Key.*X-Environment/,
        ),
        vary: 'Origin',
      });
      expect(headers).not.toHaveProperty('access-control-allow-credentials');
    }
  });

  test.each([
    'https://SHOP.example',
    'HTTPS://shop.example',
    'https://shop.example/',
    'https://shop.example:443',
    'https://shop.example:8443',
    'https://shop.example.',
    'https://shop.example.evil.example',
    'https://evil.example/https://shop.example',
    'https://evilshop.example',
    'https://sub.shop.example',
    'https://shop.example@evil.example',
    'https://user@shop.example',
    'https://shop.example, https://evil.example',
    'https://shop.example#',
    'https://shop.example?',
    'https://shop%2eexample',
    'https://shoр.example',
    'http://shop.example',
    '//shop.example',
    'shop.example',
    'http://localhost',
    'http://127.0.0.1:5173',
    'null',
    '*',
    '',
  ])('of any other origin are not: %s', async (origin) => {
    const sent = Buffer.from(origin, 'utf8').toString('latin1');
    for (const answer of [await preflight(sent), await read(sent)]) {
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });
});

test('a response is for the origins of the issuer of its token alone', async () => {
  for (const origin of [SHOP, APP]) {
    const { status, headers } = await read(origin);
    expect({ status, 'access-control-allow-origin': headers['access-control-allow-origin'] }).toEqual({
      status: 200,
      'access-control-allow-origin': origin,
    });
    expect(headers['access-control-expose-headers']).toContain('Retry-After');
  }
  const { status, headers } = await read(OTHER);
  expect({ status, 'access-control-allow-origin': headers['access-control-allow-origin'] }).toEqual({
    status: 200,
    'access-control-allow-origin': undefined,
  });
  const refused = await read(SHOP, 'forged');
  expect({
    status: refused.status,
    'access-control-allow-origin': refused.headers['access-control-allow-origin'],
  }).toEqual({ status: 401, 'access-control-allow-origin': SHOP });
});

test("merchants' interfaces answer no preflight", async () => {
  for (const path of ['/api/v1/members', '/api/graphql']) {
    const { headers } = await preflight(SHOP, path, 'POST');
    expect(headers).not.toHaveProperty('access-control-allow-origin');
  }
});

test('a customer has 120 requests a minute of its own', async () => {
  const [, token] = [await read(SHOP), customerToken(key, 'busy')];
  const answers = await Promise.all(Array.from({ length: 130 }, () => read(SHOP, token)));
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(10);
  for (const { code, headers } of refused) {
    expect(code).toBe('rate_limited');
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(headers['ratelimit-policy']).toBe('"default";q=120;w=60');
  }
  expect((await read(SHOP)).status).toBe(200);
});
