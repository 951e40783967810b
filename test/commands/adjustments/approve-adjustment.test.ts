import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { toTypeId } from '../../../src/ids.ts';
import { MAX_POINTS } from '../../../src/ledger/books/posting.ts';
import type { TransactionRecord } from '../../../src/ledger/tables/transactions.ts';
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

function lastTransaction(desk: Desk): TransactionRecord {
  return rows(desk.store.tables.transactions).at(-1) as TransactionRecord;
}

test('a credit is a new lot under the present expiration policy, available at once', () => {
  const desk = counter({
    pending: { days: 14 },
    expiration: { policy: 'rolling_days', days: 365 },
  });
  const adjustment = requested(desk);
  desk.now = daysFrom(noon, 2);
  const receipt = receiptOf(decide(desk, 'approve', adjustment));
  const transaction = lastTransaction(desk);
  expect(receipt).toMatchObject({
    adjustment: {
      id: toTypeId('adj', adjustment.id),
      state: 'posted',
      decidedAt: desk.now.toISOString(),
      decisionReason: 'approve it',
      transactionId: toTypeId('txn', transaction.id),
      reversalTransactionId: null,
    },
  });
  expect(adjustmentOf(desk, adjustment.id)).toMatchObject({
    state: 'posted',
    requestedBy: 'clerk',
    decidedBy: 'boss',
    transactionId: transaction.id,
  });
  expect(transaction).toMatchObject({
    eventType: 'adjustment.posted',
    sourceReference: toTypeId('adj', adjustment.id),
    state: 'committed',
    points: 100,
    reversalOf: null,
  });
  const [lot] = rows(desk.store.tables.lots);
  expect(lot).toMatchObject({
    transactionId: transaction.id,
    granted: 100,
    available: 100,
    pending: 0,
    activatesAt: null,
    expiresAt: daysFrom(desk.now, 365),
  });
  expect(rows(desk.store.tables.postings)).toMatchObject([
    { debitAccount: 'program.adjustment', creditAccount: 'member.available', amount: 100, lotId: lot?.id },
  ]);
  expect(desk.profile()).toMatchObject({ available: 100, pending: 0, nextDueAt: daysFrom(desk.now, 365) });
  expect(rows(desk.store.tables.audits).at(-1)).toMatchObject({
    action: 'adjustment.posted',
    actorId: 'boss',
    changes: { requestedBy: 'clerk', points: 100, transactionId: toTypeId('txn', transaction.id) },
  });
  expect(desk.store.webhookEvents.at(-1)).toMatchObject({
    type: 'adjustment.posted',
    data: { state: 'posted', direction: 'credit', transactionId: toTypeId('txn', transaction.id) },
  });
});

test('a credit counts neither towards tiers nor as activity', () => {
  const desk = counter();
  posted(desk, { points: 100_000 });
  expect(desk.profile()).toMatchObject({ tier: 'bronze', qualificationPoints: 0, lastActivityAt: null });
});

test('a debit takes the lots that expire soonest, and posts against each', () => {
  const desk = counter({ expiration: { policy: 'rolling_days', days: 30 } });
  desk.earn({ amountMinor: 6_000 });
  desk.now = daysFrom(noon, 1);
  desk.earn({ amountMinor: 6_000 });
  posted(desk, { direction: 'debit', points: 100 });
  expect(rows(desk.store.tables.lots).map((lot) => lot.available)).toEqual([0, 20]);
  expect(rows(desk.store.tables.postings).slice(2)).toMatchObject([
    { debitAccount: 'member.available', creditAccount: 'program.adjustment', amount: 60 },
    { debitAccount: 'member.available', creditAccount: 'program.adjustment', amount: 40 },
  ]);
  expect(desk.profile().available).toBe(20);
});

test('a debit cannot take what has expired, whether or not anyone has posted that', () => {
  const desk = counter({ expiration: { policy: 'rolling_days', days: 10 } });
  desk.earn();
  const adjustment = requested(desk, { direction: 'debit' });
  desk.now = daysFrom(noon, 10);
  expect(codeOf(decide(desk, 'approve', adjustment))).toBe('insufficient_points');
  desk.earn();
  expect(codeOf(decide(desk, 'approve', adjustment))).toBe('done');
  expect(desk.profile().available).toBe(0);
  expect(rows(desk.store.tables.transactions).map((row) => row.eventType)).toContain('points.expired');
});

test('points that became available meanwhile may be taken', () => {
  const desk = counter({ pending: { days: 5 } });
  desk.earn();
  const adjustment = requested(desk, { direction: 'debit' });
  expect(codeOf(decide(desk, 'approve', adjustment))).toBe('insufficient_points');
  desk.now = daysFrom(noon, 5);
  expect(codeOf(decide(desk, 'approve', adjustment))).toBe('done');
});

test('a debit asks for no enrollment, only for points; a credit asks again at its posting', () => {
  const desk = counter();
  const credit = requested(desk);
  const debit = requested(desk, { direction: 'debit' });
  desk.unenroll();
  expect(codeOf(decide(desk, 'approve', credit))).toBe('enrollment_required');
  expect(codeOf(decide(desk, 'approve', debit))).toBe('insufficient_points');
});

