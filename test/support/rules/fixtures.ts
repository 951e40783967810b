import type { Condition } from '../../../src/programs/document/document-values.ts';
import type {
  EarnRate,
  EarnRule,
  ProgramDocument,
  Tier,
} from '../../../src/programs/document/program-document.ts';
import type { PurchaseFacts } from '../../../src/rules/conditions/purchase-facts.ts';
import type { PurchaseEvaluationInput } from '../../../src/rules/earning/evaluate-purchase.ts';

/** A Wednesday. */
export const noon = new Date('2026-03-04T12:00:00.000Z');

/** One point for each full dollar. */
export function rate(overrides: Partial<EarnRate> = {}): EarnRate {
  return {
    currencyExponent: 2,
    loyaltyUnitPrecision: 0,
    rateNumerator: 1,
    rateDenominator: 1,
    rounding: 'floor',
    tierRounding: 'nearest_half_up',
    ...overrides,
  };
}

export function rule(id: string, conditions: Condition[] = [], overrides: Partial<EarnRate> = {}): EarnRule {
  return { id, match: 'all', conditions, earn: rate(overrides) };
}

export function tier(id: string, threshold: number, numerator: number, denominator = 1): Tier {
  return { id, name: id, threshold, multiplier: { numerator, denominator } };
}

/** bronze from 0 (×1), silver from 1,000 (×5/4), gold from 5,000 (×3/2); one rule. */
export function program(overrides: Partial<ProgramDocument> = {}): ProgramDocument {
  return {
    id: 'coffee-club',
    name: 'Coffee Club',
    unitName: 'points',
    currency: 'USD',
    locale: 'en-US',
    loyaltyUnitPrecision: 0,
    earn: { rules: [rule('base')] },
    tiers: [tier('bronze', 0, 1), tier('silver', 1000, 5, 4), tier('gold', 5000, 3, 2)],
    qualification: { window: 'lifetime' },
    ...overrides,
  };
}

export function purchase(overrides: Partial<PurchaseFacts> = {}): PurchaseFacts {
  return { amountMinor: 10_000, channel: 'web', occurredAt: noon, ...overrides };
}

export function input(overrides: Partial<PurchaseEvaluationInput> = {}): PurchaseEvaluationInput {
  return {
    program: program(),
    version: 1,
    mode: 'receipt_time_current_configuration',
    evaluationAt: noon,
    purchase: purchase(),
    profile: { tier: 'bronze', qualificationPoints: 0 },
    limitUsed: 0,
    ...overrides,
  };
}
