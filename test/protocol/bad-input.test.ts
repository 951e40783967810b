import { describe, expect, test } from '@jest/globals';
import {
  type BrokenConnection,
  Client,
  createMember,
  earn,
  enroll,
  graphql,
  readMember,
  rest,
  type Sent,
} from '../support/surfaces/client.ts';
import { useShop } from '../support/surfaces/use-shop.ts';
import { programId } from '../support/surfaces/world.ts';

const REST_LIMIT_BYTES = 131_072;
const GRAPHQL_LIMIT_BYTES = 65_536;

const { database, world, server, client, shop } = useShop({ members: ['ada'] });

const purchase = { externalCustomerId: 'ada', sourceReference: 'order-1', amountMinor: 1250 };
const earnMutation = 'mutation ($input: PurchaseEarnInput!) { purchaseEarn(input: $input) { id } }';

/** A purchase through REST whose body is changed as text. */
function event(change: (text: string) => string | Buffer, headers: Sent['headers'] = {}): Sent {
  const sent = earn(shop, purchase, 'bad');
  return { ...sent, body: change(String(sent.body)), headers: { ...sent.headers, ...headers } };
}

/** The same purchase through GraphQL. */
function mutation(change: (text: string) => string | Buffer, headers: Sent['headers'] = {}): Sent {
  const input = { ...purchase, programId, channel: 'web', idempotencyKey: 'bad' };
  const sent = graphql(shop, earnMutation, { input });
  return { ...sent, body: change(String(sent.body)), headers: { ...sent.headers, ...headers } };
}

const value = (raw: string) => (text: string) => text.replace('1250', raw);
const reference = (raw: string) => (text: string) => text.replace('order-1', raw);
const added = (raw: string) => (text: string) => text.replace(/(,"channel")/, `,${raw}$1`);
const bytes = (raw: Buffer) => (text: string) =>
  Buffer.concat([Buffer.from(text.slice(0, 20)), raw, Buffer.from(text.slice(20))]);
const nested = (levels: number) => added(`"x":${'['.repeat(levels)}${']'.repeat(levels)}`);
const padded = (size: number) => (text: string) => text.padEnd(size);

type Row = [
  what: string,
  change: (text: string) => string | Buffer,
  rest: [number, string],
  /** The transport's status, the code, and the status that REST would have. */
  graphql: [number, string, number],
];

const notJson: [[number, string], [number, string, number]] = [
  [400, 'invalid_json'],
  [400, 'invalid_json', 400],
];
const notAllowed: [[number, string], [number, string, number]] = [
  [422, 'invalid_event'],
  [200, 'validation_failed', 422],
];
/** What graphql-js itself finds when it coerces the variables. */
const notCoercible: [[number, string], [number, string, number]] = [
  [422, 'invalid_event'],
  [400, 'graphql_validation_failed', 400],
];

