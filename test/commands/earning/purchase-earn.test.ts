import { describe, expect, test } from '@jest/globals';
import { toTypeId } from '../../../src/ids.ts';
import { codeOf, counter, Desk, daysFrom, receiptOf, rows } from '../../support/commands/desk.ts';
import { noon, program, rule } from '../../support/rules/fixtures.ts';

describe('what a purchase leaves behind', () => {
  test('the receipt holds award and evidence', () => {
    const desk = counter();
    const receipt = receiptOf(desk.earn({ amountMinor: 1999, sourceReference: 'o1' }));
    const [transaction] = rows(desk.store.tables.transactions);
    expect(receipt).toMatchObject({
      id: toTypeId('txn', transaction?.id ?? ''),
      status: 'committed',
      member: { id: toTypeId('mem', desk.member().id), externalCustomerId: 'ann', tier: 'bronze' },
      award: { points: 19, basePoints: 19, campaignPoints: 0 },
      campaigns: [],
      referral: null,
      coupon: null,
      evaluationMode: 'receipt_time_current_configuration',
      evaluationAt: noon.toISOString(),
      configurationVersion: 1,
      loyaltyUnitPrecision: 0,
      evidence: {
        amountMinor: 1999,
        occurredAt: noon.toISOString(),
        profile: { tier: 'bronze', qualificationPoints: 0, limitUsed: 0 },
      },
    });
    expect(receipt.ruleDecisions).toMatchObject([
      { kind: 'earn_rule', id: 'base', matched: true, points: 19 },
      { kind: 'tier', id: 'bronze', points: 0 },
    ]);
  });

  test('one transaction, one lot, one posting, one order, and the balance', () => {
    const desk = counter();
    const items = [{ lineReference: 'l1', sku: 'beans', quantity: 2, unitPriceMinor: 5000 }];
    desk.earn({ sourceReference: 'o1', items });
    const { transactions, lots, postings, orders } = desk.store.tables;
    const [transaction] = rows(transactions);
    const [lot] = rows(lots);
    expect(rows(transactions)).toEqual([
      expect.objectContaining({
        eventType: 'purchase.completed',
        sourceReference: 'o1',
        state: 'committed',
        points: 100,
        occurredAt: noon,
        createdAt: noon,
      }),
    ]);
    expect(rows(postings)).toEqual([
      expect.objectContaining({
        transactionId: transaction?.id,
        line: 1,
        debitAccount: 'program.issuance',
        creditAccount: 'member.available',
        amount: 100,
        lotId: lot?.id,
      }),
    ]);
    expect(rows(lots)).toEqual([
      expect.objectContaining({ granted: 100, available: 100, pending: 0, reserved: 0 }),
    ]);
    expect(rows(orders)).toEqual([
      {
        sourceReference: 'o1',
        programId: 'coffee-club',
        memberId: desk.member().id,
        transactionId: transaction?.id,
        state: 'active',
        amountMinor: 10_000,
        currency: 'USD',
        points: 100,
        returnedMinor: 0,
        clawedBack: 0,
        lines: items,
        returnedLines: null,
      },
    ]);
    expect(desk.profile()).toMatchObject({
      available: 100,
      pending: 0,
      reserved: 0,
      qualificationPoints: 100,
    });
  });

  test('an award of zero is a transaction with an order, and neither lot nor posting', () => {
    const desk = counter();
    expect(receiptOf(desk.earn({ amountMinor: 99 }))).toMatchObject({ award: { points: 0 } });
    const { transactions, orders, lots, postings } = desk.store.tables;
    expect({
      transactions: transactions.size,
      orders: orders.size,
      lots: lots.size,
      postings: postings.size,
    }).toEqual({ transactions: 1, orders: 1, lots: 0, postings: 0 });
  });

  test('an audit event and points.earned tell of it', () => {
    const desk = counter();
    const receipt = receiptOf(desk.earn({ sourceReference: 'o1' }));
    expect(rows(desk.store.tables.audits).at(-1)).toMatchObject({
      action: 'purchase.completed',
      targetType: 'transaction',
      targetId: receipt.id,
      actorId: 'key_a',
      requestId: 'req_a',
      changes: { programId: 'coffee-club', points: 100 },
    });
    expect(desk.store.webhookEvents.at(-1)).toEqual({
      type: 'points.earned',
      data: {
        transactionId: receipt.id,
        programId: 'coffee-club',
        memberId: toTypeId('mem', desk.member().id),
        externalCustomerId: 'ann',
        eventType: 'purchase.completed',
        sourceReference: 'o1',
        points: 100,
        basePoints: 100,
        campaignPoints: 0,
        activatesAt: null,
        occurredAt: noon.toISOString(),
        balances: { available: 100, pending: 0, reserved: 0 },
        profileVersion: 2,
      },
    });
  });

  test('an unknown coupon or referral code costs no points, and a decision says why', () => {
    const desk = counter();
    const receipt = receiptOf(
      desk.earn({ couponCode: 'NOPE', context: { attributes: { referralCode: 'R-1' } } }),
    );
    expect(receipt).toMatchObject({
      award: { points: 100 },
      coupon: { code: 'NOPE', valid: false, redeemed: false },
      referral: null,
    });
    expect(receipt.ruleDecisions).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: 'coupon', id: 'NOPE', matched: false, points: 0 }),
        expect.objectContaining({ kind: 'referral', id: 'R-1', matched: false, points: 0 }),
      ]),
    );
  });

  test('the same key gives the first receipt again, whatever has changed since', () => {
    const desk = counter();
    const input = desk.purchaseInput();
    const first = desk.earn(input);
    desk.publish(program({ earn: { rules: [rule('base', [], { rateNumerator: 9 })] } }));
    desk.now = daysFrom(noon, 40);
    desk.store.setLocked(true);
    expect(desk.earn(input)).toEqual({ receipt: receiptOf(first), idempotent: true });
    expect(desk.profile().available).toBe(100);
  });
});

