import type { Fraction, Rounding } from '../../programs/document/document-values.ts';
import type { Tier } from '../../programs/document/program-document.ts';
import { roundFraction } from './rounding.ts';

/** Points × multiplier, computed exactly and rounded once. */
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