describe('bodies that both doors refuse', () => {
  test.each<Row>([
    ['nothing at all', () => '', ...notJson],
    ['blanks', () => '   ', ...notJson],
    ['half a body', (text) => text.slice(0, -1), ...notJson],
    ['a body and a half', (text) => `${text}{}`, ...notJson],
    ['an array', (text) => `[${text}]`, ...notJson],
    ['null', () => 'null', ...notJson],
    ['a string', () => '"body"', ...notJson],
    ['a comment', (text) => `/**/${text}`, ...notJson],
    ['a byte order mark', (text) => `\ufeff${text}`, ...notJson],
    ['invalid UTF-8', bytes(Buffer.from([0xc3, 0x28])), ...notJson],
    ['half a surrogate pair in UTF-8', bytes(Buffer.from([0xed, 0xa0, 0x80])), ...notJson],
    ['NaN', value('NaN'), ...notJson],
    ['a number of another notation', value('0x10'), ...notJson],
    ['a key twice', added('"amountMinor":1'), ...notJson],
    ['a key twice, once with an escape', added('"\\u0061mountMinor":1'), ...notJson],
    ['nesting of 33', nested(32), ...notJson],
    ['nesting of 5,000', nested(5_000), ...notJson],
    ['an unknown field', added('"colour":"red"'), ...notCoercible],
    ['2^53+1', value('9007199254740993'), ...notAllowed],
    ['-(2^53+1)', value('-9007199254740993'), ...notAllowed],
    ['a number beyond doubles', value('1e400'), ...notAllowed],
    ['a fraction that would be rounded', value('100.00000000000000001'), ...notAllowed],
    ['a fraction', value('12.5'), ...notCoercible],
    ['a number in a string', value('"1250"'), ...notCoercible],
    ['null for an integer', value('null'), ...notCoercible],
    ['a negative amount', value('-1'), ...notAllowed],
    ['an amount over the bound', value('1000000000001'), ...notAllowed],
    ['NUL', reference('a\\u0000b'), ...notAllowed],
    ['a lone surrogate', reference('a\\ud800b'), ...notAllowed],
    ['the other half of one', reference('\\udc00\\ud800'), ...notAllowed],
    ['a control character', reference('a\\u0007b'), ...notAllowed],
    ['a space at the end', reference('order-1 '), ...notAllowed],
    ['nothing for an id', reference(''), ...notAllowed],
    ['201 characters', reference('x'.repeat(201)), ...notAllowed],
    ['__proto__', added('"__proto__":{"amountMinor":1}'), ...notAllowed],
    ['another channel', (text) => text.replace('"web"', '"fax"'), ...notCoercible],
    ['a list for an object', added('"context":[]'), ...notCoercible],
    ['a date without a zone', added('"occurredAt":"2026-01-31T12:00:00"'), ...notCoercible],
    ['a day that is none', added('"occurredAt":"2026-02-30T12:00:00Z"'), ...notCoercible],
    ['a currency that is none', added('"currency":"usd"'), ...notAllowed],
    ['too many lines', added(`"items":[${Array(1_001).fill('{}')}]`), ...notAllowed],
    ['a line worth nothing', added('"items":[{"unitPriceMinor":0}]'), ...notAllowed],
    [
      'pinned mode without a version',
      added('"context":{"attributes":{"svcEvaluation":{"mode":"event_time_pinned_configuration"}}}'),
      ...notAllowed,
    ],
  ])('%s', async (_what, change, viaRest, viaGraphql) => {
    const before = await world.countRows();
    const answers = [await client.send(event(change)), await client.send(mutation(change))] as const;
    const [status, code] = viaRest;
    expect(answers[0]).toMatchObject({ status, code });
    const [graphqlStatus, graphqlCode, httpStatus] = viaGraphql;
    const { status: answered, code: graphql, body } = answers[1];
    expect({ answered, graphql, httpStatus: body.errors?.[0]?.extensions.httpStatus }).toEqual({
      answered: graphqlStatus,
      graphql: graphqlCode,
      httpStatus,
    });
    expect(await world.countRows()).toEqual(before);
  });
});

describe('sizes, to the byte', () => {
  test.each([
    ['REST', event, REST_LIMIT_BYTES, 201],
    ['GraphQL', mutation, GRAPHQL_LIMIT_BYTES, 200],
  ] as const)(
    '%s: the limit passes, one byte more is 413, announced or in chunks',
    async (door, make, limit, ok) => {
      for (const [index, framing] of [{}, { 'transfer-encoding': 'chunked' }].entries()) {
        const fresh = (text: string) =>
          text.replace('order-1', `${door}-${index}`).replace('"bad"', `"${door}-${index}"`);
        const key = { 'idempotency-key': `${door}-${index}`, ...framing };
        const over = await client.send(make((text) => padded(limit + 1)(fresh(text)), key));
        expect(over).toMatchObject({ status: 413, code: 'payload_too_large' });
        const exact = await client.send(make((text) => padded(limit)(fresh(text)), key));
        expect(exact).toMatchObject({ status: ok, code: null });
      }
    },
  );

  test('eight times the limit is read to its end, and the connection goes on', async () => {
    const one = new Client(server.url, 1);
    expect((await one.send(event(padded(8 * REST_LIMIT_BYTES)))).status).toBe(413);
    expect((await one.send(mutation(padded(8 * GRAPHQL_LIMIT_BYTES)))).status).toBe(413);
    expect((await one.send(readMember(shop, 'ada'))).status).toBe(200);
    one.close();
  });

  test('an endless body is answered or cut off, not read', async () => {
    const one = new Client(server.url, 1);
    for (const make of [event, mutation]) {
      const status = await one.send(make(padded(50_000_000))).then(
        (answer) => answer.status,
        (error: BrokenConnection) => error.code,
      );
      expect([413, 'ECONNRESET', 'EPIPE', 'INCOMPLETE']).toContain(status);
    }
    one.close();
  });

  test('of a body that will be cut off, the answer comes first and is the last of its connection', async () => {
    const one = new Client(server.url, 1);
    for (const make of [event, mutation]) {
      const announced = { 'content-length': String(9 * REST_LIMIT_BYTES) };
      const tooLarge = await one.send(make((text) => text, announced));
      expect({ status: tooLarge.status, connection: tooLarge.headers.connection }).toEqual({
        status: 413,
        connection: 'close',
      });
      const stranger = await one.send(make((text) => text, { ...announced, authorization: 'Bearer x' }));
      expect({ status: stranger.status, connection: stranger.headers.connection }).toEqual({
        status: 401,
        connection: 'close',
      });
      expect((await one.send(make((text) => text, { authorization: 'Bearer x' }))).headers.connection).toBe(
        'keep-alive',
      );
    }
    one.close();
  });

  test('nesting of 32 passes', async () => {
    const deep = `"context":{"attributes":{"x":${'['.repeat(29)}${']'.repeat(29)}}}`;
    const change = (text: string) => added(deep)(text.replace('order-1', 'deep'));
    expect((await client.send(event(change, { 'idempotency-key': 'deep' }))).status).toBe(201);
  });
});

