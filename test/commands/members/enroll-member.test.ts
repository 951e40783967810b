import { describe, expect, test } from '@jest/globals';
import { enrollMember } from '../../../src/commands/members/enroll-member.ts';
import { toTypeId } from '../../../src/ids.ts';
import type { QualificationWindow } from '../../../src/programs/document/program-document.ts';
import { codeOf, Desk, daysFrom, receiptOf } from '../../support/commands/desk.ts';
import { noon, program, tier } from '../../support/rules/fixtures.ts';

function joined(): Desk {
  const desk = new Desk();
  desk.createMember();
  desk.enroll();
  return desk;
}

test('a first enrollment makes the profile in the first tier, with nothing on its account', () => {
  const desk = new Desk();
  desk.createMember();
  expect(receiptOf(desk.enroll())).toEqual({
    created: true,
    member: { id: toTypeId('mem', desk.member().id), externalCustomerId: 'ann', tier: 'bronze' },
    program: {
      programId: 'coffee-club',
      tier: 'bronze',
      status: 'enrolled',
      qualificationPoints: 0,
      referralCode: null,
      balances: [{ accountType: 'member', available: 0, pending: 0, reserved: 0 }],
    },
  });
  expect(desk.profile()).toMatchObject({ enrolled: true, enrolledAt: noon, unenrolledAt: null });
});

test('a member may be in several programs, each with its own profile', () => {
  const desk = joined();
  desk.publish(program({ id: 'tea-club', tiers: [tier('leaf', 0, 1)] }));
  expect(receiptOf(desk.enroll({ programId: 'tea-club' }))).toMatchObject({ created: true });
  expect(desk.store.tables.profiles.size).toBe(2);
  expect(desk.profile('ann', 'tea-club').tier).toBe('leaf');
});

test('enrolling again under a new key keeps balances, renews the evidence, and reports no change', () => {
  const desk = joined();
  desk.earn();
  desk.now = daysFrom(noon, 1);
  const receipt = receiptOf(desk.enroll({ noticeVersion: 'club-9' }));
  expect(receipt).toMatchObject({
    created: false,
    program: { balances: [{ available: 100, pending: 0, reserved: 0 }], qualificationPoints: 100 },
  });
  expect(desk.profile().enrolledAt).toEqual(noon);
  const { audits, consents } = desk.store.tables;
  expect([...audits.values()].at(-1)).toMatchObject({
    action: 'member.consent_renewed',
    changes: { reactivated: false },
  });
  expect([...consents.values()].at(-1)).toMatchObject({ noticeVersion: 'club-9', status: 'granted' });
  expect(desk.store.webhookEvents.filter((event) => event.type === 'member.enrolled')).toHaveLength(1);
});

test('a profile that was left is re-activated, not made anew', () => {
  const desk = joined();
  expect([...desk.store.tables.audits.values()].at(-1)).toMatchObject({ changes: { reactivated: false } });
  desk.unenroll();
  desk.now = daysFrom(noon, 7);
  expect(receiptOf(desk.enroll())).toMatchObject({ created: false, program: { status: 'enrolled' } });
  expect(desk.profile()).toMatchObject({ enrolled: true, enrolledAt: desk.now, unenrolledAt: null });
  const audits = [...desk.store.tables.audits.values()];
  expect(audits.at(-1)).toMatchObject({ action: 'member.enrolled', changes: { reactivated: true } });
  expect(desk.store.webhookEvents.map((event) => event.type)).toEqual([
    'member.created',
    'member.enrolled',
    'member.unenrolled',
    'member.enrolled',
  ]);
});

test('an old enrollment key that comes after an unenrollment does not enroll', () => {
  const desk = new Desk();
  desk.createMember();
  const input = desk.enrollInput();
  const first = desk.enroll(input);
  desk.unenroll();
  expect(desk.enroll(input)).toEqual({ receipt: receiptOf(first), idempotent: true });
  expect(desk.profile().enrolled).toBe(false);
});

test('the evidence of consent is kept as it was sent', () => {
  const desk = new Desk();
  desk.createMember();
  const evidence = { source: 'kiosk', form: { id: 7, signed: true } };
  desk.enroll({ evidence });
  expect([...desk.store.tables.consents.values()].at(-1)).toMatchObject({
    memberId: desk.member().id,
    programId: 'coffee-club',
    status: 'granted',
    noticeVersion: 'club-1',
    evidence,
    reason: null,
    requestId: 'req_a',
    at: noon,
  });
});

test('the events name neither display name nor address', () => {
  const desk = new Desk();
  desk.createMember({ displayName: 'Ann Example' });
  desk.enroll();
  expect(desk.store.webhookEvents.slice(1)).toEqual([
    {
      type: 'member.enrolled',
      data: {
        memberId: toTypeId('mem', desk.member().id),
        externalCustomerId: 'ann',
        programId: 'coffee-club',
        tier: 'bronze',
        balances: { available: 0, pending: 0, reserved: 0 },
        profileVersion: 1,
      },
    },
  ]);
  expect(JSON.stringify(desk.store.webhookEvents)).not.toContain('Example');
});

