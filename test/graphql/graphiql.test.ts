import { createHash } from 'node:crypto';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createGraphiqlHandler } from '../../src/graphql/graphiql.ts';

const handle = createGraphiqlHandler({
  demo: {
    environmentId: 'env_demo',
    apiKey: 'svc_test_demo',
    programId: 'coffee-club',
    externalCustomerId: 'ada',
    rewardId: 'free-coffee',
  },
});
/** Where requests seem to come from, instead of where they do. */
let peer: string | null = null;
const server = createServer((req, res) => {
  Object.defineProperty(req.socket, 'remoteAddress', { value: peer ?? '127.0.0.1', configurable: true });
  handle(req, res);
});
let html: string;
let headers: Headers;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/graphiql`);
  headers = response.headers;
  html = await response.text();
});
afterAll(() => {
  server.close();
});

describe('GraphiQL', () => {
  test('loads nothing from elsewhere, and may not', () => {
    expect(html).not.toMatch(/<(?:script|link|img|iframe)[^>]+(?:src|href)="(?:https?:)?\/\//);
    expect(html).not.toMatch(/unpkg\.com|jsdelivr\.net|cdnjs|esm\.sh|googleapis/);
    const policy = headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("connect-src 'self'");
  });

  test('allows its own script alone, by the hash', () => {
    const script = html.slice(html.indexOf('<script>') + 8, html.lastIndexOf('</script>'));
    const hash = createHash('sha256').update(script).digest('base64');
    expect(headers.get('content-security-policy')).toContain(`script-src 'sha256-${hash}';`);
  });

  test("is filled in with the demo's headers and examples, and never stored", () => {
    const filled = html.slice(html.lastIndexOf('renderYogaGraphiQL('));
    expect(filled).toContain('Bearer svc_test_demo');
    expect(filled).toContain('env_demo');
    expect(filled).toContain('mutation Purchase');
    expect(filled).toContain('"endpoint":"/api/graphql"');
    expect(headers.get('cache-control')).toBe('no-store');
  });

  const pageUnder = (host: string, others: Record<string, string> = {}) =>
    new Promise<string>((resolve, reject) => {
      const { port } = server.address() as AddressInfo;
      const sent = request(
        { port, host: '127.0.0.1', path: '/graphiql', headers: { host, ...others } },
        (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (piece: string) => {
            text += piece;
          });
          response.on('end', () => resolve(text));
        },
      );
      sent.on('error', reject).end();
    });

  test.each(['localhost', 'LOCALHOST:4000', '127.0.0.1:80', '[::1]', '[::1]:4000'])(
    'knows the demo under %s',
    async (host) => {
      expect((await pageUnder(host)).includes('svc_test_demo')).toBe(true);
    },
  );

  test.each([
    'rebound.example',
    'rebound.example:4000',
    'localhost.rebound.example',
    'x-localhost',
    '127.0.0.1.nip.io',
    'localhost:4000@rebound.example',
  ])('under the name %j holds placeholders', async (host) => {
    const text = await pageUnder(host);
    const found = ['svc_test_demo', 'env_demo', '<API key of it: rewards key issue>'].map((word) =>
      text.includes(word),
    );
    expect(found).toEqual([false, false, true]);
  });

  test.each([
    ['203.0.113.9', {}, false],
    ['::ffff:203.0.113.9', {}, false],
    ['fe80::1', {}, false],
    ['127.0.0.2', {}, true],
    ['::ffff:127.0.0.1', {}, true],
    ['::1', {}, true],
    ['127.0.0.1', { 'x-forwarded-for': '203.0.113.9' }, false],
    ['127.0.0.1', { forwarded: 'for=203.0.113.9' }, false],
    ['127.0.0.1', { 'X-Forwarded-Host': 'rewards.example' }, false],
    ['127.0.0.1', { 'x-forwarded-proto': 'https' }, false],
    ['127.0.0.1', { 'x-forwarded-server': '' }, false],
    ['127.0.0.1', { via: '1.1 front' }, false],
    ['127.0.0.1', { 'X-Real-IP': '203.0.113.9' }, false],
    ['127.0.0.1', { 'cf-connecting-ip': '203.0.113.9' }, false],
    ['127.0.0.1', { 'x-request-id': 'viaduct' }, true],
  ])('for %s with %j, whatever name it asks for, knows the demo: %s', async (address, others, knows) => {
    peer = address;
    const text = await pageUnder('localhost:4000', others);
    peer = null;
    expect(text.includes('svc_test_demo')).toBe(knows);
  });

  test('is made once for each who may see the same', async () => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphiql`;
    const { headers } = await fetch(url);
    const known = await fetch(url, { headers: { 'if-none-match': headers.get('etag') ?? '' } });
    expect(known.status).toBe(304);
  });
});
