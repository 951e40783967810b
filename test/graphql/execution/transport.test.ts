import { request } from 'node:http';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { codeOf, earnDocument, purchaseInput, useEdge } from '../../support/graphql/edge-server.ts';

const edge = useEdge();
beforeEach(() => {
  edge.calls.length = 0;
});

const query = '{ member(externalCustomerId: "c-1") { requestId } }';

describe('method', () => {
  test.each(['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])('%s is answered 405', async (method) => {
    const response = await fetch(`${edge.url}?query=${encodeURIComponent(query)}`, {
      method,
      headers: edge.authorized,
    });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('POST');
    if (method !== 'HEAD') {
      expect(await response.json()).toMatchObject({
        data: null,
        errors: [{ extensions: { code: 'method_not_allowed', httpStatus: 405 } }],
      });
    }
    expect(edge.calls).toEqual([]);
  });
});

describe('Host', () => {
  const send = (method: string, host: string, headers: Record<string, string>, body = '') =>
    new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
      const sent = request(edge.url, { method, headers: { ...headers, host } }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (piece: string) => {
          text += piece;
        });
        response.on('end', () => resolve({ status: response.statusCode, text }));
      });
      sent.on('error', reject);
      sent.end(body);
    });

  test.each(['[', 'x y', ':', 'x:99999', '%', 'a/b?c#', 'elsewhere.example'])(
    '%j changes nothing',
    async (host) => {
      const answers = [
        await send('POST', host, {}),
        await send('GET', host, edge.authorized),
        await send('POST', host, edge.authorized, JSON.stringify({ query })),
      ];
      expect(answers.map(({ status }) => status)).toEqual([401, 405, 200]);
      expect(answers.map(({ text }) => Object.keys(JSON.parse(text) as object))).toEqual([
        ['data', 'errors'],
        ['data', 'errors'],
        ['data'],
      ]);
      expect(edge.logged).toEqual([]);
    },
  );
});

describe('credential', () => {
  test.each([
    ['no key', { authorization: null }],
    ['an unknown key', { authorization: 'Bearer wrong' }],
    ['no environment', { 'x-environment': null }],
    ['an unknown environment', { 'x-environment': 'elsewhere' }],
  ])('%s is answered 401', async (_name, headers) => {
    const reply = await edge.run(query, {}, headers);
    expect(reply.status).toBe(401);
    expect(codeOf(reply)).toBe('unauthorized');
    expect(reply.body.data).toBeNull();
    expect(reply.headers.get('www-authenticate')).toBe('Bearer');
    expect(reply.headers.get('ratelimit')).toBeNull();
  });

  test('is checked before content type, size and JSON', async () => {
    const reply = await edge.send('x'.repeat(70_000), { authorization: null, 'content-type': 'text/plain' });
    expect(reply.status).toBe(401);
  });
});

test('an endless body without a credential is hung up on', async () => {
  const sentBytes = await new Promise<number>((resolve) => {
    let bytes = 0;
    const sent = request(edge.url, { method: 'POST', headers: { 'content-type': 'application/json' } });
    const chunk = Buffer.alloc(65_536, ' ');
    const more = (): void => {
      bytes += chunk.length;
      if (!sent.destroyed && bytes < 200_000_000) sent.write(chunk, more);
    };
    sent.on('error', () => resolve(bytes));
    sent.on('close', () => resolve(bytes));
    more();
  });
  expect(sentBytes).toBeLessThan(20_000_000);
});

