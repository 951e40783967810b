import type { Condition, Fraction, LimitPeriod, Rounding } from './document-values.ts';

/** The sections of a program document that reward beyond the earn rules: audiences, campaigns, referral, coupons. */

/** Who something is for: conditions on the member's profile, history, tags and lists, and on time. */
export interface Audience {
  id: string;
  name?: string;
  match: 'all' | 'any';
  conditions: Condition[];
}

/** When something holds: from `from` on, until before `until`, and within those on the days and hours named. */
export interface Schedule {
  /** RFC 3339 with a time zone. */
  from?: string;
  until?: string;
  /** IANA zone of days and hours; the document's where absent. */
  timeZone?: string;
  daysOfWeek?: string[];
  /** Hours of the day, `from` included, `to` not; over midnight where `to` is not above `from`. */
  hours?: { from: number; to: number };
}

/** Points beyond the base points. */
export interface Campaign {
  id: string;
  name?: string;
  schedule?: Schedule;
  /** Ids of audiences: the member is in any one of them. Everyone where absent. */
  audiences?: string[];
  match: 'all' | 'any';
  /** As those of earn rules. */
  conditions: Condition[];
  award: CampaignAward;
  /** Higher first; of equals, the smaller id. 0 where absent. */
  priority?: number;
  /**
   * `stack` adds to what came before; `exclusive` applies only where no campaign came before, and ends the list;
   * `best` competes: of all `best` ones that hold, only the one that gives most applies (of equals, the first).
   * `stack` where absent.
   */
  stacking?: 'stack' | 'exclusive' | 'best';
  caps?: CampaignCaps;
}

/**
 * Bonus points, as such; or base points × (multiplier − 1), rounded: a multiplier of 2 doubles. Multipliers of several
 * campaigns do not compound: each works on the base points.
 */
export type CampaignAward = { bonusPoints: number } | { multiplier: Fraction; rounding: Rounding };

/** In points of this campaign, in the smallest loyalty unit. What exceeds one is trimmed. */
export interface CampaignCaps {
  /** Of all members together, over the life of the campaign. Exact under any concurrency. */
  totalPoints?: number;
  /** Of each member, over the life of the campaign. */
  memberPoints?: number;
  /** Of each member in each period of the UTC calendar. */
  memberPeriod?: { points: number; period: Exclude<LimitPeriod, 'lifetime'> };
}

/** Awards both members once, at the referee's first purchase under a code of the referrer. */
export interface ReferralSection {
  referrerPoints: number;
  refereePoints: number;
  /** The first purchase is of at least so much; 0 where absent. */
  minimumAmountMinor?: number;
  /** Most referrals that one member is rewarded for; no limit where absent. */
  maxPerReferrer?: number;
}

/** A code that customers type in. It gives points on a purchase, opens offers, or both. */
export interface Coupon {
  code: string;
  name?: string;
  schedule?: Schedule;
  audiences?: string[];
  /** On a purchase; nothing where absent. */
  award?: CampaignAward;
  /** Redemptions by purchase; no limit where absent. */
  limits?: { total?: number; perMember?: number };
}