describe('headers', () => {
  const wrongTypes = [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/graphql',
    'application/json; charset=latin1',
    'application/json; charset=utf-16',
    'application/jsonx',
    'application/json, text/plain',
    '',
  ];
  test.each(wrongTypes)('Content-Type %j is 415 at both doors', async (type) => {
    for (const make of [event, mutation]) {
      const answer = await client.send(make((text) => text, { 'content-type': type }));
      expect(answer).toMatchObject({ status: 415, code: 'unsupported_media_type' });
    }
  });

  test('a body in gzip is 415', async () => {
    for (const make of [event, mutation]) {
      const answer = await client.send(make((text) => text, { 'content-encoding': 'gzip' }));
      expect(answer.status).toBe(415);
    }
  });

  test.each([
    ['Application/JSON'],
    ['application/json;charset=UTF-8'],
    ['application/json; charset="utf-8"'],
  ])('Content-Type %s is JSON', async (type) => {
    const answer = await client.send(event(value('-1'), { 'content-type': type }));
    expect(answer.status).toBe(422);
  });

  test.each<[string, string | string[]]>([
    ['an empty one', ''],
    ['a blank one', '  '],
    ['two', ['key-1', 'key-2']],
    ['the same twice', ['key-1', 'key-1']],
    ['256 characters', 'k'.repeat(256)],
    ['two words', 'key 1'],
    ['another alphabet', 'clé'],
    ['a quote that is not closed', '"key-1'],
    ['an empty string in quotes', '""'],
  ])('Idempotency-Key: %s counts as none', async (_what, key) => {
    const answer = await client.send(event((text) => text, { 'idempotency-key': key }));
    expect(answer).toMatchObject({ status: 400, code: 'idempotency_key_required' });
  });

  test('Idempotency-Key: 255 characters pass, and in quotes it is the same key', async () => {
    const key = `k${'\\"'.repeat(127)}`;
    const change = reference('long-key');
    expect((await client.send(event(change, { 'idempotency-key': key }))).status).toBe(201);
    const quoted = `"${key.replace(/["\\]/g, '\\$&')}"`;
    const replay = await client.send(event(change, { 'idempotency-key': quoted }));
    expect(replay).toMatchObject({ status: 200, replayed: true });
  });

  test.each<[string, Record<string, string | string[]>]>([
    ['an empty environment', { 'x-environment': '' }],
    ['an empty key', { authorization: '' }],
    ['a key of 15,000 characters', { authorization: `Bearer ${'k'.repeat(15_000)}` }],
    ['a NUL of another alphabet', { authorization: 'Bearer ÿ' }],
  ])('%s: 401', async (_what, headers) => {
    for (const make of [event, mutation]) {
      expect((await client.send(make((text) => text, headers))).status).toBe(401);
    }
  });

  test('headers beyond 16 KiB are 431', async () => {
    const answer = await client.send({
      ...readMember(shop, 'ada'),
      headers: { 'x-much': 'x'.repeat(17_000) },
    });
    expect(answer.status).toBe(431);
  });

  test.each(['', 'two words', 'x'.repeat(129), 'clé'])('X-Request-Id %j is replaced', async (id) => {
    for (const sent of [readMember(shop, 'ada'), mutation(value('-1'))]) {
      const answer = await client.send({ ...sent, headers: { ...sent.headers, 'x-request-id': id } });
      expect(answer.headers['x-request-id']).toMatch(/^req_[0-9a-z]{26}$/);
    }
  });
});

