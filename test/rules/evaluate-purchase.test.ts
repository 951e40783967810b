import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Condition, EarnRate, EarnRule, ProgramDocument } from '../../src/programs/program-document.ts';
import { isRefusal } from '../../src/refusal.ts';
import {
  evaluatePurchase,
  type PurchaseEvaluation,
  type PurchaseEvaluationInput,
} from '../../src/rules/evaluate-purchase.ts';
import { input, noon, program, purchase, rule, tier } from './fixtures.ts';
import { referenceEvaluation } from './reference-evaluation.ts';

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
    expect([result.qualificationPoints, result.points]).toEqual([before, points]);
    expect([result.basePoints, result.campaignPoints]).toEqual([points, 0]);
  });

  test('hundredths of a point: 12.34 dollars at a point each are 1,234 hundredths', () => {
    const document = program({
      loyaltyUnitPrecision: 2,
      earn: { rules: [rule('base', [], { loyaltyUnitPrecision: 2 })] },
    });
    const result = evaluated({ program: document, purchase: purchase({ amountMinor: 1_234 }) });
    expect([result.points, result.loyaltyUnitPrecision]).toEqual([1_234, 2]);
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
    expect([result.points, result.basePoints, result.qualificationPoints]).toEqual([points, points, 100]);
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
    expect([result.tier, result.points]).toEqual(['silver', 125]);
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
  expect([zone('UTC'), zone('America/New_York')]).toEqual([0, 100]);
});

const rounding = fc.constantFrom('floor', 'ceil', 'nearest_half_up', 'nearest_half_even') as fc.Arbitrary<
  EarnRate['rounding']
>;
const numbers = ['gt', 'gte', 'lt', 'lte', 'equals', 'not_equals'] as const;
const condition: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({
    field: fc.constant('purchase.amountMinor'),
    operator: fc.constantFrom(...numbers),
    value: fc.integer({ min: 0, max: 2_000 }),
  }),
  fc.record({
    field: fc.constant('purchase.amountMinor'),
    operator: fc.constant('between' as const),
    value: fc.tuple(fc.integer({ min: 0, max: 900 }), fc.integer({ min: 900, max: 2_000 })),
  }),
  fc.record({
    field: fc.constantFrom('items.sku', 'purchase.couponCode', 'attributes.x'),
    operator: fc.constantFrom('equals', 'not_equals'),
    value: fc.constantFrom('a', 'b', 'c'),
  }),
  fc.record({
    field: fc.constantFrom('items.sku', 'attributes.x', 'purchase.channel'),
    operator: fc.constantFrom('in', 'not_in'),
    value: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'web', 'app'), { minLength: 1 }),
  }),
  fc.record({
    field: fc.constantFrom('items.category', 'purchase.couponCode', 'attributes.y'),
    operator: fc.constant('exists' as const),
    value: fc.boolean(),
  }),
  fc.record({
    field: fc.constantFrom(
      'items.quantity',
      'items.unitPriceMinor',
      'profile.qualificationPoints',
      'attributes.y',
    ),
    operator: fc.constantFrom(...numbers),
    value: fc.integer({ min: 0, max: 3 }),
  }),
  fc.record({
    field: fc.constantFrom('time.hour', 'time.dayOfMonth', 'time.month'),
    operator: fc.constantFrom(...numbers),
    value: fc.integer({ min: 1, max: 23 }),
  }),
  fc.record({
    field: fc.constant('time.date'),
    operator: fc.constantFrom(...numbers),
    value: fc.constantFrom('2026-01-01', '2026-03-04', '2026-12-31'),
  }),
  fc.record({
    field: fc.constant('time.dayOfWeek'),
    operator: fc.constant('in' as const),
    value: fc.uniqueArray(fc.constantFrom('monday', 'wednesday', 'sunday'), { minLength: 1 }),
  }),
);
const anyRule: fc.Arbitrary<EarnRule> = fc.record({
  id: fc.uuid(),
  match: fc.constantFrom('all', 'any'),
  conditions: fc.array(condition, { maxLength: 4 }),
  earn: fc.record({
    currencyExponent: fc.integer({ min: 0, max: 4 }),
    loyaltyUnitPrecision: fc.integer({ min: 0, max: 6 }),
    rateNumerator: fc.integer({ min: 0, max: 1_000 }),
    rateDenominator: fc.integer({ min: 1, max: 1_000 }),
    rounding,
    tierRounding: rounding,
  }),
});
const anyInput: fc.Arbitrary<PurchaseEvaluationInput> = fc
  .record({
    rules: fc.array(anyRule, { maxLength: 5 }),
    multiplier: fc.record({
      numerator: fc.integer({ min: 1, max: 500 }),
      denominator: fc.integer({ min: 1, max: 100 }),
    }),
    limit: fc.option(
      fc.record({
        points: fc.nat(5_000),
        period: fc.constant('month' as const),
        onExceed: fc.constantFrom('trim' as const, 'reject' as const),
      }),
    ),
    limitUsed: fc.nat(6_000),
    amountMinor: fc.oneof(fc.nat(2_000), fc.nat(1_000_000_000_000)),
    channel: fc.constantFrom('web', 'store', 'app'),
    couponCode: fc.option(fc.constantFrom('a', 'b')),
    items: fc.option(
      fc.array(
        fc.record({
          sku: fc.option(fc.constantFrom('a', 'b', 'c')),
          category: fc.option(fc.constant('k')),
          quantity: fc.option(fc.integer({ min: 1, max: 3 })),
          unitPriceMinor: fc.option(fc.integer({ min: 1, max: 4 })),
        }),
        { maxLength: 3 },
      ),
    ),
    attributes: fc.option(
      fc.record(
        { x: fc.constantFrom('a', 'b', 1, true, null), y: fc.constantFrom(0, 1, 2.5, 'a') },
        { requiredKeys: [] },
      ),
    ),
    evaluationAt: fc.date({
      min: new Date('2025-12-30T00:00:00Z'),
      max: new Date('2027-01-02T00:00:00Z'),
      noInvalidDate: true,
    }),
    qualificationPoints: fc.nat(4),
  })
  .map(({ rules, multiplier, limit, limitUsed, evaluationAt, qualificationPoints, ...facts }) => {
    const document: ProgramDocument = program({
      earn: { rules },
      tiers: [{ id: 'only', name: 'Only', threshold: 0, multiplier }],
      ...(limit ? { memberLimit: limit } : {}),
    });
    return input({
      program: document,
      purchase: { ...facts, occurredAt: noon },
      profile: { tier: 'only', qualificationPoints },
      evaluationAt,
      limitUsed,
    });
  });

