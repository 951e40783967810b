import { request } from 'node:http';
import { afterEach, describe, expect, test } from '@jest/globals';
import { GraphQLError } from 'graphql';
import { refusalError } from '../../../src/graphql/errors/errors.ts';
import { refuse } from '../../../src/refusal.ts';
import {
  codeOf,
  type Edge,
  type EdgeOptions,
  earnDocument,
  memberAnswer,
  purchaseAnswer,
  purchaseInput,
  startEdge,
} from '../../support/graphql/edge-server.ts';

let edge: Edge;
afterEach(() => edge.close());

const memberQuery = '{ member(externalCustomerId: "c-1") { member { displayName } } }';
const earn = { variables: { input: purchaseInput } };

async function start(options: EdgeOptions = {}) {
  edge = await startEdge(options);
}

describe('scopes', () => {
  test('are checked as the field executes, also out of fragments', async () => {
    await start();
    const reply = await edge.run(
      '{ __typename ...F } fragment F on Query { ... { m: member(externalCustomerId: "c") { requestId } } }',
      {},
      { authorization: 'Bearer writer' },
    );
    expect(reply.status).toBe(403);
    expect(reply.body.data).toEqual({ __typename: 'Query', m: null });
    expect(reply.body.errors).toEqual([
      expect.objectContaining({
        path: ['m'],
        extensions: { code: 'insufficient_scope', httpStatus: 403, requestId: 'req_1' },
      }),
    ]);
    expect(edge.calls).toEqual([]);
  });

  test('of a mutation', async () => {
    await start();
    const reply = await edge.run(earnDocument, earn, { authorization: 'Bearer reader' });
    expect({ status: reply.status, code: codeOf(reply) }).toEqual({
      status: 403,
      code: 'insufficient_scope',
    });
    expect(reply.body.data).toEqual({ purchaseEarn: null });
    expect(edge.calls).toEqual([]);
  });

  test('one field refused of two is a partial answer', async () => {
    await start({
      extraTypeDefs: 'extend type Query { secret: Consent @scope(requires: ["audit:read"]) }',
      extraQueries: { secret: () => null },
    });
    const reply = await edge.run('{ secret { at } member(externalCustomerId: "c") { requestId } }');
    expect(reply.status).toBe(200);
    expect(reply.body.data).toEqual({ secret: null, member: { requestId: 'r' } });
    expect(reply.body.errors).toHaveLength(1);
    expect(codeOf(reply)).toBe('insufficient_scope');
  });
});

describe('input', () => {
  test('that breaks the contract is validation_failed with its details, and nothing runs', async () => {
    await start();
    const reply = await edge.run(earnDocument, {
      variables: { input: { ...purchaseInput, amountMinor: -1, sourceReference: ' x' } },
    });
    expect(reply.status).toBe(200);
    expect(reply.body.data).toEqual({ purchaseEarn: null });
    expect(reply.body.errors?.[0]?.message).toBe(
      'The input violates the contract: amountMinor must be at least 0, and 1 more in details',
    );
    expect(reply.body.errors?.[0]?.extensions).toMatchObject({
      code: 'validation_failed',
      httpStatus: 422,
      details: expect.arrayContaining([
        expect.objectContaining({ path: 'amountMinor' }),
        expect.objectContaining({ path: 'sourceReference' }),
      ]),
    });
    expect(edge.calls).toEqual([]);
  });

  test.each(['""', '" c"', `"${'c'.repeat(201)}"`])('argument %s is refused likewise', async (id) => {
    await start();
    const reply = await edge.run(`{ member(externalCustomerId: ${id}) { requestId } }`);
    expect({ status: reply.status, code: codeOf(reply) }).toEqual({ status: 200, code: 'validation_failed' });
    expect(reply.body.errors?.[0]?.extensions.details?.[0]?.path).toBe('externalCustomerId');
    expect(edge.calls).toEqual([]);
  });

  test("null by a variable with a default is the client's mistake, not ours", async () => {
    await start();
    const reply = await edge.run(
      'query ($id: String = "c") { member(externalCustomerId: $id) { requestId } }',
      { variables: { id: null } },
    );
    expect(codeOf(reply)).toBe('graphql_validation_failed');
    expect(edge.logged).toEqual([]);
  });
});

describe('of many mistakes twenty errors are answered, the last of which says that there are more', () => {
  const unknown = (count: number) => {
    const fields = Array.from({ length: count }, (_, index) => `f${index}`).join(' ');
    return edge.run(`{ member(externalCustomerId: "c") { ${fields} } }`);
  };
  const unfit = (count: number) =>
    edge.run(earnDocument, { variables: { input: { ...purchaseInput, items: Array(count).fill(1) } } });

  test.each([
    ['a document', unknown, /^Too many validation errors/],
    ['variables', unfit, /^Too many errors in the variables/],
  ])('in %s', async (_where, send, more) => {
    await start();
    for (const count of [1, 19, 20, 21, 60]) {
      const { errors = [] } = (await send(count)).body;
      expect([count, errors.length]).toEqual([count, Math.min(count, 20)]);
      const last = errors.filter(({ message }) => more.test(message));
      expect([count, last]).toEqual([count, count < 20 ? [] : [errors[19]]]);
      const codes = new Set(errors.map(({ extensions }) => extensions.code));
      expect(codes).toEqual(new Set(['graphql_validation_failed']));
    }
    expect(edge.calls).toEqual([]);
  });
});

