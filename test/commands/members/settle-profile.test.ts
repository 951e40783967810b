import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { expireAdjustment } from '../../../src/commands/adjustments/expire-adjustment.ts';
import { settleProfile } from '../../../src/commands/members/settle-profile.ts';
import { toTypeId } from '../../../src/ids.ts';
import type { Outcome } from '../../../src/ledger/command.ts';
import { adjustmentOf, decide, namedOf, requested } from '../../support/commands/adjustments.ts';
import { codeOf, counter, type Desk, daysFrom, receiptOf, rows } from '../../support/commands/desk.ts';
import { noon } from '../../support/rules/fixtures.ts';

const requestId = 'op_run';

function settle(desk: Desk, externalCustomerId = 'ann'): Outcome {
  const { environmentId } = desk.caller;
  return desk.run(settleProfile({ environmentId, programId: 'coffee-club', externalCustomerId, requestId }));
}

function eventTypes(desk: Desk): string[] {
  return rows(desk.store.tables.transactions).map((row) => row.eventType);
}

test('pending points become available when they are due, not before, and once', () => {
  const desk = counter({ pending: { days: 14 } });
  desk.earn();
  expect(desk.profile()).toMatchObject({ available: 0, pending: 100, nextDueAt: daysFrom(noon, 14) });
  desk.now = new Date(daysFrom(noon, 14).getTime() - 1);
  expect(receiptOf(settle(desk))).toEqual({ transactionIds: [], reservationIds: [] });
  desk.now = daysFrom(noon, 14);
  const receipt = receiptOf(settle(desk));
  const transaction = rows(desk.store.tables.transactions).at(-1);
  expect(receipt.transactionIds).toEqual([toTypeId('txn', transaction?.id ?? '')]);
  expect(transaction).toMatchObject({ eventType: 'points.activated', points: 100, createdAt: desk.now });
  expect(desk.profile()).toMatchObject({ available: 100, pending: 0, nextDueAt: null });
  expect(rows(desk.store.tables.audits).at(-1)).toMatchObject({
    action: 'points.activated',
    actorType: 'system',
    actorId: 'time',
    requestId,
  });
  expect(receiptOf(settle(desk)).transactionIds).toEqual([]);
  expect(eventTypes(desk)).toEqual(['purchase.completed', 'points.activated']);
});

test('a lot expires with what it has available, and the next one is waited for', () => {
  const desk = counter({ expiration: { policy: 'rolling_days', days: 30 } });
  desk.earn();
  desk.now = daysFrom(noon, 3);
  desk.earn({ amountMinor: 5_000 });
  desk.now = daysFrom(noon, 30);
  settle(desk);
  expect(desk.profile()).toMatchObject({ available: 50, nextDueAt: daysFrom(noon, 33) });
  expect(rows(desk.store.tables.postings).at(-1)).toMatchObject({
    debitAccount: 'member.available',
    creditAccount: 'program.expiry',
    amount: 100,
  });
});

test('what has become available and expired within a week without a run is both, in one settlement', () => {
  const desk = counter({ pending: { days: 1 }, expiration: { policy: 'rolling_days', days: 2 } });
  desk.earn();
  desk.now = daysFrom(noon, 7);
  expect(receiptOf(settle(desk)).transactionIds).toHaveLength(2);
  expect(eventTypes(desk)).toEqual(['purchase.completed', 'points.activated', 'points.expired']);
  expect(desk.profile()).toMatchObject({ available: 0, pending: 0, nextDueAt: null });
});

test('points under an inactivity policy live on from the last activity', () => {
  const desk = counter({ expiration: { policy: 'inactivity', days: 30 } });
  desk.earn();
  desk.now = daysFrom(noon, 20);
  desk.earn();
  desk.now = daysFrom(noon, 30);
  expect(receiptOf(settle(desk)).transactionIds).toEqual([]);
  expect(desk.profile()).toMatchObject({ available: 200, nextDueAt: daysFrom(noon, 50) });
  desk.now = daysFrom(noon, 50);
  settle(desk);
  expect(desk.profile()).toMatchObject({ available: 0, nextDueAt: null });
});

