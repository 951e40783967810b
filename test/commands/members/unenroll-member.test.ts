import { expect, test } from '@jest/globals';
import { toTypeId } from '../../../src/ids.ts';
import { codeOf, Desk, daysFrom, receiptOf, rows } from '../../support/commands/desk.ts';
import { reward, rewardCounter } from '../../support/commands/reward-counter.ts';
import { noon, program } from '../../support/rules/fixtures.ts';

function joined(): Desk {
  const desk = new Desk();
  desk.createMember();
  desk.enroll();
  return desk;
}

test('an empty profile is left; its history stays', () => {
  const desk = joined();
  desk.earn({ amountMinor: 0 });
  desk.now = daysFrom(noon, 1);
  expect(receiptOf(desk.unenroll())).toEqual({
    program: { programId: 'coffee-club', status: 'unenrolled' },
  });
  expect(desk.profile()).toMatchObject({ enrolled: false, unenrolledAt: desk.now, enrolledAt: noon });
  expect(desk.store.tables.transactions.size).toBe(1);
  expect([...desk.store.tables.consents.values()].at(-1)).toMatchObject({
    programId: 'coffee-club',
    status: 'withdrawn',
    noticeVersion: 'club-2',
    evidence: { source: 'account page' },
    reason: 'moved away',
    requestId: 'req_a',
    at: desk.now,
  });
  expect([...desk.store.tables.audits.values()].at(-1)).toMatchObject({
    action: 'member.unenrolled',
    targetType: 'member',
    targetId: toTypeId('mem', desk.member().id),
    changes: { programId: 'coffee-club', noticeVersion: 'club-2' },
  });
  expect(desk.store.webhookEvents.at(-1)).toMatchObject({
    type: 'member.unenrolled',
    data: { externalCustomerId: 'ann', programId: 'coffee-club' },
  });
});

test('leaving again is no error: the evidence is kept, nothing is reported', () => {
  const desk = joined();
  desk.unenroll();
  const leftAt = desk.profile().unenrolledAt;
  desk.now = daysFrom(noon, 1);
  expect(codeOf(desk.unenroll())).toBe('done');
  expect(desk.profile().unenrolledAt).toEqual(leftAt);
  expect([...desk.store.tables.consents.values()].filter((row) => row.status === 'withdrawn')).toHaveLength(
    2,
  );
  expect(desk.store.webhookEvents.filter((event) => event.type === 'member.unenrolled')).toHaveLength(1);
});

test('it goes on while Production is locked', () => {
  const desk = joined();
  desk.store.setLocked(true);
  expect(codeOf(desk.unenroll())).toBe('done');
});

test('refusals, each before the ones below it', () => {
  const desk = joined();
  desk.unenroll({ idempotencyKey: 'used' });
  desk.enroll();
  desk.setProfile({ available: 1, pending: 1, reserved: 1 });
  const input = desk.unenrollInput({
    idempotencyKey: 'used',
    programId: 'no-club',
    externalCustomerId: 'nobody',
  });
  expect(codeOf(desk.unenroll(input))).toBe('idempotency_key_reused');
  const fresh = { ...input, idempotencyKey: 'fresh' };
  expect(codeOf(desk.unenroll(fresh))).toBe('program_not_found');
  const known = { ...fresh, programId: 'coffee-club' };
  expect(codeOf(desk.unenroll(known))).toBe('member_not_found');
  desk.createMember({ externalCustomerId: 'nobody' });
  expect(codeOf(desk.unenroll(known))).toBe('profile_not_found');
  const ann = { ...known, externalCustomerId: 'ann' };
  expect(codeOf(desk.unenroll(ann))).toBe('balance_not_zero');
  desk.setProfile({ available: 0 });
  expect(codeOf(desk.unenroll(ann))).toBe('balance_not_zero');
  desk.setProfile({ pending: 0 });
  expect(codeOf(desk.unenroll(ann))).toBe('reservation_open');
  desk.setProfile({ reserved: 0 });
  expect(codeOf(desk.unenroll(ann))).toBe('done');
});

