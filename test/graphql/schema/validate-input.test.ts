import { describe, expect, test } from '@jest/globals';
import customerContracts from '../../../rest-adapter/generated/customer-route-contracts.json' with {
  type: 'json',
};
import contracts from '../../../rest-adapter/generated/route-contracts.json' with { type: 'json' };
import inputSchemas from '../../../src/graphql/generated/input-schemas.json' with { type: 'json' };
import { compileSchema, validateInput } from '../../../src/graphql/schema/validate-input.ts';

test('every schema of the contract can be compiled', () => {
  for (const name of Object.keys(inputSchemas)) expect(validateInput(name, null)).not.toEqual([]);
  for (const { parameters, query, body } of [customerContracts, contracts].flatMap(Object.values)) {
    for (const schema of [{ type: 'object', properties: parameters }, query, body])
      if (schema) expect(compileSchema(schema)(null)).not.toEqual([]);
  }
});

const purchase = {
  idempotencyKey: 'k-1',
  programId: 'coffee-club',
  externalCustomerId: 'cust-1',
  amountMinor: 1250,
  channel: 'web',
  sourceReference: 'order-1',
};
const pinned = { mode: 'event_time_pinned_configuration', configurationVersion: 1, memberTier: 'base' };

describe('PurchaseEarnInput', () => {
  test.each([
    ['the least', {}],
    [
      'null for what is optional',
      { couponCode: null, currency: null, items: null, occurredAt: null, context: null },
    ],
    [
      'null for what is optional below',
      { items: [{ sku: null, quantity: null }], context: { attributes: null } },
    ],
    ['0 and 10^12', { amountMinor: 1e12, items: [{ quantity: 1_000_000, unitPriceMinor: 1 }] }],
    ['200 characters beyond the BMP', { sourceReference: '😀'.repeat(200) }],
    ['an inner space', { sourceReference: 'order 1' }],
    [
      'open attributes',
      { context: { attributes: { anything: { goes: [1, 'x', null] }, referralCode: 'R-1' } } },
    ],
    [
      'pinned mode with all of its evidence',
      { occurredAt: '2026-01-01T00:00:00Z', context: { attributes: { svcEvaluation: pinned } } },
    ],
    [
      'receipt mode alone',
      { context: { attributes: { svcEvaluation: { mode: 'receipt_time_current_configuration' } } } },
    ],
    ['a date with an offset', { occurredAt: '2024-02-29T23:59:59.999+14:00' }],
  ])('takes %s', (_name, change) => {
    expect(validateInput('PurchaseEarnInput', { ...purchase, ...change })).toEqual([]);
  });

  test.each<[string, object, string, string | RegExp]>([
    ['a missing field', { channel: undefined }, 'channel', 'is required'],
    ['null for what is required', { programId: null }, 'programId', 'must be a string'],
    ['an unknown property', { amount: 5 }, 'amount', 'is not a known property'],
    [
      'an unknown property below',
      { items: [{}, { colour: 'red' }] },
      'items[1].colour',
      'is not a known property',
    ],
    ['an odd name', { 'a b': 5 }, '["a b"]', 'is not a known property'],
    ['a fraction', { amountMinor: 12.5 }, 'amountMinor', / in minor units, such as 1250 for 12.50$/],
    ['a number as text', { amountMinor: '1250' }, 'amountMinor', / for 12.50, not a string$/],
    ['a negative amount', { amountMinor: -1 }, 'amountMinor', 'must be at least 0'],
    ['an amount too large', { amountMinor: 1e12 + 1 }, 'amountMinor', 'must be at most 1000000000000'],
    [
      'an invisible character',
      { sourceReference: 'order\u200b-1' },
      'sourceReference',
      /or invisible characters/,
    ],
    ['an unknown channel', { channel: 'phone' }, 'channel', 'must be one of web, store, app'],
    ['a price of zero', { items: [{ unitPriceMinor: 0 }] }, 'items[0].unitPriceMinor', 'must be at least 1'],
    ['items that are no list', { items: {} }, 'items', 'must be an array'],
    ['too many items', { items: Array(1001).fill({}) }, 'items', 'must have at most 1000 items'],
    ['an empty id', { sourceReference: '' }, 'sourceReference', 'must have at least 1 character'],
    [
      '201 characters',
      { sourceReference: 'x'.repeat(201) },
      'sourceReference',
      'must have at most 200 characters',
    ],
    ['a leading space', { sourceReference: ' x' }, 'sourceReference', /without a space at either end/],
    ['a trailing newline', { sourceReference: 'x\n' }, 'sourceReference', /without control or/],
    ['NUL', { sourceReference: 'a\0b' }, 'sourceReference', /without control or/],
    ['a lower-case currency', { currency: 'usd' }, 'currency', /ISO 4217/],
    [
      'a day without time',
      { occurredAt: '2026-01-01' },
      'occurredAt',
      /\(a date alone is not enough: 2026-01-01T00:00:00Z\)$/,
    ],
    [
      'a plus sign that a query has made a space',
      { occurredAt: '2026-01-01T00:00:00 01:00' },
      'occurredAt',
      /send %2B\)$/,
    ],
    ['a time without zone', { occurredAt: '2026-01-01T00:00:00' }, 'occurredAt', /RFC 3339/],
    ['30 February', { occurredAt: '2026-02-30T00:00:00Z' }, 'occurredAt', /RFC 3339/],
    [
      'an unknown mode',
      { context: { attributes: { svcEvaluation: { mode: 'x' } } } },
      'context.attributes.svcEvaluation.mode',
      /must be one of/,
    ],
    [
      'version 0',
      { context: { attributes: { svcEvaluation: { configurationVersion: 0 } } } },
      'context.attributes.svcEvaluation.configurationVersion',
      'must be at least 1',
    ],
    [
      'an unknown evaluation property',
      { context: { attributes: { svcEvaluation: { tier: 'x' } } } },
      'context.attributes.svcEvaluation.tier',
      'is not a known property',
    ],
    [
      'a referral code that is no text',
      { context: { attributes: { referralCode: 5 } } },
      'context.attributes.referralCode',
      'must be a string',
    ],
    [
      'too many attributes',
      { context: { attributes: Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`a${i}`, 1])) } },
      'context.attributes',
      'must have at most 100 properties',
    ],
    [
      'pinned mode without a time',
      { context: { attributes: { svcEvaluation: pinned } } },
      'occurredAt',
      'is required',
    ],
    [
      'pinned mode with a null time',
      { occurredAt: null, context: { attributes: { svcEvaluation: pinned } } },
      'occurredAt',
      'must be a string',
    ],
    [
      'pinned mode without a tier',
      {
        occurredAt: '2026-01-01T00:00:00Z',
        context: { attributes: { svcEvaluation: { ...pinned, memberTier: undefined } } },
      },
      'context.attributes.svcEvaluation.memberTier',
      'is required',
    ],
    [
      'pinned mode without a version',
      {
        occurredAt: '2026-01-01T00:00:00Z',
        context: { attributes: { svcEvaluation: { ...pinned, configurationVersion: null } } },
      },
      'context.attributes.svcEvaluation.configurationVersion',
      'must be an integer',
    ],
  ])('refuses %s', (_name, change, path, message) => {
    const details = validateInput('PurchaseEarnInput', { ...purchase, ...change });
    expect(details).toEqual([{ path, message: expect.stringMatching(message) }]);
  });

  test('names unknown properties first, and the one that was meant', () => {
    const schema = {
      type: 'object',
      properties: { externalCustomerId: { type: 'string' }, channel: { type: 'string' } },
      required: ['externalCustomerId'],
      additionalProperties: false,
    };
    const value = { externalCustomrId: 'ada', zebra: 1 };
    expect(compileSchema(schema)(value)).toEqual([
      { path: 'externalCustomrId', message: 'is not a known property (Did you mean externalCustomerId?)' },
      { path: 'zebra', message: 'is not a known property' },
      { path: 'externalCustomerId', message: 'is required' },
    ]);
    expect(compileSchema(schema, false)(value)[0]?.message).toBe('is not a known property');
  });

  test('names every path once, up to twenty', () => {
    expect(validateInput('PurchaseEarnInput', {})).toHaveLength(6);
    const items = Array(1000).fill({ quantity: 0, unitPriceMinor: 0 });
    const details = validateInput('PurchaseEarnInput', { ...purchase, items });
    expect(details.map(({ path }) => path)).toEqual(
      Array.from({ length: 10 }, (_, index) => [
        `items[${index}].quantity`,
        `items[${index}].unitPriceMinor`,
      ]).flat(),
    );
  });
});

