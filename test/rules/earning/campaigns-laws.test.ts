import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { referenceEvaluation } from '../../../simulator/model/award/evaluation.ts';
import type { Campaign, Schedule } from '../../../src/programs/document/campaign-document.ts';
import type { Condition, Fraction, Rounding } from '../../../src/programs/document/document-values.ts';
import type { ProgramDocument } from '../../../src/programs/document/program-document.ts';
import { isRefusal } from '../../../src/refusal.ts';
import { type MemberFacts, newcomer } from '../../../src/rules/conditions/member-facts.ts';
import type { CapUse } from '../../../src/rules/earning/campaigns.ts';
import {
  evaluatePurchase,
  type PurchaseEvaluationInput,
} from '../../../src/rules/earning/evaluate-purchase.ts';
import { awardOf } from '../../support/rules/award-of.ts';
import { input, noon, program, purchase, rate } from '../../support/rules/fixtures.ts';

const rounding: fc.Arbitrary<Rounding> = fc.constantFrom(
  'floor',
  'ceil',
  'nearest_half_up',
  'nearest_half_even',
);
const multiplier: fc.Arbitrary<Fraction> = fc
  .record({ denominator: fc.integer({ min: 1, max: 7 }), beyond: fc.integer({ min: 1, max: 20 }) })
  .map(({ denominator, beyond }) => ({ denominator, numerator: denominator + beyond }));
const award: fc.Arbitrary<Campaign['award']> = fc.oneof(
  fc.record({ bonusPoints: fc.integer({ min: 1, max: 120 }) }),
  fc.record({ multiplier, rounding }),
);
const condition: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({
    field: fc.constantFrom('purchase.amountMinor', 'history.purchaseAmountMinor'),
    operator: fc.constantFrom('gte' as const, 'lt' as const),
    value: fc.integer({ min: 0, max: 8_000 }),
  }),
  fc.record({
    field: fc.constant('member.tags'),
    operator: fc.constantFrom('equals' as const, 'not_equals' as const),
    value: fc.constantFrom('a', 'b'),
  }),
);
const caps = fc.record(
  {
    totalPoints: fc.integer({ min: 1, max: 300 }),
    memberPoints: fc.integer({ min: 1, max: 200 }),
    memberPeriod: fc.record({
      points: fc.integer({ min: 1, max: 100 }),
      period: fc.constantFrom('day' as const, 'month' as const),
    }),
  },
  { requiredKeys: [] },
);
const campaigns: fc.Arbitrary<Campaign[]> = fc.uniqueArray(
  fc.record(
    {
      id: fc.constantFrom('a', 'B', 'c', 'D', 'e'),
      match: fc.constantFrom('all' as const, 'any' as const),
      conditions: fc.array(condition, { maxLength: 2 }),
      award,
      priority: fc.integer({ min: -1, max: 2 }),
      stacking: fc.constantFrom('stack' as const, 'best' as const, 'exclusive' as const),
      caps,
      schedule: fc.constantFrom<Schedule>(
        { daysOfWeek: ['wednesday'] },
        { daysOfWeek: ['monday'] },
        { from: '2026-03-04T12:00:00Z' },
        { until: '2026-03-05T00:00:00Z', hours: { from: 20, to: 13 } },
      ),
    },
    { requiredKeys: ['id', 'match', 'conditions', 'award'] },
  ),
  { selector: ({ id }) => id, minLength: 1, maxLength: 5, size: 'max' },
) as fc.Arbitrary<Campaign[]>;

interface Case {
  campaigns: Campaign[];
  amountMinor: number;
  member: MemberFacts;
  used: Map<string, CapUse>;
  limit: number | null;
}

const use = fc.record({
  total: fc.nat(150),
  member: fc.nat(100),
  memberPeriod: fc.nat(50),
});
const anyCase: fc.Arbitrary<Case> = fc.record({
  campaigns,
  amountMinor: fc.nat(30_000),
  member: fc
    .record({ purchaseAmountMinor: fc.nat(30_000), tags: fc.subarray(['a', 'b']) })
    .map((known) => ({ ...newcomer, ...known })),
  used: fc
    .dictionary(fc.constantFrom('a', 'B', 'c', 'D', 'e'), use)
    .map((each) => new Map(Object.entries(each))),
  limit: fc.option(fc.nat(600)),
});

/** One point a dollar in a tier that gives 5/4 of it. */
function inputOf({ campaigns: list, amountMinor, member, used, limit }: Case): PurchaseEvaluationInput {
  const document: Partial<ProgramDocument> = { campaigns: list };
  if (limit !== null) document.memberLimit = { points: limit, period: 'month', onExceed: 'trim' };
  return input({
    program: program(document),
    purchase: purchase({ amountMinor }),
    profile: { tier: 'silver', qualificationPoints: 1000 },
    member,
    capsUsed: used,
  });
}

function evaluated(one: Case) {
  const result = evaluatePurchase(inputOf(one));
  if (isRefusal(result)) throw new Error(result.code);
  return result;
}

