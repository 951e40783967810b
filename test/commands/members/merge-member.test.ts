import { expect, test } from '@jest/globals';
import { approveMemberMerge, rejectMemberMerge } from '../../../src/commands/members/decide-member-merge.ts';
import type { MemberMergeReceipt } from '../../../src/commands/members/merge-receipt.ts';
import { requestMemberMerge } from '../../../src/commands/members/request-member-merge.ts';
import { fromTypeId, toTypeId } from '../../../src/ids.ts';
import type { Outcome } from '../../../src/ledger/command.ts';
import { codeOf, Desk, daysFrom, receiptOf } from '../../support/commands/desk.ts';
import { noon } from '../../support/rules/fixtures.ts';

let keys = 0;

/** A desk with requests and decisions about merges. */
class MergeDesk extends Desk {
  as(principal: string) {
    return { ...this.caller, actor: { type: 'api_key', id: principal } as const };
  }

  request(from = 'ann', into = 'bob', principal = 'clerk'): Outcome {
    const input = {
      idempotencyKey: `merge-${++keys}`,
      externalCustomerId: from,
      intoExternalCustomerId: into,
      reason: 'one person',
      evidence: { ticket: 7 },
    };
    return this.run(requestMemberMerge(input, this.as(principal)));
  }

  decide(requested: Outcome, options: { principal?: string; reject?: boolean } = {}): Outcome {
    const { principal = 'boss', reject = false } = options;
    const { merge } = receiptOf(requested) as unknown as MemberMergeReceipt;
    const id = fromTypeId('mrg', merge.id) ?? '';
    const nameOf = (outer: string): string => {
      const found = [...this.store.tables.members.values()].find((row) => toTypeId('mem', row.id) === outer);
      return found?.externalCustomerId ?? '';
    };
    const named = { id, source: nameOf(merge.sourceMemberId), target: nameOf(merge.targetMemberId) };
    const input = { idempotencyKey: `decide-${++keys}`, mergeId: merge.id, reason: 'looked into it' };
    const command = reject ? rejectMemberMerge : approveMemberMerge;
    return this.run(command(input, named, this.as(principal)));
  }

  merge(from = 'ann', into = 'bob'): Outcome {
    return this.decide(this.request(from, into));
  }
}

/** Ann and bob, both enrolled; ann has earned. */
function two(): MergeDesk {
  const desk = new MergeDesk();
  for (const externalCustomerId of ['ann', 'bob']) {
    desk.createMember({ externalCustomerId });
    desk.enroll({ externalCustomerId });
  }
  return desk;
}

function profileOf(desk: Desk, externalCustomerId: string) {
  const member = [...desk.store.tables.members.values()].find(
    (row) => row.externalCustomerId === externalCustomerId,
  );
  return [...desk.store.tables.profiles.values()].find((row) => row.memberId === member?.id);
}

test('every lot moves with its dates and its origin; what is left is empty and unenrolled', () => {
  const desk = two();
  desk.earn({ externalCustomerId: 'ann', amountMinor: 4_000 });
  desk.now = daysFrom(noon, 1);
  desk.earn({ externalCustomerId: 'ann', amountMinor: 2_000, sourceReference: 'second' });
  desk.earn({ externalCustomerId: 'bob', amountMinor: 1_000, sourceReference: 'third' });
  const [ann, bob] = [profileOf(desk, 'ann'), profileOf(desk, 'bob')];
  const before = [...desk.store.tables.lots.values()].filter(({ memberId }) => memberId === ann?.memberId);
  const points = (ann?.available ?? 0) + (ann?.pending ?? 0);
  const { merge } = receiptOf(desk.merge()) as unknown as MemberMergeReceipt;
  expect(merge).toMatchObject({ state: 'merged', programs: [{ programId: 'coffee-club', points, lots: 2 }] });
  expect(profileOf(desk, 'ann')).toMatchObject({
    enrolled: false,
    available: 0,
    pending: 0,
    purchaseCount: 0,
    purchaseAmountMinor: 0,
    qualificationPoints: 0,
  });
  expect(profileOf(desk, 'bob')).toMatchObject({
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
  const desk = two();
  const first = desk.purchaseInput({ externalCustomerId: 'ann', amountMinor: 4_000, sourceReference: 'old' });
  const receipt = receiptOf(desk.earn(first));
  desk.merge();
  const bobs = () => profileOf(desk, 'bob');
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
  const desk = two();
  const requested = desk.request('ann', 'bob', 'clerk');
  expect(codeOf(desk.decide(requested, { principal: 'clerk' }))).toBe('self_approval_forbidden');
  expect(codeOf(desk.decide(requested, { principal: 'clerk', reject: true }))).toBe('done');
  expect(codeOf(desk.decide(requested))).toBe('invalid_merge_state');
});

test('chains end at the last member, and there are no circles', () => {
  const desk = two();
  desk.createMember({ externalCustomerId: 'eve' });
  desk.earn({ externalCustomerId: 'ann', amountMinor: 4_000 });
  const { available = 0, pending = 0 } = profileOf(desk, 'ann') ?? {};
  desk.merge('ann', 'bob');
  desk.merge('bob', 'eve');
  expect(profileOf(desk, 'eve')).toMatchObject({ enrolled: true, available, pending });
  expect(receiptOf(desk.earn({ externalCustomerId: 'ann', sourceReference: 'later' }))).toMatchObject({
    member: { externalCustomerId: 'eve' },
  });
  expect(codeOf(desk.request('eve', 'ann'))).toBe('validation_failed');
  expect(codeOf(desk.request('bob', 'ann'))).toBe('validation_failed');
});
