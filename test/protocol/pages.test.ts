import { connect } from 'node:net';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { addMembers, readMember } from '../support/surfaces/client.ts';
import { useServer } from '../support/surfaces/use-shop.ts';
import type { TestEnvironment } from '../support/surfaces/world.ts';
import { until } from '../support/until.ts';

const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

const { world, server, client } = useServer();

const get = (path: string, headers = {}) => client.send({ method: 'GET', path, headers });

/** One request as it stands, over a connection of its own. */
function raw(text: string): Promise<string> {
  const { hostname, port } = new URL(server.url);
  const socket = connect({ host: hostname, port: Number(port) });
  let answer = '';
  socket.setEncoding('utf8').on('data', (piece: string) => {
    answer += piece;
  });
  socket.write(text);
  return new Promise((resolve, reject) => socket.on('error', reject).on('close', () => resolve(answer)));
}

describe('where there is only Production', () => {
  let shop: TestEnvironment;
  beforeAll(async () => {
    shop = await world.environment('production');
    await addMembers(client, shop, ['ada']);
  });

  test('GraphiQL is not served, and the page at / does not link it', async () => {
    expect((await get('/graphiql', HTML)).code).toBe('not_found');
    const page = await get('/', HTML);
    expect(page.status).toBe(200);
    expect(page.text).not.toContain('/graphiql');
    expect(page.text).toContain('href="/openapi.json"');
  });

  test('a request target may be a whole URL, on every surface', async () => {
    const { headers = {} } = readMember(shop, 'ada');
    const lines = Object.entries({ ...headers, connection: 'close' }).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    );
    for (const [path, expected] of [
      [readMember(shop, 'ada').path, '"externalCustomerId":"ada"'],
      ['/healthz', '{"status":"ok"}'],
      ['/api/graphql/schema.graphql', 'type Query'],
    ] as const) {
      const answer = await raw(
        `GET http://rewards.example${path} HTTP/1.1\r\nhost: x\r\n${lines.join('')}\r\n`,
      );
      expect(answer).toMatch(/^HTTP\/1\.1 200 /);
      expect(answer).toContain(expected);
    }
    expect(await raw(`GET HTTP://x HTTP/1.1\r\nhost: x\r\n${lines.join('')}\r\n`)).toMatch(
      /^HTTP\/1\.1 404 /,
    );
    expect(await raw(`OPTIONS * HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 404 /,
    );
  });
});

describe('where there is a Sandbox', () => {
  beforeAll(async () => {
    await world.environment('sandbox');
    // That there was none is known for a second.
    await until(async () => (await get('/graphiql')).status === 200, 'GraphiQL');
  });

  test('GraphiQL is served, and the page at / links it', async () => {
    expect((await get('/graphiql', HTML)).status).toBe(200);
    expect((await get('/', HTML)).text).toContain('href="/graphiql"');
  });

  test('everything that the page at / links is there', async () => {
    const { text, headers } = await get('/', HTML);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    const links = Array.from(text.matchAll(/href="([^"]+)"/g), ([, link = '']) => link);
    expect(links).toEqual(
      expect.arrayContaining(['/docs/guide/rest.md', '/docs/operate/running.md', '/readyz']),
    );
    for (const link of links) expect([link, (await get(link)).status]).toEqual([link, 200]);
  });

  test('the page lists the documentation in the order of the table in the README', async () => {
    const { text } = await get('/', HTML);
    const listed = Array.from(text.matchAll(/href="\/((?:docs\/|README)[^"]+)"/g), ([, path = '']) => path);
    expect(listed.slice(0, 4)).toEqual([
      'README.md',
      'docs/guide/rest.md',
      'docs/guide/graphql.md',
      'docs/guide/clients.md',
    ]);
    const readme = (await get('/README.md')).text;
    expect(listed.slice(1).filter((path) => !readme.includes(`(${path}`))).toEqual([]);
  });

  test('the page runs no script, loads nothing and can be framed by nobody', async () => {
    const { text, headers } = await get('/', HTML);
    expect(text).not.toMatch(/<script|<img|<link|style="/);
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; .*frame-ancestors 'none'$/,
    );
    expect(headers['x-content-type-options']).toBe('nosniff');
  });
});

test('who takes no HTML finds nothing at /', async () => {
  expect((await get('/')).code).toBe('not_found');
  expect((await get('/', { accept: '*/*' })).status).toBe(200);
  expect((await get('/', { accept: 'application/json' })).code).toBe('not_found');
  expect((await client.send({ method: 'POST', path: '/', headers: HTML })).code).toBe('not_found');
});

test('what is at / depends on Accept, and caches are told', async () => {
  for (const path of ['/', '/docs', '/docs/']) {
    const [page, none] = [await get(path, HTML), await get(path)];
    expect(page).toMatchObject({ status: 200, headers: { vary: 'Accept, Accept-Encoding' } });
    expect(none).toMatchObject({ status: 404, headers: { vary: 'Accept, Accept-Encoding' } });
  }
});

test.each([
  'ftp://rewards.example/healthz',
  'http:///healthz',
  'https://?healthz',
  'file:///healthz',
  'HTTPS:///',
])('the request target %s is refused', async (target) => {
  const answer = await raw(
    `GET ${target} HTTP/1.1\r\nhost: x\r\nx-request-id: mine\r\nconnection: close\r\n\r\n`,
  );
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer).toMatch(/^x-request-id: mine\r$/im);
  expect(answer).toMatch(/^x-content-type-options: nosniff\r$/im);
  expect(answer).toContain('"code":"invalid_request"');
});

test.each(['Authorization', 'Content-Type', 'Host', 'X-Environment'])(
  'a request with two headers %s is refused, on every surface',
  async (name) => {
    for (const path of ['/api/v1/events', '/api/graphql', '/graphiql', '/healthz']) {
      const once = `POST ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer x\r\ncontent-type: application/json\r\nx-environment: env_1\r\ncontent-length: 2\r\nconnection: close\r\n`;
      expect(await raw(`${once}\r\n{}`)).toMatch(/^HTTP\/1\.1 40[14] /);
      const twice = await raw(`${once}${name.toUpperCase()}: application/json\r\n\r\n{}`);
      expect(twice).toMatch(/^HTTP\/1\.1 400 /);
      expect(twice).toContain(
        `"code":"invalid_request","message":"The header ${name} is given more than once."`,
      );
    }
  },
);

test('the 429 for too many requests ahead carries a request id and the security headers', async () => {
  const line = `GET /docs/guide/rest.md HTTP/1.1\r\nhost: x\r\nx-request-id: mine\r\n\r\n`;
  const refused = (await raw(line.repeat(20))).split(/(?=HTTP\/1\.1 )/).at(-1);
  expect(refused).toMatch(/^HTTP\/1\.1 429 /);
  for (const header of ['x-request-id: mine', 'x-content-type-options: nosniff', 'retry-after: 1'])
    expect(refused).toMatch(new RegExp(`^${header}\r$`, 'im'));
  expect(refused).toMatch(/^content-security-policy: default-src 'none'/im);
});

test.each(['/docs/none.md', '/docs/..%2fpackage.json', '/docs/../package.json'])(
  '%s is no page of the documentation',
  async (path) => {
    expect((await get(path)).code).toBe('not_found');
  },
);

test.each([
  ['/openapi.json', 'application/json; charset=utf-8'],
  ['/openapi.customer.json', 'application/json; charset=utf-8'],
  ['/schemas/program.v1.json', 'application/schema+json; charset=utf-8'],
  ['/schemas/widget.v1.json', 'application/schema+json; charset=utf-8'],
  ['/schemas/agent-rewards-surface.v1.json', 'application/schema+json; charset=utf-8'],
  ['/schemas/webhook-events.v1.json', 'application/schema+json; charset=utf-8'],
  ['/schemas/webhook-events.v1.ts', 'text/plain; charset=utf-8'],
  ['/api/graphql/schema.graphql', 'text/plain; charset=utf-8'],
])('%s is compressed, and not sent to who has it', async (path, type) => {
  const plain = await get(path);
  const packed = await fetch(`${server.url}${path}`, { headers: { 'accept-encoding': 'gzip, br' } });
  expect(plain.headers['content-type']).toBe(type);
  expect(packed.headers.get('content-type')).toBe(type);
  expect(packed.headers.get('content-encoding')).toBe('br');
  expect(Number(packed.headers.get('content-length'))).toBeLessThan(plain.text.length / 3);
  expect(await packed.text()).toBe(plain.text);
  expect((await get(path, { 'if-none-match': plain.headers.etag })).status).toBe(304);
  expect(plain.headers['content-security-policy']).toMatch(/^default-src '(?:none|self)'/);
});

test('a path with a slash too many is told of the one without', async () => {
  const hint = 'There is one without the slash at its end.';
  expect((await get('/api/v1/events/')).body.error?.message).toContain(hint);
  expect((await get('/api/v1/members/ada/?limit=1')).body.error?.message).toContain(hint);
  for (const path of ['/api/v1/nothing/', '/api/v1/nothing', '/api/v1/', '/api/v1/events//']) {
    expect((await get(path)).body.error?.message).toBe(
      'There is no such path. GET /openapi.json lists the paths; they begin with /api/v1.',
    );
  }
});

test('what Prometheus and probes ask for is found out once a second', async () => {
  const texts = await Promise.all(Array.from({ length: 50 }, async () => (await get('/metrics')).text));
  expect(new Set(texts).size).toBeLessThanOrEqual(2);
});
