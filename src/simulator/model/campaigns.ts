import type { PlainBonus, PlainCampaign, PlainCampaigns, PlainCoupon } from '../programs/campaigns.ts';
import { holdsAt, type PlainSchedule } from '../programs/schedule.ts';
import type { Counters } from './counters.ts';
import { divide } from './divide.ts';

/** Who buys what, and when. */
export interface Occasion {
  /** The instant of the evaluation. */
  at: number;
  tier: string;
  /** Purchases in the program before this one, and what they came to. */
  purchases: number;
  spent: number;
  channel: string;
  amountMinor: number;
}

export interface Given {
  id: string;
  points: number;
}

interface Aimed {
  schedule: PlainSchedule | null;
  audiences: readonly string[];
}

/** Whether something is for the member, and now. */
export function isFor(
  program: Pick<PlainCampaigns, 'audiences'>,
  { schedule, audiences }: Aimed,
  { at, tier, purchases, spent }: Pick<Occasion, 'at' | 'tier' | 'purchases' | 'spent'>,
): boolean {
  if (schedule && !holdsAt(schedule, at)) return false;
  if (audiences.length === 0) return true;
  return program.audiences.some(
    (audience) =>
      audiences.includes(audience.id) &&
      (audience.tiers === null || audience.tiers.includes(tier)) &&
      (audience.purchases === null || purchases >= audience.purchases) &&
      (audience.spent === null || spent >= audience.spent),
  );
}

/** What campaigns give, in the order in which they apply, each held to its caps. */
export function campaignsOf(
  program: PlainCampaigns,
  occasion: Occasion,
  base: number,
  counters: Counters,
): Given[] {
  const holding = [...program.campaigns]
    .sort((a, b) => b.priority - a.priority || (a.id < b.id ? -1 : 1))
    .filter(
      (campaign) =>
        isFor(program, campaign, occasion) &&
        (campaign.channel === null || campaign.channel === occasion.channel) &&
        (campaign.leastAmountMinor === null || occasion.amountMinor >= campaign.leastAmountMinor),
    )
    .map((campaign) => ({ campaign, points: capped(campaign, bonusOf(campaign.bonus, base), counters) }))
    .filter(({ points }) => points > 0);
  let best = 0;
  for (const { campaign, points } of holding) {
    if (campaign.stacking === 'best') best = Math.max(best, points);
  }
  const given: Given[] = [];
  let bestGiven = false;
  for (const { campaign, points } of holding) {
    const { id, stacking } = campaign;
    if (stacking === 'best' && (bestGiven || points < best)) continue;
    if (stacking === 'exclusive' && given.length > 0) continue;
    given.push({ id, points });
    if (stacking === 'best') bestGiven = true;
    if (stacking === 'exclusive') break;
  }
  return given;
}

function capped({ id, capTotal, capMember, capPeriod }: PlainCampaign, points: number, counters: Counters) {
  let left = points;
  const name = campaignName(id);
  if (capTotal !== null) left = Math.min(left, capTotal - counters.ofAll(name));
  if (capMember !== null) left = Math.min(left, capMember - counters.ofMember(name, 'lifetime'));
  if (capPeriod) {
    const { period } = capPeriod;
    left = Math.min(left, capPeriod.points - counters.ofMember(`${name}.${period}`, period));
  }
  return left;
}

/** Counts what campaigns have given in the end, where the version has caps for it. */
export function countCampaigns(program: PlainCampaigns, given: readonly Given[], counters: Counters): void {
  for (const { id, points } of given) {
    const campaign = program.campaigns.find((each) => each.id === id);
    const name = campaignName(id);
    if (campaign?.capTotal != null) counters.takeOfAll(name, points);
    if (campaign?.capMember != null) counters.takeOfMember(name, 'lifetime', points);
    const period = campaign?.capPeriod?.period;
    if (period) counters.takeOfMember(`${name}.${period}`, period, points);
  }
}

/** The coupon of that code, where it can be redeemed. */
export function redeemable(
  program: PlainCampaigns,
  code: string | null,
  occasion: Occasion,
  counters: Counters,
): PlainCoupon | null {
  const coupon = program.coupons.find((each) => each.code === code);
  if (!coupon || !isFor(program, coupon, occasion)) return null;
  const { limitTotal, limitMember } = coupon;
  const name = couponName(coupon.code);
  if (limitTotal !== null && counters.ofAll(name) >= limitTotal) return null;
  if (limitMember !== null && counters.ofMember(name, 'lifetime') >= limitMember) return null;
  return coupon;
}

/** Counts one use of a coupon, where it is limited. */
export function countCoupon({ code, limitTotal, limitMember }: PlainCoupon, counters: Counters): void {
  const name = couponName(code);
  if (limitTotal !== null) counters.takeOfAll(name, 1);
  if (limitMember !== null) counters.takeOfMember(name, 'lifetime', 1);
}

/** What a bonus comes to on so many base points. */
export function bonusOf(bonus: PlainBonus, base: number): number {
  if ('points' in bonus) return bonus.points;
  const { numerator, denominator, rounding } = bonus;
  return Number(divide(BigInt(base) * BigInt(numerator - denominator), BigInt(denominator), rounding));
}

function campaignName(id: string): string {
  return `campaign:${id}`;
}

function couponName(code: string): string {
  return `coupon:${code}`;
}
