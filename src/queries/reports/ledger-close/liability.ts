import type { LiabilityCohort } from '../../../contract/generated/types.ts';
import type { BreakagePolicy, FinanceSection, Share } from '../../../programs/document/program-document.ts';
import { allocate, exact } from './allocate.ts';

/** The points of all lots with the same month of issue and the same month of expiry. */
export interface CohortSum {
  /** `YYYY-MM`, UTC. */
  issueMonth: string;
  /** `YYYY-MM`, UTC; null where they never expire. */
  expiryMonth: string | null;
  points: bigint;
}

const NONE: Share = { numerator: 0, denominator: 1 };

/**
 * Values cohorts: the expected points are the points less the breakage, the amount is the expected points × the value
 * of a point. The sum of either column is rounded half up and allocated to its lines by largest remainder.
 * @param at the last instant of the period: months to expiry count from its month, months of age up to it
 */
export function liabilityOf(
  cohorts: readonly CohortSum[],
  finance: FinanceSection | undefined,
  at: Date,
): LiabilityCohort[] {
  const keptAmounts = cohorts.map((cohort) => {
    const { numerator, denominator } = breakageOf(cohort, finance?.breakage, at);
    return { numerator: denominator - numerator, denominator };
  });
  const expected = allocate(cohorts.map(({ points }, index) => exact(points, keptAmounts[index] ?? NONE)));
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
    const monthsLeft = monthNumber(expiryMonth) - monthOf(at);
    return policy.byMonthsToExpiry.find(({ upTo }) => monthsLeft <= upTo)?.rate ?? policy.rate;
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
