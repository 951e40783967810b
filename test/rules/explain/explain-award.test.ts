import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Rounding } from '../../../src/programs/document/document-values.ts';
import { isRefusal } from '../../../src/refusal.ts';
import { evaluatePurchase } from '../../../src/rules/earning/evaluate-purchase.ts';
import { explainAward } from '../../../src/rules/explain/explain-award.ts';
import { roundFraction } from '../../../src/rules/shared/rounding.ts';
import { input, program, purchase, rule, tier } from '../../support/rules/fixtures.ts';

const roundings: Rounding[] = ['floor', 'ceil', 'nearest_half_up', 'nearest_half_even'];

const RULE =
  /^Rule base applies: (\d+) × (\d+)(?: × 10\^(\d+))? ÷ \((\d+)(?: × 10\^(\d+))?\) = [\d.…]+, rounded \((\w+)\) to (\d+) points\.$/;
const TIER = /^Tier gold: (\d+) × (\d+)\/(\d+) = [\d.…]+, rounded \((\w+)\) to (\d+) points\.$/;

const largest = {
  amountMinor: 10 ** 9,
  rateNumerator: 100,
  rateDenominator: 1,
  currencyExponent: 0,
  loyaltyUnitPrecision: 3,
  rounding: 'floor' as Rounding,
  tierRounding: 'floor' as Rounding,
  numerator: 20,
  denominator: 1,
  limit: null,
};

test('what it says can be computed again by hand, and ends with the award', () => {
  const arbitrary = fc.record({
    amountMinor: fc.integer({ min: 0, max: 10 ** 9 }),
    // Below 2^53 in all: more is refused.
    rateNumerator: fc.integer({ min: 0, max: 100 }),
    rateDenominator: fc.integer({ min: 1, max: 1000 }),
    currencyExponent: fc.integer({ min: 0, max: 3 }),
    loyaltyUnitPrecision: fc.integer({ min: 0, max: 3 }),
    rounding: fc.constantFrom(...roundings),
    tierRounding: fc.constantFrom(...roundings),
    numerator: fc.integer({ min: 1, max: 20 }),
    denominator: fc.integer({ min: 1, max: 20 }),
    limit: fc.option(fc.integer({ min: 1, max: 10 ** 6 })),
  });
  fc.assert(
    fc.property(arbitrary, ({ amountMinor, numerator, denominator, limit, ...earn }) => {
      const document = program({
        loyaltyUnitPrecision: earn.loyaltyUnitPrecision,
        earn: { rules: [rule('base', [], earn)] },
        tiers: [tier('bronze', 0, 1), tier('gold', 5000, numerator, denominator)],
        ...(limit === null ? {} : { memberLimit: { points: limit, period: 'month', onExceed: 'trim' } }),
      });
      const asked = input({
        program: document,
        purchase: purchase({ amountMinor }),
        profile: { tier: 'gold', qualificationPoints: 6000 },
      });
      const evaluation = evaluatePurchase(asked);
      if (isRefusal(evaluation)) throw new Error(evaluation.message);
      const [ofRule = '', ofTier = '', ...rest] = explainAward(asked, evaluation);
      const [, amount, rate, precision = 0, per, exponent = 0, rounding, rulePoints] =
        RULE.exec(ofRule) ?? [];
      expect(big(amount)).toBe(BigInt(amountMinor));
      expect(
        roundFraction(
          big(amount) * big(rate) * 10n ** big(precision),
          big(per) * 10n ** big(exponent),
          rounding as Rounding,
        ),
      ).toBe(big(rulePoints));
      const [, from, times, by, tierRounding, tieredPoints] = TIER.exec(ofTier) ?? [];
      expect(big(from)).toBe(big(rulePoints));
      expect(roundFraction(big(from) * big(times), big(by), tierRounding as Rounding)).toBe(
        big(tieredPoints),
      );
      const [, cut = '0'] = /: (\d+) points are cut off\.$/.exec(rest[0] ?? '') ?? [];
      const { points } = evaluation;
      expect(big(tieredPoints) - big(cut)).toBe(BigInt(points));
      expect(rest.at(-1)).toBe(`${points} points in all: ${points} base and 0 of campaigns.`);
    }),
    { examples: [[largest]] },
  );
});

test.each([
  [2675, 1, 'rounded', '= 26.75,'],
  [100, 3, 'cut off', '= 0.333333…,'],
  [2_000_000, 3, 'cut off in a long one', '= 6666.666666…,'],
  [300, 3, 'whole', '= 1,'],
])(
  '%d cents at one point for %d dollars: the quotient is %s',
  (amountMinor, rateDenominator, _how, shown) => {
    const asked = input({
      program: program({ earn: { rules: [rule('base', [], { rateDenominator })] } }),
      purchase: purchase({ amountMinor }),
    });
    const evaluation = evaluatePurchase(asked);
    if (isRefusal(evaluation)) throw new Error(evaluation.message);
    expect(explainAward(asked, evaluation)[0]).toContain(shown);
  },
);

function big(text: string | number | undefined): bigint {
  if (text === undefined) throw new Error('The sentence does not say it');
  return BigInt(text);
}

test('the bonus of a campaign is computed from the base points with the tier in them', () => {
  const document = program({
    campaigns: [
      {
        id: 'half-more',
        match: 'all',
        conditions: [],
        award: { multiplier: { numerator: 3, denominator: 2 }, rounding: 'floor' },
      },
    ],
  });
  const asked = input({ program: document, profile: { tier: 'silver', qualificationPoints: 1000 } });
  const evaluation = evaluatePurchase(asked);
  if (isRefusal(evaluation)) throw new Error(evaluation.message);
  expect(explainAward(asked, evaluation).slice(1)).toEqual([
    'Tier silver: 100 × 5/4 = 125, rounded (nearest_half_up) to 125 points.',
    'Campaign half-more applies: 125 × (3/2 − 1) = 62.5, rounded (floor) to 62 points.',
    '187 points in all: 125 base and 62 of campaigns.',
  ]);
});