describe('a mistake in a document', () => {
  test.each([
    [
      '{ member(externalCustomerId: "c") { member { nick } } }',
      'Cannot query field "nick" on type "Member". It is at member.member.nick.',
    ],
    [
      '{ a: member(externalCustomerId: "c") { ... { programs { ...P } } } } ' +
        'fragment P on ProgramProfile { balances { sum } }',
      'Cannot query field "sum" on type "AccountBalance". It is at member.programs.balances.sum.',
    ],
    [
      '{ member(externalCustomerId: "c") { programs { ...P } } } fragment P on ' +
        'ProgramProfile @skip(if: true) { balances { sum } }',
      'Cannot query field "sum" on type "AccountBalance". It is at ...P.balances.sum.',
    ],
    [
      'mutation { purchaseEarn(input: { amountMinor: "much" }) { id } }',
      /^Long .*It is at purchaseEarn\.input\.amountMinor\.$/,
    ],
    [
      '{ member(externalCustomerId: "c") @include(if: 1) { requestId } }',
      'Boolean cannot represent a non boolean value: 1. It is at member.if.',
    ],
    [
      '{ member { requestId } }',
      'Argument "Query.member(externalCustomerId:)" of type "String!" is required, but it was not provided.',
    ],
  ])('%s says where it is', async (document, message) => {
    await start();
    const replies = await Promise.all(
      ['sandbox', 'production'].map((environment) =>
        edge.run(document, {}, { 'x-environment': environment }),
      ),
    );
    for (const { body } of replies) {
      const messages = body.errors?.map((error) => error.message.replace(/ Did you mean .*/, ''));
      expect(messages).toContainEqual(typeof message === 'string' ? message : expect.stringMatching(message));
    }
    expect(JSON.stringify(replies[1]?.body)).not.toContain('Did you mean');
  });

  test('at a long place shows the end of it', async () => {
    await start();
    const reply = await edge.run(
      `{ member(externalCustomerId: "c") { ...${'F'.repeat(500)} } } fragment ` +
        `${'F'.repeat(500)} on MemberResult @skip(if: false) { member { a { b } } }`,
    );
    expect(reply.body.errors?.[0]?.message.length).toBeLessThan(301);
  });
});

describe('refusals of the business', () => {
  test.each([
    ['enrollment_required', 409],
    ['member_not_found', 404],
    ['currency_mismatch', 422],
  ] as const)('%s is 200 with its code and httpStatus', async (code, httpStatus) => {
    await start({
      purchaseEarn: (_root, _args, { requestId }) => {
        throw refusalError(refuse(code, 'No.', [{ path: 'a', message: 'b' }]), requestId);
      },
    });
    const reply = await edge.run(earnDocument, earn, { 'x-request-id': 'trace' });
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      data: { purchaseEarn: null },
      errors: [
        {
          message: 'No.',
          path: ['purchaseEarn'],
          locations: expect.anything(),
          extensions: { code, httpStatus, requestId: 'trace', details: [{ path: 'a', message: 'b' }] },
        },
      ],
    });
    expect(edge.logged).toEqual([]);
  });

  test('overload is 503 with Retry-After', async () => {
    await start({
      purchaseEarn: (_root, _args, { requestId }) => {
        throw refusalError(refuse('overloaded', 'Too much is waiting.'), requestId);
      },
    });
    const reply = await edge.run(earnDocument, earn);
    expect({
      status: reply.status,
      code: codeOf(reply),
      'retry-after': reply.headers.get('retry-after'),
    }).toEqual({ status: 503, code: 'overloaded', 'retry-after': '1' });
  });
});

describe('a database that does not answer', () => {
  const away = () => Promise.reject(Object.assign(new Error('secret: 10.0.0.1'), { code: '57P03' }));

  test('is 503 with Retry-After where it met every field, logged and with no word of it', async () => {
    await start({ purchaseEarn: away });
    const reply = await edge.run(earnDocument, earn);
    expect({
      status: reply.status,
      code: codeOf(reply),
      'retry-after': reply.headers.get('retry-after'),
    }).toEqual({ status: 503, code: 'unavailable', 'retry-after': '1' });
    expect(reply.body.errors?.[0]?.extensions.httpStatus).toBe(503);
    expect(JSON.stringify(reply.body)).not.toContain('secret');
    expect(edge.logged).toHaveLength(1);
  });

  test('beside an answer leaves the answer', async () => {
    await start({
      member: (_root, { externalCustomerId }) => (externalCustomerId === 'c' ? memberAnswer : away()),
    });
    const two =
      '{ a: member(externalCustomerId: "c") { requestId } b: member(externalCustomerId: "d") { requestId } }';
    const reply = await edge.run(two);
    expect({ status: reply.status, code: codeOf(reply) }).toEqual({ status: 200, code: 'unavailable' });
    expect(reply.body.data).toEqual({ a: { requestId: 'r' }, b: null });
  });
});

