import { expect, test } from '@jest/globals';
import { codeOf, daysFrom, receiptOf } from '../../support/commands/desk.ts';
import { type MergeDesk, mergeDesk } from '../../support/commands/merge-desk.ts';
import { noon } from '../../support/rules/fixtures.ts';

/** The amounts and dates of a member's lots that hold something, by the transaction that granted them. */
function lotsOf(desk: MergeDesk, name: string) {
  const memberId = desk.member(name).id;
  return [...desk.store.tables.lots.values()]
    .filter((lot) => lot.memberId === memberId && lot.available + lot.pending + lot.claimed > 0)
    .map(({ id, transactionId, available, pending, claimed, lent, expiresAt, activatesAt }) => ({
      ...{ id, transactionId, available, pending, claimed, lent, expiresAt, activatesAt },
    }));
}

/** What a profile is but for its version and for when it is looked at next. */
function stateOf(desk: MergeDesk, name: string) {
  const { version: _version, nextDueAt: _nextDueAt, ...profile } = desk.profile(name);
  return profile;
}

test('each account has again what it had, and the target what it has earned since', () => {
  const desk = mergeDesk();
  desk.earn({ externalCustomerId: 'ann', amountMinor: 4_000, sourceReference: 'old' });
  desk.earn({ externalCustomerId: 'bob', amountMinor: 1_000 });
  const ann = { lots: lotsOf(desk, 'ann'), profile: stateOf(desk, 'ann') };
  const bob = { lots: lotsOf(desk, 'bob'), profile: stateOf(desk, 'bob') };
  const merged = desk.merge();
  expect(receiptOf(desk.unmerge(merged))).toMatchObject({
    merge: { state: 'unmerged', unmergedAt: noon.toISOString(), programs: [{ lots: 1 }] },
  });
  expect({ lots: lotsOf(desk, 'ann'), profile: stateOf(desk, 'ann') }).toEqual(ann);
  expect({ lots: lotsOf(desk, 'bob'), profile: stateOf(desk, 'bob') }).toEqual(bob);
  expect(desk.member('ann').mergedInto).toBeNull();
  // The names answer for themselves again, orders of before included.
  expect(receiptOf(desk.earn({ externalCustomerId: 'ann' }))).toMatchObject({
    member: { externalCustomerId: 'ann' },
  });
  const returned = { sourceReference: 'old', returnReference: 'r1', returnAmountMinor: 4_000 };
  expect(receiptOf(desk.return(returned))).toMatchObject({ return: { orderStatus: 'returned' } });
  expect(stateOf(desk, 'bob')).toEqual(bob.profile);
});

test('what came since the merge stays the target’s, under whichever name', () => {
  const desk = mergeDesk();
  desk.earn({ externalCustomerId: 'ann', amountMinor: 4_000 });
  const before = stateOf(desk, 'ann');
  const merged = desk.merge();
  desk.now = daysFrom(noon, 1);
  desk.earn({ externalCustomerId: 'ann', amountMinor: 2_000, sourceReference: 'since' });
  const since = lotsOf(desk, 'bob').length;
  expect(codeOf(desk.unmerge(merged))).toBe('done');
  // What the joined account has done counts as activity of both.
  const { lastActivityAt } = desk.profile('bob');
  expect(stateOf(desk, 'ann')).toEqual({ ...before, lastActivityAt });
  expect(lotsOf(desk, 'bob')).toHaveLength(since - 1);
  expect(desk.profile('bob')).toMatchObject({ purchaseCount: 1, purchaseAmountMinor: 2_000 });
  const returned = { sourceReference: 'since', returnReference: 'r1', returnAmountMinor: 2_000 };
  expect(receiptOf(desk.return(returned))).toMatchObject({ return: { shortfall: 0 } });
  expect(stateOf(desk, 'ann')).toEqual({ ...before, lastActivityAt });
});

test('another principal has to approve; the one who asked may reject, and then it stays merged', () => {
  const desk = mergeDesk();
  const merged = desk.merge();
  const requested = desk.requestUnmerge(merged, 'clerk');
  expect(receiptOf(requested)).toMatchObject({ merge: { state: 'unmerge_requested' } });
  expect(codeOf(desk.requestUnmerge(merged))).toBe('invalid_merge_state');
  expect(codeOf(desk.decideUnmerge(requested, { principal: 'clerk' }))).toBe('self_approval_forbidden');
  expect(receiptOf(desk.decideUnmerge(requested, { principal: 'clerk', reject: true }))).toMatchObject({
    merge: { state: 'merged', unmergeReason: null },
  });
  expect(codeOf(desk.decideUnmerge(requested))).toBe('invalid_merge_state');
  expect(codeOf(desk.unmerge(merged))).toBe('done');
  expect(codeOf(desk.requestUnmerge(merged))).toBe('invalid_merge_state');
  expect(codeOf(desk.requestUnmerge(desk.request()))).toBe('invalid_merge_state');
});

test('a merge can be undone for 30 days, and a request lapses with them', () => {
  const desk = mergeDesk();
  const merged = desk.merge();
  desk.now = daysFrom(noon, 29);
  const requested = desk.requestUnmerge(merged);
  expect(receiptOf(requested)).toMatchObject({
    merge: { unmergeExpiresAt: daysFrom(noon, 30).toISOString() },
  });
  desk.now = daysFrom(noon, 30);
  expect(codeOf(desk.decideUnmerge(requested))).toBe('invalid_merge_state');
  expect(codeOf(desk.requestUnmerge(merged))).toBe('unmerge_period_over');
});