test('a list that is too long is refused as a whole, and its items are not looked at', () => {
  let looks = 0;
  const item = {
    get lineReference() {
      looks += 1;
      return 1;
    },
  };
  const details = validateInput('PurchaseEarnInput', { ...purchase, items: Array(60_000).fill(item) });
  expect(details).toEqual([{ path: 'items', message: 'must have at most 1000 items' }]);
  expect(looks).toBe(0);
});

describe('the other inputs', () => {
  const enrollment = {
    idempotencyKey: 'k',
    externalCustomerId: 'c',
    programId: 'p',
    consentStatus: 'opted_in',
    noticeVersion: 'v1',
    evidence: { source: 'app' },
  };

  test.each<[string, string, object, string]>([
    [
      'enrollment without consent',
      'EnrollMemberInput',
      { ...enrollment, consentStatus: 'opted_out' },
      'consentStatus',
    ],
    ['empty evidence', 'EnrollMemberInput', { ...enrollment, evidence: {} }, 'evidence'],
    ['evidence that is a list', 'EnrollMemberInput', { ...enrollment, evidence: [1] }, 'evidence'],
    [
      'NUL in a notice version',
      'EnrollMemberInput',
      { ...enrollment, noticeVersion: 'a\0' },
      'noticeVersion',
    ],
    ['a key with a space', 'EnrollMemberInput', { ...enrollment, idempotencyKey: 'a b' }, 'idempotencyKey'],
    [
      'a key of 256 characters',
      'EnrollMemberInput',
      { ...enrollment, idempotencyKey: 'k'.repeat(256) },
      'idempotencyKey',
    ],
    ['an argument of a query', 'Query.member', { externalCustomerId: '' }, 'externalCustomerId'],
  ])('refuse %s', (_name, type, value, path) => {
    expect(validateInput(type, value)).toEqual([{ path, message: expect.any(String) }]);
  });

  test('an email is checked', () => {
    const member = {
      idempotencyKey: 'k',
      externalCustomerId: 'c',
      consentStatus: 'opted_out',
      noticeVersion: 'v',
    };
    expect(validateInput('CreateMemberInput', { ...member, email: 'a@example.com' })).toEqual([]);
    expect(validateInput('CreateMemberInput', { ...member, email: 'a@' })).toEqual([
      { path: 'email', message: 'must be an email address' },
    ]);
  });

  test('an unknown type is our mistake', () => {
    expect(() => validateInput('NoInput', {})).toThrow('NoInput');
  });
});

