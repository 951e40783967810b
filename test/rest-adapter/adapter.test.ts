import { beforeEach, describe, expect, test } from '@jest/globals';
import {
  enrollment,
  json,
  mutationNames,
  mutations,
  newMember,
  payloads,
  purchase,
  sentBy,
  unenrollment,
} from '../support/rest-adapter/requests.ts';
import { useAdapter } from '../support/rest-adapter/serve-adapter.ts';

const served = useAdapter();
beforeEach(() => {
  served.reset();
  for (const [name, payload] of Object.entries(payloads)) served.resolvers[name] = () => payload;
});

test('the code of every error is reported, and of nothing else', async () => {
  await served.send(sentBy('purchaseEarn'));
  await served.send({ method: 'GET', path: '/nothing' });
  await served.send({ method: 'DELETE', path: '/events' });
  served.resolvers.purchaseEarn = () => {
    throw new Error('broken');
  };
  await served.send(sentBy('purchaseEarn'));
  expect(served.refused).toEqual(['not_found', 'method_not_allowed', 'internal_error']);
});

describe('success', () => {
  test.each([
    ['createMember', 201],
    ['updateMember', 200],
    ['enrollMember', 201],
    ['unenrollMember', 200],
    ['purchaseEarn', 201],
  ])('%s answers %d, and a replay 200', async (operation, status) => {
    const first = await served.send(sentBy(operation));
    expect(first.status).toBe(status);
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    served.resolvers[operation] = () => ({ ...payloads[operation], idempotent: true });
    const again = await served.send(sentBy(operation));
    expect(again.status).toBe(200);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.body).toEqual(first.body);
  });

  test('an enrollment that was there already answers 200 and is no replay', async () => {
    served.resolvers.enrollMember = () => ({ ...payloads.enrollMember, created: false });
    const answer = await served.send(sentBy('enrollMember'));
    expect(answer.status).toBe(200);
    expect(answer.headers['idempotent-replayed']).toBeUndefined();
  });

  test('a purchase has the body that the specification shows', async () => {
    const { idempotent, ...body } = payloads.purchaseEarn ?? {};
    expect(idempotent).toBe(false);
    const answer = await served.send(sentBy('purchaseEarn'));
    expect(answer.body).toEqual({ ...body, evaluationAt: '2026-01-01T00:00:00.000Z' });
    expect(Object.keys(answer.body).slice(0, 8)).toEqual([
      'id',
      'status',
      'requestId',
      'member',
      'award',
      'campaigns',
      'referral',
      'coupon',
    ]);
  });

  test('member answers', async () => {
    const read = await served.send(sentBy('member'));
    expect(read.status).toBe(200);
    expect(read.body).toEqual({
      requestId: 'r',
      member: {
        id: 'mem_1',
        externalCustomerId: 'cust-1',
        displayName: 'Ada',
        status: 'active',
        consentStatus: 'granted',
        identityStatus: 'unverified',
        consent: { status: 'granted', noticeVersion: 'v1', at: '2026-01-01T00:00:00.000Z' },
      },
      programs: payloads.member?.programs,
    });
    expect((await served.send(sentBy('createMember'))).body).toEqual({
      requestId: 'r',
      member: {
        id: 'mem_1',
        externalCustomerId: 'cust-1',
        displayName: 'Ada',
        status: 'active',
        consentStatus: 'granted',
      },
    });
    expect(Object.keys((await served.send(sentBy('enrollMember'))).body)).toEqual([
      'requestId',
      'member',
      'program',
    ]);
    expect((await served.send(sentBy('unenrollMember'))).body).toEqual({
      requestId: 'r',
      program: { programId: 'coffee-club', status: 'unenrolled' },
    });
  });

  test('HEAD is a GET without its body', async () => {
    const answer = await served.send({ method: 'HEAD', path: '/members/cust-1' });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({});
  });
});

