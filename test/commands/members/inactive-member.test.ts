import { describe, expect, test } from '@jest/globals';
import { settleProfile } from '../../../src/commands/members/settle-profile.ts';
import { toTypeId } from '../../../src/ids.ts';
import { codeOf, counter, type Desk, daysFrom, receiptOf, rows } from '../../support/commands/desk.ts';
import { rewardCounter } from '../../support/commands/reward-counter.ts';
import { noon } from '../../support/rules/fixtures.ts';

/** How a member becomes inactive, and active again. */
const ways: [string, (desk: Desk) => unknown, (desk: Desk) => unknown][] = [
  ['suspended', (desk) => desk.setStatus('suspended'), (desk) => desk.setStatus('active')],
  ['whose consent is withdrawn', (desk) => desk.answer('opted_out'), (desk) => desk.answer('opted_in')],
];

describe.each(ways)('a member %s', (_name, leave, comeBack) => {
  test('earns nothing, keeps its points, and earns again afterwards', () => {
    const desk = counter();
    desk.earn();
    leave(desk);
    const before = desk.profile();
    expect(desk.earn()).toEqual(desk.earn({ externalCustomerId: 'nobody' }));
    expect(codeOf(desk.earn())).toBe('member_not_found');
    expect(desk.profile()).toEqual(before);
    expect(before.available).toBe(100);
    comeBack(desk);
    expect(codeOf(desk.earn())).toBe('done');
    expect(desk.profile().available).toBe(200);
  });

  test('enrolls nowhere, and may leave once it has no points', () => {
    const desk = counter();
    leave(desk);
    expect(desk.enroll()).toEqual(desk.enroll({ externalCustomerId: 'nobody' }));
    expect(codeOf(desk.unenroll())).toBe('done');
    expect(codeOf(desk.enroll())).toBe('member_not_found');
    comeBack(desk);
    expect(codeOf(desk.enroll())).toBe('done');
  });

  test('redeems nothing new; what it holds is committed, released and reversed as ever', () => {
    const desk = rewardCounter();
    desk.quote();
    const quoteId = desk.newestId('quo');
    const [held, other] = [desk.hold(), desk.hold()].map(
      (outcome) => (receiptOf(outcome).reservation as { id: string }).id,
    ) as [string, string];
    leave(desk);
    expect(codeOf(desk.quote())).toBe('member_not_found');
    expect(codeOf(desk.reserve({ quoteId }))).toBe('member_not_found');
    expect(codeOf(desk.release({ reservationId: other }))).toBe('done');
    expect(codeOf(desk.commit({ reservationId: held }))).toBe('done');
    expect(codeOf(desk.reverse({ reservationId: held }))).toBe('done');
    comeBack(desk);
    expect(codeOf(desk.reserve({ quoteId }))).toBe('done');
  });

  test('loses points to returns and to time as ever', () => {
    const desk = counter({ expiration: { policy: 'rolling_days', days: 10 } });
    desk.earn({ sourceReference: 'o1' });
    leave(desk);
    expect(
      codeOf(desk.return({ sourceReference: 'o1', returnReference: 'r1', returnAmountMinor: 4_000 })),
    ).toBe('done');
    expect(desk.profile().available).toBe(60);
    desk.now = daysFrom(noon, 11);
    const profile = { ...desk.caller, programId: 'coffee-club', externalCustomerId: 'ann' };
    expect(codeOf(desk.run(settleProfile(profile)))).toBe('done');
    expect(desk.profile().available).toBe(0);
  });

  test('is rewarded for nobody: the purchase that comes with its code earns alone', () => {
    const desk = counter({ referral: { referrerPoints: 50, refereePoints: 20 } });
    desk.createMember({ externalCustomerId: 'bob' });
    desk.enroll({ externalCustomerId: 'bob' });
    const referralCode = desk.profile().referralCode as string;
    leave(desk);
    const bought = desk.earn({ externalCustomerId: 'bob', context: { attributes: { referralCode } } });
    expect(receiptOf(bought)).toMatchObject({ referral: null, award: { points: 100 } });
    expect(desk.profile().available).toBe(0);
  });
});

describe('suspension', () => {
  test('is audited once with the operator, and told once', () => {
    const desk = counter();
    const before = [desk.store.tables.audits.size, desk.store.webhookEvents.length] as const;
    expect(receiptOf(desk.setStatus('suspended'))).toMatchObject({ status: 'suspended', changed: true });
    expect(receiptOf(desk.setStatus('suspended'))).toMatchObject({ status: 'suspended', changed: false });
    desk.store.setLocked(true);
    expect(receiptOf(desk.setStatus('active'))).toMatchObject({ status: 'active', changed: true });
    const target = { targetType: 'member', targetId: toTypeId('mem', desk.member().id) };
    const actor = { actorType: 'operator', actorId: 'eve' };
    expect(rows(desk.store.tables.audits).slice(before[0])).toEqual([
      expect.objectContaining({
        action: 'member.suspended',
        ...target,
        ...actor,
        changes: { from: 'active', to: 'suspended' },
      }),
      expect.objectContaining({
        action: 'member.resumed',
        ...target,
        ...actor,
        changes: { from: 'suspended', to: 'active' },
      }),
    ]);
    const told = { externalCustomerId: 'ann', consentStatus: 'granted' };
    expect(desk.store.webhookEvents.slice(before[1])).toEqual([
      { type: 'member.suspended', data: expect.objectContaining({ ...told, status: 'suspended' }) },
      {
        type: 'member.updated',
        data: expect.objectContaining({ ...told, status: 'active', changed: ['status'] }),
      },
    ]);
  });

  test('of a member that is unknown or erased: none', () => {
    const desk = counter();
    expect(codeOf(desk.setStatus('suspended', 'nobody'))).toBe('member_not_found');
    desk.setMember({ status: 'erased' });
    expect(codeOf(desk.setStatus('active'))).toBe('member_not_found');
    expect(desk.member().status).toBe('erased');
  });

  test('and consent do not hide each other: both have to be mended', () => {
    const desk = counter();
    desk.setStatus('suspended');
    desk.answer('opted_out');
    desk.setStatus('active');
    expect(codeOf(desk.earn())).toBe('member_not_found');
    desk.answer('opted_in');
    expect(codeOf(desk.earn())).toBe('done');
  });
});
