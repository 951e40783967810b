import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { newUuid, toTypeId } from '../../../src/ids.ts';
import { storedData, wholeData } from '../../../src/ledger/tables/event-data.ts';

const at = new Date('2026-03-04T12:00:00.120Z');
const id = newUuid();
const columns = { id, type: 'points.earned', programId: 'coffee-club', at };

/** The data of a purchase that earned its base points and nothing else. */
const usual = {
  transactionId: toTypeId('txn', id),
  programId: 'coffee-club',
  eventType: 'purchase.completed',
  sourceReference: 'order-1',
  points: 7,
  basePoints: 7,
  campaignPoints: 0,
  activatesAt: null as string | null,
  occurredAt: at.toISOString(),
  balances: { available: 107, pending: 0, reserved: 3 },
  profileVersion: 12,
};

/** The data after it was written to the database and read again. */
function readAgain(data: object): object {
  const stored = storedData({ ...columns, data });
  return wholeData({ ...columns, data: JSON.parse(JSON.stringify(stored)) as object });
}

test('of a purchase, only what its other columns do not say is stored', () => {
  expect(storedData({ ...columns, data: usual })).toEqual(['order-1', 7, 107, 0, 3, 12]);
  expect(JSON.stringify(readAgain(usual))).toBe(JSON.stringify(usual));
});

test.each([
  ['campaign points', { points: 10, campaignPoints: 3 }],
  ['pending points', { activatesAt: '2026-03-11T12:00:00.120Z' }],
  ['a purchase of another time', { occurredAt: '2026-03-01T08:00:00.000Z' }],
])('%s are stored with it', (_what, differs) => {
  const data = { ...usual, ...differs };
  expect(storedData({ ...columns, data })).toHaveLength(10);
  expect(JSON.stringify(readAgain(data))).toBe(JSON.stringify(data));
});

test.each<[string, object]>([
  ['of another transaction', { ...usual, transactionId: toTypeId('txn', newUuid()) }],
  ['of another program', { ...usual, programId: 'tea-club' }],
  ['of a challenge', { ...usual, eventType: 'challenge.awarded', challengeId: 'visits' }],
  ['with a field that is new', { ...usual, note: 1 }],
  ['with a balance that is new', { ...usual, balances: { ...usual.balances, lent: 1 } }],
  ['without a balance', { ...usual, balances: { available: 1, pending: 0 } }],
  ['with fields in another order', Object.fromEntries(Object.entries(usual).toReversed())],
])('data %s is stored whole', (_what, data) => {
  expect(storedData({ ...columns, data })).toBe(data);
});

test('events of other types, and data that was emptied, are left as they are', () => {
  expect(storedData({ ...columns, type: 'points.expired', data: usual })).toBe(usual);
  expect(wholeData({ ...columns, data: null })).toBeNull();
});

test('whatever is in the data, it is read byte for byte as it was reported', () => {
  const text = fc.string({ unit: 'binary' });
  const json = fc.jsonValue();
  const field = <Value>(likely: fc.Arbitrary<Value>) => fc.oneof({ arbitrary: likely, weight: 8 }, json);
  const amount = fc.nat();
  const data = fc.record(
    {
      transactionId: field(fc.constant(usual.transactionId)),
      programId: field(fc.constant('coffee-club')),
      eventType: field(fc.constant('purchase.completed')),
      sourceReference: field(fc.option(text)),
      points: field(amount),
      basePoints: field(amount),
      campaignPoints: field(amount),
      activatesAt: field(fc.option(text)),
      occurredAt: field(fc.constant(usual.occurredAt)),
      balances: field(fc.record({ available: amount, pending: amount, reserved: amount })),
      profileVersion: field(amount),
    },
    { requiredKeys: ['eventType', 'balances'] },
  );
  fc.assert(
    fc.property(data, (reported) => {
      expect(JSON.stringify(readAgain(reported))).toBe(JSON.stringify(reported));
    }),
    { numRuns: 2_000 },
  );
});

describe('of a redemption', () => {
  const reserved = {
    reservationId: toTypeId('rsv', newUuid()),
    transactionId: toTypeId('txn', id),
    programId: 'coffee-club',
    rewardId: 'mug',
    sourceReference: 'checkout-1',
    points: 10,
    expiresAt: '2026-03-04T12:30:00.120Z',
    balances: { available: 107, pending: 0, reserved: 10 },
    profileVersion: 12,
  };
  const { expiresAt: _expiresAt, balances, profileVersion, ...redeemed } = reserved;
  const committed = { ...redeemed, authorizationReference: 'auth-1', balances, profileVersion };

  test.each([
    ['redemption.reserved', reserved, 1, reserved.expiresAt],
    ['redemption.committed', committed, 2, 'auth-1'],
  ])('%s: only what its other columns do not say is stored', (type, data, mark, own) => {
    const stored = storedData({ ...columns, type, data });
    expect(stored).toEqual([mark, reserved.reservationId, 'mug', 'checkout-1', 10, own, 107, 0, 10, 12]);
    expect(JSON.stringify(wholeData({ ...columns, data: stored }))).toBe(JSON.stringify(data));
  });

  test.each<[string, string, object]>([
    ['of another type', 'redemption.released', committed],
    ['of the other type', 'redemption.reserved', committed],
    [
      'of another transaction',
      'redemption.reserved',
      { ...reserved, transactionId: toTypeId('txn', newUuid()) },
    ],
    ['of another program', 'redemption.reserved', { ...reserved, programId: 'tea-club' }],
    ['with a field that is new', 'redemption.reserved', { ...reserved, note: 1 }],
    [
      'with a balance that is new',
      'redemption.committed',
      { ...committed, balances: { ...balances, lent: 1 } },
    ],
    ['without balances', 'redemption.committed', redeemed],
    ['without its own text', 'redemption.committed', { ...committed, authorizationReference: undefined }],
    [
      'with fields in another order',
      'redemption.reserved',
      Object.fromEntries(Object.entries(reserved).toReversed()),
    ],
  ])('data %s is stored whole', (_what, type, data) => {
    expect(storedData({ ...columns, type, data })).toBe(data);
  });
});
