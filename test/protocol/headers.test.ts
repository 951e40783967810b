import { connect } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { useShop } from '../support/surfaces/use-shop.ts';

const { server, shop } = useShop();

interface Answer {
  status: number;
  headers: Map<string, string>;
  body: string;
}

/**
 * Sends a text as it stands, over a connection of its own, and waits until the server has closed it.
 * @param ends whether the client sends no more after it
 */
async function exchange(text: string, ends = false): Promise<string> {
  const { hostname, port } = new URL(server.url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  const pieces: Buffer[] = [];
  socket.on('data', (piece) => pieces.push(piece)).on('end', () => socket.end());
  socket.write(text, 'latin1');
  if (ends) socket.end();
  await new Promise<void>((resolve, reject) => socket.on('error', reject).on('close', () => resolve()));
  return Buffer.concat(pieces).toString('latin1');
}

async function raw(text: string): Promise<Answer> {
  const received = await exchange(text);
  const headEnd = received.indexOf('\r\n\r\n');
  const [first = '', ...lines] = received.slice(0, headEnd).split('\r\n');
  const headers = lines.map((line): [string, string] => {
    const at = line.indexOf(':');
    return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()];
  });
  // A header twice would be lost in the map.
  expect(new Set(headers.map(([name]) => name)).size).toBe(headers.length);
  return {
    status: Number(first.split(' ')[1]),
    headers: new Map(headers),
    body: received.slice(headEnd + 4),
  };
}

const ID = 'the-clients-own';

/** A request with an id of its own. @param more header lines */
function sent(line: string, more: readonly string[] = [], body = ''): string {
  const own = [`host: x`, 'connection: close', `x-request-id: ${ID}`, `content-length: ${body.length}`];
  return `${[`${line} HTTP/1.1`, ...own, ...more].join('\r\n')}\r\n\r\n${body}`;
}

const credentials = (): string[] => [
  `authorization: Bearer ${shop.key}`,
  `x-environment: ${shop.environmentId}`,
  'content-type: application/json',
];
const HTML = ['accept: text/html'];

/** What every answer has. */
function expectHeaders({ headers }: Answer): void {
  expect(headers.get('x-request-id')).toMatch(/^[\x21-\x7e]{1,128}$/);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('strict-transport-security')).toMatch(/^max-age=\d{8}/);
  expect(headers.get('content-security-policy')).toContain("default-src '");
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  expect(headers.get('cache-control')).toMatch(/no-store|no-cache|max-age/);
  expect(headers.has('x-powered-by')).toBe(false);
}

