import type { LiabilityCohort } from '../../../contract/generated/types.ts';
import type { BreakagePolicy, FinanceSection, Share } from '../../../programs/document/program-document.ts';
import { allocate, exact } from './allocate.ts';

/** Points of the lots of one month of issue and one of expiry. */
export interface CohortSum {
  /** `YYYY-MM`, UTC. */
  issueMonth: string;
  /** Null where they never expire. */
  expiryMonth: string | null;
  points: bigint;
}

const NONE: Share = { numerator: 0, denominator: 1 };

/**
 * Values cohorts: expected points are the points less the breakage, amounts are those times the worth of a point. Either
 * column is rounded half up in its sum, and in its lines by the largest remainder.
 * @param at the last instant of the period: months to expiry and of age are counted from, and to, its month
 */
export function liabilityOf(
  cohorts: readonly CohortSum[],
  finance: FinanceSection | undefined,
  at: Date,
): LiabilityCohort[] {
  const kept = cohorts.map((cohort) => {
    const { numerator, denominator } = breakageOf(cohort, finance?.breakage, at);
    return { numerator: denominator - numerator, denominator };
  });
  const expected = allocate(cohorts.map(({ points }, index) => exact(points, kept[index] ?? NONE)));
  const valuation = finance?.valuation;
  const policy = valuation ?? finance?.breakage;
  const worth = valuation ? allocate(expected.map((points) => exact(points, valuation.amountMinor))) : [];
  return cohorts.map(({ issueMonth, expiryMonth, points }, index) => ({
    issueMonth,
    expiryMonth,
    points: String(points),
    expectedPoints: policy ? String(expected[index]) : null,
    amountMinor: worth[index]?.toString() ?? null,
  }));
}

function breakageOf(cohort: CohortSum, policy: BreakagePolicy | undefined, at: Date): Share {
  if (!policy) return NONE;
  const { issueMonth, expiryMonth } = cohort;
  if (policy.byMonthsToExpiry && expiryMonth !== null) {
    const left = monthNumber(expiryMonth) - monthOf(at);
    return policy.byMonthsToExpiry.find(({ upTo }) => left <= upTo)?.rate ?? policy.rate;
  }
  const age = monthOf(at) - monthNumber(issueMonth);
  return policy.byAgeMonths?.findLast(({ from }) => age >= from)?.rate ?? policy.rate;
}

/** Months since year 0. */
function monthNumber(text: string): number {
  const [year = 0, month = 1] = text.split('-').map(Number);
  return year * 12 + month - 1;
}

function monthOf(at: Date): number {
  return at.getUTCFullYear() * 12 + at.getUTCMonth();
}