describe('an id', () => {
  const member = { idempotencyKey: 'k', consentStatus: 'opted_in', noticeVersion: 'v1' };
  const invisible = [0x200b, 0x200d, 0x202e, 0x2066, 0xfeff, 0x2028, 0x00ad, 0xe0041];

  test.each(invisible.map((code) => [code.toString(16), String.fromCodePoint(code)]))(
    'of a new member has no U+%s; one that exists can be read and used',
    (_code, character) => {
      const externalCustomerId = `a${character}b`;
      expect(validateInput('CreateMemberInput', { ...member, externalCustomerId })).toEqual([
        {
          path: 'externalCustomerId',
          message:
            'must be 1 to 200 characters, without control or invisible characters and without a space at either end',
        },
      ]);
      expect(validateInput('Query.member', { externalCustomerId })).toEqual([]);
      expect(validateInput('PurchaseEarnInput', { ...purchase, externalCustomerId })).toEqual([]);
      expect(validateInput('TransactionFilter', { sourceReference: externalCustomerId })).toEqual([]);
    },
  );

  test.each(['Zoë 張 Ω', 'e\u0301', '👩', 'a  b', 'ا'])('of a new member may be %j', (externalCustomerId) => {
    expect(validateInput('CreateMemberInput', { ...member, externalCustomerId })).toEqual([]);
  });
});

describe('evidence', () => {
  const reversed = { idempotencyKey: 'k', reservationId: 'rsv_1', reason: 'r' };
  const violations = (cancellationEvidence: unknown) =>
    validateInput('ReverseRedemptionInput', { ...reversed, cancellationEvidence });

  test.each<[unknown]>([[{ a: null }], [{ a: '' }], [{ a: {} }], [{ a: [], b: null }]])(
    '%j says nothing',
    (evidence) => {
      const message = 'must have a value other than null, "", {} and []';
      expect(violations(evidence)).toEqual([{ path: 'cancellationEvidence', message }]);
    },
  );

  test.each<[unknown]>([[{ a: 0 }], [{ a: false }], [{ a: null, b: 'x' }], [{ a: [1] }], [null]])(
    '%j is taken',
    (evidence) => {
      expect(violations(evidence)).toEqual([]);
    },
  );

  test('{} has no property', () => {
    expect(violations({})).toHaveLength(1);
  });
});
