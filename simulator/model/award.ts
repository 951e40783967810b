import type { PlainProgram, PlainRule } from '../programs/program.ts';
import { handOut, meantBy, type Part, partsOf } from './baskets.ts';
import {
  bonusOf,
  type CampaignPoints,
  campaignsOf,
  countCampaigns,
  countCoupon,
  type Given,
  ofBase,
  ofWorth,
  type PurchaseFacts,
  redeemable,
} from './campaigns.ts';
import type { ModelCode } from './codes.ts';
import type { Counters } from './counters.ts';
import { divide } from './divide.ts';
import type { PurchasedItem } from './purchase-input.ts';

interface Sale extends PurchaseFacts {
  items: readonly PurchasedItem[];
  couponCode: string | null;
  /** The pool's code that it is. */
  ofPool: ModelCode | null;
}

export interface Award {
  points: number;
  basePoints: number;
  rulePoints: number;
  campaigns: CampaignPoints[];
  /** Whether the coupon code of the purchase was redeemed. */
  redeemed: boolean;
  /** The purchase part by part; null where the program does not look at lines. */
  byPart: Part[] | null;
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
  const looks = [...program.rules, ...program.campaigns].some(({ lines }) => lines !== null);
  const byPart = looks ? partsOf(sale.items, sale.amountMinor) : null;
  const { rulePoints, bases } = byPart ? basesOf(program, sale, byPart) : baseOf(program, sale);
  const base = bases.reduce((sum, { points }) => sum + points, 0);
  const campaigns = campaignsOf(program, sale, { base, byPart }, counters);
  const coupon = redeemable(program, sale, sale, counters);
  // A member limit cuts the last part first.
  const parts: Given[] = [
    ...bases,
    ...campaigns,
    {
      id: null,
      points: coupon?.bonus ? bonusOf(coupon.bonus, base) : 0,
      to: byPart ?? [],
      by: coupon?.bonus && 'numerator' in coupon.bonus ? ofBase : ofWorth,
    },
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
  const given = parts.filter((part): part is CampaignPoints => part.id !== null && part.points > 0);
  for (const { points: handed, to, by } of byPart ? parts : []) {
    handOut(handed, to, by).forEach((share, place) => {
      const part = to[place];
      if (part) part.points += share;
    });
  }
  if (limit) counters.takeOfMember(`member_limit.${limit.period}`, limit.period, points);
  countCampaigns(program, given, counters);
  if (coupon) countCoupon(coupon, counters);
  return {
    points,
    basePoints: parts.slice(0, bases.length).reduce((sum, part) => sum + part.points, 0),
    rulePoints,
    campaigns: given,
    redeemed: coupon !== null,
    byPart,
  };
}

interface Bases {
  rulePoints: number;
  /** Points after the tier, of each rule that applied. */
  bases: Given[];
}

function holds({ channel, category }: PlainRule, sale: Sale): boolean {
  return (
    (channel === null || channel === sale.channel) &&
    (category === null || sale.items.some((item) => item.category === category))
  );
}

/** The first rule that holds is for the whole purchase. */
function baseOf(program: PlainProgram, sale: Sale): Bases {
  const rule = program.rules.find((candidate) => holds(candidate, sale));
  if (!rule) return { rulePoints: 0, bases: [] };
  const { rulePoints, base } = earnedBy(rule, program, sale.amountMinor, sale.tier);
  return { rulePoints, bases: [{ id: null, points: base, to: [], by: ofWorth }] };
}

/** Each rule that holds takes the parts that it is for out of those that are left. */
function basesOf(program: PlainProgram, sale: Sale, parts: readonly Part[]): Bases {
  const left = new Set(parts);
  const bases: Given[] = [];
  let rulePoints = 0;
  for (const rule of program.rules) {
    if (!holds(rule, sale)) continue;
    const to = rule.lines ? meantBy(rule.lines, [...left]) : [...left];
    if (rule.lines && to.length === 0) continue;
    const worth = to.reduce((sum, part) => sum + part.worth, 0);
    const earned = earnedBy(rule, program, worth, sale.tier);
    rulePoints += earned.rulePoints;
    bases.push({ id: null, points: earned.base, to, by: ofWorth });
    const shares = handOut(earned.base, to, ofWorth);
    to.forEach((part, place) => {
      part.base += shares[place] ?? 0;
      left.delete(part);
    });
    if (!rule.lines) break;
  }
  return { rulePoints, bases };
}

function earnedBy(
  rule: PlainRule,
  program: PlainProgram,
  amountMinor: number,
  tier: string,
): { rulePoints: number; base: number } {
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
