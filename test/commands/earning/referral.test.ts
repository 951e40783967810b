import { describe, expect, test } from '@jest/globals';
import { purchaseEarn } from '../../../src/commands/earning/purchase-earn.ts';
import { readReferralCode, referralCodeFrom } from '../../../src/commands/shared/referral-code.ts';
import { newUuid, toTypeId } from '../../../src/ids.ts';
import type { ProgramDocument } from '../../../src/programs/document/program-document.ts';
import { posted } from '../../support/commands/adjustments.ts';
import { codeOf, Desk, daysFrom, receiptOf, rows } from '../../support/commands/desk.ts';
import { RewardCounter, reward } from '../../support/commands/reward-counter.ts';
import { noon, program } from '../../support/rules/fixtures.ts';

const referral: NonNullable<ProgramDocument['referral']> = { referrerPoints: 200, refereePoints: 50 };

/** A desk where these members are enrolled in a program with a referral. */
function club(document: Partial<ProgramDocument> = {}, members = ['ann', 'bob', 'cat', 'dan']): Desk {
  const desk = new Desk();
  desk.publish(program({ referral, ...document }));
  for (const externalCustomerId of members) {
    desk.createMember({ externalCustomerId });
    desk.enroll({ externalCustomerId });
  }
  return desk;
}

function codeOfMember(desk: Desk, externalCustomerId = 'ann'): string {
  return desk.profile(externalCustomerId).referralCode as string;
}

/** Looks the code's owner up, as the resolver does. */
function referred(
  desk: Desk,
  externalCustomerId: string,
  referralCode: unknown,
  overrides: Parameters<Desk['purchaseInput']>[0] = {},
) {
  const profile = rows(desk.store.tables.profiles).find(
    (row) => row.referralCode === readReferralCode(String(referralCode)),
  );
  const member = rows(desk.store.tables.members).find(({ id }) => id === profile?.memberId);
  const input = desk.purchaseInput({
    externalCustomerId,
    context: { attributes: { referralCode } },
    ...overrides,
  });
  return purchaseEarn(input, desk.caller, member?.externalCustomerId ?? null);
}

/** Whether the referral was awarded, with the reason. */
function outcome(
  desk: Desk,
  ...purchase: Parameters<typeof referred> extends [Desk, ...infer Rest] ? Rest : never
) {
  const receipt = receiptOf(desk.run(referred(desk, ...purchase))) as {
    referral: object | null;
    award: { points: number };
    ruleDecisions: { kind: string; matched: boolean; reason: string | null; points: number }[];
  };
  const decision = receipt.ruleDecisions.find(({ kind }) => kind === 'referral');
  const sum = receipt.ruleDecisions.reduce((points, each) => points + each.points, 0);
  // A referral does not change the purchase's award.
  expect({ sum, points: receipt.award.points }).toEqual({
    sum: receipt.award.points,
    points: expect.any(Number),
  });
  return { referral: receipt.referral, points: receipt.award.points, reason: decision?.reason, decision };
}

describe('codes', () => {
  test('are ten characters of a UUID’s random bits, each member’s own', () => {
    expect(referralCodeFrom('01920000-0000-7000-8000-000000000000')).toBe('0000000000');
    expect(referralCodeFrom('01920000-0000-7000-8000-0000000003ff')).toBe('00000000ZZ');
    expect(referralCodeFrom('ffffffff-ffff-ffff-ffff-ffffffffffff')).toBe('ZZZZZZZZZZ');
    const codes = new Set(Array.from({ length: 1_000 }, () => referralCodeFrom(newUuid())));
    expect(codes.size).toBe(1_000);
    for (const code of codes) expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{10}$/);
  });

  test('are read as people type them', () => {
    expect(readReferralCode(' 0oil1-abc ')).toBe('00111-ABC');
  });

  test('come with the enrollment, where the program has a referral', () => {
    const desk = club();
    expect(codeOfMember(desk)).toMatch(/^[0-9A-Z]{10}$/);
    expect(receiptOf(desk.enroll({ externalCustomerId: 'ann' })).program).toMatchObject({
      referralCode: codeOfMember(desk),
    });
    const without = new Desk();
    without.createMember();
    expect(receiptOf(without.enroll()).program).toMatchObject({ referralCode: null });
  });

  test('come with the next purchase or the return to the program, where there was none before', () => {
    const desk = new Desk();
    desk.createMember();
    desk.enroll();
    desk.createMember({ externalCustomerId: 'bob' });
    desk.enroll({ externalCustomerId: 'bob' });
    desk.unenroll({ externalCustomerId: 'bob' });
    desk.publish(program({ referral }));
    desk.enroll({ externalCustomerId: 'bob' });
    expect(codeOfMember(desk, 'bob')).toHaveLength(10);
    expect(desk.profile().referralCode).toBeNull();
    desk.earn();
    const code = codeOfMember(desk);
    expect(code).toHaveLength(10);
    desk.earn();
    expect(codeOfMember(desk)).toBe(code);
  });
});

