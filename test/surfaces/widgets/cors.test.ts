import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Received } from '../../support/surfaces/client.ts';
import { useServer } from '../../support/surfaces/use-shop.ts';
import { addTestWidget } from '../../support/surfaces/widgets.ts';

const SHOP = 'https://shop.example';
const APP = 'http://localhost:5173';
const OTHER = 'https://other.example';
const REPLACED = 'https://replaced.example';

let deploymentId: string;
let elsewhere: string;

const { world, client } = useServer();

beforeAll(async () => {
  const shop = await world.environment();
  await addTestWidget(world, shop.id, { origins: [REPLACED] });
  deploymentId = await addTestWidget(world, shop.id, { origins: [SHOP, APP] });
  elsewhere = await addTestWidget(world, (await world.environment()).id, { origins: [OTHER] });
});

function send(method: string, origin: string, id = deploymentId, path = 'surface'): Promise<Received> {
  const headers = {
    origin,
    ...(method === 'OPTIONS' && {
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'authorization,if-none-match',
    }),
  };
  return client.send({ method, path: `/api/v1/widgets/${id}/${path}`, headers });
}

const corsOf = ({ headers }: Received): string[] =>
  Object.keys(headers).filter((name) => name.startsWith('access-control'));

describe('preflights', () => {
  test.each([
    ['surface', SHOP],
    ['surface', APP],
    ['actions/redeem', SHOP],
    ['mcp', APP],
  ])('of /%s by %s are answered', async (path, origin) => {
    const { status, text, headers } = await send('OPTIONS', origin, deploymentId, path);
    expect({ status, text }).toEqual({ status: 204, text: '' });
    expect(headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'GET, POST',
      'access-control-allow-headers':
        'Authorization, Content-Type, If-Match, If-None-Match, X-Request-Id, MCP-Protocol-Version',
      'access-control-max-age': '600',
      vary: 'Origin',
    });
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
  });

  test.each([
    OTHER,
    REPLACED,
    'https://SHOP.example',
    'HTTPS://shop.example',
    'https://shop.example/',
    'https://shop.example:443',
    'https://shop.example:8443',
    'https://shop.example.',
    'https://shop.example.evil.example',
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
  ])('and reads of any other origin are not: %s', async (origin) => {
    const sent = Buffer.from(origin, 'utf8').toString('latin1');
    for (const method of ['OPTIONS', 'GET']) {
      expect([method, corsOf(await send(method, sent))]).toEqual([method, []]);
    }
  });
});

test('no page may call what makes sessions with a server key, not even of the deployment’s own origins', async () => {
  for (const method of ['OPTIONS', 'POST'])
    for (const path of ['sessions', 'sessions/', 'Sessions'])
      expect([method, path, corsOf(await send(method, SHOP, deploymentId, path))]).toEqual([
        method,
        path,
        [],
      ]);
});

test('pages of a deployment read its surface, the entity tag and refusals', async () => {
  const { status, headers } = await send('GET', SHOP);
  expect({ status, 'access-control-allow-origin': headers['access-control-allow-origin'] }).toEqual({
    status: 200,
    'access-control-allow-origin': SHOP,
  });
  expect(headers['access-control-expose-headers']).toBe(
    'ETag, X-Request-Id, RateLimit, RateLimit-Policy, Retry-After, Idempotent-Replayed',
  );
  const path = `/api/v1/widgets/${deploymentId}/surface`;
  const refused = await client.send({ method: 'GET', path, headers: { origin: SHOP, authorization: 'x' } });
  expect({
    status: refused.status,
    'access-control-allow-origin': refused.headers['access-control-allow-origin'],
  }).toEqual({ status: 401, 'access-control-allow-origin': SHOP });
});

test('the origins of one deployment are not those of another', async () => {
  expect((await send('GET', OTHER, elsewhere)).headers['access-control-allow-origin']).toBe(OTHER);
  for (const [origin, id] of [
    [SHOP, elsewhere],
    [OTHER, deploymentId],
    [SHOP, 'wdg_01h455vb4pex5vsknk084sn02q'],
  ] as const) {
    expect(corsOf(await send('OPTIONS', origin, id))).toEqual([]);
    expect(corsOf(await send('GET', origin, id))).toEqual([]);
  }
});
