import type {
  Fraction,
  ProgramDocument,
  QualificationWindow,
  Rounding,
  Tier,
} from '../programs/program-document.ts';
import { roundFraction } from './rounding.ts';

/** Where a member stands in a program's tiers. */
export interface Standing {
  /** Tier id. */
  tier: string;
  /** Points counted in the present window, in the smallest loyalty unit. */
  qualificationPoints: number;
  /** Start of the present window; null where the window is the lifetime. */
  qualificationSince: Date | null;
}

/** Points × multiplier, exact, rounded as named. */
export function applyMultiplier(points: bigint, multiplier: Fraction, rounding: Rounding): bigint {
  return roundFraction(points * BigInt(multiplier.numerator), BigInt(multiplier.denominator), rounding);
}

/**
 * The highest tier that the points reach.
 * @param tiers not empty, ascending, the first with threshold 0
 */
export function tierFor(tiers: readonly Tier[], qualificationPoints: number): Tier {
  const tier = tiers.findLast((candidate) => candidate.threshold <= qualificationPoints) ?? tiers[0];
  if (!tier) throw new RangeError('A program has at least one tier');
  return tier;
}

/** The standing of a member who enrolls. */
export function initialStanding(document: ProgramDocument, at: Date): Standing {
  return {
    tier: tierFor(document.tiers, 0).id,
    qualificationPoints: 0,
    qualificationSince: windowStart(document.qualification.window, at),
  };
}

/**
 * The standing with every re-qualification that is due by `at`. When a window has ended, the member's tier becomes
 * the one that the points of the window just ended reach, and counting begins anew; a whole window without points in
 * between leads to the first tier. A tier that the document no longer has becomes the one that the points reach.
 *
 * `rolling_12_months` is counted in windows of twelve months that begin with the member's first one, until the points
 * of single months are kept.
 */
export function standingAt(document: ProgramDocument, standing: Standing, at: Date): Standing {
  const { tiers, qualification } = document;
  let { tier, qualificationPoints, qualificationSince } = standing;
  if (qualification.window === 'lifetime') {
    qualificationSince = null;
  } else if (qualificationSince === null) {
    // The program counted over the lifetime before: what was counted stands for the window that begins.
    qualificationSince = windowStart(qualification.window, at);
  } else {
    let end = windowEnd(qualification.window, qualificationSince);
    while (end <= at) {
      tier = tierFor(tiers, qualificationPoints).id;
      const idle = qualificationPoints === 0;
      qualificationPoints = 0;
      qualificationSince = end;
      end = windowEnd(qualification.window, end);
      // One idle window has led to the first tier already; more of them change nothing but the window's start.
      if (idle && qualification.window === 'calendar_year' && end <= at) {
        qualificationSince = windowStart('calendar_year', at);
        break;
      }
    }
  }
  if (!tiers.some((candidate) => candidate.id === tier)) tier = tierFor(tiers, qualificationPoints).id;
  return { tier, qualificationPoints, qualificationSince };
}

/**
 * The standing after points were earned: a tier rises at once and never falls here.
 * @param standing as `standingAt` gives it for now
 * @param points earned, in the smallest loyalty unit; the sum stays at 2^53-1 once it gets there
 * @param earnedAt when; points of a window that is over do not count in the present one
 */
export function standingAfter(
  document: ProgramDocument,
  standing: Standing,
  points: number,
  earnedAt: Date,
): Standing {
  if (standing.qualificationSince !== null && earnedAt < standing.qualificationSince) return standing;
  const qualificationPoints = Math.min(standing.qualificationPoints + points, Number.MAX_SAFE_INTEGER);
  const { tiers } = document;
  const reached = tierFor(tiers, qualificationPoints);
  const rises = tiers.indexOf(reached) > tiers.findIndex((candidate) => candidate.id === standing.tier);
  return { ...standing, tier: rises ? reached.id : standing.tier, qualificationPoints };
}

function windowStart(window: QualificationWindow, at: Date): Date | null {
  if (window === 'lifetime') return null;
  return window === 'calendar_year' ? new Date(Date.UTC(at.getUTCFullYear(), 0, 1)) : at;
}

function windowEnd(window: 'calendar_year' | 'rolling_12_months', since: Date): Date {
  if (window === 'calendar_year') return new Date(Date.UTC(since.getUTCFullYear() + 1, 0, 1));
  const end = new Date(since);
  end.setUTCFullYear(since.getUTCFullYear() + 1);
  // A window that begins on 29 February ends with 28 February, not with 1 March.
  if (end.getUTCMonth() !== since.getUTCMonth()) end.setUTCDate(0);
  return end;
}
