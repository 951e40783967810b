import { describe, expect, test } from '@jest/globals';
import { toTypeId } from '../../../src/ids.ts';
import { MAX_POINTS } from '../../../src/ledger/books/posting.ts';
import type { LotRecord } from '../../../src/ledger/tables/lot-rows.ts';
import {
  adjustmentOf,
  type DecisionOptions,
  decide,
  posted,
  requested,
  setAdjustment,
} from '../../support/commands/adjustments.ts';
import { codeOf, counter, type Desk, daysFrom, receiptOf, rows } from '../../support/commands/desk.ts';
import { noon } from '../../support/rules/fixtures.ts';

function lots(desk: Desk): LotRecord[] {
  return rows(desk.store.tables.lots);
}

test('a credit is taken out of its own lot, though others expire sooner', () => {
  const desk = counter({ expiration: { policy: 'rolling_days', days: 30 } });
  desk.earn();
  desk.now = daysFrom(noon, 1);
  const adjustment = posted(desk);
  const receipt = receiptOf(decide(desk, 'reverse', adjustment));
  expect(lots(desk).map((lot) => lot.available)).toEqual([100, 0]);
  const reversed = adjustmentOf(desk, adjustment.id);
  const { transactions } = desk.store.tables;
  expect(reversed).toMatchObject({ state: 'reversed', decidedBy: 'boss', reversedBy: 'boss' });
  expect(receipt).toMatchObject({
    adjustment: {
      state: 'reversed',
      decisionReason: 'reverse it',
      transactionId: toTypeId('txn', adjustment.transactionId ?? ''),
      reversalTransactionId: toTypeId('txn', reversed.reversalTransactionId ?? ''),
    },
  });
  expect(transactions.get(adjustment.transactionId ?? '')).toMatchObject({
    state: 'reversed',
    reversedBy: reversed.reversalTransactionId,
  });
  expect(transactions.get(reversed.reversalTransactionId ?? '')).toMatchObject({
    eventType: 'adjustment.reversed',
    state: 'committed',
    reversalOf: adjustment.transactionId,
    points: 100,
  });
  expect(desk.store.webhookEvents.at(-1)).toMatchObject({
    type: 'adjustment.reversed',
    data: { state: 'reversed', transactionId: toTypeId('txn', adjustment.transactionId ?? '') },
  });
});

test('where its own lot does not hold it all any more, the rest comes from the lots that expire soonest', () => {
  const desk = counter({ expiration: { policy: 'rolling_days', days: 30 } });
  const adjustment = posted(desk);
  desk.now = daysFrom(noon, 1);
  desk.earn();
  desk.now = daysFrom(noon, 2);
  desk.earn();
  posted(desk, { direction: 'debit', points: 70 });
  decide(desk, 'reverse', adjustment);
  expect(lots(desk).map((lot) => lot.available)).toEqual([0, 30, 100]);
});

test('a credit that is spent cannot be taken back; neither can one that has expired', () => {
  const desk = counter({ expiration: { policy: 'rolling_days', days: 30 } });
  const adjustment = posted(desk);
  desk.now = daysFrom(noon, 30);
  expect(codeOf(decide(desk, 'reverse', adjustment))).toBe('insufficient_points');
});

test('a debit comes back to the very lots that it was taken from, with their dates', () => {
  const desk = counter({ expiration: { policy: 'rolling_days', days: 30 } });
  desk.earn({ amountMinor: 6_000 });
  desk.now = daysFrom(noon, 1);
  desk.earn({ amountMinor: 6_000 });
  const before = lots(desk);
  const adjustment = posted(desk, { direction: 'debit' });
  decide(desk, 'reverse', adjustment);
  expect(lots(desk)).toEqual(before);
  expect(desk.profile()).toMatchObject({ available: 120, nextDueAt: daysFrom(noon, 30) });
});

test.each([
  [undefined, 30, 60],
  [7, 7, 60],
  [0, 0, 0],
])(
  'what has expired meanwhile lives on for the grace days (%p: %p, then %p)',
  (graceDays, days, restored) => {
    const desk = counter({
      expiration: { policy: 'rolling_days', days: 30 },
      ...(graceDays === undefined ? {} : { graceDays }),
    });
    desk.earn({ amountMinor: 6_000 });
    desk.now = daysFrom(noon, 10);
    desk.earn({ amountMinor: 6_000 });
    const adjustment = posted(desk, { direction: 'debit' });
    desk.now = daysFrom(noon, 35);
    decide(desk, 'reverse', adjustment);
    expect(lots(desk).map(({ available, expiresAt }) => [available, expiresAt])).toEqual([
      [restored, daysFrom(desk.now, days)],
      [60, daysFrom(noon, 40)],
    ]);
    expect(desk.profile()).toMatchObject({
      available: restored + 60,
      nextDueAt: daysFrom(desk.now, Math.min(days, 5)),
    });
    const expired = rows(desk.store.tables.transactions).filter((row) => row.eventType === 'points.expired');
    expect(expired.map((row) => row.points)).toEqual(restored === 0 ? [60] : []);
  },
);