describe('paths', () => {
  test.each([
    ['/members/%zz', 422, 'validation_failed'],
    ['/members/%', 422, 'validation_failed'],
    ['/members/%ff', 422, 'validation_failed'],
    ['/members/%E2%82', 422, 'validation_failed'],
    ['/members/%ED%A0%80', 422, 'validation_failed'],
    ['/members/%00', 422, 'validation_failed'],
    ['/members/%20', 422, 'validation_failed'],
    [`/members/${'x'.repeat(201)}`, 422, 'validation_failed'],
    ['/members/ada?limit=1', 422, 'validation_failed'],
    ['/members/ada?%zz', 422, 'validation_failed'],
    ['/members/', 404, 'not_found'],
    ['/members//', 404, 'not_found'],
    ['/members/ada/', 404, 'not_found'],
    ['/members/../events', 404, 'not_found'],
    ['/members/%2e%2e%2fada', 404, 'member_not_found'],
    ['/members/__proto__', 404, 'member_not_found'],
    ['/members/%F0%9F%98%80', 404, 'member_not_found'],
  ])('GET %s: %i %s', async (path, status, code) => {
    const answer = await client.send(rest(shop, 'GET', path));
    expect(answer).toMatchObject({ status, code });
  });

  test.each(['/members/%zz/programs/p', '/members/ada/programs/%00', '/members/%ff/programs/%ff'])(
    'PUT %s: 422',
    async (path) => {
      const sent = { ...enroll(shop, 'ada', 'path'), path: `/api/v1${path}` };
      expect((await client.send(sent)).code).toBe('validation_failed');
    },
  );

  test.each(['/%zz', '/%', '/api/v1/%zz', '/api/graphql/%zz', '//', '/api//graphql'])(
    '%s is no path of ours',
    async (path) => {
      const answer = await client.send({ ...rest(shop, 'GET', ''), path });
      expect([404, 422]).toContain(answer.status);
      expect(answer.body.error?.requestId).toBeTruthy();
    },
  );

  test('ids with every character that is allowed come back as they were sent', async () => {
    for (const id of ['a/b', 'ü ñ', '😀', '%41', '"quoted"', "o'hara; drop table members", '__proto__']) {
      expect((await client.send(createMember(shop, id, `key-${encodeURIComponent(id)}`))).status).toBe(201);
      const { status, body } = await client.send(readMember(shop, id));
      expect({ status, member: body.member }).toEqual({
        status: 200,
        member: expect.objectContaining({ externalCustomerId: id }),
      });
    }
  });

  test('a new id has no invisible characters; a member who has some is served as before', async () => {
    const id = 'in\u200bvisible';
    const refused = await client.send(createMember(shop, id, 'invisible'));
    expect({ status: refused.status, path: refused.body.error?.details?.[0]?.path }).toEqual({
      status: 422,
      path: 'externalCustomerId',
    });
    await client.send(createMember(shop, 'visible', 'visible'));
    await database.adminPool.query(
      `update members set external_customer_id = $1 where external_customer_id = 'visible'`,
      [id],
    );
    expect((await client.send(readMember(shop, id))).status).toBe(200);
    expect((await client.send(enroll(shop, id, 'enroll-invisible'))).status).toBe(201);
    const bought = await client.send(
      earn(
        shop,
        { externalCustomerId: id, amountMinor: 500, sourceReference: 'order-of-invisible' },
        'invisible-order',
      ),
    );
    expect(bought.status).toBe(201);
  });
});

describe('GraphQL bodies', () => {
  test.each<[string, object | string, string]>([
    ['a batch', '[{"query":"{__typename}"}]', 'invalid_json'],
    ['no query', {}, 'invalid_request'],
    ['an empty query', { query: ' ' }, 'invalid_request'],
    ['a query that is none', { query: 1 }, 'invalid_request'],
    ['variables that are a list', { query: '{__typename}', variables: [] }, 'invalid_request'],
    ['an operation name that is none', { query: '{__typename}', operationName: 1 }, 'invalid_request'],
    ['an unknown member', { query: '{__typename}', id: 1 }, 'invalid_request'],
    ['NUL in the query', { query: '{__typename}\0' }, 'invalid_request'],
    ['no GraphQL', { query: '{' }, 'graphql_parse_failed'],
    ['an unknown field', { query: '{ members { id } }' }, 'graphql_validation_failed'],
    [
      'two commands',
      { query: 'mutation { a: __typename purchaseEarn { id } b: purchaseEarn { id } }' },
      'single_command_required',
    ],
    ['13 levels', { query: `{ ${'a { '.repeat(12)} b ${'}'.repeat(12)} }` }, 'depth_limit_exceeded'],
  ])('%s', async (_what, body, code) => {
    const sent = graphql(shop, '');
    const answer = await client.send({
      ...sent,
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    expect(answer).toMatchObject({ status: 400, code });
  });
});