test('it goes on while Production is locked', () => {
  const desk = counter({ pending: { days: 1 } });
  desk.earn();
  desk.store.setLocked(true);
  desk.now = daysFrom(noon, 1);
  expect(codeOf(settle(desk))).toBe('done');
  expect(desk.profile().available).toBe(100);
});

test('where nothing is due nothing is written, not even the profile', () => {
  const desk = counter({ pending: { days: 1 } });
  desk.earn();
  const [before, audits] = [desk.profile(), desk.store.tables.audits.size];
  settle(desk);
  expect(desk.profile()).toBe(before);
  expect(desk.store.tables.audits.size).toBe(audits);
  desk.setProfile({ nextDueAt: noon });
  settle(desk);
  expect(desk.profile().nextDueAt).toEqual(daysFrom(noon, 1));
});

test('a member without a profile has nothing to settle', () => {
  expect(codeOf(settle(counter(), 'nobody'))).toBe('profile_not_found');
});

test('whenever it is settled, the balances end the same; a second settlement finds nothing', () => {
  const days = fc.integer({ min: 0, max: 12 });
  const history = fc.array(fc.record({ days, amountMinor: fc.integer({ min: 0, max: 50_000 }) }), {
    maxLength: 8,
  });
  fc.assert(
    fc.property(history, fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }), (purchases, sweeps) => {
      const policy = { pending: { days: 5 }, expiration: { policy: 'rolling_days', days: 20 } } as const;
      const [often, once] = [counter(policy), counter(policy)];
      for (const desk of [often, once]) {
        purchases.forEach((purchase, index) => {
          desk.now = daysFrom(desk.now, purchase.days);
          if (desk === often && sweeps[index]) settle(desk);
          desk.earn({ amountMinor: purchase.amountMinor });
        });
        desk.now = daysFrom(desk.now, 7);
        settle(desk);
        const { size } = desk.store.tables.transactions;
        expect(receiptOf(settle(desk)).transactionIds).toEqual([]);
        expect(desk.store.tables.transactions.size).toBe(size);
        const { nextDueAt } = desk.profile();
        expect(nextDueAt === null || nextDueAt > desk.now).toBe(true);
      }
      const { available, pending, nextDueAt } = once.profile();
      expect(often.profile()).toMatchObject({ available, pending, nextDueAt });
    }),
    { numRuns: 60 },
  );
});

test('a request that nobody decides on expires after 14 days, with a word in the audit trail', () => {
  const desk = counter();
  const { id } = requested(desk);
  const expire = (): Outcome =>
    desk.run(expireAdjustment(desk.caller.environmentId, namedOf(desk, id), requestId));
  expect(codeOf(expire())).toBe('invalid_adjustment_state');
  desk.store.setLocked(true);
  desk.now = daysFrom(noon, 14);
  expect(codeOf(expire())).toBe('done');
  expect(adjustmentOf(desk, id)).toMatchObject({ state: 'expired', decidedBy: null });
  expect(rows(desk.store.tables.audits).at(-1)).toMatchObject({
    action: 'adjustment.expired',
    actorType: 'system',
    targetId: toTypeId('adj', id),
    requestId,
  });
  expect(codeOf(expire())).toBe('invalid_adjustment_state');
  expect(codeOf(decide(desk, 'reject', { id }))).toBe('invalid_adjustment_state');
});

test('a posted adjustment does not expire', () => {
  const desk = counter();
  const { id } = requested(desk);
  decide(desk, 'approve', { id });
  desk.now = daysFrom(noon, 20);
  expect(codeOf(desk.run(expireAdjustment(desk.caller.environmentId, namedOf(desk, id), requestId)))).toBe(
    'invalid_adjustment_state',
  );
});
