import { describe, expect, test } from '@jest/globals';
import type { EarnRate, EarnRule } from '../../../src/programs/document/program-document.ts';
import { isRefusal } from '../../../src/refusal.ts';
import type { PoolCode } from '../../../src/rules/compiled/coupons.ts';
import {
  evaluatePurchase,
  type PurchaseEvaluation,
  type PurchaseEvaluationInput,
} from '../../../src/rules/earning/evaluate-purchase.ts';
import { input, program, purchase, rule, tier } from '../../support/rules/fixtures.ts';

function evaluated(overrides: Partial<PurchaseEvaluationInput> = {}): PurchaseEvaluation {
  const result = evaluatePurchase(input(overrides));
  if (isRefusal(result)) throw new Error(`refused: ${result.code} ${result.message}`);
  return result;
}

function code(overrides: Partial<PurchaseEvaluationInput>): string | null {
  const result = evaluatePurchase(input(overrides));
  return isRefusal(result) ? result.code : null;
}

describe('worked examples', () => {
  //     amount, rate, tier, points before the tier, points
  test.each<[string, number, Partial<EarnRate>, string, number, number]>([
    ['a full dollar is a point', 100, {}, 'bronze', 1, 1],
    ['99 cents are none', 99, {}, 'bronze', 0, 0],
    ['nothing bought', 0, {}, 'gold', 0, 0],
    ['99.99 is 99 full dollars', 9_999, {}, 'bronze', 99, 99],
    ['rounded up', 9_901, { rounding: 'ceil' }, 'bronze', 100, 100],
    ['half a point up', 250, { rounding: 'nearest_half_up' }, 'bronze', 3, 3],
    ['half a point to even, down', 250, { rounding: 'nearest_half_even' }, 'bronze', 2, 2],
    ['half a point to even, up', 350, { rounding: 'nearest_half_even' }, 'bronze', 4, 4],
    [
      '3 points for every 2 dollars: 3/2 × 5.55 = 8.325',
      555,
      { rateNumerator: 3, rateDenominator: 2 },
      'bronze',
      8,
      8,
    ],
    ['1 point for every 7 dollars: 100/7 = 14.28', 10_000, { rateDenominator: 7 }, 'bronze', 14, 14],
    ['gold: 99 × 3/2 = 148.5, half up', 9_999, {}, 'gold', 99, 149],
    ['gold: 99 × 3/2 = 148.5, to even', 9_999, { tierRounding: 'nearest_half_even' }, 'gold', 99, 148],
    ['gold: 99 × 3/2 = 148.5, floor', 9_999, { tierRounding: 'floor' }, 'gold', 99, 148],
    ['silver: 3 × 5/4 = 3.75, floor', 300, { tierRounding: 'floor' }, 'silver', 3, 3],
    ['silver: 3 × 5/4 = 3.75, ceil', 300, { tierRounding: 'ceil' }, 'silver', 3, 4],
    ['silver: 2 × 5/4 = 2.5, half up', 200, {}, 'silver', 2, 3],
    ['rounding twice, not once: 1.99 floors to 1, × 3/2 = 1.5 → 2', 199, {}, 'gold', 1, 2],
    ['a rule that gives nothing', 10_000, { rateNumerator: 0 }, 'gold', 0, 0],
    ['the largest amount', 1_000_000_000_000, {}, 'bronze', 10_000_000_000, 10_000_000_000],
  ])('%s', (_what, amountMinor, overrides, tierId, before, points) => {
    const result = evaluated({
      program: program({ earn: { rules: [rule('base', [], overrides)] } }),
      purchase: purchase({ amountMinor }),
      profile: { tier: tierId, qualificationPoints: 0 },
    });
    expect(result).toMatchObject({ qualificationPoints: before, points });
    expect(result).toMatchObject({ basePoints: points, campaignPoints: 0 });
  });

  test('hundredths of a point: 12.34 dollars at a point each are 1,234 hundredths', () => {
    const document = program({
      loyaltyUnitPrecision: 2,
      earn: { rules: [rule('base', [], { loyaltyUnitPrecision: 2 })] },
    });
    const result = evaluated({ program: document, purchase: purchase({ amountMinor: 1_234 }) });
    expect(result).toMatchObject({ points: 1_234, loyaltyUnitPrecision: 2 });
  });

  test('yen have no minor unit: 1 point for every 100 yen', () => {
    const document = program({
      currency: 'JPY',
      earn: { rules: [rule('base', [], { currencyExponent: 0, rateDenominator: 100 })] },
    });
    expect(evaluated({ program: document, purchase: purchase({ amountMinor: 1_250 }) }).points).toBe(12);
  });
});