describe('body', () => {
  test.each([
    ['text/plain'],
    ['application/graphql'],
    ['application/x-www-form-urlencoded'],
    ['multipart/form-data; boundary=x'],
    ['application/json; charset=utf-16'],
    [null],
  ])('of type %s is answered 415', async (contentType) => {
    const body = `query=${encodeURIComponent('mutation { purchaseEarn }')}`;
    const reply = await edge.send(new TextEncoder().encode(body), { 'content-type': contentType });
    expect(reply.status).toBe(415);
    expect(codeOf(reply)).toBe('unsupported_media_type');
    expect(edge.calls).toEqual([]);
  });

  test('of 65,536 bytes passes, one more does not', async () => {
    const frame = JSON.stringify({ query, variables: { padding: '' } });
    const fit = JSON.stringify({ query, variables: { padding: 'x'.repeat(65_536 - frame.length) } });
    expect(fit).toHaveLength(65_536);
    expect((await edge.send(fit)).status).toBe(200);
    const over = await edge.send(`${fit} `);
    expect(over.status).toBe(413);
    expect(codeOf(over)).toBe('payload_too_large');
  });

  test('of 65,537 bytes in chunks does not pass either', async () => {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const sent = request(edge.url, { method: 'POST', headers: edge.authorized }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      sent.on('error', reject);
      sent.write(' '.repeat(40_000));
      sent.end(' '.repeat(25_537));
    });
    expect(status).toBe(413);
  });

  test.each([
    ['not JSON', '{"query": ', 'invalid_json'],
    ['nothing', '', 'invalid_json'],
    ['an array: batching', JSON.stringify([{ query }, { query }]), 'invalid_json'],
    ['a string', '"x"', 'invalid_json'],
    ['a key twice', `{"query": "{__typename}", "query": "{__typename}"}`, 'invalid_json'],
    [
      'nesting over 32',
      `{"query":"{__typename}","variables":${'{"a":'.repeat(40)}1${'}'.repeat(40)}}`,
      'invalid_json',
    ],
    ['no query', '{}', 'invalid_request'],
    ['an empty query', '{"query": " "}', 'invalid_request'],
    ['a query of null', '{"query": null}', 'invalid_request'],
    ['a query of another type', '{"query": ["{ __typename }"]}', 'invalid_request'],
    ['variables of another type', '{"query": "{ __typename }", "variables": []}', 'invalid_request'],
    [
      'an operationName of another type',
      '{"query": "{ __typename }", "operationName": 1}',
      'invalid_request',
    ],
    ['an unknown member', '{"query": "{ __typename }", "id": "1"}', 'invalid_request'],
    ['NUL in the query', '{"query": "{ __typename \\u0000 }"}', 'invalid_request'],
  ])('%s is answered 400', async (_name, body, code) => {
    const reply = await edge.send(body);
    expect(reply.status).toBe(400);
    expect(codeOf(reply)).toBe(code);
    expect(reply.body.data).toBeNull();
  });

  test.each(['', 'Other', 'x'.repeat(60_000)])(
    'an operationName that no operation has is answered 400',
    async (operationName) => {
      const reply = await edge.run('query Named { __typename }', { operationName });
      expect({ status: reply.status, code: codeOf(reply) }).toEqual({
        status: 400,
        code: 'graphql_validation_failed',
      });
      expect(reply.body.errors?.[0]?.message.length).toBeLessThanOrEqual(300);
    },
  );

  test('invalid UTF-8 is answered 400', async () => {
    const reply = await edge.send(new Uint8Array([0x7b, 0xff, 0x7d]));
    expect({ status: reply.status, code: codeOf(reply) }).toEqual({ status: 400, code: 'invalid_json' });
  });

  test('null stands for an absent optional member', async () => {
    const body = JSON.stringify({ query, operationName: null, variables: null, extensions: null });
    expect((await edge.send(body)).body.errors).toBeUndefined();
  });

  test.each([
    ['NUL', '"a\\u0000b"', 'sourceReference'],
    ['a lone surrogate', '"a\\ud800"', 'sourceReference'],
    ['2^53+1', '9007199254740993', 'amountMinor'],
  ])('%s in a variable is a validation_failed that names its path', async (_name, json, field) => {
    const input = JSON.stringify({ ...purchaseInput, [field]: 0 }).replace(
      `"${field}":0`,
      `"${field}":${json}`,
    );
    const reply = await edge.send(
      `{"query": ${JSON.stringify(earnDocument)}, "variables": {"input": ${input}}}`,
    );
    expect(reply.status).toBe(200);
    expect(reply.body.errors?.[0]?.extensions).toMatchObject({
      code: 'validation_failed',
      httpStatus: 422,
      details: [{ path: `variables.input.${field}` }],
    });
    expect(edge.calls).toEqual([]);
  });
});

describe('response', () => {
  test.each([
    [null, 'application/graphql-response+json'],
    ['*/*', 'application/graphql-response+json'],
    ['application/graphql-response+json', 'application/graphql-response+json'],
    ['application/json, text/plain, */*', 'application/graphql-response+json'],
    ['application/json, application/graphql-response+json;q=0.5', 'application/graphql-response+json'],
    ['application/json', 'application/json'],
    ['application/json;q=0.9, text/html', 'application/json'],
    ['application/json, application/graphql-response+json;q=0', 'application/json'],
    ['text/html', 'application/graphql-response+json'],
    ['text/event-stream', 'application/graphql-response+json'],
    ['multipart/mixed', 'application/graphql-response+json'],
  ])('to Accept %s is %s', async (accept, expected) => {
    // fetch would add an Accept header of its own.
    const type = await new Promise<string | undefined>((resolve, reject) => {
      const headers = { ...edge.authorized, ...(accept === null ? {} : { accept }) };
      const sent = request(edge.url, { method: 'POST', headers }, (response) => {
        response.resume();
        resolve(response.headers['content-type']);
      });
      sent.on('error', reject);
      sent.end(JSON.stringify({ query }));
    });
    expect(type).toBe(`${expected}; charset=utf-8`);
  });

  test('is never stored, names its request and the rate limit, and allows no other origin', async () => {
    const { headers } = await edge.run(query, {}, { origin: 'https://elsewhere.example' });
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-request-id')).toMatch(/^req_\d+$/);
    expect(headers.get('ratelimit-policy')).toBe('"default";q=1000000;w=60');
    expect(headers.get('ratelimit')).toMatch(/^"default";r=\d+;t=\d+$/);
    for (const name of headers.keys()) expect(name).not.toMatch(/^access-control-/);
  });

  test.each([
    ['trace-1', true],
    ['!~'.repeat(64), true],
    ['x'.repeat(129), false],
    ['with space', false],
    ['caf\u00e9', false],
  ])('request id %j is echoed: %s', async (id, echoed) => {
    const reply = await edge.run('{ nothing }', {}, { 'x-request-id': id });
    const answered = reply.headers.get('x-request-id');
    expect(answered === id).toBe(echoed);
    expect(reply.body.errors?.[0]?.extensions.requestId).toBe(answered);
  });

  test('a path that only ends like the health check of Yoga is the endpoint', async () => {
    const response = await fetch(`${edge.url}?/health`, { method: 'POST', body: '{}' });
    expect(response.status).toBe(401);
  });
});
