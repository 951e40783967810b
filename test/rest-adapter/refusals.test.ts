import { beforeEach, describe, expect, test } from '@jest/globals';
import { type ErrorCode, httpStatusOf } from '../../src/contract/generated/error-codes.ts';
import { json, mutationNames, payloads, purchase, sentBy } from '../support/rest-adapter/requests.ts';
import type { Answer } from '../support/rest-adapter/serve-adapter.ts';
import { refusal, type Sent, useAdapter } from '../support/rest-adapter/serve-adapter.ts';

const served = useAdapter();
beforeEach(() => {
  served.reset();
  for (const [name, payload] of Object.entries(payloads)) served.resolvers[name] = () => payload;
});

describe('the order of the checks', () => {
  const denied = (code: ErrorCode) => ({ ok: false as const, failure: { code, message: 'no' }, headers: {} });
  const tooLong = `{"a":"${'x'.repeat(131_072)}`;
  /** Each request breaks every rule from its own on, so the first broken one in order must answer. */
  const steps: [string, Partial<Sent>, string, number][] = [
    [
      '415',
      { headers: { 'content-type': 'text/plain', 'idempotency-key': '' }, body: tooLong },
      'unsupported_media_type',
      415,
    ],
    ['413', { headers: { 'idempotency-key': '' }, body: tooLong }, 'payload_too_large', 413],
    ['400 JSON', { headers: { 'idempotency-key': '' }, body: '[' }, 'invalid_json', 400],
    ['400 key', { headers: { 'idempotency-key': '' }, body: '{"a":1e400}' }, 'idempotency_key_required', 400],
    ['422', { body: '{"a":1e400}' }, '', 422],
  ];

  test.each(mutationNames.flatMap((name) => steps.map((step) => [name, ...step] as const)))(
    '%s: %s',
    async (operation, _step, change, code, status) => {
      const sent = sentBy(operation);
      const answer = await served.send({
        ...sent,
        ...change,
        headers: { ...sent.headers, ...change.headers },
      });
      const violation = operation === 'purchaseEarn' ? 'invalid_event' : 'validation_failed';
      expect(answer).toMatchObject({ status, code: code || violation });
      expect(served.calls).toEqual([]);
    },
  );

  test.each<[ErrorCode]>([['unauthorized'], ['rate_limited'], ['insufficient_scope']])(
    '%s comes before everything that is in the request',
    async (code) => {
      for (const operation of mutationNames) {
        served.admission = denied(code);
        const headers = { 'content-type': 'text/plain' };
        const answer = await served.send({ ...sentBy(operation), headers, body: tooLong });
        expect({ status: answer.status, code: answer.code }).toEqual({ status: httpStatusOf[code], code });
      }
      const answer = await served.send({ method: 'GET', path: '/members/%zz?x=1' });
      expect(answer.code).toBe(code);
    },
  );

  test('whoever is refused without being read can go on using the connection', async () => {
    served.admission = denied('unauthorized');
    const first = await served.send({ ...sentBy('purchaseEarn'), body: Buffer.alloc(1_000_000, 32) });
    expect(first.status).toBe(401);
    expect(first.headers['www-authenticate']).toBe('Bearer');
  });
});

describe('a request without its body', () => {
  const unenroll = {
    method: 'DELETE',
    path: '/members/c-1/programs/coffee-club',
    headers: { 'idempotency-key': 'k' } as Record<string, string>,
  };
  const needs = 'The body is empty: DELETE takes a JSON object with noticeVersion, evidence, reason.';
  const messageOf = (answer: Answer) => (answer.body.error as { message: string }).message;

  test('says which fields it needs', async () => {
    const headers = { ...unenroll.headers, 'content-type': 'application/json' };
    const answer = await served.send({ ...unenroll, headers, body: '' });
    expect({ status: answer.status, code: answer.code, message: messageOf(answer) }).toEqual({
      status: 400,
      code: 'invalid_json',
      message: needs,
    });
  });

  test('says so too where it announces no JSON', async () => {
    const answer = await served.send(unenroll);
    expect(answer).toMatchObject({ status: 415, code: 'unsupported_media_type' });
    expect(messageOf(answer)).toBe(`Send Content-Type: application/json, in UTF-8. ${needs}`);
    const withBody = await served.send({ ...unenroll, body: '{}' });
    expect(messageOf(withBody)).toBe('Send Content-Type: application/json, in UTF-8.');
  });
});