describe('the order of rules', () => {
  const rules = [
    rule('store', [{ field: 'purchase.channel', operator: 'equals', value: 'store' }], { rateNumerator: 5 }),
    rule('large', [{ field: 'purchase.amountMinor', operator: 'gte', value: 10_000 }], { rateNumerator: 3 }),
    rule('base'),
  ];

  test('the first whose conditions hold gives the points, and each says why it did not', () => {
    const { points, ruleDecisions } = evaluated({ program: program({ earn: { rules } }) });
    expect(points).toBe(300);
    expect(ruleDecisions).toEqual([
      {
        kind: 'earn_rule',
        id: 'store',
        matched: false,
        reason: 'Does not hold: purchase.channel equals "store".',
        points: 0,
      },
      { kind: 'earn_rule', id: 'large', matched: true, reason: null, points: 300 },
      { kind: 'earn_rule', id: 'base', matched: false, reason: 'Rule "large" comes first.', points: 0 },
      { kind: 'tier', id: 'bronze', matched: true, reason: 'Multiplies by 1/1.', points: 0 },
    ]);
  });

  test("it is the list's order that decides, not the size of the award", () => {
    const document = program({ earn: { rules: rules.toReversed() } });
    expect(evaluated({ program: document, purchase: purchase({ channel: 'store' }) }).points).toBe(100);
  });

  test('no rule holds: no points, no dates, and no qualification', () => {
    const document = program({
      earn: { rules: rules.slice(0, 1) },
      expiration: { policy: 'rolling_days', days: 1 },
    });
    const result = evaluated({ program: document });
    expect(result).toMatchObject({ points: 0, qualificationPoints: 0, activatesAt: null, expiresAt: null });
    expect(result.ruleDecisions.at(-1)).toMatchObject({ matched: false, reason: 'No earn rule applies.' });
  });

  test('match any: one condition is enough, none is not', () => {
    const any: EarnRule = {
      ...rule('any', [
        { field: 'purchase.channel', operator: 'equals', value: 'store' },
        { field: 'purchase.couponCode', operator: 'exists', value: true },
      ]),
      match: 'any',
    };
    const document = program({ earn: { rules: [any] } });
    expect(evaluated({ program: document, purchase: purchase({ couponCode: 'X' }) }).points).toBe(100);
    const none = evaluated({ program: document });
    expect(none.ruleDecisions[0]).toMatchObject({ matched: false, reason: 'None of the conditions holds.' });
  });
});

describe('the member limit', () => {
  const limited = (onExceed: 'trim' | 'reject') =>
    program({ memberLimit: { points: 1_000, period: 'month', onExceed } });

  test.each([
    [0, 100, 0],
    [899, 100, 0],
    [900, 100, 0],
    [901, 99, -1],
    [999, 1, -99],
    [1_000, 0, -100],
    [5_000, 0, -100],
  ])('%p of 1,000 used: trims 100 points to %p', (limitUsed, points, taken) => {
    const result = evaluated({ program: limited('trim'), limitUsed });
    expect(result).toMatchObject({ points, basePoints: points, qualificationPoints: 100 });
    expect(result.ruleDecisions.at(-1)).toMatchObject({
      kind: 'member_limit',
      id: 'member_limit',
      matched: taken < 0,
      points: taken,
    });
  });

  test('says what it trimmed', () => {
    expect(evaluated({ program: limited('trim'), limitUsed: 901 }).ruleDecisions.at(-1)?.reason).toBe(
      '901 of 1000 points a month were used: 100 became 99.',
    );
  });

  test('rejects what exceeds it, and nothing else', () => {
    expect(code({ program: limited('reject'), limitUsed: 900 })).toBe(null);
    expect(code({ program: limited('reject'), limitUsed: 901 })).toBe('member_limit_reached');
    const nothing = purchase({ amountMinor: 99 });
    expect(code({ program: limited('reject'), limitUsed: 1_000, purchase: nothing })).toBe(null);
  });
});

