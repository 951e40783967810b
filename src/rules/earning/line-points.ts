import type { EarnedLine } from '../../contract/generated/types.ts';
import type { CompiledProgram } from '../compiled/compiled-program.ts';
import type { CouponOutcome } from '../compiled/coupons.ts';
import { type Chosen, divideOver } from '../shared/basket.ts';
import { type BasePointsByLine, earnedLines } from './base-points.ts';
import type { CampaignPoints } from './campaigns.ts';

/** An award after caps and the member limit. */
interface Award {
  basePoints: number;
  campaigns: readonly CampaignPoints[];
  coupon: CouponOutcome | null;
  /** The `code` of that coupon in the document. */
  couponId: string | null;
}

/**
 * Divides an award over the lines of its purchase, so that their points add up to the award. Each rule's points are
 * divided over the lines that it took, in proportion to their values, and those of each campaign and of the coupon over
 * the lines that it works on: in proportion to base points where they come from a multiplier, else to values; always by
 * largest remainder. Where the member limit took base points off, those of the last rule go first.
 */
export function linesOf(
  base: BasePointsByLine,
  { basePoints, campaigns, coupon, couponId }: Award,
  compiled: Pick<CompiledProgram, 'campaigns' | 'coupons'>,
): EarnedLine[] {
  const { basket } = base;
  const values = basket.map(({ valueMinor }) => valueMinor);
  const all = basket.map(() => true);
  const ofParts = basket.map(() => 0);
  const add = (chosen: Chosen, points: number, amounts: readonly number[]): void => {
    divideOver(basket, chosen, points, amounts).forEach((share, position) => {
      ofParts[position] = (ofParts[position] ?? 0) + share;
    });
  };
  let remaining = basePoints;
  for (const { chosen, tieredPoints } of base.rules) {
    const points = Math.min(remaining, tieredPoints);
    remaining -= points;
    add(chosen, points, values);
  }
  for (const { campaignId, points } of campaigns) {
    const campaign = compiled.campaigns.find(({ id }) => id === campaignId);
    add(campaign?.lines?.choose(basket) ?? all, points, campaign?.multiplies ? base.ofParts : values);
  }
  if (coupon) {
    const award = compiled.coupons.get(couponId ?? '')?.coupon.award;
    add(all, coupon.points, award && 'multiplier' in award ? base.ofParts : values);
  }
  return earnedLines(basket, all, ofParts);
}