describe('every answer to a request has its id, the security headers and Cache-Control', () => {
  test.each<[string, number, () => string]>([
    ['an unknown path', 404, () => sent('GET /nothing')],
    ['an unknown path of REST', 404, () => sent('GET /api/v1/nothing')],
    ['an unknown path of customers', 404, () => sent('GET /loyalty/v1/nothing')],
    ['an unknown path below /api', 404, () => sent('GET /api/nothing')],
    ['a path of REST with a slash too many', 404, () => sent('GET /api/v1/members/')],
    ['GraphQL with a slash at the end', 400, () => sent('POST /api/graphql/', credentials(), '{}')],
    ['an asterisk', 404, () => sent('OPTIONS *')],
    ['a whole URL', 200, () => sent('GET http://x/healthz')],
    ['a URL of another scheme', 400, () => sent('GET ftp://x/healthz')],
    ['a path that is not well encoded', 422, () => sent('GET /docs/%E0%A4%A')],
    ['a wrong method of REST', 405, () => sent('DELETE /api/v1/events', credentials())],
    ['a wrong method of customers', 405, () => sent('PATCH /loyalty/v1/member')],
    ['a wrong method of GraphQL', 405, () => sent('GET /api/graphql?query={__typename}', credentials())],
    ['a wrong method of a page', 404, () => sent('POST /')],
    ['a wrong method of a widget', 405, () => sent('POST /api/v1/widgets/none/surface')],
    ['OPTIONS of REST', 405, () => sent('OPTIONS /api/v1/events')],
    ['OPTIONS of GraphQL', 405, () => sent('OPTIONS /api/graphql')],
    ['OPTIONS of a page', 404, () => sent('OPTIONS /healthz')],
    [
      'a preflight of customers',
      204,
      () => sent('OPTIONS /loyalty/v1/member', ['origin: https://x.example']),
    ],
    ['a preflight of widgets', 204, () => sent('OPTIONS /api/v1/widgets/none/surface')],
    ['no credential', 401, () => sent('GET /api/v1/members/ann')],
    [
      'no credential of GraphQL',
      401,
      () => sent('POST /api/graphql', ['content-type: application/json'], '{"query":"{__typename}"}'),
    ],
    ['no token of a customer', 401, () => sent('GET /loyalty/v1/member')],
    [
      'bad JSON over REST',
      400,
      () => sent('POST /api/v1/events', [...credentials(), 'idempotency-key: k'], '{'),
    ],
    ['bad JSON over GraphQL', 400, () => sent('POST /api/graphql', credentials(), '{')],
    [
      'a body that is too long',
      413,
      () => sent('POST /api/v1/events', [...credentials(), 'idempotency-key: k'], ' '.repeat(200_000)),
    ],
    [
      'a body that is too long over GraphQL',
      413,
      () => sent('POST /api/graphql', credentials(), ' '.repeat(200_000)),
    ],
    [
      'another media type',
      415,
      () =>
        sent(
          'POST /api/v1/events',
          [...credentials().slice(0, 2), 'content-type: text/plain', 'idempotency-key: k'],
          '{}',
        ),
    ],
    [
      'a document of GraphQL',
      200,
      () => sent('POST /api/graphql', credentials(), '{"query":"{__typename}"}'),
    ],
    ['a read of REST', 404, () => sent('GET /api/v1/members/nobody', credentials())],
    ['a list of REST', 200, () => sent('GET /api/v1/members', credentials())],
    ['a widget that is not there', 404, () => sent('GET /api/v1/widgets/none/surface')],
    [
      'agents at a widget that is not there',
      404,
      () => sent('POST /api/v1/widgets/none/mcp', ['content-type: application/json'], '{}'),
    ],
    ['two headers of one name', 400, () => sent('GET /healthz', ['x-environment: a', 'x-environment: b'])],
    ['no header Host', 400, () => sent('GET /healthz').replace('host: x\r\n', '')],
    ['an expectation', 417, () => sent('GET /healthz', ['expect: the-unexpected'])],
    ['another protocol that is asked for', 200, () => sent('GET /healthz', ['upgrade: websocket'])],
    ['the page', 200, () => sent('GET /', HTML)],
    ['the page of the documentation', 200, () => sent('GET /docs', HTML)],
    ['a page of the documentation', 200, () => sent('GET /docs/guide/rest.md')],
    ['the README', 200, () => sent('GET /README.md')],
    ['GraphiQL', 200, () => sent('GET /graphiql', HTML)],
    ['the SDL', 200, () => sent('GET /api/graphql/schema.graphql')],
    ['OpenAPI', 200, () => sent('GET /openapi.json')],
    ['OpenAPI of customers', 200, () => sent('GET /openapi.customer.json')],
    ['a JSON Schema', 200, () => sent('GET /schemas/program.v1.json')],
    ['types', 200, () => sent('GET /schemas/webhook-events.v1.ts')],
    ['the web component', 200, () => sent('GET /widgets/svc-rewards.js')],
    ['the manifest of the web component', 200, () => sent('GET /widgets/manifest.json')],
    ['no file of the web component', 404, () => sent('GET /widgets/none.js')],
    ['health', 200, () => sent('GET /healthz')],
    ['readiness', 200, () => sent('GET /readyz')],
    ['metrics', 200, () => sent('GET /metrics')],
    ['HEAD of health', 200, () => sent('HEAD /healthz')],
  ])('%s: %i', async (_what, status, request) => {
    const answer = await raw(request());
    expect(answer.status).toBe(status);
    expectHeaders(answer);
    expect(answer.headers.get('x-request-id')).toBe(ID);
    const { requestId } = /^\{.*"requestId":"(?<requestId>[^"]+)"/.exec(answer.body)?.groups ?? {};
    expect(requestId ?? ID).toBe(ID);
  });

  test('of a document that the client has', async () => {
    const whole = await raw(sent('GET /openapi.json'));
    const answer = await raw(sent('GET /openapi.json', [`if-none-match: ${whole.headers.get('etag')}`]));
    expect(answer).toMatchObject({ status: 304, body: '' });
    expectHeaders(answer);
  });
});

