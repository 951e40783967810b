import type { CampaignAward } from '../../programs/document/campaign-document.ts';
import { roundFraction } from '../shared/rounding.ts';

/** Computes points beyond the base points, in the smallest loyalty unit; at most 2^53-1. */
export type Bonus = (basePoints: number) => number;

/** Compiles the award of a campaign or coupon of a checked document. */
export function compileBonus(award: CampaignAward): Bonus {
  if ('bonusPoints' in award) return () => award.bonusPoints;
  const { rounding } = award;
  const denominator = BigInt(award.multiplier.denominator);
  const beyondOne = BigInt(award.multiplier.numerator) - denominator;
  if (beyondOne <= 0n) return () => 0;
  return (basePoints) => {
    const points = roundFraction(BigInt(basePoints) * beyondOne, denominator, rounding);
    return points > Number.MAX_SAFE_INTEGER ? Number.MAX_SAFE_INTEGER : Number(points);
  };
}