test('refusals, each before the ones below it', () => {
  const day = (days: number): string => daysFrom(noon, days).toISOString();
  const desk = new Desk();
  const limited = program({ memberLimit: { points: 150, period: 'month', onExceed: 'reject' } });
  desk.publish(limited);
  desk.createMember();
  desk.enroll();
  desk.earn({ idempotencyKey: 'used', sourceReference: 'taken' });
  desk.setMember({ status: 'suspended' });
  desk.setProfile({ enrolled: false, unenrolledAt: noon });
  desk.store.setLocked(true);
  const svcEvaluation: Record<string, unknown> = { mode: 'event_time_pinned_configuration' };
  let input = desk.purchaseInput({
    idempotencyKey: 'used',
    programId: 'no-club',
    sourceReference: 'taken',
    currency: 'EUR',
    occurredAt: day(1),
    context: { attributes: { svcEvaluation } },
  });
  const steps: [code: string, repair: () => void][] = [
    ['idempotency_key_reused', () => (input = { ...input, idempotencyKey: 'fresh' })],
    ['production_locked', () => desk.store.setLocked(false)],
    ['program_not_found', () => (input = { ...input, programId: 'coffee-club' })],
    ['member_not_found', () => desk.setMember({ status: 'active' })],
    ['source_reference_conflict', () => (input = { ...input, sourceReference: 'free' })],
    ['enrollment_required', () => desk.setProfile({ enrolled: true, unenrolledAt: null })],
    // In the future.
    ['invalid_event', () => (input = { ...input, occurredAt: day(-1) })],
    // Pinned mode without its evidence.
    [
      'invalid_event',
      () => Object.assign(svcEvaluation, { configurationVersion: 2, memberTier: 'platinum' }),
    ],
    ['configuration_not_effective', () => Object.assign(svcEvaluation, { configurationVersion: 1 })],
    ['unknown_tier', () => Object.assign(svcEvaluation, { memberTier: 'bronze' })],
    ['currency_mismatch', () => (input = { ...input, currency: 'USD' })],
    ['member_limit_reached', () => desk.publish(program())],
    ['balance_limit_exceeded', () => desk.setProfile({ available: 0 })],
    ['done', () => {}],
  ];
  desk.setProfile({ available: Number.MAX_SAFE_INTEGER });
  for (const [code, repair] of steps) {
    expect(codeOf(desk.earn(input))).toBe(code);
    repair();
  }
  expect(desk.store.tables.orders.size).toBe(2);
});

