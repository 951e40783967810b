import { expect, test } from '@jest/globals';
import type { MemberMergeReceipt } from '../../../src/commands/members/merge-receipt.ts';
import { codeOf, daysFrom, receiptOf } from '../../support/commands/desk.ts';
import { mergeDesk } from '../../support/commands/merge-desk.ts';
import { noon } from '../../support/rules/fixtures.ts';

test('every lot moves with its dates and its origin; what is left is empty and unenrolled', () => {
  const desk = mergeDesk();
  desk.earn({ externalCustomerId: 'ann', amountMinor: 4_000 });
  desk.now = daysFrom(noon, 1);
  desk.earn({ externalCustomerId: 'ann', amountMinor: 2_000, sourceReference: 'second' });
  desk.earn({ externalCustomerId: 'bob', amountMinor: 1_000, sourceReference: 'third' });
  const [ann, bob] = [desk.profileOf('ann'), desk.profileOf('bob')];
  const before = [...desk.store.tables.lots.values()].filter(({ memberId }) => memberId === ann?.memberId);
  const points = (ann?.available ?? 0) + (ann?.pending ?? 0);
  const { merge } = receiptOf(desk.merge()) as unknown as MemberMergeReceipt;
  expect(merge).toMatchObject({ state: 'merged', programs: [{ programId: 'coffee-club', points, lots: 2 }] });
  expect(desk.profileOf('ann')).toMatchObject({
    enrolled: false,
    available: 0,
    pending: 0,
    purchaseCount: 0,
    purchaseAmountMinor: 0,
    qualificationPoints: 0,
  });
  expect(desk.profileOf('bob')).toMatchObject({
    enrolled: true,
    available: (ann?.available ?? 0) + (bob?.available ?? 0),
    pending: (ann?.pending ?? 0) + (bob?.pending ?? 0),
    purchaseCount: 3,
    purchaseAmountMinor: 7_000,
    qualificationPoints: (ann?.qualificationPoints ?? 0) + (bob?.qualificationPoints ?? 0),
  });
  for (const lot of before) {
    const moved = [...desk.store.tables.lots.values()].find(({ originLotId }) => originLotId === lot.id);
    expect(moved).toMatchObject({
      memberId: bob?.memberId,
      transactionId: lot.transactionId,
      granted: lot.granted,
      available: lot.available,
      pending: lot.pending,
      activatesAt: lot.activatesAt,
      expiresAt: lot.expiresAt,
    });
    expect(desk.store.tables.lots.get(lot.id)).toMatchObject({ available: 0, pending: 0 });
  }
});

test('the old name answers for the new member: purchases, returns of old orders, replays', () => {
  const desk = mergeDesk();
  const first = desk.purchaseInput({ externalCustomerId: 'ann', amountMinor: 4_000, sourceReference: 'old' });
  const receipt = receiptOf(desk.earn(first));
  desk.merge();
  const bobs = () => desk.profileOf('bob');
  const { available = 0, pending = 0 } = bobs() ?? {};
  expect(desk.earn(first)).toEqual({ receipt, idempotent: true });
  expect(receiptOf(desk.earn({ externalCustomerId: 'ann', amountMinor: 1_000 }))).toMatchObject({
    member: { externalCustomerId: 'bob' },
  });
  const after = bobs();
  expect((after?.available ?? 0) + (after?.pending ?? 0)).toBeGreaterThan(available + pending);
  const returned = desk.return({
    sourceReference: 'old',
    returnReference: 'r1',
    returnAmountMinor: 4_000,
  });
  expect(receiptOf(returned)).toMatchObject({
    return: { pointsClawedBack: available + pending, shortfall: 0, orderStatus: 'returned' },
  });
  expect(bobs()).toMatchObject({ purchaseAmountMinor: 1_000 });
});

test('another principal has to approve; the one who asked may reject', () => {
  const desk = mergeDesk();
  const requested = desk.request('ann', 'bob', 'clerk');
  expect(codeOf(desk.decide(requested, { principal: 'clerk' }))).toBe('self_approval_forbidden');
  expect(codeOf(desk.decide(requested, { principal: 'clerk', reject: true }))).toBe('done');
  expect(codeOf(desk.decide(requested))).toBe('invalid_merge_state');
});

test('chains end at the last member, and there are no circles', () => {
  const desk = mergeDesk();
  desk.createMember({ externalCustomerId: 'eve' });
  desk.earn({ externalCustomerId: 'ann', amountMinor: 4_000 });
  const { available = 0, pending = 0 } = desk.profileOf('ann') ?? {};
  desk.merge('ann', 'bob');
  desk.merge('bob', 'eve');
  expect(desk.profileOf('eve')).toMatchObject({ enrolled: true, available, pending });
  expect(receiptOf(desk.earn({ externalCustomerId: 'ann', sourceReference: 'later' }))).toMatchObject({
    member: { externalCustomerId: 'eve' },
  });
  expect(codeOf(desk.request('eve', 'ann'))).toBe('validation_failed');
  expect(codeOf(desk.request('bob', 'ann'))).toBe('validation_failed');
});