describe('laws', () => {
  test('a second implementation in plain rational arithmetic agrees', () => {
    let matched = 0;
    fc.assert(
      fc.property(anyInput, (some) => {
        const result = evaluatePurchase(some);
        const expected = referenceEvaluation(some);
        if (isRefusal(result)) {
          expect(result.code).toBe(expected);
          return;
        }
        const rule = result.ruleDecisions.find(
          (decision) => decision.kind === 'earn_rule' && decision.matched,
        );
        if (rule) matched += 1;
        expect({
          points: result.points,
          qualificationPoints: result.qualificationPoints,
          rule: rule?.id ?? null,
        }).toEqual(expected);
      }),
      { numRuns: 2_000 },
    );
    // The property is worth something only where a good part of the purchases earns.
    expect(matched).toBeGreaterThan(500);
  });

  test('points are never negative, are base and campaigns, and are the sum of the decisions', () => {
    fc.assert(
      fc.property(anyInput, (some) => {
        const result = evaluatePurchase(some);
        if (isRefusal(result)) return;
        expect(
          Math.min(result.points, result.basePoints, result.campaignPoints, result.qualificationPoints),
        ).toBeGreaterThanOrEqual(0);
        expect(result.points).toBe(result.basePoints + result.campaignPoints);
        expect(result.points).toBe(result.ruleDecisions.reduce((sum, decision) => sum + decision.points, 0));
        expect(Number.isSafeInteger(result.points)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test('a limit that trims is never exceeded by an award', () => {
    fc.assert(
      fc.property(anyInput, fc.nat(5_000), (some, points) => {
        const memberLimit = { points, period: 'month' as const, onExceed: 'trim' as const };
        const result = evaluatePurchase({ ...some, program: { ...some.program, memberLimit } });
        if (isRefusal(result)) return;
        expect(result.points).toBeLessThanOrEqual(Math.max(0, points - some.limitUsed));
      }),
      { numRuns: 500 },
    );
  });

  test('the order of conditions does not matter', () => {
    fc.assert(
      fc.property(anyInput, (some) => {
        const rules = some.program.earn.rules.map((one) => ({
          ...one,
          conditions: one.conditions.toReversed(),
        }));
        const other = evaluatePurchase({ ...some, program: { ...some.program, earn: { rules } } });
        const result = evaluatePurchase(some);
        if (isRefusal(result) || isRefusal(other)) {
          expect('code' in result && result.code).toBe('code' in other && other.code);
          return;
        }
        expect(other.points).toBe(result.points);
        expect(other.ruleDecisions.map(({ matched }) => matched)).toEqual(
          result.ruleDecisions.map(({ matched }) => matched),
        );
      }),
      { numRuns: 500 },
    );
  });

  test('under one rule without conditions a larger amount never earns less', () => {
    fc.assert(
      fc.property(anyRule, fc.nat(10_000_000), fc.nat(1_000), (one, amountMinor, more) => {
        const document = program({ earn: { rules: [{ ...one, match: 'all', conditions: [] }] } });
        const points = (amount: number) =>
          evaluated({
            program: document,
            purchase: purchase({ amountMinor: amount }),
            profile: { tier: 'silver', qualificationPoints: 0 },
          }).points;
        expect(points(amountMinor + more)).toBeGreaterThanOrEqual(points(amountMinor));
      }),
      { numRuns: 500 },
    );
  });

  test('the same input gives the same result, and is left as it was', () => {
    fc.assert(
      fc.property(anyInput, (some) => {
        const before = structuredClone(some);
        const first = evaluatePurchase(some);
        expect(evaluatePurchase(structuredClone(some))).toEqual(first);
        expect(some).toEqual(before);
      }),
      { numRuns: 200 },
    );
  });
});
