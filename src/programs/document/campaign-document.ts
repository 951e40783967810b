import type { Condition, Fraction, LimitPeriod, LineSelection, Rounding } from './document-values.ts';

/** The sections of a program document that reward beyond the earn rules: audiences, campaigns, referral, coupons. */

/** A group of members: conditions on the member's profile, history, tags and lists, and on time. */
export interface Audience {
  id: string;
  name?: string;
  match: 'all' | 'any';
  conditions: Condition[];
}

/** When something is open: from `from` (included) until `until` (excluded), on the days and hours named. */
export interface Schedule {
  /** RFC 3339 with a time zone. */
  from?: string;
  until?: string;
  /** IANA zone of days and hours; the document's where absent. */
  timeZone?: string;
  daysOfWeek?: string[];
  /** Hours of the day, `from` included, `to` excluded; over midnight where `to` is not greater than `from`. */
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
  /**
   * The lines that it works on, whatever other campaigns work on: a multiplier multiplies their base points, and a
   * bonus is given where there are such lines. The whole purchase where absent.
   */
  lines?: LineSelection;
  award: CampaignAward;
  /** Higher first; of equals, the smaller id. 0 where absent. */
  priority?: number;
  /**
   * `stack` adds to what came before; `exclusive` applies only where no campaign came before, and ends the list;
   * `best` competes: of all `best` ones that match, only the one that gives most applies (of equal ones, the first).
   * `stack` where absent.
   */
  stacking?: 'stack' | 'exclusive' | 'best';
  caps?: CampaignCaps;
  /** Members who get nothing of it, to compare the others with; none where absent. */
  holdout?: Holdout;
}

/** A share of the members, chosen by a hash of the salt and the externalCustomerId. */
export interface Holdout {
  /** 0.01 to 99.99, with at most two decimals. */
  percent: number;
  /** Campaigns with the same salt are withheld from the same members. */
  salt: string;
}

/**
 * A fixed number of bonus points; or base points × (multiplier − 1), rounded: a multiplier of 2 doubles the points.
 * Multipliers of several campaigns do not compound: each works on the base points.
 */
export type CampaignAward = { bonusPoints: number } | { multiplier: Fraction; rounding: Rounding };

/** Limits of the points that a campaign gives, in the smallest loyalty unit. Points above a cap are trimmed. */
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
  /**
   * Minimum amount of the first purchase, in minor currency units; 1 where absent: a purchase of 0 qualifies nobody.
   */
  minimumAmountMinor?: number;
  /** Most referrals that one member is rewarded for; no limit where absent. */
  maxPerReferrer?: number;
  /** Whether returns of that purchase take both members' points back in proportion; `take_back` where absent. */
  onReturn?: 'take_back' | 'keep';
}

/** A code that customers type in, or a pool of codes. It gives points on a purchase, opens offers, or both. */
export interface Coupon {
  /** What customers type in; of a pool its name. */
  code: string;
  name?: string;
  schedule?: Schedule;
  audiences?: string[];
  /** Points on a purchase; none where absent. */
  award?: CampaignAward;
  /** How many purchases may redeem it; no limit where absent. Of a pool only `perMember`, over all of its codes. */
  limits?: { total?: number; perMember?: number };
  /** Customers type in one of many codes, which are made or imported apart from the document. */
  pool?: CodePool;
}

/** How the codes of a pool are redeemed. */
export interface CodePool {
  /** How often a code that is added from now on may be redeemed; once where absent. */
  usesPerCode?: number;
  /** Whether only codes that are assigned to a member can be redeemed; false where absent. */
  assignedOnly?: boolean;
  /**
   * Whether every code ends with a check character, so that typing errors are refused without looking for them; true
   * where absent. False for codes that come from elsewhere.
   */
  checkCharacter?: boolean;
}
