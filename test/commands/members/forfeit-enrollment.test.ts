import { expect, test } from '@jest/globals';
import { forfeitEnrollment } from '../../../src/commands/members/forfeit-enrollment.ts';
import { toTypeId } from '../../../src/ids.ts';
import { codeOf, Desk, daysFrom, receiptOf, rows } from '../../support/commands/desk.ts';
import { type RewardCounter, reward, rewardCounter } from '../../support/commands/reward-counter.ts';
import { noon, program } from '../../support/rules/fixtures.ts';

const forfeit = (desk: Desk, programId = 'coffee-club', customer = 'ann') =>
  desk.run(forfeitEnrollment(programId, customer, desk.caller));

function club(): RewardCounter {
  return rewardCounter({ rewards: [reward({ points: 100, inventory: 1 })] });
}

test('open holds expire, all points expire, and the member leaves', () => {
  const desk = club();
  desk.quote();
  desk.reserve();
  expect(desk.profile()).toMatchObject({ available: 150, reserved: 100 });
  expect(receiptOf(forfeit(desk))).toEqual({ points: 250, changed: true });
  expect(desk.profile()).toMatchObject({
    enrolled: false,
    unenrolledAt: desk.now,
    available: 0,
    reserved: 0,
    nextDueAt: null,
  });
  expect(desk.newestReservation).toMatchObject({ state: 'expired', reason: null });
  expect(rows(desk.store.tables.stocks)).toMatchObject([{ taken: 0 }]);
  const expired = rows(desk.store.tables.transactions).filter(
    ({ eventType }) => eventType === 'points.expired',
  );
  expect(expired).toMatchObject([{ points: 250 }]);
  expect(rows(desk.store.tables.consents).at(-1)).toMatchObject({ status: 'withdrawn', evidence: null });
  expect(
    rows(desk.store.tables.audits)
      .filter(({ actorType }) => actorType === 'api_key')
      .at(-1),
  ).toMatchObject({
    action: 'member.unenrolled',
    targetId: toTypeId('mem', desk.member().id),
    changes: { programId: 'coffee-club', forfeited: 250 },
  });
  expect(desk.events.at(-1)).toBe('member.unenrolled');
});

test('pending points, of any number of lots, go without having been available', () => {
  const desk = new Desk();
  desk.publish(program({ pending: { days: 14 } }));
  desk.createMember();
  desk.enroll();
  for (const day of [0, 1, 2]) {
    desk.now = daysFrom(noon, day);
    desk.earn({ amountMinor: 10_000 });
  }
  expect(desk.profile()).toMatchObject({ available: 0, pending: 300 });
  expect(receiptOf(forfeit(desk))).toEqual({ points: 300, changed: true });
  const postings = rows(desk.store.tables.postings).filter(
    ({ creditAccount }) => creditAccount === 'program.expiry',
  );
  expect(postings.map(({ debitAccount, amount }) => [debitAccount, amount])).toEqual(
    Array.from({ length: 3 }, () => ['member.pending', 100]),
  );
});

test('what has lapsed before is not forfeited; open quotes and choices end; again it changes nothing', () => {
  const desk = club();
  desk.quote();
  forfeit(desk);
  expect(rows(desk.store.tables.quotes)).toMatchObject([{ state: 'cancelled' }]);
  const audits = desk.store.tables.audits.size;
  expect(receiptOf(forfeit(desk))).toEqual({ points: 0, changed: false });
  expect(desk.store.tables.audits.size).toBe(audits);
});

test('it goes on while Production is locked; unknown members and programs are refused', () => {
  const desk = club();
  desk.store.setLocked(true);
  expect(codeOf(forfeit(desk, 'coffee-club', 'nobody'))).toBe('member_not_found');
  expect(codeOf(forfeit(desk, 'no-club'))).toBe('profile_not_found');
  expect(codeOf(forfeit(desk))).toBe('done');
});
