import type { EarnRate, ProgramDocument } from '../../../src/programs/document/program-document.ts';
import { rule, tier } from '../../support/rules/fixtures.ts';
import type { WorkedExample } from './example.ts';

const rated = (overrides: Partial<EarnRate>): Partial<ProgramDocument> => ({
  ...(overrides.currencyExponent === 3 && { currency: 'KWD' }),
  loyaltyUnitPrecision: overrides.loyaltyUnitPrecision ?? 0,
  earn: { rules: [rule('base', [], overrides)] },
});

/** One rule and one tier: [arithmetic, amount, rate, tier, rule's points, points]. */
function rounded(
  arithmetic: string,
  amountMinor: number,
  rate: Partial<EarnRate>,
  tierId: string,
  rulePoints: number,
  points: number,
): WorkedExample {
  return {
    name: arithmetic,
    arithmetic,
    program: rated(rate),
    purchase: { amountMinor },
    profile: { tier: tierId, qualificationPoints: 0 },
    expected: {
      base: points,
      points,
      decisions: [`earn_rule base ${rulePoints}`, `tier ${tierId} ${points - rulePoints}`],
    },
  };
}

const double = { rateNumerator: 2 };
const third = { rateDenominator: 3 };

/** Each rounding of a rule, above, at and below the half. */
export const roundingExamples: WorkedExample[] = [
  rounded('26.75 × 2 = 53.5, floor 53', 2675, { ...double, rounding: 'floor' }, 'bronze', 53, 53),
  rounded('26.75 × 2 = 53.5, ceil 54', 2675, { ...double, rounding: 'ceil' }, 'bronze', 54, 54),
  rounded('26.75 × 2 = 53.5, half up 54', 2675, { ...double, rounding: 'nearest_half_up' }, 'bronze', 54, 54),
  rounded(
    '26.75 × 2 = 53.5, half even 54',
    2675,
    { ...double, rounding: 'nearest_half_even' },
    'bronze',
    54,
    54,
  ),
  rounded('26.25 × 2 = 52.5, half up 53', 2625, { ...double, rounding: 'nearest_half_up' }, 'bronze', 53, 53),
  rounded(
    '26.25 × 2 = 52.5, half even 52',
    2625,
    { ...double, rounding: 'nearest_half_even' },
    'bronze',
    52,
    52,
  ),
  rounded(
    '26.26 × 2 = 52.52, half even 53',
    2626,
    { ...double, rounding: 'nearest_half_even' },
    'bronze',
    53,
    53,
  ),
  rounded('100 ÷ 3 = 33.3…, ceil 34', 10_000, { ...third, rounding: 'ceil' }, 'bronze', 34, 34),
  rounded('100 ÷ 3 = 33.3…, half up 33', 10_000, { ...third, rounding: 'nearest_half_up' }, 'bronze', 33, 33),
  rounded('99 ÷ 3 = 33 exactly, ceil 33', 9_900, { ...third, rounding: 'ceil' }, 'bronze', 33, 33),
  rounded('0.01 × 1 = 0.01, ceil 1', 1, { rounding: 'ceil' }, 'bronze', 1, 1),
  rounded('0 × 1 = 0, ceil 0', 0, { rounding: 'ceil' }, 'bronze', 0, 0),
  rounded(
    '12.345 KWD × 10 = 123.45, half up 123',
    12_345,
    { currencyExponent: 3, rateNumerator: 10, rounding: 'nearest_half_up' },
    'bronze',
    123,
    123,
  ),
  rounded(
    '19.99 × 100 units a point = 1,999 units',
    1_999,
    { loyaltyUnitPrecision: 2 },
    'bronze',
    1_999,
    1_999,
  ),
  rounded(
    '10^12 cents × 1000 = 10^13 points',
    1_000_000_000_000,
    { rateNumerator: 1_000 },
    'bronze',
    10_000_000_000_000,
    10_000_000_000_000,
  ),
  {
    name: 'more than 2^53-1 points',
    arithmetic: '10^10 dollars × 10^6 = 10^16, above 9,007,199,254,740,991',
    program: rated({ rateNumerator: 1_000_000 }),
    purchase: { amountMinor: 1_000_000_000_000 },
    expected: { refused: 'balance_limit_exceeded' },
  },
];

/** The tier multiplies what the rule has rounded, and rounds by itself. */
export const tierExamples: WorkedExample[] = [
  rounded('100 × 5/4 = 125', 10_000, {}, 'silver', 100, 125),
  rounded('100 × 3/2 = 150', 10_000, {}, 'gold', 100, 150),
  rounded('53 × 5/4 = 66.25, half up 66', 5_300, {}, 'silver', 53, 66),
  rounded('54 × 5/4 = 67.5, half up 68', 5_400, {}, 'silver', 54, 68),
  rounded('54 × 5/4 = 67.5, floor 67', 5_400, { tierRounding: 'floor' }, 'silver', 54, 67),
  rounded('53 × 5/4 = 66.25, ceil 67', 5_300, { tierRounding: 'ceil' }, 'silver', 53, 67),
  rounded('54 × 5/4 = 67.5, half even 68', 5_400, { tierRounding: 'nearest_half_even' }, 'silver', 54, 68),
  rounded('50 × 5/4 = 62.5, half even 62', 5_000, { tierRounding: 'nearest_half_even' }, 'silver', 50, 62),
  rounded(
    '10.99 floor 10; 10 × 5/4 = 12.5, half up 13 (13.7 if it were rounded once)',
    1_099,
    {},
    'silver',
    10,
    13,
  ),
  {
    name: 'a tier may take points away',
    arithmetic: '33 × 1/2 = 16.5, half up 17; 17 − 33 = −16',
    program: { tiers: [tier('half', 0, 1, 2)] },
    purchase: { amountMinor: 3_300 },
    profile: { tier: 'half', qualificationPoints: 0 },
    expected: { base: 17, points: 17, decisions: ['earn_rule base 33', 'tier half -16'] },
  },
  {
    name: 'a tier that is gone is replaced by the one that the points reach',
    arithmetic: '1,200 reach silver (1,000): 100 × 5/4 = 125',
    profile: { tier: 'platinum', qualificationPoints: 1_200 },
    expected: { base: 125, points: 125, decisions: ['earn_rule base 100', 'tier silver 25'] },
  },
  {
    name: 'a tier that is gone is refused where the event is pinned',
    arithmetic: 'refused',
    pinned: true,
    profile: { tier: 'platinum', qualificationPoints: 1_200 },
    expected: { refused: 'unknown_tier' },
  },
];