describe('unexpected errors', () => {
  test.each([
    ['an Error', () => Promise.reject(new Error('secret: connection to 10.0.0.1 refused'))],
    ['a GraphQLError of somebody else', () => Promise.reject(new GraphQLError('secret'))],
    ['what is no Error', () => Promise.reject('secret')],
    ['a missing value', () => ({ ...purchaseAnswer, id: null, secret: 1 })],
    ['a value that does not serialize', () => ({ ...purchaseAnswer, status: 'secret' })],
  ])('%s leaves as "Internal error", 500, and is logged', async (_name, purchaseEarn) => {
    await start({ purchaseEarn });
    const reply = await edge.run(earnDocument, earn);
    expect(reply.status).toBe(500);
    expect(JSON.stringify(reply.body)).not.toContain('secret');
    expect(reply.body.errors).toEqual([
      expect.objectContaining({
        message: 'Internal error',
        extensions: { code: 'internal_error', httpStatus: 500, requestId: 'req_1' },
      }),
    ]);
    expect(edge.logged).toHaveLength(1);
    expect(edge.logged[0]?.fields).toMatchObject({ requestId: 'req_1' });
  });

  test('beside an answer leave the answer', async () => {
    await start({
      member: (_root, { externalCustomerId }) => {
        if (externalCustomerId === 'bad') throw new TypeError('secret');
        return memberAnswer;
      },
    });
    const reply = await edge.run(
      '{ good: member(externalCustomerId: "c") { requestId } bad: member(externalCustomerId: "bad") { requestId } }',
    );
    expect(reply.status).toBe(500);
    expect(reply.body.data).toEqual({ good: { requestId: 'r' }, bad: null });
    expect(reply.body.errors?.map(({ path }) => path)).toEqual([['bad']]);
  });
});

describe('rate limit', () => {
  test('each top-level field takes a unit; the one over it fails alone', async () => {
    await start({ unitsPerWindow: 3 });
    const two =
      '{ a: member(externalCustomerId: "c") { requestId } b: member(externalCustomerId: "d") { requestId } }';
    const first = await edge.run(two);
    expect(first.headers.get('ratelimit')).toBe('"default";r=1;t=60');
    const second = await edge.run(two);
    expect(second.status).toBe(200);
    expect(second.body.data).toEqual({ a: { requestId: 'r' }, b: null });
    expect(codeOf(second)).toBe('rate_limited');
    const third = await edge.run(two);
    expect(third.status).toBe(429);
    expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(50);
    expect(third.headers.get('ratelimit')).toMatch(/r=0;t=\d+$/);
    expect(edge.calls).toHaveLength(3);
  });

  test('comes before the scope', async () => {
    await start({ unitsPerWindow: 1 });
    const writer = { authorization: 'Bearer writer' };
    expect((await edge.run(memberQuery, {}, writer)).status).toBe(403);
    expect((await edge.run(memberQuery, {}, writer)).status).toBe(429);
  });

  test.each([
    ['a refused document', '{ nowhere }', 400],
    ['introspection', '{ __schema { __typename } }', 200],
    ['__typename', '{ __typename }', 200],
  ])('%s takes one unit too', async (_name, query, status) => {
    await start({ unitsPerWindow: 1 });
    const first = await edge.run(query);
    expect({ status: first.status, ratelimit: first.headers.get('ratelimit') }).toEqual({
      status,
      ratelimit: '"default";r=0;t=60',
    });
    const second = await edge.run(query);
    expect({ status: second.status, code: codeOf(second), data: second.body.data }).toEqual({
      status: 429,
      code: 'rate_limited',
      data: null,
    });
  });

  test('with nothing left, the answer does not wait for the body', async () => {
    await start({ unitsPerWindow: 1 });
    await edge.run(memberQuery);
    const headers = { ...edge.authorized, 'content-length': '1000' };
    const status = await new Promise((resolve, reject) => {
      const sent = request(edge.url, { method: 'POST', headers }, (response) => {
        resolve([response.statusCode, Number(response.headers['retry-after']) > 50]);
        sent.destroy();
      });
      sent.on('error', reject).write('{"query": "');
    });
    expect(status).toEqual([429, true]);
  });

  test("is each key's own", async () => {
    await start({ unitsPerWindow: 1 });
    expect((await edge.run(memberQuery)).status).toBe(200);
    expect((await edge.run(memberQuery, {}, { authorization: 'Bearer reader' })).status).toBe(200);
    expect((await edge.run(memberQuery)).status).toBe(429);
  });
});