test('a request that nobody has decided on within 14 days is expired, recorded or not', () => {
  const desk = counter();
  const adjustment = requested(desk);
  desk.now = daysFrom(noon, 14);
  expect(codeOf(decide(desk, 'approve', adjustment))).toBe('invalid_adjustment_state');
  desk.now = new Date(desk.now.getTime() - 1);
  expect(codeOf(decide(desk, 'approve', adjustment))).toBe('done');
});

test('an approval under one key is answered again, and nothing is posted twice', () => {
  const desk = counter();
  const adjustment = requested(desk);
  const first = decide(desk, 'approve', adjustment, { idempotencyKey: 'k' });
  expect(decide(desk, 'approve', adjustment, { idempotencyKey: 'k' })).toEqual({
    receipt: receiptOf(first),
    idempotent: true,
  });
  expect(codeOf(decide(desk, 'approve', adjustment))).toBe('invalid_adjustment_state');
  expect(desk.profile().available).toBe(100);
});

describe('refusals, in order of precedence', () => {
  interface Scene {
    desk: Desk;
    id: string;
    options: DecisionOptions;
  }
  // Each makes the request wrong in one way. A test applies one and all after it: the refusal is that of the first.
  const creditFaults: [string, (scene: Scene) => unknown][] = [
    ['idempotency_key_reused', ({ options }) => Object.assign(options, { idempotencyKey: 'taken' })],
    ['production_locked', ({ desk }) => desk.store.setLocked(true)],
    ['adjustment_not_found', ({ options }) => Object.assign(options, { named: null })],
    ['invalid_adjustment_state', ({ desk, id }) => setAdjustment(desk, id, { state: 'rejected' })],
    ['self_approval_forbidden', ({ options }) => Object.assign(options, { by: 'clerk' })],
    ['member_not_found', ({ desk }) => desk.setMember({ status: 'suspended' })],
    ['enrollment_required', ({ desk }) => desk.setProfile({ enrolled: false })],
    ['balance_limit_exceeded', ({ desk }) => desk.setProfile({ available: MAX_POINTS - 99 })],
  ];
  const debitFaults: [string, (scene: Scene) => unknown][] = [
    ...creditFaults.slice(0, 5),
    ['insufficient_points', ({ desk }) => desk.setProfile({ enrolled: false, available: 99 })],
  ];
  const answers = (faults: typeof creditFaults, direction: 'credit' | 'debit'): string[] =>
    faults.map((_, first) => {
      const desk = counter();
      desk.earn();
      const other = requested(desk);
      receiptOf(decide(desk, 'approve', other, { idempotencyKey: 'taken' }));
      const { id } = requested(desk, { direction });
      const scene: Scene = { desk, id, options: {} };
      for (const [, apply] of faults.slice(first)) apply(scene);
      const transactions = desk.store.tables.transactions.size;
      const code = codeOf(decide(desk, 'approve', { id }, scene.options));
      expect(desk.store.tables.transactions.size).toBe(transactions);
      return code;
    });

  test('of a credit', () => {
    expect(answers(creditFaults, 'credit')).toEqual(creditFaults.map(([code]) => code));
  });

  test('of a debit', () => {
    expect(answers(debitFaults, 'debit')).toEqual(debitFaults.map(([code]) => code));
  });

  test.each(['posted', 'rejected', 'reversed', 'expired'] as const)('an adjustment that is %s', (state) => {
    const desk = counter();
    const { id } = requested(desk);
    setAdjustment(desk, id, { state });
    for (const verb of ['approve', 'reject'] as const) {
      expect(codeOf(decide(desk, verb, { id }))).toBe('invalid_adjustment_state');
    }
  });
});

test('whatever is credited and debited, balances are the sums of lots and of postings, and never negative', () => {
  const step = fc.record({
    direction: fc.constantFrom('credit' as const, 'debit' as const),
    points: fc.integer({ min: 1, max: 200 }),
    days: fc.integer({ min: 0, max: 20 }),
    reverse: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      const desk = counter({ expiration: { policy: 'rolling_days', days: 30 } });
      desk.now = noon;
      for (const { direction, points, days, reverse } of steps) {
        desk.now = daysFrom(desk.now, days);
        const adjustment = requested(desk, { direction, points });
        decide(desk, 'approve', adjustment);
        if (reverse) decide(desk, 'reverse', adjustment);
        const lots = rows(desk.store.tables.lots);
        const { available } = desk.profile();
        expect(lots.reduce((sum, lot) => sum + lot.available, 0)).toBe(available);
        expect(lots.every((lot) => lot.available >= 0 && lot.available <= lot.granted)).toBe(true);
        const moved = rows(desk.store.tables.postings).reduce(
          (sum, { creditAccount, debitAccount, amount }) =>
            sum +
            (creditAccount === 'member.available' ? amount : 0) -
            (debitAccount === 'member.available' ? amount : 0),
          0,
        );
        expect(moved).toBe(available);
      }
    }),
    { numRuns: 60 },
  );
});
