import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { purchaseEarn } from '../../../src/commands/earning/purchase-earn.ts';
import type { PurchaseEarnInput } from '../../../src/contract/generated/types.ts';
import type { ProgramDocument } from '../../../src/programs/document/program-document.ts';
import type { PurchaseReceipt } from '../../../src/queries/transactions/recorded-award.ts';
import { verifyAward } from '../../../src/queries/transactions/verify-award.ts';
import { isRefusal } from '../../../src/refusal.ts';
import { Desk, rows } from '../../support/commands/desk.ts';
import { recordedAwards } from '../../support/commands/recorded-awards.ts';
import { anyProgram } from '../../support/rules/random-programs.ts';
import { anyInstant, anyPurchase } from '../../support/rules/random-situations.ts';
import { ReferenceClub } from '../../support/rules/reference-club.ts';

// Members buy under random programs, at the desk and in books that the second implementation keeps: what each purchase
// earns depends on all those before it.

const people = ['ann', 'bob', 'cat'];
const known = {
  ann: { tags: ['a'], lists: ['b', 'c'] },
  bob: { tags: ['b', 'c'], lists: [] },
  cat: { tags: [], lists: ['a'] },
};
const HOUR_MS = 3_600_000;

const anyReferral = fc.option(
  fc.record({
    referrerPoints: fc.nat(9),
    refereePoints: fc.integer({ min: 1, max: 9 }),
    minimumAmountMinor: fc.nat(1_500),
    maxPerReferrer: fc.integer({ min: 1, max: 2 }),
  }),
);
/** With so few points that no balance overflows: the evaluation does not check that. */
const anyClub: fc.Arbitrary<ProgramDocument> = fc
  .tuple(anyProgram, anyReferral)
  .map(([document, referral]) => ({
    ...(JSON.parse(JSON.stringify(document).replaceAll('9007199254740991', '40')) as ProgramDocument),
    ...(referral && { referral }),
  }));
const anyVisit = fc.record({
  who: fc.constantFrom(...people),
  bought: anyPurchase,
  referrer: fc.option(fc.constantFrom(...people, 'nobody')),
  hoursLater: fc.oneof(fc.nat(30), fc.nat(1_000)),
  lateHours: fc.oneof(fc.constant(0), fc.nat(90)),
  pinnedTier: fc.option(fc.constantFrom('bronze', 'gold'), { freq: 4 }),
});

