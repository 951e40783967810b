import { beforeEach, describe, expect, test } from '@jest/globals';
import {
  enrollment,
  json,
  newMember,
  payloads,
  purchase,
  unenrollment,
} from '../support/rest-adapter/requests.ts';
import { type Sent, useAdapter } from '../support/rest-adapter/serve-adapter.ts';

const served = useAdapter();
beforeEach(() => {
  served.reset();
  for (const [name, payload] of Object.entries(payloads)) served.resolvers[name] = () => payload;
});

describe('what violates the contract', () => {
  test.each<[string, Sent, string, string[]]>([
    ['another event type', json('POST', '/events', { ...purchase, type: 'x' }), 'invalid_event', ['type']],
    ['no event type', json('POST', '/events', { ...purchase, type: undefined }), 'invalid_event', ['type']],
    [
      'nothing',
      json('POST', '/events', {}),
      'invalid_event',
      ['type', 'programId', 'externalCustomerId', 'amountMinor', 'channel', 'sourceReference'],
    ],
    [
      'a key in the body',
      json('POST', '/events', { ...purchase, idempotencyKey: 'k' }),
      'invalid_event',
      ['idempotencyKey'],
    ],
    [
      'a path parameter in the body',
      json('PUT', '/members/c/programs/p', { ...enrollment, programId: 'p' }),
      'validation_failed',
      ['programId'],
    ],
    [
      'consent that is refused',
      json('PUT', '/members/c/programs/p', { ...enrollment, consentStatus: 'opted_out' }),
      'validation_failed',
      ['consentStatus'],
    ],
    [
      'consent on the way out',
      json('DELETE', '/members/c/programs/p', { ...unenrollment, consentStatus: 'opted_in' }),
      'validation_failed',
      ['consentStatus'],
    ],
    [
      'no reason',
      json('DELETE', '/members/c/programs/p', { ...unenrollment, reason: '' }),
      'validation_failed',
      ['reason'],
    ],
    [
      'NUL in the path',
      json('PUT', '/members/a%00/programs/p', enrollment),
      'validation_failed',
      ['externalCustomerId'],
    ],
    [
      'a bad encoding in the path',
      json('PUT', '/members/c/programs/%zz', enrollment),
      'validation_failed',
      ['programId'],
    ],
    [
      'half a character in the path',
      json('PUT', '/members/c/programs/%E2%82', enrollment),
      'validation_failed',
      ['programId'],
    ],
    [
      'a path and a body',
      json('PUT', '/members/%20/programs/p', {}),
      'validation_failed',
      ['externalCustomerId', 'consentStatus', 'noticeVersion', 'evidence'],
    ],
    [
      'a query on a mutation',
      json('POST', '/events?amountMinor=1', purchase),
      'invalid_event',
      ['amountMinor'],
    ],
    ['a query on a read', { method: 'GET', path: '/members/c?limit=1' }, 'validation_failed', ['limit']],
    [
      'a bad encoding on a read',
      { method: 'GET', path: '/members/%ff' },
      'validation_failed',
      ['externalId'],
    ],
    ['NUL on a read', { method: 'GET', path: '/members/%00' }, 'validation_failed', ['externalId']],
    [
      '201 characters on a read',
      { method: 'GET', path: `/members/${'x'.repeat(201)}` },
      'validation_failed',
      ['externalId'],
    ],
    [
      'values that JSON allows',
      json(
        'POST',
        '/events',
        {},
        {
          body: JSON.stringify({ ...purchase, context: { attributes: { n: 0 } } }).replace(
            '"n":0',
            '"__proto__":{"x":1},"n":1e400,"s":"\\ud800","z":"\\u0000"',
          ),
        },
      ),
      'invalid_event',
      [
        'context.attributes.__proto__',
        'context.attributes.n',
        'context.attributes.s',
        'context.attributes.z',
      ],
    ],
    [
      '2^53+1',
      json('POST', '/events', {}, { body: JSON.stringify(purchase).replace('1250', '9007199254740993') }),
      'invalid_event',
      ['amountMinor'],
    ],
    [
      'a rounded fraction',
      json(
        'POST',
        '/events',
        {},
        { body: JSON.stringify(purchase).replace('1250', '100.00000000000000001') },
      ),
      'invalid_event',
      ['amountMinor'],
    ],
  ])('%s', async (_name, sent, code, paths) => {
    const answer = await served.send(sent);
    expect({ status: answer.status, code: answer.code, paths: answer.paths }).toEqual({
      status: 422,
      code,
      paths,
    });
    expect(served.calls).toEqual([]);
  });

  test.each([
    ['9007199254740993', 'must be at most 1000000000000'],
    ['1e400', 'must be at most 1000000000000'],
    ['-9007199254740993', 'must be at least 0'],
  ])('an amount of %s is told the bounds that hold', async (amount, message) => {
    const body = JSON.stringify(purchase).replace('1250', amount);
    const answer = await served.send(json('POST', '/events', {}, { body }));
    expect(JSON.stringify(answer.body)).toContain(JSON.stringify([{ path: 'amountMinor', message }]));
  });

  test('programs at member creation are refused by their own code, an empty list is not', async () => {
    const some = await served.send(json('POST', '/members', { programIds: ['p'], colour: 'red' }));
    expect(some).toMatchObject({ status: 422, code: 'explicit_program_enrollment_required' });
    const none = await served.send(json('POST', '/members', { ...newMember, programIds: [] }));
    expect(none.status).toBe(201);
  });

  test('a body of exactly 128 KiB is read', async () => {
    const text = JSON.stringify(purchase);
    const exact = text + ' '.repeat(131_072 - text.length);
    expect((await served.send(json('POST', '/events', {}, { body: exact }))).status).toBe(201);
    const over = await served.send(json('POST', '/events', {}, { body: `${exact} ` }));
    expect(over).toMatchObject({ status: 413, code: 'payload_too_large' });
  });
});
