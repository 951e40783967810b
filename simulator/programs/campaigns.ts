import type { Rounding } from '../../src/programs/document/document-values.ts';
import type { Random } from '../random.ts';
import { inventLines, type PlainLines } from './lines.ts';
import { inventSchedule, type PlainSchedule } from './schedule.ts';

/** An audience. A criterion that is null does not apply. */
export interface PlainAudience {
  id: string;
  tiers: string[] | null;
  /** The least number of purchases before this one. */
  purchases: number | null;
  /** The least sum of those purchases, in minor units. */
  spent: number | null;
  /** A tag that the member has to have. */
  tag: string | null;
  /** A list that the member has to be on. */
  list: string | null;
}

export type PlainBonus = { points: number } | { numerator: number; denominator: number; rounding: Rounding };

export type CapPeriod = 'day' | 'week' | 'month' | 'year';

export interface PlainCampaign {
  id: string;
  priority: number;
  stacking: 'stack' | 'exclusive' | 'best';
  schedule: PlainSchedule | null;
  /** The member has to belong to one of these audiences; empty for everyone. */
  audiences: string[];
  channel: 'web' | 'store' | 'app' | null;
  minAmountMinor: number | null;
  /** The lines that it works on; null for the whole purchase. */
  lines: PlainLines | null;
  bonus: PlainBonus;
  capTotal: number | null;
  capMember: number | null;
  capPeriod: { points: number; period: CapPeriod } | null;
  /** The share of the members who get nothing of it, in hundredths of a percent; null for none. */
  holdout: { share: number; salt: string } | null;
}

export interface PlainCoupon {
  code: string;
  schedule: PlainSchedule | null;
  audiences: string[];
  bonus: PlainBonus | null;
  limitTotal: number | null;
  limitMember: number | null;
  pool: PlainPool | null;
}

/** How the codes of a pool are redeemed. */
export interface PlainPool {
  usesPerCode: number;
  assignedOnly: boolean;
}

export interface PlainReferral {
  referrerPoints: number;
  refereePoints: number;
  /** Null where the document does not say: then a purchase of 0 does not qualify. */
  minAmountMinor: number | null;
  maxPerReferrer: number | null;
  onReturn: 'take_back' | 'keep' | null;
}

/** What a program awards besides its earn rules. */
export interface PlainCampaigns {
  audiences: PlainAudience[];
  campaigns: PlainCampaign[];
  coupons: PlainCoupon[];
  referral: PlainReferral | null;
}

const ROUNDINGS: readonly Rounding[] = ['floor', 'ceil', 'nearest_half_up', 'nearest_half_even'];
/** Tags of members, and names of lists. */
export const LABELS = ['press', 'vip'];
const AUDIENCES = ['risen', 'regulars', 'spenders'];
const CAMPAIGNS = ['autumn', 'double', 'happy-hour', 'Late', 'vip'];

/** Codes are case-sensitive: the first two differ only in case. */
export const COUPONS = ['WELCOME', 'Welcome', 'TINS', 'SPRING'];

/** Names of pools; typed in, they are unknown coupons. */
export const POOLS = ['SUMMER', 'WINTER'];

export interface CampaignFrame {
  /** Units of a point. */
  unit: number;
  now: Date;
  /** The least amount of anything limited that members share. */
  leastLimit: number;
  /** Ids of the version's tiers. */
  tiers: string[];
  /** Whether campaigns may work on lines. */
  byLine: boolean;
}

