import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import schemas from '../../src/graphql/generated/input-schemas.json' with { type: 'json' };
import { validateInput } from '../../src/graphql/schema/validate-input.ts';
import { importEnrollmentKey, importKey } from '../../src/import/import-keys.ts';
import type { PurchaseRow } from '../../src/import/purchase-columns.ts';
import { type RowDefaults, readPurchaseRow } from '../../src/import/purchase-row.ts';

const defaults: RowDefaults = { programId: 'club', channel: 'store', currency: null, atEventTime: null };
const read = (cells: PurchaseRow, using: RowDefaults) =>
  readPurchaseRow(cells, using, (input) => validateInput('PurchaseEarnInput', input));
const row: PurchaseRow = { external_customer_id: 'ada', source_reference: 'o-1', amount_minor: '1177' };

test('the three required columns are enough', () => {
  expect(read(row, defaults)).toEqual({
    ok: true,
    input: {
      idempotencyKey: 'import:o-1',
      programId: 'club',
      externalCustomerId: 'ada',
      sourceReference: 'o-1',
      amountMinor: 1177,
      channel: 'store',
    },
  });
});

test('other columns win over the options, and empty cells do not', () => {
  const full = {
    ...row,
    channel: 'app',
    currency: 'EUR',
    coupon_code: 'TEN',
    occurred_at: '2026-02-28',
    items: '[]',
  };
  expect(read(full, { ...defaults, currency: 'USD' })).toMatchObject({
    input: {
      channel: 'app',
      currency: 'EUR',
      couponCode: 'TEN',
      occurredAt: '2026-02-28T00:00:00Z',
      items: [],
    },
  });
  expect(read({ ...row, channel: '', currency: '' }, { ...defaults, currency: 'USD' })).toMatchObject({
    input: { channel: 'store', currency: 'USD' },
  });
});

test.each(['', '11.77', '1e3', '-5', '+5', ' 5', '0x10', '٣', '99999999999999999'])(
  'an amount of "%s" is no integer of minor units',
  (amount_minor) => {
    expect(read({ ...row, amount_minor }, defaults)).toMatchObject({ ok: false });
  },
);

test.each(['{', '{}', '"x"', 'null'])('items of %s are no list', (items) => {
  expect(read({ ...row, items }, defaults)).toMatchObject({ ok: false });
});

test.each([
  ['a lone surrogate', '[{"sku":"\\ud800"}]', 'items[0].sku must not contain a lone surrogate'],
  ['a key twice', '[{"sku":"a","sku":"b"}]', 'items has a key twice'],
  [
    'a number that would be rounded',
    '[{"quantity":1.00000000000000000001}]',
    'items[0].quantity is a fraction',
  ],
  ['a number beyond 2^53', '[{"quantity":9007199254740993}]', 'items[0].quantity must be at most 1000000'],
  ['more than the list', '[],"amountMinor":1', 'items must be a JSON array'],
])('items are as strict as a body: %s', (_what, items, message) => {
  expect(read({ ...row, items }, defaults)).toMatchObject({
    ok: false,
    message: expect.stringContaining(message),
  });
});

describe('at event time', () => {
  const pinned: RowDefaults = { ...defaults, atEventTime: { configurationVersion: 3, memberTier: 'bronze' } };

  test('version and tier come from the row, else from the options', () => {
    const dated = { ...row, occurred_at: '2026-01-31T12:00:00Z' };
    const mode = 'event_time_pinned_configuration';
    expect(read(dated, pinned)).toMatchObject({
      input: {
        context: { attributes: { svcEvaluation: { mode, configurationVersion: 3, memberTier: 'bronze' } } },
      },
    });
    expect(read({ ...dated, configuration_version: '4', member_tier: 'gold' }, pinned)).toMatchObject({
      input: {
        context: { attributes: { svcEvaluation: { mode, configurationVersion: 4, memberTier: 'gold' } } },
      },
    });
  });

  test.each([
    ['an instant', {}, pinned],
    [
      'a version',
      { occurred_at: '2026-01-31', member_tier: 'gold' },
      { ...defaults, atEventTime: { configurationVersion: null, memberTier: null } },
    ],
    [
      'a tier',
      { occurred_at: '2026-01-31', configuration_version: '1' },
      { ...defaults, atEventTime: { configurationVersion: null, memberTier: null } },
    ],
  ])('a row without %s is rejected', (_what, cells, options) => {
    expect(read({ ...row, ...cells }, options)).toMatchObject({ ok: false });
  });
});

test('keys are 1 to 255 visible ASCII characters, and differ where names do', () => {
  const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(name, name, (one, other) => {
      expect(importKey(one)).toMatch(/^[\x21-\x7e]{1,255}$/);
      expect(importKey(one) === importKey(other)).toBe(one === other);
    }),
  );
});

test('enrollments of different customers or programs have different keys, and fit', () => {
  const part = fc.string({ unit: fc.constantFrom('a', ' ', '"', ',', '[', '\\'), maxLength: 6 });
  fc.assert(
    fc.property(part, part, part, part, (program, customer, otherProgram, otherCustomer) => {
      const same = program === otherProgram && customer === otherCustomer;
      const [key, other] = [
        importEnrollmentKey(program, customer),
        importEnrollmentKey(otherProgram, otherCustomer),
      ];
      expect(key === other).toBe(same);
      expect(key).toMatch(/^[\x21-\x7e]{1,255}$/);
    }),
  );
  expect(importEnrollmentKey('a b', 'c')).not.toBe(importEnrollmentKey('a', 'b c'));
});

test('the rule for amounts names the bounds of the contract', () => {
  const { minimum, maximum } = schemas.PurchaseEarnInput.properties.amountMinor;
  expect(read({ ...row, amount_minor: '-1' }, defaults)).toMatchObject({
    message: expect.stringContaining(`from ${minimum} to ${maximum}`),
  });
});
