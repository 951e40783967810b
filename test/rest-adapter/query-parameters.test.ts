import { beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readQuery } from '../../rest-adapter/query-parameters.ts';
import { payloads } from '../support/rest-adapter/requests.ts';
import { useAdapter } from '../support/rest-adapter/serve-adapter.ts';

const served = useAdapter();
beforeEach(() => {
  served.reset();
  for (const [name, payload] of Object.entries(payloads)) served.resolvers[name] = () => payload;
});

const list = (query: string) => served.send({ method: 'GET', path: `/transactions?${query}` });

describe('what reaches the operation', () => {
  test.each<[string, Record<string, unknown>]>([
    ['', { limit: 50 }],
    ['limit=7', { limit: 7 }],
    ['&limit=200&', { limit: 200 }],
    ['cursor=a-b_c', { limit: 50, cursor: 'a-b_c' }],
    ['sourceReference=order+1%2F2%26', { limit: 50, filter: { sourceReference: 'order 1/2&' } }],
    ['sourceReference=a=b', { limit: 50, filter: { sourceReference: 'a=b' } }],
    ['source%52eference=%E2%82%AC', { limit: 50, filter: { sourceReference: '€' } }],
    ['sourceReference=12', { limit: 50, filter: { sourceReference: '12' } }],
    [
      'programId=p&externalCustomerId=c&eventType=order.returned&state=reversed&limit=1',
      {
        limit: 1,
        filter: { programId: 'p', externalCustomerId: 'c', eventType: 'order.returned', state: 'reversed' },
      },
    ],
    [
      'from=2026-01-01T01:00:00%2B01:00&to=2026-02-01T00:00:00Z',
      { limit: 50, filter: { from: '2026-01-01T00:00:00.000Z', to: '2026-02-01T00:00:00.000Z' } },
    ],
  ])('%s', async (query, variables) => {
    const answer = await list(query);
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 200,
      body: { requestId: 'r', data: [], page: { nextCursor: 'c2', hasMore: true } },
    });
    expect(JSON.parse(JSON.stringify(served.calls))).toEqual([variables]);
  });
});

describe('what is refused, by the name of the parameter', () => {
  test.each<[string, string, string]>([
    ['colour=red', 'colour', 'is not a known parameter'],
    ['filter=1', 'filter', 'is not a known parameter'],
    ['filter.state=reversed', 'filter.state', 'is not a known parameter'],
    ['__proto__=1', '__proto__', 'is not a known parameter'],
    ['Limit=1', 'Limit', 'is not a known parameter'],
    ['=1', '', 'is not a known parameter'],
    [`${'n'.repeat(300)}=1`, 'n'.repeat(100), 'is not a known parameter'],
    ['limit=1&limit=1', 'limit', 'must be given once'],
    ['%zz=1', '%zz', 'is not percent-encoded UTF-8'],
    ['sourceReference=%E2%82', 'sourceReference', 'is not percent-encoded UTF-8'],
    ['limit=%', 'limit', 'is not percent-encoded UTF-8'],
    ['limit=0', 'limit', 'must be at least 1'],
    ['limit=-1', 'limit', 'must be at least 1'],
    ['limit=201', 'limit', 'must be at most 200'],
    ['limit', 'limit', 'must be an integer'],
    ['limit=', 'limit', 'must be an integer'],
    ['limit=1.0', 'limit', 'must be an integer'],
    ['limit=1e2', 'limit', 'must be an integer'],
    ['limit=0x10', 'limit', 'must be an integer'],
    ['limit=01', 'limit', 'must be an integer'],
    ['limit=-0', 'limit', 'must be an integer'],
    ['limit=+1', 'limit', 'must be an integer'],
    ['limit=null', 'limit', 'must be an integer'],
    ['limit=99999999999999999999', 'limit', 'must be an integer'],
    ['limit=9007199254740993', 'limit', 'must be an integer'],
    ['state=gone', 'state', 'must be one of committed, reversed'],
    [
      'eventType=purchase',
      'eventType',
      'must be one of purchase.completed, order.returned, challenge.awarded, referral.awarded, ' +
        'points.activated, points.expired, redemption.reserved, redemption.committed, ' +
        'redemption.released, redemption.expired, redemption.reversed, adjustment.posted, ' +
        'adjustment.reversed, exchange.settled, exchange.reversed, member.merged, member.unmerged',
    ],
    ['programId=', 'programId', 'must have at least 1 character'],
    ['sourceReference=%00', 'sourceReference', expect.stringContaining('control') as unknown as string],
    ['cursor=', 'cursor', 'must have at least 1 character'],
    ['from=2026-01-01', 'from', expect.stringMatching(/RFC 3339/) as unknown as string],
    // The plus sign of an offset has to be encoded: unencoded it means a space.
    ['from=2026-01-01T01:00:00+01:00', 'from', expect.stringMatching(/RFC 3339/) as unknown as string],
  ])('%s', async (query, path, message) => {
    const answer = await list(query);
    expect(answer).toMatchObject({ status: 422, code: 'validation_failed' });
    expect((answer.body.error as { details: object[] }).details).toEqual([{ path, message }]);
    expect(served.calls).toEqual([]);
  });

  test('several at once, each once', async () => {
    const answer = await list('limit=x&limit=y&colour=red&state=gone&colour=blue');
    expect(answer.paths).toEqual(['limit', 'colour', 'state']);
  });
});

test('a boolean is true or false', () => {
  const schema = { properties: { really: { type: 'boolean' } } };
  const values = ['true', 'false', 'yes', ''].map(
    (text) => readQuery(`really=${text}`, schema).values.really,
  );
  expect(values).toEqual([true, false, 'yes', '']);
});

test('reads back what URLSearchParams writes', () => {
  const schema = { properties: { a: { type: 'string' }, n: { type: 'integer' } } };
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.maxSafeInteger(), (a, n) => {
      const { values, details } = readQuery(String(new URLSearchParams({ a, n: String(n) })), schema);
      expect({ values, details }).toEqual({ values: { a, n }, details: [] });
    }),
  );
});
