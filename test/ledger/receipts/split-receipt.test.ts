import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { newUuid, toTypeId } from '../../../src/ids.ts';
import {
  joinReceipt,
  type ReceiptColumns,
  splitReceipt,
} from '../../../src/ledger/receipts/split-receipt.ts';

const at = new Date('2026-11-21T17:42:04.948Z');
const row: ReceiptColumns = { id: newUuid(), memberId: newUuid(), points: 12, createdAt: at, occurredAt: at };

const receipt = {
  id: toTypeId('txn', row.id),
  status: 'committed',
  member: { id: toTypeId('mem', row.memberId), externalCustomerId: 'ann', tier: 'bronze' },
  award: { points: 12, basePoints: 12, campaignPoints: 0 },
  campaigns: [],
  referral: null,
  coupon: null,
  evaluationMode: 'receipt_time_current_configuration',
  evaluationAt: at.toISOString(),
  configurationVersion: 3,
  loyaltyUnitPrecision: 2,
  ruleDecisions: [
    { kind: 'earn_rule', id: 'app', matched: false, reason: 'Does not hold: amount gte 5.', points: 0 },
    { kind: 'earn_rule', id: 'base', matched: true, reason: null, points: 12 },
    { kind: 'tier', id: 'bronze', matched: true, reason: 'Multiplies by 1/1.', points: 0 },
    { kind: 'member_limit', id: 'member_limit', matched: false, reason: 'Within the limit.', points: 0 },
  ],
  evidence: {
    amountMinor: 1250,
    channel: 'web',
    currency: 'USD',
    occurredAt: at.toISOString(),
    attributes: null,
    profile: { tier: 'bronze', qualificationPoints: 700, limitUsed: 0 },
  },
};

/** What is read back of a value that is stored as JSON. */
function stored<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

test('of a receipt only what differs from others is stored with the purchase', () => {
  expect(splitReceipt(receipt, row).ownValues).toEqual({
    configurationVersion: 3,
    amountMinor: 1250,
    values: ['ann', 700, 0],
  });
});

test('another purchase of another member through the same channel under the same rules has the same template', () => {
  const other = { ...row, id: newUuid(), memberId: newUuid(), points: 99, createdAt: new Date() };
  const similar = {
    ...receipt,
    id: toTypeId('txn', other.id),
    member: { id: toTypeId('mem', other.memberId), externalCustomerId: 'bob', tier: 'bronze' },
    award: { points: 99, basePoints: 99, campaignPoints: 0 },
    evaluationAt: other.createdAt.toISOString(),
    ruleDecisions: receipt.ruleDecisions.with(1, { ...receipt.ruleDecisions[1], points: 99 } as never),
    evidence: { ...receipt.evidence, amountMinor: 9900 },
  };
  const templates = [splitReceipt(similar, other), splitReceipt(receipt, row)].map(
    ({ template }) => template,
  );
  expect(JSON.stringify(templates[0])).toBe(JSON.stringify(templates[1]));
});

test.each([
  ['a coupon that was typed', { kind: 'coupon', id: 'SUMMER', matched: false, reason: 'Unknown coupon.' }],
  ['a referral code', { kind: 'referral', id: 'ABC-DEF', matched: true, reason: 'Gives 3 points.' }],
])('%s is a value, its id and its reason too', (_what, decision) => {
  const { template, ownValues } = splitReceipt(
    { ...receipt, ruleDecisions: [{ ...decision, points: 0 }] },
    row,
  );
  expect(JSON.stringify(template)).not.toContain(decision.id);
  expect(ownValues.values).toEqual(expect.arrayContaining([decision.id, decision.reason]));
});

test.each([
  ['a cap', { kind: 'campaign_cap', id: 'spring.total', matched: true, reason: '60 of 100 were given.' }],
  ['a limit', { kind: 'member_limit', id: 'member_limit', matched: true, reason: '70 of 90 points.' }],
])('the amounts in the reason of %s that takes effect are values', (_what, decision) => {
  const { template, ownValues } = splitReceipt(
    { ...receipt, ruleDecisions: [{ ...decision, points: -4 }] },
    row,
  );
  expect(ownValues.values).toEqual(expect.arrayContaining([decision.reason, -4]));
  expect(JSON.stringify(template)).toContain(decision.id);
});

test('what the controls compare is stored under its name, even if it is 0', () => {
  const campaigns = [{ campaignId: 'spring', points: 3 }];
  const poolCode = { poolId: 'pool', shown: 'AB' };
  const { ownValues } = splitReceipt(
    { ...receipt, campaigns, evidence: { ...receipt.evidence, amountMinor: 0, poolCode } },
    { ...row, createdAt: new Date() },
  );
  expect(ownValues).toMatchObject({ amountMinor: 0, campaigns, poolCode, evaluationAt: at.toISOString() });
});

describe('the parts give the receipt back, byte for byte', () => {
  const returned = (of: object, columns: ReceiptColumns): string => {
    const { template, ownValues } = splitReceipt(of, columns);
    return JSON.stringify(
      joinReceipt(
        { template: stored(template), ownValues: { template: 'id', ...stored(ownValues) } as never },
        columns,
      ),
    );
  };

  test('as it is', () => {
    expect(returned(receipt, row)).toBe(JSON.stringify(receipt));
  });

  test('where dates and points differ from those of the transaction', () => {
    const other = { ...row, points: 5, createdAt: new Date(1), occurredAt: new Date(2) };
    expect(returned(receipt, other)).toBe(JSON.stringify(receipt));
  });

  const leaf = fc.oneof(
    fc.constantFrom<unknown>(
      null,
      true,
      false,
      0,
      12,
      '',
      '=points',
      '=',
      row.id,
      receipt.id,
      at.toISOString(),
      undefined,
    ),
    fc.constantFrom<unknown>(at, [], {}, [{}], { constructor: 1 }, ['a', 1]),
    fc.string(),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  );
  const name = fc.oneof(
    fc.constantFrom(
      ...'id member award points basePoints evaluationAt occurredAt kind reason tier'.split(' '),
    ),
    fc.constantFrom(
      ...'ruleDecisions lines coupon evidence amountMinor poolCode attributes status matched constructor 0 1'.split(
        ' ',
      ),
    ),
    fc.string().filter((text) => text !== '__proto__'),
  );
  const { tree } = fc.letrec<{ tree: unknown; object: object }>((tie) => ({
    tree: fc.oneof({ maxDepth: 4 }, leaf, tie('object'), fc.array(tie('tree'), { maxLength: 3 })),
    object: fc.dictionary(name, tie('tree'), { maxKeys: 6, noNullPrototype: true }),
  }));

  test('whatever is in it', () => {
    fc.assert(
      fc.property(fc.dictionary(name, tree, { noNullPrototype: true }), (any) => {
        expect(returned(any, row)).toBe(JSON.stringify(any));
      }),
      { numRuns: 2_000 },
    );
  });
});