describe('idempotency key', () => {
  test.each([
    ['bare', 'abc-123', 'abc-123'],
    ['quoted', '"abc-123"', 'abc-123'],
    ['quoted with escapes', '"a\\"b\\\\c"', 'a"b\\c'],
    ['255 characters', 'k'.repeat(255), 'k'.repeat(255)],
    ['255 quoted characters', `"${'k'.repeat(255)}"`, 'k'.repeat(255)],
    ['a comma', 'a,b', 'a,b'],
    ['a quote inside', 'a"b', 'a"b'],
  ])('%s', async (_name, key, expected) => {
    const answer = await served.send(
      json('POST', '/events', purchase, { headers: { 'idempotency-key': key } }),
    );
    expect(answer.status).toBe(201);
    expect(served.calls).toMatchObject([{ input: { idempotencyKey: expected } }]);
  });

  test.each<[string, string | string[]]>([
    ['empty', ''],
    ['quoted and empty', '""'],
    ['two', ['a', 'b']],
    ['two equal', ['a', 'a']],
    ['an empty one and another', ['', 'b']],
    ['two halves of a quoted one', ['"a', 'b"']],
    ['256 characters', 'k'.repeat(256)],
    ['a space', 'a b'],
    ['a quoted space', '"a b"'],
    ['an open quote', '"abc'],
    ['parameters', '"abc";q=1'],
    ['Latin-1', 'caf\u00e9'],
  ])('%s counts as missing', async (_name, key) => {
    const answer = await served.send(
      json('POST', '/events', purchase, { headers: { 'idempotency-key': key } }),
    );
    expect(answer).toMatchObject({ status: 400, code: 'idempotency_key_required' });
  });

  test.each(mutationNames)('%s needs one', async (operation) => {
    const answer = await served.send({
      ...sentBy(operation),
      headers: { 'content-type': 'application/json' },
    });
    expect(answer).toMatchObject({ status: 400, code: 'idempotency_key_required' });
  });
});

describe('refusals of an operation', () => {
  test.each(Object.entries(httpStatusOf).filter(([code]) => code !== 'internal_error'))(
    '%s is answered %d',
    async (code, status) => {
      served.resolvers.createMember = () => {
        throw refusal(code as ErrorCode, [{ path: 'a', message: 'b' }]);
      };
      const answer = await served.send(sentBy('createMember'));
      expect(answer.status).toBe(status);
      expect(answer.body).toEqual({
        error: {
          code,
          message: `Refused: ${code}`,
          requestId: answer.headers['x-request-id'],
          details: [{ path: 'a', message: 'b' }],
        },
      });
      expect(answer.headers['retry-after']).toBe(status === 429 || status === 503 ? '1' : undefined);
      expect(served.reported).toEqual([]);
    },
  );

  test('an event that turns out to be invalid is an invalid event', async () => {
    served.resolvers.purchaseEarn = () => {
      throw refusal('validation_failed');
    };
    expect((await served.send(sentBy('purchaseEarn'))).code).toBe('invalid_event');
  });

  test.each<[string, () => unknown]>([
    [
      'an exception',
      () => {
        throw new Error('secret');
      },
    ],
    [
      'an unknown code',
      () => {
        throw Object.assign(refusal('not_found'), { extensions: { code: 'toString' } });
      },
    ],
    ['a payload that breaks its type', () => ({ requestId: 'r' })],
    ['no payload', () => null],
  ])('%s is an internal error', async (_name, resolve) => {
    served.resolvers.purchaseEarn = resolve;
    const answer = await served.send(sentBy('purchaseEarn'));
    expect(answer.status).toBe(500);
    expect(answer.body).toEqual({
      error: { code: 'internal_error', message: 'Internal error', requestId: answer.headers['x-request-id'] },
    });
    expect(served.reported).toHaveLength(1);
  });
});