describe('so has the answer to what is no request, which gets a new id', () => {
  test.each<[string, number, string, string]>([
    ['no HTTP', 400, 'invalid_request', 'SSH-2.0-OpenSSH_9.2\r\n\r\n'],
    ['HTTP/2', 400, 'invalid_request', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a bad header', 400, 'invalid_request', 'GET / HTTP/1.1\r\nhost x\r\n\r\n'],
    [
      'two lengths',
      400,
      'invalid_request',
      'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n{}',
    ],
    [
      'a bad chunk',
      400,
      'invalid_request',
      'POST /healthz HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked, x\r\n\r\nnone',
    ],
    [
      'long headers',
      431,
      'invalid_request',
      `GET / HTTP/1.1\r\nhost: x\r\nx-long: ${'x'.repeat(20_000)}\r\n\r\n`,
    ],
    ['a long URL', 431, 'invalid_request', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nhost: x\r\n\r\n`],
  ])('%s: %i', async (_what, status, code, text) => {
    const answer = await raw(text);
    expect(answer.status).toBe(status);
    expectHeaders(answer);
    expect(answer.headers.get('connection')).toBe('close');
    expect(JSON.parse(answer.body)).toMatchObject({
      error: { code, requestId: answer.headers.get('x-request-id') },
    });
    expect(Number(answer.headers.get('content-length'))).toBe(answer.body.length);
  });

  test('a tunnel: 405', async () => {
    const answer = await raw('CONNECT x:443 HTTP/1.1\r\nhost: x:443\r\n\r\n');
    expect(answer.status).toBe(405);
    expectHeaders(answer);
    expect(JSON.parse(answer.body)).toMatchObject({ error: { code: 'method_not_allowed' } });
  });
});

describe('what is no HTTP gets no answer that could be taken for that to another request', () => {
  const GOOD = 'GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n';
  const newMember = (name: string): string => {
    const body = JSON.stringify({
      externalCustomerId: name,
      consentStatus: 'opted_in',
      noticeVersion: 'v1',
    });
    const own = [...credentials(), `idempotency-key: ${name}`, `content-length: ${body.length}`, 'host: x'];
    return `POST /api/v1/members HTTP/1.1\r\n${own.join('\r\n')}\r\n\r\n${body}`;
  };
  const refusedEarly = `POST /api/v1/events HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{`;
  const badChunk = 'POST /api/v1/events HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nno size\r\n';

  test.each<[string, number[], () => string]>([
    ['behind a request', [200], () => `${GOOD}no HTTP\r\n\r\n`],
    ['behind three requests', [200, 200, 200], () => `${GOOD.repeat(3)}no HTTP\r\n\r\n`],
    ['behind changes', [201, 201], () => `${newMember('ann')}${newMember('bob')}no HTTP\r\n\r\n`],
    ['a bad chunk behind a request', [200], () => `${GOOD}${badChunk}`],
    ['a tunnel behind a request', [200], () => `${GOOD}CONNECT x:1 HTTP/1.1\r\nhost: x:1\r\n\r\n`],
    ['the end of a body whose request was refused', [401], () => refusedEarly],
    [
      'a request in place of a body that was not wanted',
      [417],
      () =>
        `POST /healthz HTTP/1.1\r\nhost: x\r\nexpect: none\r\ncontent-length: ${GOOD.length}\r\n\r\n${GOOD}`,
    ],
    ['the end of headers', [400], () => 'GET /healthz HTTP/1.1\r\nhost:'],
  ])('%s', async (_what, statuses, text) => {
    const received = await exchange(text(), true);
    const found = [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
    expect(found).toEqual(statuses);
  });

  test('and pieces of it that come while a request is under way do no harm', async () => {
    const received = await exchange(`${newMember('cid')}${'no HTTP\r\n\r\n'.repeat(2_000)}`);
    expect(received.match(/HTTP\/1\.1 \d{3} /g)).toEqual(['HTTP/1.1 201 ']);
  });
});