/** Invents audiences, campaigns, coupons and the referral. Versions share ids, and counters go on under the same id. */
export function inventCampaigns(random: Random, frame: CampaignFrame): PlainCampaigns {
  const { unit } = frame;
  const audiences = AUDIENCES.filter(() => random.chance(0.7)).map((id) => ({
    id,
    tiers: random.chance(0.5) ? [...new Set([random.pick(frame.tiers), random.pick(frame.tiers)])] : null,
    purchases: random.chance(0.5) ? random.between(0, 5) : null,
    spent: random.chance(0.3) ? random.between(0, 60_000) : null,
    tag: random.chance(0.3) ? random.pick(LABELS) : null,
    list: random.chance(0.2) ? random.pick(LABELS) : null,
  }));
  const ids = audiences.map(({ id }) => id);
  return {
    audiences,
    campaigns: random.chance(0.8)
      ? CAMPAIGNS.filter(() => random.chance(0.5)).map((id) => inventCampaign(random, id, frame, ids))
      : [],
    coupons: [
      ...COUPONS.filter(() => random.chance(0.6)).map((code) => inventCoupon(random, code, frame, ids)),
      ...POOLS.filter(() => random.chance(0.7)).map((code) => ({
        ...inventCoupon(random, code, frame, ids),
        limitTotal: null,
        pool: { usesPerCode: random.pick([1, 1, 2, 5]), assignedOnly: random.chance(0.2) },
      })),
    ],
    referral: random.chance(0.7)
      ? {
          referrerPoints: random.between(1, 200) * unit,
          refereePoints: random.between(1, 100) * unit,
          minAmountMinor: random.pick([null, 0, random.below(5_000)]),
          maxPerReferrer: random.chance(0.4) ? random.between(1, 3) : null,
          onReturn: random.pick([null, 'take_back', 'keep']),
        }
      : null,
  };
}

function inventCampaign(
  random: Random,
  id: string,
  { unit, now, leastLimit, byLine }: CampaignFrame,
  audiences: readonly string[],
): PlainCampaign {
  return {
    id,
    priority: random.pick([0, 0, random.between(-2, 2)]),
    stacking: random.pick(['stack', 'stack', 'exclusive', 'best', 'best']),
    schedule: random.chance(0.4) ? inventSchedule(random, now) : null,
    audiences: inventAudiences(random, audiences),
    channel: random.chance(0.2) ? random.pick(['web', 'store', 'app']) : null,
    minAmountMinor: random.chance(0.3) ? random.below(10_000) : null,
    lines: byLine && random.chance(0.4) ? inventLines(random) : null,
    bonus: inventBonus(random, unit),
    // With `leastLimit`, a shared cap is so high that it is never reached.
    capTotal: random.chance(0.4) ? (leastLimit * 1_000_000 + random.between(1, 2_000)) * unit : null,
    capMember: random.chance(0.35) ? random.between(1, 500) * unit : null,
    capPeriod: random.chance(0.35)
      ? { points: random.between(1, 200) * unit, period: random.pick(['day', 'week', 'month', 'year']) }
      : null,
    // Campaigns with the same salt are withheld from the same members.
    holdout: random.chance(0.2)
      ? { share: random.pick([1, 1_050, 5_000, 9_999]), salt: random.pick(['spring', `${id} ü`]) }
      : null,
  };
}

function inventCoupon(
  random: Random,
  code: string,
  { unit, now, leastLimit }: CampaignFrame,
  audiences: readonly string[],
): PlainCoupon {
  return {
    code,
    schedule: random.chance(0.25) ? inventSchedule(random, now) : null,
    audiences: random.chance(0.3) ? inventAudiences(random, audiences) : [],
    bonus: random.chance(0.8) ? inventBonus(random, unit) : null,
    limitTotal: random.chance(0.5) ? leastLimit + random.between(1, 25) : null,
    limitMember: random.chance(0.5) ? random.between(1, 3) : null,
    pool: null,
  };
}

/** None or some of the audiences. */
export function inventAudiences(random: Random, ids: readonly string[]): string[] {
  return random.chance(0.5) ? [] : ids.filter(() => random.chance(0.5));
}

function inventBonus(random: Random, unit: number): PlainBonus {
  if (random.chance(0.5)) return { points: random.between(1, 80) * unit + random.below(unit) };
  const denominator = random.between(1, 4);
  return {
    numerator: denominator + random.between(1, 9),
    denominator,
    rounding: random.pick(ROUNDINGS),
  };
}