test('earned points hold the member, available or pending', () => {
  const desk = joined();
  desk.earn();
  expect(desk.unenroll()).toMatchObject({
    code: 'balance_not_zero',
    message: expect.stringContaining('100 points are available and 0 pending'),
  });
  const other = new Desk();
  other.publish(program({ pending: { days: 10 } }));
  other.createMember();
  other.enroll();
  other.earn();
  expect(other.unenroll()).toMatchObject({
    code: 'balance_not_zero',
    message: expect.stringContaining('0 points are available and 100 pending'),
  });
});

test.each([
  ['suspended', 'done'],
  ['erased', 'member_not_found'],
] as const)('a member who is %s: %s', (status, expected) => {
  const desk = joined();
  desk.setMember({ status });
  expect(codeOf(desk.unenroll())).toBe(expected);
});

test('a replay gives the first receipt, also after the member came back', () => {
  const desk = joined();
  const input = desk.unenrollInput();
  const first = desk.unenroll(input);
  desk.enroll();
  expect(desk.unenroll(input)).toEqual({ receipt: receiptOf(first), idempotent: true });
  expect(desk.profile().enrolled).toBe(true);
});

test('what time has ended is ended on the way: holds and lots expire, and only then is there nothing left', () => {
  const desk = rewardCounter({ expiration: { policy: 'rolling_days', days: 1 } });
  desk.hold();
  desk.now = new Date(daysFrom(noon, 1).getTime() - 1);
  expect(codeOf(desk.unenroll())).toBe('balance_not_zero');
  // A refusal stores nothing.
  expect(desk.newestReservation.state).toBe('reserved');
  desk.now = daysFrom(noon, 1);
  expect(codeOf(desk.unenroll())).toBe('done');
  expect(desk.newestReservation.state).toBe('expired');
  expect(desk.balances).toEqual([0, 0, 0]);
  expect(desk.profile()).toMatchObject({ enrolled: false, nextDueAt: null });
  expect(desk.events.slice(-3)).toEqual(['redemption.expired', 'points.expired', 'member.unenrolled']);
});

test('a live reservation holds the member, whose every point it has', () => {
  const desk = rewardCounter({ rewards: [reward({ points: 250 })] });
  desk.hold();
  expect(codeOf(desk.unenroll())).toBe('reservation_open');
  desk.commit();
  expect(codeOf(desk.unenroll())).toBe('done');
  expect(codeOf(desk.reverse())).toBe('enrollment_required');
});

test('nothing is due any more of who has left', () => {
  const rewards = [reward({ points: 250 })];
  const desk = rewardCounter({ rewards, expiration: { policy: 'rolling_days', days: 30 } });
  desk.redeem();
  expect(desk.profile().nextDueAt).not.toBeNull();
  expect(codeOf(desk.unenroll())).toBe('done');
  expect(desk.profile()).toMatchObject({ enrolled: false, nextDueAt: null });
});

test('open quotes are cancelled, and stay so for a member who comes back', () => {
  const desk = rewardCounter({ rewards: [reward({ points: 250 }), reward({ id: 'pin', points: 1 })] });
  desk.quote({ rewardId: 'pin', ttlSeconds: 60 });
  desk.inSeconds(60);
  desk.quote({ rewardId: 'pin' });
  const open = desk.newestId('quo');
  desk.redeem();
  expect(codeOf(desk.unenroll())).toBe('done');
  expect(rows(desk.store.tables.quotes).map(({ state }) => state)).toEqual([
    'expired',
    'cancelled',
    'reserved',
  ]);
  expect(codeOf(desk.reserve({ quoteId: open }))).toBe('enrollment_required');
  desk.enroll();
  desk.earn();
  expect(desk.reserve({ quoteId: open })).toMatchObject({
    code: 'invalid_redemption_state',
    message: expect.stringContaining('cancelled'),
  });
});