test('refusals, each before the ones below it', () => {
  const desk = joined();
  desk.enroll({ idempotencyKey: 'used' });
  desk.store.setLocked(true);
  const input = desk.enrollInput({
    idempotencyKey: 'used',
    externalCustomerId: 'nobody',
    programId: 'no-club',
  });
  expect(codeOf(desk.enroll(input))).toBe('idempotency_key_reused');
  const fresh = { ...input, idempotencyKey: 'fresh' };
  expect(codeOf(desk.enroll(fresh))).toBe('production_locked');
  desk.store.setLocked(false);
  expect(codeOf(desk.enroll(fresh))).toBe('program_not_found');
  const known = { ...fresh, programId: 'coffee-club' };
  expect(codeOf(desk.enroll(known))).toBe('member_not_found');
  expect(codeOf(desk.enroll({ ...known, externalCustomerId: 'ann' }))).toBe('done');
});

test.each(['suspended', 'erased'] as const)('a member who is %s is not found', (status) => {
  const desk = new Desk();
  desk.createMember();
  desk.setMember({ status });
  expect(codeOf(desk.enroll())).toBe('member_not_found');
});

test('a program whose first version is not in effect yet is not found', () => {
  const desk = new Desk();
  desk.createMember();
  desk.publish(program({ id: 'soon-club' }), {
    effectiveFrom: daysFrom(noon, 1),
    publishedAt: daysFrom(noon, -1),
  });
  expect(codeOf(desk.enroll({ programId: 'soon-club' }))).toBe('program_not_found');
  desk.now = daysFrom(noon, 1);
  expect(codeOf(desk.enroll({ programId: 'soon-club' }))).toBe('done');
});

describe('an enrollment that may only be new, as of an import', () => {
  const enrollNew = (desk: Desk) =>
    desk.run(enrollMember(desk.enrollInput(), desk.caller, { onlyNew: true }));

  test('enrolls a member who was never in the program', () => {
    const desk = new Desk();
    desk.createMember();
    expect(receiptOf(enrollNew(desk))).toMatchObject({ created: true });
  });

  test.each<[string, (desk: Desk) => void]>([
    [
      'one who left the program',
      (desk) => {
        desk.enroll();
        desk.unenroll();
      },
    ],
    ['one who is enrolled already', (desk) => desk.enroll()],
    ['one whose consent is withdrawn', (desk) => desk.setMember({ consentStatus: 'withdrawn' })],
  ])('refuses %s, and records no consent', (_what, prepare) => {
    const desk = new Desk();
    desk.createMember();
    prepare(desk);
    const consents = desk.store.tables.consents.size;
    expect(codeOf(enrollNew(desk))).toBe('enrollment_required');
    expect(desk.store.tables.consents.size).toBe(consents);
  });
});

describe('an enrollment that keeps who is enrolled', () => {
  const enrollOnce = (desk: Desk) =>
    desk.run(enrollMember(desk.enrollInput(), desk.caller, { onlyNew: true, keepsEnrolled: true }));

  test('answers as a replay does, and records no consent', () => {
    const desk = joined();
    desk.earn();
    const { consents, audits } = desk.store.tables;
    const before = { consents: consents.size, audits: audits.size, profile: desk.profile() };
    expect(enrollOnce(desk)).toMatchObject({
      idempotent: true,
      receipt: { created: false, program: { status: 'enrolled', balances: [{ available: 100 }] } },
    });
    expect({ consents: consents.size, audits: audits.size, profile: desk.profile() }).toEqual(before);
  });

  test('enrolls who was never there, and nobody who has left or is suspended', () => {
    const desk = new Desk();
    desk.createMember();
    expect(codeOf(enrollOnce(desk))).toBe('done');
    desk.setStatus('suspended');
    expect(codeOf(enrollOnce(desk))).toBe('member_not_found');
    desk.setStatus('active');
    desk.unenroll();
    expect(codeOf(enrollOnce(desk))).toBe('enrollment_required');
  });
});

describe('an enrollment in a tier that the member brings along', () => {
  const bringing = (window: QualificationWindow, id = 'silver') => {
    const desk = new Desk();
    desk.publish(
      program({ tiers: [tier('bronze', 0, 1), tier('silver', 500, 1)], qualification: { window } }),
    );
    desk.createMember();
    return { desk, outcome: desk.run(enrollMember(desk.enrollInput(), desk.caller, { tier: id })) };
  };

  test.each<[QualificationWindow, Date | null, object | null]>([
    ['lifetime', null, null],
    ['calendar_year', new Date(Date.UTC(noon.getUTCFullYear() + 1, 0)), null],
    [
      'rolling_12_months',
      new Date(Date.UTC(noon.getUTCFullYear() + 1, noon.getUTCMonth(), noon.getUTCDate())),
      { [noon.toISOString().slice(0, 10)]: 500 },
    ],
  ])('over %s it is kept as if its threshold had been earned on that day', (window, requalifyAt, days) => {
    const { desk } = bringing(window);
    expect(desk.profile()).toMatchObject({
      tier: 'silver',
      qualificationPoints: 500,
      qualificationDays: days,
      requalifyAt,
    });
  });

  test('a tier that the program does not have is refused', () => {
    const { desk, outcome } = bringing('lifetime', 'gold');
    expect(codeOf(outcome)).toBe('unknown_tier');
    expect(desk.store.tables.profiles.size).toBe(0);
  });
});
