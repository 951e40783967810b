import type { ProgramDocument, Rounding } from '../programs/program-document.ts';
import type { Random } from './random.ts';

export interface PlainRule {
  id: string;
  /** What the purchase has to have; null for whatever it has. */
  channel: 'web' | 'store' | 'app' | null;
  category: string | null;
  numerator: number;
  denominator: number;
  rounding: Rounding;
  tierRounding: Rounding;
}

/** A program said plainly, as the model computes with it; `documentOf` says the same to the service. */
export interface PlainProgram {
  id: string;
  precision: number;
  rules: PlainRule[];
  /** Ascending; the first from 0. */
  tiers: { id: string; threshold: number; numerator: number; denominator: number }[];
  countsBy: 'lifetime' | 'calendar_year';
  limit: {
    points: number;
    period: 'day' | 'month' | 'year' | 'lifetime';
    onExceed: 'trim' | 'reject';
  } | null;
  pendingDays: number;
  expiryDays: number | null;
}

export interface PlainVersion {
  version: number;
  effectiveFrom: Date;
  publishedAt: Date;
  program: PlainProgram;
}

const ROUNDINGS: readonly Rounding[] = ['floor', 'ceil', 'nearest_half_up', 'nearest_half_even'];
const TIERS = ['first', 'second', 'third', 'fourth', 'fifth'];

export const CATEGORIES = ['beans', 'cups', 'gift-card'];

/**
 * Invents a program, or its next version.
 * @param precision what a point is worth never changes between versions
 */
export function inventProgram(random: Random, id: string, precision: number): PlainProgram {
  const unit = 10 ** precision;
  let threshold = 0;
  // A version may lack tiers that the one before had, and give back ones that it lacked.
  const tiers = TIERS.filter((_, index) => index === 0 || random.chance(0.6)).map((tier, index) => {
    if (index > 0) threshold += random.between(50, 600) * unit;
    return { id: tier, threshold, numerator: random.between(1, 7), denominator: random.between(1, 4) };
  });
  return {
    id,
    precision,
    rules: Array.from({ length: random.between(1, 4) }, (_, index) => inventRule(random, `rule-${index}`)),
    tiers,
    countsBy: random.pick(['lifetime', 'calendar_year']),
    limit: random.chance(0.5)
      ? {
          points: random.between(100, 3000) * unit,
          period: random.pick(['day', 'month', 'year', 'lifetime']),
          onExceed: random.pick(['trim', 'reject']),
        }
      : null,
    pendingDays: random.pick([0, 0, 7, 30]),
    expiryDays: random.pick([null, 1, 365]),
  };
}

function inventRule(random: Random, id: string): PlainRule {
  return {
    id,
    channel: random.pick(['web', 'store', 'app', null, null]),
    category: random.chance(0.3) ? random.pick(CATEGORIES) : null,
    numerator: random.between(0, 9),
    denominator: random.between(1, 5),
    rounding: random.pick(ROUNDINGS),
    tierRounding: random.pick(ROUNDINGS),
  };
}

/** The document that a merchant would publish to the same effect. */
export function documentOf(program: PlainProgram): ProgramDocument {
  const { id, precision, rules, tiers, countsBy, limit, pendingDays, expiryDays } = program;
  return {
    id,
    name: id,
    unitName: 'points',
    currency: 'USD',
    locale: 'en-US',
    loyaltyUnitPrecision: precision,
    earn: {
      rules: rules.map((rule) => ({
        id: rule.id,
        match: 'all',
        conditions: [
          ...(rule.channel
            ? [{ field: 'purchase.channel', operator: 'equals' as const, value: rule.channel }]
            : []),
          ...(rule.category
            ? [{ field: 'items.category', operator: 'equals' as const, value: rule.category }]
            : []),
        ],
        earn: {
          currencyExponent: 2,
          loyaltyUnitPrecision: precision,
          rateNumerator: rule.numerator,
          rateDenominator: rule.denominator,
          rounding: rule.rounding,
          tierRounding: rule.tierRounding,
        },
      })),
    },
    tiers: tiers.map((tier) => ({
      id: tier.id,
      name: tier.id,
      threshold: tier.threshold,
      multiplier: { numerator: tier.numerator, denominator: tier.denominator },
    })),
    qualification: { window: countsBy },
    ...(limit ? { memberLimit: limit } : {}),
    pending: { days: pendingDays },
    expiration: expiryDays === null ? { policy: 'never' } : { policy: 'rolling_days', days: expiryDays },
  };
}
