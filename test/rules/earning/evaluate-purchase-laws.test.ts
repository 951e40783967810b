import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { referenceEvaluation } from '../../../simulator/model/award/evaluation.ts';
import type { Condition } from '../../../src/programs/document/document-values.ts';
import type { EarnRate, EarnRule, ProgramDocument } from '../../../src/programs/document/program-document.ts';
import { isRefusal } from '../../../src/refusal.ts';
import {
  evaluatePurchase,
  type PurchaseEvaluationInput,
} from '../../../src/rules/earning/evaluate-purchase.ts';
import { awardOf } from '../../support/rules/award-of.ts';
import { input, noon, program, purchase } from '../../support/rules/fixtures.ts';

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
        if (result.ruleDecisions.some(({ kind, matched: held }) => kind === 'earn_rule' && held))
          matched += 1;
        expect(awardOf(result)).toEqual(expected);
      }),
      { numRuns: 2_000 },
    );
    // The property proves something only if many of the purchases earn points.
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
        const points = (amount: number) => {
          const profile = { tier: 'silver', qualificationPoints: 0 };
          const facts = purchase({ amountMinor: amount });
          const result = evaluatePurchase(input({ program: document, purchase: facts, profile }));
          // Refused for more points than there can be.
          return isRefusal(result) ? Number.POSITIVE_INFINITY : result.points;
        };
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