test('an unmerge of members that are suspended or erased is not even asked for', () => {
  const desk = mergeDesk();
  const merged = desk.merge();
  const target = desk.member('bob');
  for (const [status, told] of [
    ['suspended', 'end the suspension'],
    ['erased', 'nothing of them can be given back'],
  ] as const) {
    desk.store.tables.members.set('bob', { ...target, status });
    expect(desk.requestUnmerge(merged)).toMatchObject({
      refused: true,
      code: 'member_not_found',
      message: expect.stringContaining(told),
    });
  }
  desk.store.tables.members.set('bob', target);
  expect(codeOf(desk.unmerge(merged))).toBe('done');
});

test('of a chain that was erased no merge can be undone, whichever it is', () => {
  const desk = mergeDesk('eve', 'kim');
  const requested = desk.requestUnmerge(desk.merge('kim', 'bob'));
  const inner = desk.merge('ann', 'bob');
  const outer = desk.merge('bob', 'eve');
  const { members } = desk.store.tables;
  // As an erasure does, of all accounts of the person.
  for (const [name, member] of [...members]) members.set(name, { ...member, status: 'erased' });
  for (const merge of [inner, outer]) expect(codeOf(desk.requestUnmerge(merge))).toBe('member_not_found');
  expect(codeOf(desk.decideUnmerge(requested))).toBe('member_not_found');
});

test('what is kept of a merge has no referral code: an erasure would not find it there', () => {
  const desk = mergeDesk();
  desk.setProfile({ referralCode: 'ANN-2345' });
  const merged = desk.merge();
  expect(JSON.stringify([...desk.store.tables.mergeUndos.values()])).not.toContain('ANN-2345');
  expect(codeOf(desk.unmerge(merged))).toBe('done');
  expect(desk.profile('ann').referralCode).toBe('ANN-2345');
});

test('what was returned since, or has lapsed, is not given back', () => {
  for (const returnAmountMinor of [4_000, 1]) {
    const desk = mergeDesk();
    desk.earn({ externalCustomerId: 'ann', amountMinor: 4_000, sourceReference: 'old' });
    const merged = desk.merge();
    desk.return({ sourceReference: 'old', returnReference: 'r1', returnAmountMinor });
    expect(codeOf(desk.unmerge(merged))).toBe('merged_points_used');
    expect(desk.member('ann').mergedInto).toBe(desk.member('bob').id);
  }
});

test('an order without points that was returned since keeps its account with the target', () => {
  const desk = mergeDesk();
  desk.earn({ externalCustomerId: 'ann', amountMinor: 1, sourceReference: 'small' });
  const merged = desk.merge();
  desk.return({ sourceReference: 'small', returnReference: 'r1', returnAmountMinor: 1 });
  expect(codeOf(desk.unmerge(merged))).toBe('merged_points_used');
});

test('of several merges the last one is undone first', () => {
  const desk = mergeDesk('eve', 'kim');
  for (const name of ['ann', 'bob', 'eve', 'kim']) desk.earn({ externalCustomerId: name });
  const states = ['ann', 'bob', 'eve', 'kim'].map((name) => stateOf(desk, name));
  const first = desk.merge('ann', 'bob');
  const second = desk.merge('bob', 'eve');
  const third = desk.merge('kim', 'eve');
  expect(codeOf(desk.requestUnmerge(first))).toBe('merged_again');
  const requested = desk.requestUnmerge(second);
  expect(codeOf(desk.decideUnmerge(requested))).toBe('merged_again');
  expect(codeOf(desk.unmerge(third))).toBe('done');
  expect(codeOf(desk.decideUnmerge(requested))).toBe('done');
  expect(desk.member('ann').mergedInto).toBe(desk.member('bob').id);
  expect(codeOf(desk.unmerge(first))).toBe('done');
  expect(['ann', 'bob', 'eve', 'kim'].map((name) => stateOf(desk, name))).toEqual(states);
});

test('a request that cannot be approved, because the target was merged again, can be rejected', () => {
  const desk = mergeDesk('eve');
  const requested = desk.requestUnmerge(desk.merge('ann', 'bob'));
  desk.merge('bob', 'eve');
  expect(codeOf(desk.decideUnmerge(requested))).toBe('merged_again');
  expect(receiptOf(desk.decideUnmerge(requested, { reject: true }))).toMatchObject({
    merge: { state: 'merged', intoExternalCustomerId: 'bob' },
  });
});

test('an account that is merged again gets back into the lots of the first time', () => {
  const desk = mergeDesk();
  desk.earn({ externalCustomerId: 'ann', amountMinor: 4_000, sourceReference: 'old' });
  const before = lotsOf(desk, 'ann');
  desk.unmerge(desk.merge());
  const merged = desk.merge();
  const originIds = [...desk.store.tables.lots.values()].flatMap(({ originLotId }) => originLotId ?? []);
  expect(originIds).toEqual(before.map(({ id }) => id));
  const returned = { sourceReference: 'old', returnReference: 'r1', returnAmountMinor: 4_000 };
  expect(receiptOf(desk.return(returned))).toMatchObject({ return: { shortfall: 0 } });
  expect(codeOf(desk.unmerge(merged))).toBe('merged_points_used');
});

test('a profile that the merge has made stays enrolled, with nothing of the source', () => {
  const desk = mergeDesk();
  desk.createMember({ externalCustomerId: 'eve' });
  desk.earn({ externalCustomerId: 'ann' });
  const before = stateOf(desk, 'ann');
  expect(codeOf(desk.unmerge(desk.merge('ann', 'eve')))).toBe('done');
  expect(stateOf(desk, 'ann')).toEqual(before);
  expect(desk.profile('eve')).toMatchObject({
    ...{ enrolled: true, available: 0, pending: 0, purchaseCount: 0, purchaseAmountMinor: 0 },
    ...{ qualificationPoints: 0, firstPurchaseAt: null, lastPurchaseAt: null },
  });
});