test('the balance stops at 2^53-1, pending and reserved points included', () => {
  const desk = counter();
  desk.setProfile({ available: 1, pending: 1, reserved: Number.MAX_SAFE_INTEGER - 102 });
  expect(codeOf(desk.earn({ idempotencyKey: 'k', amountMinor: 10_100 }))).toBe('balance_limit_exceeded');
  expect(codeOf(desk.earn({ idempotencyKey: 'k', amountMinor: 10_000 }))).toBe('done');
});

test('the sum of the purchases stops at 2^53-1 minor units', () => {
  const desk = counter();
  desk.setProfile({ purchaseAmountMinor: Number.MAX_SAFE_INTEGER - 10_000 });
  expect(codeOf(desk.earn({ idempotencyKey: 'k', amountMinor: 10_001 }))).toBe('balance_limit_exceeded');
  expect(codeOf(desk.earn({ idempotencyKey: 'k', amountMinor: 10_000 }))).toBe('done');
});

test('clocks may differ by five minutes, and no more', () => {
  const desk = counter();
  const minutes = (count: number): string => new Date(noon.getTime() + count * 60_000).toISOString();
  expect(codeOf(desk.earn({ occurredAt: minutes(5) }))).toBe('done');
  expect(desk.earn({ occurredAt: minutes(5.01) })).toMatchObject({
    code: 'invalid_event',
    message: "occurredAt lies more than five minutes ahead of the server's time.",
  });
});

describe('tiers', () => {
  test('a purchase that reaches a threshold raises the tier at once, and the next one earns more', () => {
    const desk = counter();
    expect(receiptOf(desk.earn({ amountMinor: 99_900 }))).toMatchObject({ member: { tier: 'bronze' } });
    const rise = receiptOf(desk.earn({ amountMinor: 100 }));
    expect(rise).toMatchObject({ member: { tier: 'silver' }, award: { points: 1 } });
    expect(desk.profile()).toMatchObject({ tier: 'silver', qualificationPoints: 1000 });
    expect(receiptOf(desk.earn({ amountMinor: 10_000 }))).toMatchObject({ award: { points: 125 } });
    // The multiplier's points do not count for the tier.
    expect(desk.profile().qualificationPoints).toBe(1100);
  });

  test('a new year begins counting anew, in the tier that the old one reached', () => {
    const desk = counter({ qualification: { window: 'calendar_year' } });
    desk.earn({ amountMinor: 500_000 });
    expect(desk.profile().tier).toBe('gold');
    desk.now = new Date('2027-01-01T00:00:00.000Z');
    expect(receiptOf(desk.earn({ amountMinor: 200 }))).toMatchObject({
      award: { points: 3 },
      member: { tier: 'gold' },
    });
    expect(desk.profile().qualificationPoints).toBe(2);
    desk.now = new Date('2028-01-01T00:00:00.000Z');
    expect(receiptOf(desk.earn({ amountMinor: 200 }))).toMatchObject({
      award: { points: 2 },
      member: { tier: 'bronze' },
    });
  });
});

describe('lots', () => {
  test('points wait where the program says so, counted from the purchase', () => {
    const desk = counter({
      pending: { days: 14 },
      expiration: { policy: 'rolling_days', days: 365 },
    });
    desk.earn({ occurredAt: daysFrom(noon, -4).toISOString() });
    expect(desk.profile()).toMatchObject({ available: 0, pending: 100 });
    expect(rows(desk.store.tables.lots)).toMatchObject([
      { pending: 100, available: 0, activatesAt: daysFrom(noon, 10), expiresAt: daysFrom(noon, 375) },
    ]);
    expect(rows(desk.store.tables.postings)).toMatchObject([{ creditAccount: 'member.pending' }]);
    const activatesAt = daysFrom(noon, 10).toISOString();
    expect(desk.store.webhookEvents.at(-1)).toMatchObject({ type: 'points.earned', data: { activatesAt } });
  });

  test('a purchase older than the waiting time is available at once', () => {
    const desk = counter({ pending: { days: 14 } });
    desk.earn({ occurredAt: daysFrom(noon, -14).toISOString() });
    expect(desk.profile()).toMatchObject({ available: 100, pending: 0 });
    expect(rows(desk.store.tables.lots)).toMatchObject([{ activatesAt: null, expiresAt: null }]);
  });
});