test('under an inactivity policy the lots live on from the last activity, and nothing is revived', () => {
  const desk = counter({ expiration: { policy: 'inactivity', days: 30 } });
  desk.earn();
  const adjustment = posted(desk, { direction: 'debit' });
  desk.now = daysFrom(noon, 20);
  desk.earn({ amountMinor: 1_000 });
  desk.now = daysFrom(noon, 40);
  decide(desk, 'reverse', adjustment);
  expect(lots(desk)[0]).toMatchObject({ available: 100, expiresAt: daysFrom(noon, 50) });
});

test('a reversed debit pays what returns have claimed of the lot first', () => {
  const desk = counter();
  desk.earn();
  const adjustment = posted(desk, { direction: 'debit' });
  const [lot] = lots(desk) as [LotRecord];
  desk.store.tables.lots.set(lot.id, { ...lot, claimed: 30 });
  decide(desk, 'reverse', adjustment);
  expect(lots(desk)[0]).toMatchObject({ available: 70, claimed: 0 });
  expect(rows(desk.store.tables.orders)[0]).toMatchObject({ clawedBack: 30 });
  expect(desk.profile().available).toBe(70);
});

test('the reversal of a credit asks for no enrollment, that of a debit does', () => {
  const desk = counter();
  const credit = posted(desk);
  const debit = posted(desk, { direction: 'debit' });
  desk.unenroll();
  expect(codeOf(decide(desk, 'reverse', credit))).toBe('insufficient_points');
  expect(codeOf(decide(desk, 'reverse', debit))).toBe('enrollment_required');
  desk.enroll();
  expect(codeOf(decide(desk, 'reverse', debit))).toBe('done');
  expect(codeOf(decide(desk, 'reverse', credit))).toBe('done');
  expect(desk.profile().available).toBe(0);
});

test('who approved may reverse; who asked may not; nothing is reversed twice', () => {
  const desk = counter();
  const adjustment = posted(desk);
  expect(codeOf(decide(desk, 'reverse', adjustment, { by: 'clerk' }))).toBe('self_approval_forbidden');
  expect(codeOf(decide(desk, 'reverse', adjustment, { by: 'boss' }))).toBe('done');
  expect(codeOf(decide(desk, 'reverse', adjustment))).toBe('invalid_adjustment_state');
  expect(desk.profile().available).toBe(0);
});

test('who asked may withdraw; a rejection goes on while Production is locked', () => {
  const desk = counter();
  const adjustment = requested(desk);
  desk.store.setLocked(true);
  const receipt = receiptOf(decide(desk, 'reject', adjustment, { by: 'clerk' }));
  expect(receipt).toMatchObject({ adjustment: { state: 'rejected', decisionReason: 'reject it' } });
  expect(adjustmentOf(desk, adjustment.id)).toMatchObject({ decidedBy: 'clerk', transactionId: null });
  expect(desk.store.webhookEvents.at(-1)?.type).toBe('adjustment.rejected');
  expect(rows(desk.store.tables.audits).at(-1)?.action).toBe('adjustment.rejected');
  expect(desk.store.tables.transactions.size).toBe(0);
  expect(codeOf(decide(desk, 'reject', adjustment))).toBe('invalid_adjustment_state');
  expect(codeOf(decide(desk, 'reject', adjustment, { named: null }))).toBe('adjustment_not_found');
});

describe('refusals, in order of precedence', () => {
  interface Scene {
    desk: Desk;
    id: string;
    options: DecisionOptions;
  }
  const common: [string, (scene: Scene) => unknown][] = [
    ['idempotency_key_reused', ({ options }) => Object.assign(options, { idempotencyKey: 'taken' })],
    ['production_locked', ({ desk }) => desk.store.setLocked(true)],
    ['adjustment_not_found', ({ options }) => Object.assign(options, { named: null })],
    ['invalid_adjustment_state', ({ desk, id }) => setAdjustment(desk, id, { state: 'requested' })],
    ['self_approval_forbidden', ({ options }) => Object.assign(options, { by: 'clerk' })],
  ];
  const ofCredit: typeof common = [
    ...common,
    ['insufficient_points', ({ desk }) => desk.setProfile({ enrolled: false, available: 99 })],
  ];
  const ofDebit: typeof common = [
    ...common,
    ['member_not_found', ({ desk }) => desk.setMember({ status: 'erased' })],
    ['enrollment_required', ({ desk }) => desk.setProfile({ enrolled: false })],
    ['balance_limit_exceeded', ({ desk }) => desk.setProfile({ available: MAX_POINTS - 99 })],
  ];
  test.each([
    ['credit' as const, ofCredit],
    ['debit' as const, ofDebit],
  ])('of the reversal of a %s', (direction, faults) => {
    const answers = faults.map((_, first) => {
      const desk = counter();
      desk.earn();
      receiptOf(decide(desk, 'reverse', posted(desk), { idempotencyKey: 'taken' }));
      const { id } = posted(desk, { direction });
      const scene: Scene = { desk, id, options: {} };
      for (const [, apply] of faults.slice(first)) apply(scene);
      return codeOf(decide(desk, 'reverse', { id }, scene.options));
    });
    expect(answers).toEqual(faults.map(([code]) => code));
  });
});
