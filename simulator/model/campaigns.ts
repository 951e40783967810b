import { createHash } from 'node:crypto';
import type { PlainBonus, PlainCampaign, PlainCampaigns, PlainCoupon } from '../programs/campaigns.ts';
import type { PlainProgram } from '../programs/program.ts';
import { isInEffectAt, type PlainSchedule } from '../programs/schedule.ts';
import { meantBy, type Part } from './baskets.ts';
import { isOpen, type ModelCode } from './codes.ts';
import type { Counters } from './counters.ts';
import { divide } from './divide.ts';
import type { Model } from './model.ts';

/** The facts of a purchase that campaigns and coupons are evaluated on. */
export interface PurchaseFacts {
  externalCustomerId: string;
  /** The instant of the evaluation. */
  at: number;
  tier: string;
  /** Purchases in the program before this one. */
  purchases: number;
  /** Sum of those purchases in minor units, less returns. */
  spent: number;
  /** Of the member. */
  tags: readonly string[];
  lists: readonly string[];
  channel: string;
  amountMinor: number;
}

/** Points of a rule, a campaign or a coupon. */
export interface Given {
  /** Of the campaign; null for others. */
  id: string | null;
  points: number;
  /** The parts of the purchase that they are for, where the program looks at lines. */
  to: readonly Part[];
  /** What they are handed out in proportion to. */
  by: (part: Part) => number;
}

export interface CampaignPoints extends Given {
  id: string;
}

export const ofBase = ({ base }: Part): number => base;
export const ofWorth = ({ worth }: Part): number => worth;

interface Aimed {
  schedule: PlainSchedule | null;
  audiences: readonly string[];
}

/**
 * Whether the schedule is in effect at `at` and the member belongs to one of the audiences. No audience means everyone.
 */
export function isFor(
  program: Pick<PlainCampaigns, 'audiences'>,
  { schedule, audiences }: Aimed,
  {
    at,
    tier,
    purchases,
    spent,
    tags,
    lists,
  }: Omit<PurchaseFacts, 'externalCustomerId' | 'channel' | 'amountMinor'>,
): boolean {
  if (schedule && !isInEffectAt(schedule, at)) return false;
  if (audiences.length === 0) return true;
  return program.audiences.some(
    (audience) =>
      audiences.includes(audience.id) &&
      (audience.tiers === null || audience.tiers.includes(tier)) &&
      (audience.purchases === null || purchases >= audience.purchases) &&
      (audience.spent === null || spent >= audience.spent) &&
      (audience.tag === null || tags.includes(audience.tag)) &&
      (audience.list === null || lists.includes(audience.list)),
  );
}

/** The points of each campaign that applies, limited by its caps, in the order in which campaigns apply. */
export function campaignsOf(
  program: PlainCampaigns,
  purchase: PurchaseFacts,
  { base, byPart }: { base: number; byPart: readonly Part[] | null },
  counters: Counters,
): CampaignPoints[] {
  const matching = [...program.campaigns]
    .sort((a, b) => b.priority - a.priority || (a.id < b.id ? -1 : 1))
    .filter(
      (campaign) =>
        isFor(program, campaign, purchase) &&
        !isWithheld(campaign, purchase) &&
        (campaign.channel === null || campaign.channel === purchase.channel) &&
        (campaign.minAmountMinor === null || purchase.amountMinor >= campaign.minAmountMinor),
    )
    .map((campaign) => ({
      campaign,
      to: campaign.lines ? meantBy(campaign.lines, byPart ?? []) : (byPart ?? []),
    }))
    .filter(({ campaign, to }) => campaign.lines === null || to.length > 0)
    .map(({ campaign, to }) => {
      const ofLines = campaign.lines ? to.reduce((sum, part) => sum + part.base, 0) : base;
      return { campaign, to, points: capped(campaign, bonusOf(campaign.bonus, ofLines), counters) };
    })
    .filter(({ points }) => points > 0);
  let best = 0;
  for (const { campaign, points } of matching) {
    if (campaign.stacking === 'best') best = Math.max(best, points);
  }
  const given: CampaignPoints[] = [];
  let bestGiven = false;
  for (const { campaign, to, points } of matching) {
    const { id, stacking, bonus } = campaign;
    if (stacking === 'best' && (bestGiven || points < best)) continue;
    if (stacking === 'exclusive' && given.length > 0) continue;
    given.push({ id, points, to, by: 'points' in bonus ? ofWorth : ofBase });
    if (stacking === 'best') bestGiven = true;
    if (stacking === 'exclusive') break;
  }
  return given;
}