describe('refusals', () => {
  test("another currency than the program's", () => {
    expect(code({ purchase: purchase({ currency: 'EUR' }) })).toBe('currency_mismatch');
    expect(code({ purchase: purchase({ currency: 'USD' }) })).toBe(null);
  });

  test('an unknown tier in pinned mode; in receipt mode the points decide', () => {
    const profile = { tier: 'platinum', qualificationPoints: 1_500 };
    expect(code({ profile, mode: 'event_time_pinned_configuration' })).toBe('unknown_tier');
    const result = evaluated({ profile, version: 7 });
    expect(result).toMatchObject({ tier: 'silver', points: 125 });
    expect(result.ruleDecisions.at(-1)?.reason).toBe(
      'Version 7 has no tier "platinum"; the points reach this one. Multiplies by 5/4.',
    );
  });

  test('points beyond 2^53-1, of the rule or after the tier', () => {
    // 10^12 × 9007199254740991 ÷ 10^12: the last that fits, and one more.
    const at = (rateNumerator: number, tierNumerator = 1) =>
      code({
        program: program({
          currency: 'JPY',
          earn: { rules: [rule('base', [], { currencyExponent: 0, rateNumerator, rateDenominator: 1e12 })] },
          tiers: [tier('bronze', 0, tierNumerator)],
        }),
        purchase: purchase({ amountMinor: 1e12 }),
      });
    expect(at(Number.MAX_SAFE_INTEGER)).toBe(null);
    expect(at(Number.MAX_SAFE_INTEGER, 2)).toBe('balance_limit_exceeded');
    expect(at(2 ** 53)).toBe('balance_limit_exceeded');
  });
});

test('dates come from the policies', () => {
  const document = program({
    pending: { days: 14 },
    expiration: { policy: 'end_of_period', period: 'year' },
  });
  expect(evaluated({ program: document })).toMatchObject({
    activatesAt: new Date('2026-03-18T12:00:00Z'),
    expiresAt: new Date('2027-01-01T00:00:00Z'),
  });
});

test("conditions see the time of the evaluation in the program's zone", () => {
  const rules = [rule('tuesday', [{ field: 'time.dayOfWeek', operator: 'equals', value: 'tuesday' }])];
  const at = new Date('2026-03-04T03:00:00Z');
  const zone = (timeZone: string) =>
    evaluated({ program: program({ earn: { rules }, timeZone }), evaluationAt: at }).points;
  expect({ UTC: zone('UTC'), 'America/New_York': zone('America/New_York') }).toEqual({
    UTC: 0,
    'America/New_York': 100,
  });
});

test('more rule points than can be counted are refused, also where the tier would make fewer of them', () => {
  const document = program({
    earn: { rules: [rule('base', [], { rateNumerator: 1_000_000 })] },
    tiers: [tier('bronze', 0, 1, 1_000)],
  });
  // 10^16 points before the tier.
  const refused = evaluatePurchase(
    input({ program: document, purchase: purchase({ amountMinor: 10 ** 12 }) }),
  );
  expect(refused).toMatchObject({ code: 'balance_limit_exceeded' });
  const counted = evaluatePurchase(
    input({ program: document, purchase: purchase({ amountMinor: 10 ** 11 }) }),
  );
  expect(counted).toMatchObject({ points: 10 ** 12, qualificationPoints: 10 ** 15 });
});

describe('conditions on the code of a pool', () => {
  const ofPool: PoolCode = {
    ...{ poolId: 'SUMMER', shown: 'SUMMER-7…', assigned: 'to_nobody', disabled: false },
    ...{ uses: 0, usesAllowed: 1 },
  };
  const bySummer = { field: 'purchase.couponCode', operator: 'equals' as const, value: 'SUMMER' };
  const document = program({
    earn: { rules: [rule('summer', [bySummer], { rateNumerator: 10 }), rule('base')] },
    coupons: [{ code: 'SUMMER', pool: {}, limits: { perMember: 2 } }, { code: 'PLAIN' }],
  });
  const pointsWith = (couponCode: string, poolCode: PoolCode | null, used = 0) => {
    const couponUsed = { total: 0, member: used };
    const bought = purchase({ amountMinor: 1_000, couponCode });
    return evaluated({ program: document, purchase: bought, poolCode, couponUsed }).points;
  };

  test.each<[string, number, string, PoolCode | null, number?]>([
    ['hold for one that is redeemed', 100, 'summer-72', ofPool],
    ['do not for one that has been used', 10, 'summer-72', { ...ofPool, uses: 1 }],
    ['do not for a disabled one', 10, 'summer-72', { ...ofPool, disabled: true }],
    ["do not for another member's", 10, 'summer-72', { ...ofPool, assigned: 'to_another' }],
    ['do not where the member has used the pool up', 10, 'summer-72', ofPool, 2],
    ['do not for the name of the pool', 10, 'SUMMER', null],
    ['do not for another coupon', 10, 'PLAIN', null],
  ])('%s', (_name, points, code, poolCode, used = 0) => {
    expect(pointsWith(code, poolCode, used)).toBe(points);
  });
});