test('purchases one after the other earn what the second implementation says, and what verify award says', () => {
  const seen: Record<string, number> = {};
  const count = (what: string) => {
    seen[what] = (seen[what] ?? 0) + 1;
  };
  fc.assert(
    fc.property(
      anyClub,
      anyInstant,
      fc.array(anyVisit, { minLength: 4, maxLength: 16 }),
      (document, from, visits) => {
        const desk = new Desk();
        desk.now = from;
        desk.publish(document);
        for (const [externalCustomerId, tagged] of Object.entries(known)) {
          desk.createMember({ externalCustomerId });
          const member = desk.member(externalCustomerId);
          desk.store.tables.members.set(externalCustomerId, { ...member, ...tagged });
          desk.enroll({ externalCustomerId });
        }
        const club = new ReferenceClub(document, Object.entries(known));
        for (const { who, bought, referrer, hoursLater, lateHours, pinnedTier } of visits) {
          desk.now = new Date(desk.now.getTime() + hoursLater * HOUR_MS);
          const occurredAt = new Date(desk.now.getTime() - lateHours * HOUR_MS);
          const amountMinor = bought.amountMinor % 5_000;
          const referralCode = referrer === null ? null : codeOf(desk, referrer);
          const attributes = {
            ...bought.attributes,
            ...(referralCode !== null && { referralCode }),
            ...(pinnedTier !== null && {
              svcEvaluation: {
                mode: 'event_time_pinned_configuration',
                configurationVersion: 1,
                memberTier: pinnedTier,
              },
            }),
          };
          const input = desk.purchaseInput({
            ...(bought as Partial<PurchaseEarnInput>),
            amountMinor,
            externalCustomerId: who,
            occurredAt: occurredAt.toISOString(),
            context: { attributes },
          });
          const owner = referrer === 'nobody' || referralCode === '' ? null : referrer;
          const outcome = desk.run(purchaseEarn(input, desk.caller, owner));
          const { sourceReference } = input;
          const purchase = {
            ...bought,
            attributes,
            amountMinor,
            who,
            occurredAt,
            pinnedTier,
            sourceReference,
          };
          const expected = club.buy({ ...purchase, referrer: owner }, desk.now);
          if (typeof expected === 'string' || isRefusal(outcome)) {
            expect(isRefusal(outcome) ? outcome.code : outcome.receipt).toEqual(expected);
            count('refused');
            continue;
          }
          expect(summaryOf(outcome.receipt as PurchaseReceipt)).toEqual({
            points: expected.award.points,
            basePoints: expected.award.basePoints,
            campaigns: expected.award.campaigns,
            coupon: expected.award.coupon?.valid ?? null,
            decisions: expected.award.decisions,
            referral: expected.referral,
          });
          count(expected.award.points > 0 ? 'earned' : 'nothing');
          if (expected.referral[1] > 0) count('referral');
          if (expected.award.coupon?.valid) count('coupon');
          if (expected.award.decisions.some((one) => /^campaign_cap .*-\d+$/.test(one))) count('cap');
          if (expected.award.decisions.some((one) => /^member_limit .*-\d+$/.test(one))) count('limit');
        }
        for (const [who, member] of club.members) {
          const profile = desk.profile(who);
          const { tier, qualificationPoints, purchaseCount, purchaseAmountMinor } = member;
          const { firstPurchaseAt, lastPurchaseAt } = member;
          expect(profile).toMatchObject({ tier, qualificationPoints, purchaseCount, purchaseAmountMinor });
          expect(profile).toMatchObject({
            firstPurchaseAt,
            lastPurchaseAt,
            referralCount: member.rewardedFor,
          });
          const issued = rows(desk.store.tables.postings)
            .filter(
              ({ memberId, debitAccount }) =>
                memberId === profile.memberId && debitAccount === 'program.issuance',
            )
            .reduce((sum, { amount }) => sum + amount, 0);
          expect(issued).toBe(member.earned);
          if (tier !== 'bronze') count('tier');
        }
        for (const { counterId, taken } of rows(desk.store.tables.sharedCounters)) {
          const [kind, id] = counterId.split(':');
          expect([counterId, taken]).toEqual([
            counterId,
            club.counters.get(`${kind === 'campaign' ? 'cap' : kind} ${id}`),
          ]);
        }
        for (const award of recordedAwards(desk, document))
          expect(verifyAward(award).differences).toEqual([]);
      },
    ),
    { numRuns: 250 },
  );
  const wanted = ['refused', 'earned', 'nothing', 'referral', 'coupon', 'cap', 'limit', 'tier'];
  expect(wanted.filter((what) => (seen[what] ?? 0) < 5)).toEqual([]);
});

/** The member's own code; an unknown one for `nobody`; empty where the program gives no codes. */
function codeOf(desk: Desk, who: string): string {
  return who === 'nobody' ? 'NOBODYS' : (desk.profile(who).referralCode ?? '');
}

function summaryOf({ award, campaigns, coupon, referral, ruleDecisions }: PurchaseReceipt) {
  return {
    points: award.points,
    basePoints: award.basePoints,
    campaigns: campaigns.map(({ campaignId, points }) => ({ campaignId, points })),
    coupon: coupon?.redeemed ?? null,
    decisions: ruleDecisions
      .filter(({ kind }) => kind !== 'referral')
      .map(({ kind, id, matched, points }) => `${kind} ${id} ${matched ? points : 'no'}`),
    referral: referral ? [referral.referrerPoints, referral.refereePoints] : [0, 0],
  };
}
