import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Rational } from '../../../simulator/model/award/rational.ts';
import type { Campaign } from '../../../src/programs/document/campaign-document.ts';
import type { Rounding } from '../../../src/programs/document/document-values.ts';
import type { ProgramDocument } from '../../../src/programs/document/program-document.ts';
import { isRefusal } from '../../../src/refusal.ts';
import { evaluatePurchase } from '../../../src/rules/earning/evaluate-purchase.ts';
import { input, program, purchase, rule, tier } from '../../support/rules/fixtures.ts';

// Whether a basket earns more when it is bought in parts. Fixed bonus points are given for each purchase, so splitting
// earns more of them by design; multiplied points must not gain more than rounding can explain.

const roundings = ['floor', 'ceil', 'nearest_half_up', 'nearest_half_even'] as const;

/** How far a rounding may reach above and below the exact number. */
const above: Record<Rounding, Rational> = {
  floor: new Rational(0),
  ceil: new Rational(1),
  nearest_half_up: new Rational(1, 2),
  nearest_half_even: new Rational(1, 2),
};
const below: Record<Rounding, Rational> = { ...above, floor: new Rational(1), ceil: new Rational(0) };

function documents(of: readonly Rounding[]): fc.Arbitrary<ProgramDocument> {
  const rounding = fc.constantFrom(...of);
  const small = fc.integer({ min: 1, max: 9 });
  const caps = fc.option(fc.record({ totalPoints: fc.integer({ min: 1, max: 200 }) }), { nil: undefined });
  const campaigns = fc.array(fc.tuple(small, small, rounding, caps), { maxLength: 3 });
  return fc
    .record({
      rate: fc.tuple(small, small),
      multiplier: fc.tuple(small, small),
      rounding,
      tierRounding: rounding,
      campaigns,
      limit: fc.option(fc.integer({ min: 1, max: 500 }), { nil: undefined }),
    })
    .map(({ rate, multiplier, rounding: how, tierRounding, campaigns: all, limit }) =>
      program({
        earn: {
          rules: [
            rule('base', [], {
              rateNumerator: rate[0],
              rateDenominator: rate[1],
              rounding: how,
              tierRounding,
            }),
          ],
        },
        tiers: [tier('bronze', 0, multiplier[0], multiplier[1])],
        campaigns: all.map(
          ([denominator, more, each, capped], index): Campaign => ({
            id: `campaign-${index}`,
            match: 'all',
            conditions: [],
            award: { multiplier: { numerator: denominator + more, denominator }, rounding: each },
            ...(capped && { caps: capped }),
          }),
        ),
        ...(limit !== undefined && { memberLimit: { points: limit, period: 'year', onExceed: 'trim' } }),
      }),
    );
}

/** Points of purchases one after the other; the use of caps and limit is carried over. */
function pointsOf(document: ProgramDocument, amounts: readonly number[]): number {
  let points = 0;
  const given = new Map<string, number>();
  for (const amountMinor of amounts) {
    const evaluation = evaluatePurchase(
      input({
        program: document,
        purchase: purchase({ amountMinor }),
        limitUsed: points,
        capsUsed: new Map([...given].map(([id, total]) => [id, { total, member: 0, memberPeriod: 0 }])),
      }),
    );
    if (isRefusal(evaluation)) throw new Error(evaluation.message);
    points += evaluation.points;
    for (const each of evaluation.campaigns) {
      given.set(each.campaignId, (given.get(each.campaignId) ?? 0) + each.points);
    }
  }
  return points;
}

/** How far the points of one purchase may be from the exact number, to one side. */
function error(document: ProgramDocument, side: Record<Rounding, Rational>): Rational {
  const [first] = document.earn.rules;
  const [only] = document.tiers;
  if (!first || !only) throw new Error('one rule and one tier');
  const { numerator, denominator } = only.multiplier;
  const base = plus(side[first.earn.rounding].times(numerator, denominator), side[first.earn.tierRounding]);
  return (document.campaigns ?? []).reduce((sum, { award }) => {
    if (!('multiplier' in award)) return sum;
    const { numerator: n, denominator: d } = award.multiplier;
    return plus(sum, plus(base.times(n - d, d), side[award.rounding]));
  }, base);
}

function plus(one: Rational, other: Rational): Rational {
  return one.minus(new Rational(0).minus(other));
}

const parts = fc.array(fc.nat(3_000), { minLength: 2, maxLength: 5 });
const sum = (amounts: readonly number[]) => amounts.reduce((all, each) => all + each, 0);

describe('buying in parts', () => {
  test('never gains where everything is rounded down', () => {
    fc.assert(
      fc.property(documents(['floor']), parts, (document, amounts) => {
        expect(pointsOf(document, amounts)).toBeLessThanOrEqual(pointsOf(document, [sum(amounts)]));
      }),
      { numRuns: 1_000 },
    );
  });

  test('gains no more than the roundings of its parts may give', () => {
    let gained = 0;
    fc.assert(
      fc.property(documents(roundings), parts, (document, amounts) => {
        const gain = pointsOf(document, amounts) - pointsOf(document, [sum(amounts)]);
        if (gain > 0) gained += 1;
        const most = plus(error(document, above).times(amounts.length), error(document, below));
        expect(new Rational(gain).minus(most).n).toBeLessThanOrEqual(0n);
      }),
      { numRuns: 1_000 },
    );
    // If no split ever gained points, the bound would prove nothing.
    expect(gained).toBeGreaterThan(50);
  });
});