describe('what reaches the operation', () => {
  test.each([
    ['purchaseEarn', { ...purchase, type: undefined, idempotencyKey: 'key-1' }],
    ['createMember', { ...newMember, idempotencyKey: 'key-1' }],
    ['updateMember', { displayName: 'Ada', externalCustomerId: 'cust-1', idempotencyKey: 'key-1' }],
    [
      'enrollMember',
      { ...enrollment, externalCustomerId: 'cust-1', programId: 'coffee-club', idempotencyKey: 'key-1' },
    ],
    [
      'unenrollMember',
      { ...unenrollment, externalCustomerId: 'cust-1', programId: 'coffee-club', idempotencyKey: 'key-1' },
    ],
  ])('%s', async (operation, input) => {
    await served.send(sentBy(operation));
    expect(JSON.parse(JSON.stringify(served.calls))).toEqual([{ input: JSON.parse(JSON.stringify(input)) }]);
  });

  test('numbers that are integers, a time in UTC, defaults and open attributes', async () => {
    const body = JSON.stringify({
      ...purchase,
      occurredAt: '2026-01-01T01:00:00+01:00',
      items: [{ sku: 's' }],
      context: {
        attributes: { svcEvaluation: { mode: 'receipt_time_current_configuration' }, shelf: [1.5] },
      },
    }).replace('1250', '125e1');
    const answer = await served.send(json('POST', '/events', {}, { body }));
    expect(answer.status).toBe(201);
    expect(served.calls[0]).toMatchObject({
      input: {
        amountMinor: 1250,
        occurredAt: '2026-01-01T00:00:00.000Z',
        items: [{ sku: 's', quantity: 1 }],
        context: {
          attributes: { svcEvaluation: { mode: 'receipt_time_current_configuration' }, shelf: [1.5] },
        },
      },
    });
  });

  test.each([
    ['/members/a%20b%2Fc%3F', 'a b/c?'],
    ['/members/%E2%82%AC', '€'],
    ['/members/a+b', 'a+b'],
    ['/members/..%2F..', '../..'],
  ])('the path %s names %j', async (path, externalCustomerId) => {
    expect((await served.send({ method: 'GET', path })).status).toBe(200);
    expect(served.calls).toEqual([{ externalCustomerId }]);
  });

  test('a read with a body needs no key, and hands none on', async () => {
    served.resolvers.evaluateOffers = () => ({
      requestId: 'r',
      subtotalMinor: 1,
      discountMinor: 0,
      totalMinor: 1,
      effects: [],
      notApplied: [],
      coupon: null,
    });
    const cart = { items: [{ sku: 'a', unitPriceMinor: 1 }] };
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify(cart);
    for (const given of [headers, { ...headers, 'idempotency-key': 'key-1' }]) {
      const answer = await served.send({ method: 'POST', path: '/offers/evaluate', headers: given, body });
      expect(answer.status).toBe(200);
      expect(answer.headers['idempotent-replayed']).toBeUndefined();
    }
    const input = { explain: false, items: [{ sku: 'a', unitPriceMinor: 1, quantity: 1 }] };
    expect(served.calls).toEqual([{ input }, { input }]);
    const unread = await served.send({ method: 'POST', path: '/offers/evaluate', headers });
    expect({ status: unread.status, calls: served.calls.length }).toEqual({ status: 400, calls: 2 });
  });

  test('the scopes of the contract are asked for', async () => {
    for (const operation of [...mutationNames, 'member']) await served.send(sentBy(operation));
    expect(served.admitted.map(({ scopes }) => scopes)).toEqual([
      ['members:write'],
      ['members:write'],
      ['members:write'],
      ['members:write'],
      ['events:write'],
      ['events:write'],
      ['members:read'],
    ]);
  });
});

describe('paths and headers', () => {
  test.each<[string, string, number, string | undefined]>([
    ['GET', '/nothing', 404, undefined],
    ['GET', '/', 404, undefined],
    ['GET', '/members/', 404, undefined],
    ['POST', '/events/', 404, undefined],
    ['POST', '//events', 404, undefined],
    ['GET', '/constructor', 404, undefined],
    ['GET', '/events', 405, 'POST'],
    ['OPTIONS', '/events', 405, 'POST'],
    ['PUT', '/members', 405, 'GET, POST, HEAD'],
    ['DELETE', '/members/c', 405, 'PATCH, GET, HEAD'],
    ['POST', '/members/c/programs/p', 405, 'PUT, DELETE'],
  ])('%s %s answers %d', async (method, path, status, allow) => {
    const answer = await served.send({ method, path });
    expect(answer.status).toBe(status);
    expect(answer.code).toBe(status === 404 ? 'not_found' : 'method_not_allowed');
    expect(answer.headers.allow).toBe(allow);
    expect(served.admitted).toEqual([]);
  });

  test.each([['a'], ['x'.repeat(128)], ['!~']])('the request id %s is given back', async (id) => {
    const answer = await served.send({ method: 'GET', path: '/members/c', headers: { 'x-request-id': id } });
    expect(answer.headers['x-request-id']).toBe(id);
    expect(served.admitted[0]?.requestId).toBe(id);
  });

  test.each([[''], ['x'.repeat(129)], ['a b'], ['caf\u00e9'], [['a', 'b']]])(
    'the request id %j is not',
    async (id) => {
      const answer = await served.send({ method: 'GET', path: '/nothing', headers: { 'x-request-id': id } });
      expect(answer.headers['x-request-id']).toMatch(/^made-\d+$/);
      expect(answer.body).toMatchObject({ error: { requestId: answer.headers['x-request-id'] } });
    },
  );

  test('every answer is JSON, not stored, and carries the rate limit', async () => {
    const refused = json('POST', '/events', {});
    for (const sent of [...Object.values(mutations), sentBy('member'), refused]) {
      const answer = await served.send(sent);
      expect(answer.headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store',
        ratelimit: '"default";r=599;t=60',
        'x-request-id': expect.any(String),
      });
    }
  });

  test('the host says how long to wait', async () => {
    const failure = { code: 'rate_limited' as const, message: 'wait' };
    served.admission = { ok: false, failure, headers: { 'Retry-After': '37' } };
    const answer = await served.send(sentBy('member'));
    expect({ status: answer.status, 'retry-after': answer.headers['retry-after'] }).toEqual({
      status: 429,
      'retry-after': '37',
    });
  });
});