/** The first twelve hexadecimal digits of a hash decide who belongs to the share. */
function isWithheld({ holdout }: PlainCampaign, { externalCustomerId }: PurchaseFacts): boolean {
  if (!holdout) return false;
  const hash = createHash('sha256').update(`${holdout.salt}${externalCustomerId}`, 'utf8').digest('hex');
  return BigInt(`0x${hash.slice(0, 12)}`) % 10_000n < BigInt(holdout.share);
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

/** Counts the points that campaigns have awarded toward their caps, where the version has caps. */
export function countCampaigns(
  program: PlainCampaigns,
  given: readonly CampaignPoints[],
  counters: Counters,
): void {
  for (const { id, points } of given) {
    const campaign = program.campaigns.find((each) => each.id === id);
    const name = campaignName(id);
    if (campaign?.capTotal != null) counters.takeOfAll(name, points);
    if (campaign?.capMember != null) counters.takeOfMember(name, 'lifetime', points);
    const period = campaign?.capPeriod?.period;
    if (period) counters.takeOfMember(`${name}.${period}`, period, points);
  }
}

/** Tells of the campaigns that have come to four fifths of their cap, or to all of it. */
export function tellOfCaps(
  model: Model,
  program: PlainProgram,
  given: readonly CampaignPoints[],
  counters: Counters,
): void {
  for (const { id: campaignId, points } of given) {
    const cap = program.campaigns.find((each) => each.id === campaignId)?.capTotal ?? null;
    if (cap === null) continue;
    const before = counters.ofAll(campaignName(campaignId));
    for (const percent of [80, 100]) {
      const [then, now] = [before, before + points].map((sum) => sum * 100 >= cap * percent);
      if (then || !now) continue;
      const data = { campaignId, percent, capPoints: cap, givenPoints: before + points };
      model.tellOfProgram('campaign.cap_reached', program.id, data);
    }
  }
}

/** The coupon of that code, or of the pool that it is from; null where there is none or it cannot be redeemed. */
export function redeemable(
  program: PlainCampaigns,
  { couponCode, ofPool }: { couponCode: string | null; ofPool: ModelCode | null },
  purchase: PurchaseFacts,
  counters: Counters,
): PlainCoupon | null {
  const coupon = program.coupons.find((each) => each.code === (ofPool?.pool ?? couponCode));
  if (!coupon || !isFor(program, coupon, purchase)) return null;
  if (coupon.pool ? !ofPool : ofPool) return null;
  if (coupon.pool && ofPool && !isOpen(ofPool, coupon.pool, purchase.externalCustomerId)) return null;
  const { limitTotal, limitMember } = coupon;
  const name = couponName(coupon.code);
  if (limitTotal !== null && counters.ofAll(name) >= limitTotal) return null;
  if (limitMember !== null && counters.ofMember(name, 'lifetime') >= limitMember) return null;
  return coupon;
}

/** Counts one use of a coupon toward its limits. */
export function countCoupon({ code, limitTotal, limitMember }: PlainCoupon, counters: Counters): void {
  const name = couponName(code);
  if (limitTotal !== null) counters.takeOfAll(name, 1);
  if (limitMember !== null) counters.takeOfMember(name, 'lifetime', 1);
}

/** The points of a bonus on a base of `base` points. */
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