describe('laws of campaigns', () => {
  test('the second implementation agrees', () => {
    const seen = { given: 0, several: 0, capped: 0 };
    fc.assert(
      fc.property(anyCase, (one) => {
        const evaluation = evaluated(one);
        const { campaigns: given, ruleDecisions } = evaluation;
        expect(awardOf(evaluation)).toEqual(referenceEvaluation(inputOf(one)));
        if (given.length > 0) seen.given += 1;
        if (given.length > 1) seen.several += 1;
        if (ruleDecisions.some(({ kind, matched }) => kind === 'campaign_cap' && matched)) seen.capped += 1;
      }),
      { numRuns: 3_000 },
    );
    // The property proves something only if each of these occurs often.
    expect(Math.min(seen.given / 3, seen.several, seen.capped)).toBeGreaterThan(80);
  });

  test('points are never negative, are base and campaigns, and are the sum of the decisions', () => {
    fc.assert(
      fc.property(anyCase, (one) => {
        const { points, basePoints, campaignPoints, campaigns: given, ruleDecisions } = evaluated(one);
        expect(
          Math.min(basePoints, campaignPoints, ...given.map((each) => each.points)),
        ).toBeGreaterThanOrEqual(0);
        expect(points).toBe(basePoints + campaignPoints);
        expect(points).toBe(ruleDecisions.reduce((sum, decision) => sum + decision.points, 0));
        expect(campaignPoints).toBe(given.reduce((sum, each) => sum + each.points, 0));
      }),
      { numRuns: 1_000 },
    );
  });

  test('neither the order of conditions nor that of campaigns in the document matters', () => {
    fc.assert(
      fc.property(anyCase, fc.func(fc.integer()), (one, rank) => {
        const shuffled = one.campaigns
          .map((each) => ({ ...each, conditions: each.conditions.toReversed() }))
          .sort((a, b) => rank(a.id) - rank(b.id));
        const other = evaluated({ ...one, campaigns: shuffled });
        const result = evaluated(one);
        expect(other.campaigns).toEqual(result.campaigns);
        const brief = (decisions: typeof result.ruleDecisions) =>
          decisions.map(({ kind, id, matched, points }) => [kind, id, matched, points]);
        expect(brief(other.ruleDecisions)).toEqual(brief(result.ruleDecisions));
      }),
      { numRuns: 500 },
    );
  });

  test('no sequence of purchases takes more of a cap than there is', () => {
    fc.assert(
      fc.property(anyCase, fc.array(fc.nat(30_000), { minLength: 5, maxLength: 20 }), (one, amounts) => {
        const taken = new Map<string, CapUse>();
        for (const amountMinor of amounts) {
          for (const { campaignId, points } of evaluated({ ...one, amountMinor, used: taken }).campaigns) {
            const before = taken.get(campaignId)?.total ?? 0;
            const sum = before + points;
            taken.set(campaignId, { total: sum, member: sum, memberPeriod: sum });
          }
        }
        for (const { id, caps: bounds } of one.campaigns) {
          const least = Math.min(
            bounds?.totalPoints ?? Infinity,
            bounds?.memberPoints ?? Infinity,
            bounds?.memberPeriod?.points ?? Infinity,
          );
          expect(taken.get(id)?.total ?? 0).toBeLessThanOrEqual(least);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('splitting a purchase gains nothing where all is rounded down, and else no more than the roundings', () => {
    const anySplit = fc.record({
      amounts: fc.tuple(fc.nat(5_000_000), fc.nat(5_000_000)),
      first: multiplier,
      second: multiplier,
      how: rounding,
      tier: multiplier,
    });
    fc.assert(
      fc.property(anySplit, ({ amounts: [one, two], first, second, how, tier }) => {
        const document = program({
          earn: {
            rules: [
              { id: 'base', match: 'all', conditions: [], earn: rate({ rounding: how, tierRounding: how }) },
            ],
          },
          tiers: [{ id: 'bronze', name: 'Bronze', threshold: 0, multiplier: tier }],
          campaigns: [
            { id: 'a', match: 'all', conditions: [], award: { multiplier: first, rounding: how } },
            { id: 'b', match: 'all', conditions: [], award: { multiplier: second, rounding: how } },
          ],
        });
        const points = (amountMinor: number): number => {
          const result = evaluatePurchase(
            input({ program: document, evaluationAt: noon, purchase: purchase({ amountMinor }) }),
          );
          return isRefusal(result) ? Number.NaN : result.points;
        };
        const gain = points(one) + points(two) - points(one + two);
        const beyond = ({ numerator, denominator }: Fraction): number => numerator / denominator - 1;
        // Each step rounds twice instead of once, which makes less than two, and the steps after it multiply that.
        const ofBase = tier.numerator / tier.denominator + 2;
        const bound = how === 'floor' ? 0 : ofBase * (1 + beyond(first) + beyond(second)) + 4;
        expect(gain).toBeLessThanOrEqual(bound);
      }),
      { numRuns: 2_000 },
    );
  });
});
