import type { PlainProgram } from '../programs/program.ts';
import {
  bonusOf,
  type CampaignPoints,
  campaignsOf,
  countCampaigns,
  countCoupon,
  type PurchaseFacts,
  redeemable,
} from './campaigns.ts';
import type { Counters } from './counters.ts';
import { divide } from './divide.ts';

interface Sale extends PurchaseFacts {
  category: string | null;
  couponCode: string | null;
}

export interface Award {
  points: number;
  basePoints: number;
  rulePoints: number;
  campaigns: CampaignPoints[];
  /** Whether the coupon code of the purchase was redeemed. */
  redeemed: boolean;
}

/**
 * What the model expects a purchase to earn: plain arithmetic on whole numbers. The amounts that count toward caps and
 * limits are recorded in `counters`.
 */
export function awardOf(
  program: PlainProgram,
  sale: Sale,
  counters: Counters,
): Award | { code: 'member_limit_reached' } {
  const { rulePoints, base } = baseOf(program, sale);
  const campaigns = campaignsOf(program, sale, base, counters);
  const coupon = redeemable(program, sale.couponCode, sale, counters);
  // A member limit cuts the last part first.
  const parts = [
    { id: null, points: base },
    ...campaigns,
    { id: null, points: coupon?.bonus ? bonusOf(coupon.bonus, base) : 0 },
  ];
  const { limit } = program;
  if (limit) {
    let room = Math.max(limit.points - counters.ofMember(`member_limit.${limit.period}`, limit.period), 0);
    const wanted = parts.reduce((sum, { points }) => sum + points, 0);
    if (wanted > room && limit.onExceed === 'reject') return { code: 'member_limit_reached' };
    for (const part of parts) {
      part.points = Math.min(part.points, room);
      room -= part.points;
    }
  }
  const points = parts.reduce((sum, part) => sum + part.points, 0);
  const [basePart, ...others] = parts;
  const given = others.filter((part): part is CampaignPoints => part.id !== null && part.points > 0);
  if (limit) counters.takeOfMember(`member_limit.${limit.period}`, limit.period, points);
  countCampaigns(program, given, counters);
  if (coupon) countCoupon(coupon, counters);
  return {
    points,
    basePoints: basePart?.points ?? 0,
    rulePoints,
    campaigns: given,
    redeemed: coupon !== null,
  };
}

function baseOf(
  program: PlainProgram,
  { channel, category, amountMinor, tier }: Sale,
): { rulePoints: number; base: number } {
  const rule = program.rules.find(
    (candidate) =>
      (candidate.channel === null || candidate.channel === channel) &&
      (candidate.category === null || candidate.category === category),
  );
  if (!rule) return { rulePoints: 0, base: 0 };
  // Cents times units per point times points per dollar.
  const rulePoints = divide(
    BigInt(amountMinor) * BigInt(10 ** program.precision) * BigInt(rule.numerator),
    100n * BigInt(rule.denominator),
    rule.rounding,
  );
  const multiplier = program.tiers.find((candidate) => candidate.id === tier);
  if (!multiplier) throw new Error(`the model knows no tier ${tier}`);
  const base = divide(
    rulePoints * BigInt(multiplier.numerator),
    BigInt(multiplier.denominator),
    rule.tierRounding,
  );
  return { rulePoints: Number(rulePoints), base: Number(base) };
}