describe('a referral', () => {
  test('gives to both in transactions of their own, with lots under the program’s policies', () => {
    const desk = club({ pending: { days: 3 }, expiration: { policy: 'rolling_days', days: 30 } });
    const code = codeOfMember(desk);
    expect(outcome(desk, 'bob', code, { sourceReference: 'order-1' })).toMatchObject({
      referral: { code, referrerPoints: 200, refereePoints: 50 },
      points: 100,
      reason: 'Gives 200 points to the referrer and 50 to the member, beside the award.',
    });
    const { tables, webhookEvents } = desk.store;
    const [ann, bob] = [desk.profile('ann'), desk.profile('bob')];
    expect({ ann: ann.pending, bob: bob.pending }).toEqual({ ann: 200, bob: 150 });
    expect({
      referralCount: ann.referralCount,
      annPurchaseCount: ann.purchaseCount,
      referredBy: bob.referredBy,
      bobPurchaseCount: bob.purchaseCount,
    }).toEqual({ referralCount: 1, annPurchaseCount: 0, referredBy: ann.memberId, bobPurchaseCount: 1 });
    const awards = rows(tables.transactions).filter(({ eventType }) => eventType === 'referral.awarded');
    expect(
      awards.map(({ memberId, points, sourceReference }) => [memberId, points, sourceReference]),
    ).toEqual([
      [bob.memberId, 50, 'order-1'],
      [ann.memberId, 200, 'order-1'],
    ]);
    expect(awards[0]?.receipt).toEqual({
      referral: { code, referrerId: toTypeId('mem', ann.memberId), refereeId: toTypeId('mem', bob.memberId) },
    });
    expect(
      rows(tables.lots).map(({ granted, activatesAt, expiresAt }) => [granted, activatesAt, expiresAt]),
    ).toEqual([100, 50, 200].map((granted) => [granted, daysFrom(noon, 3), daysFrom(noon, 33)]));
    expect(
      webhookEvents
        .filter(({ type }) => type === 'points.earned')
        .map(({ data }) => data as { externalCustomerId: string; points: number })
        .map(({ externalCustomerId, points }) => [externalCustomerId, points]),
    ).toEqual([
      ['bob', 100],
      ['bob', 50],
      ['ann', 200],
    ]);
    // Its points do not count for a tier.
    expect({ ann: ann.qualificationPoints, bob: bob.qualificationPoints }).toEqual({ ann: 0, bob: 100 });
  });

  test('is paid once, with the first purchase', () => {
    const desk = club();
    const code = codeOfMember(desk);
    expect(outcome(desk, 'bob', code).referral).not.toBeNull();
    expect(outcome(desk, 'bob', code)).toMatchObject({
      referral: null,
      reason: "It is not the member's first purchase.",
      points: 100,
    });
    expect(desk.profile('ann').available).toBe(200);
  });

  test('is paid once also in one batch, and a replay pays nothing', () => {
    const desk = club();
    const code = codeOfMember(desk);
    const command = referred(desk, 'bob', code);
    const outcomes = desk.store.runBatch([command, referred(desk, 'bob', code), command], desk.now);
    expect(outcomes.map(codeOf)).toEqual(['done', 'done', 'replayed']);
    expect({ ann: desk.profile('ann').available, bob: desk.profile('bob').available }).toEqual({
      ann: 200,
      bob: 250,
    });
  });

  test('takes the code as it is typed', () => {
    const desk = club();
    const typed = ` ${codeOfMember(desk).toLowerCase()}`;
    expect(outcome(desk, 'bob', typed).referral).toMatchObject({ code: typed, referrerPoints: 200 });
  });

  test.each<[string, (desk: Desk) => ReturnType<typeof outcome>, string]>([
    ['an unknown code', (desk) => outcome(desk, 'bob', 'NOBODY0000'), 'Unknown code.'],
    [
      "one's own code",
      (desk) => outcome(desk, 'bob', codeOfMember(desk, 'bob')),
      "It is the member's own code.",
    ],
    [
      'a referrer who has left',
      (desk) => {
        desk.unenroll();
        return outcome(desk, 'bob', codeOfMember(desk));
      },
      'The referrer is no longer in the program.',
    ],
    [
      'a referrer whom the member had referred',
      (desk) => {
        expect(outcome(desk, 'ann', codeOfMember(desk, 'bob')).referral).not.toBeNull();
        return outcome(desk, 'bob', codeOfMember(desk));
      },
      'The referrer was referred by this member.',
    ],
    [
      'a purchase of too little',
      (desk) => outcome(desk, 'bob', codeOfMember(desk), { amountMinor: 999 }),
      'The purchase is of less than 1000 minor units.',
    ],
    [
      'one referral more than are rewarded',
      (desk) => {
        for (const each of ['cat', 'dan']) outcome(desk, each, codeOfMember(desk));
        return outcome(desk, 'bob', codeOfMember(desk));
      },
      'The referrer was rewarded for 2 members already.',
    ],
    [
      'a referrer whose balance is full',
      (desk) => {
        const profile = desk.profile('ann');
        for (const [key, row] of desk.store.tables.profiles) {
          if (row === profile) {
            desk.store.tables.profiles.set(key, { ...row, available: Number.MAX_SAFE_INTEGER - 199 });
          }
        }
        return outcome(desk, 'bob', codeOfMember(desk));
      },
      'A balance would exceed 2^53-1 points.',
    ],
  ])('gives nothing for %s, and costs the purchase nothing', (_what, buy, reason) => {
    const desk = club({ referral: { ...referral, minimumAmountMinor: 1000, maxPerReferrer: 2 } });
    const result = buy(desk);
    expect(result).toMatchObject({ referral: null, reason });
    expect(result.points).toBeGreaterThan(0);
    expect(desk.profile('bob').referredBy).toBeNull();
  });

  test('is paid for a purchase of exactly the least amount, and for as many as are rewarded', () => {
    const desk = club({ referral: { ...referral, minimumAmountMinor: 1000, maxPerReferrer: 2 } });
    const code = codeOfMember(desk);
    for (const each of ['bob', 'cat']) {
      expect(outcome(desk, each, code, { amountMinor: 1000 }).referral).not.toBeNull();
    }
    expect(desk.profile('ann').available).toBe(400);
  });

  test('is not paid for a purchase of no value, unless the program says so', () => {
    const desk = club();
    const free = { amountMinor: 0 };
    expect(outcome(desk, 'bob', codeOfMember(desk), free)).toMatchObject({
      referral: null,
      reason: 'A purchase of no value qualifies nobody.',
    });
    // It was bob's first purchase all the same.
    expect(outcome(desk, 'bob', codeOfMember(desk)).referral).toBeNull();
    desk.publish(program({ referral: { ...referral, minimumAmountMinor: 0 } }));
    expect(outcome(desk, 'cat', codeOfMember(desk), free).referral).not.toBeNull();
  });

  test('goes one way between two members, also where both first purchases come in one batch', () => {
    const desk = club();
    const [ofAnn, ofBob] = [codeOfMember(desk), codeOfMember(desk, 'bob')];
    const outcomes = desk.store.runBatch(
      [referred(desk, 'ann', ofBob), referred(desk, 'bob', ofAnn)],
      desk.now,
    );
    expect(outcomes.map((each) => receiptOf(each).referral !== null)).toEqual([true, false]);
    expect({ ann: desk.profile('ann').available, bob: desk.profile('bob').available }).toEqual({
      ann: 150,
      bob: 300,
    });
  });

  test('may come round over three members: each of them is new once', () => {
    const desk = club();
    for (const [referee, referrer] of [
      ['ann', 'bob'],
      ['bob', 'cat'],
      ['cat', 'ann'],
    ] as const) {
      expect(outcome(desk, referee, codeOfMember(desk, referrer)).referral).not.toBeNull();
    }
  });

  test('gives nothing where the program has none, or the code is no text', () => {
    const desk = club({}, ['ann', 'bob']);
    const code = codeOfMember(desk);
    desk.publish(program());
    expect(outcome(desk, 'bob', code)).toMatchObject({
      referral: null,
      reason: 'The program has no referral.',
    });
    expect(outcome(desk, 'ann', 7)).toMatchObject({ referral: null, decision: undefined });
  });

  test('of no points to one of the two makes no transaction there', () => {
    const desk = club({ referral: { referrerPoints: 10, refereePoints: 0 } });
    outcome(desk, 'bob', codeOfMember(desk));
    const awards = rows(desk.store.tables.transactions).filter((row) => row.eventType === 'referral.awarded');
    expect(awards.map(({ points }) => points)).toEqual([10]);
  });

  test('posts what time has done to the referrer first', () => {
    const desk = club({ expiration: { policy: 'inactivity', days: 10 } });
    desk.earn({ externalCustomerId: 'ann' });
    desk.now = daysFrom(noon, 10);
    outcome(desk, 'bob', codeOfMember(desk));
    // Ann's own points had lapsed before the referral, so its activity does not extend them.
    expect(desk.profile('ann').available).toBe(200);
    desk.now = daysFrom(noon, 15);
    outcome(desk, 'cat', codeOfMember(desk));
    desk.now = daysFrom(noon, 24);
    outcome(desk, 'dan', codeOfMember(desk));
    expect(desk.profile('ann').available).toBe(600);
  });

  test('gives back what ended holds of both had taken out of one stock', () => {
    const counter = new RewardCounter();
    counter.publish(program({ referral, rewards: [reward({ inventory: 5 })] }));
    for (const externalCustomerId of ['ann', 'bob']) {
      counter.createMember({ externalCustomerId });
      counter.enroll({ externalCustomerId });
      posted(counter, { externalCustomerId });
      receiptOf(counter.hold({ externalCustomerId, sourceReference: `mug of ${externalCustomerId}` }));
    }
    const taken = () => rows(counter.store.tables.stocks).map((stock) => stock.taken);
    expect(taken()).toEqual([2]);
    counter.now = daysFrom(noon, 1);
    expect(outcome(counter, 'bob', codeOfMember(counter)).referral).toMatchObject(referral);
    expect(rows(counter.store.tables.reservations).map(({ state }) => state)).toEqual(['expired', 'expired']);
    expect(taken()).toEqual([0]);
  });
});
