import type { Audience, Campaign, Coupon, ReferralSection } from './campaign-document.ts';
import type { Condition, Fraction, LimitPeriod, LineSelection, Rounding } from './document-values.ts';
import type { Challenge, ChoiceSet, EventDefinition } from './engagement-document.ts';
import type { Offer } from './offer-document.ts';

/**
 * The configuration that a merchant publishes for one program, as src/programs/program.schema.json allows it.
 * A document is kept as it was written: what is absent stays absent, and its default is applied where it is read.
 *
 * Each concern is a section of its own at the top level.
 */
export interface ProgramDocument {
  /** Where an editor finds the JSON Schema. Has no effect. */
  $schema?: string;
  id: string;
  name: string;
  /** What one point is called, such as `beans`. */
  unitName: string;
  /** ISO 4217 code of the purchases that earn. */
  currency: string;
  /** BCP 47 tag, such as `en-US`. */
  locale: string;
  /** IANA zone of the `time.*` fields of conditions, and of schedules that name none; `UTC` where absent. */
  timeZone?: string;
  /** Decimals of a point: with 2, the smallest loyalty unit is a hundredth of a point. */
  loyaltyUnitPrecision: number;
  earn: EarnSection;
  /** Ascending by threshold; the first one's is 0. */
  tiers: Tier[];
  qualification: Qualification;
  /** Most points that one member may earn in a period; without it there is no limit. */
  memberLimit?: MemberLimit;
  /** Days after the purchase until its points become available; at once where absent or 0. */
  pending?: { days: number };
  /** When points lapse; never where absent. */
  expiration?: ExpirationPolicy;
  /** Days before an expiry at which `points.expiring` is sent, 1 to 365; never where absent. */
  expiryNoticeDays?: number;
  /** What happens when returned points are spent already; `record` where absent. */
  returns?: { onShortfall: 'record' | 'refuse' };
  /** What points are worth in the close report; without it the report only counts points. */
  finance?: FinanceSection;
  /** The merchant's accounts that the close report books to. */
  journal?: JournalSection;
  /** Days until points expire that a reversal has restored after they had lapsed; 30 where absent. */
  graceDays?: number;
  /** What points can be redeemed for; nothing where absent. */
  rewards?: Reward[];
  /** Groups of members that campaigns, coupons, challenges and offers can be for. */
  audiences?: Audience[];
  /** Points beyond the base points. */
  campaigns?: Campaign[];
  /** Points for members who bring members; without it there are no codes. */
  referral?: ReferralSection;
  /** Codes that customers type in. */
  coupons?: Coupon[];
  /** The engagement events that the environment accepts. */
  eventDefinitions?: EventDefinition[];
  /** Goals that members reach by engagement events. */
  challenges?: Challenge[];
  /** Benefits that members choose from. */
  choiceSets?: ChoiceSet[];
  /** Discounts on carts. */
  offers?: Offer[];
}

/** `graceDays` of a document without them. */
export const defaultGraceDays = 30;

export interface Reward {
  id: string;
  /** Shown to customers. */
  name: string;
  description?: string;
  /** The price, in the smallest loyalty unit. Absent where it is paid with points. */
  points?: number;
  /** What points pay for, where each quote says how many. A reward has either this or `points`. */
  payWithPoints?: PayWithPoints;
  /** How many there are in all; no limit where absent. */
  inventory?: number;
  /** How long a reservation holds the points before it expires by itself; 1,800 where absent. */
  holdSeconds?: number;
  /** Who may have it; everyone where absent. */
  eligibility?: Eligibility;
  /** A picture of it, shown to customers: an https URL. */
  imageUrl?: string;
  /** What a customer's own request to reverse a redemption does; `dispute` where absent. */
  customerReversal?: 'dispute' | 'immediate';
  /** Whether a reversal requires `cancellationEvidence`; false where absent. */
  cancellationEvidenceRequired?: boolean;
  /** RFC 3339. It can be quoted from this instant on. */
  availableFrom?: string;
  /** RFC 3339. It can be quoted before this instant. */
  availableUntil?: string;
}

/** A discount that is paid with points: `pointsPerUnit` of them for every `unitMinor` of it. */
export interface PayWithPoints {
  /** In the smallest loyalty unit. */
  pointsPerUnit: number;
  /** In minor currency units. */
  unitMinor: number;
  /** Points are paid in multiples of it; `pointsPerUnit` where absent. It is worth whole minor units. */
  step?: number;
  /** The fewest points; one step where absent. */
  minimumPoints?: number;
  /** The most points; no limit where absent. */
  maximumPoints?: number;
  /** The largest part of an order that can be paid; all of it where absent. Above 0. */
  maximumShareOfOrder?: Share;
}

/** `holdSeconds` of a reward without them. */
export const defaultHoldSeconds = 1800;

export interface Eligibility {
  /** `all` with no conditions always holds. */
  match: 'all' | 'any';
  /** Only on `profile.*` and `time.*`: there is no purchase. */
  conditions: Condition[];
}

export interface EarnSection {
  /**
   * In order: each rule with `lines` whose conditions match takes its lines from those that are left, up to the first
   * rule without `lines` whose conditions match: it takes all that is left.
   */
  rules: EarnRule[];
}

export interface EarnRule {
  id: string;
  name?: string;
  /** `all` with no conditions always holds. */
  match: 'all' | 'any';
  /** On `purchase.…`, `items.…`, `attributes.…`, `profile.…`, `history.…`, `member.…`, `time.…`. */
  conditions: Condition[];
  /** The lines that it takes; all that is left of the purchase where absent. */
  lines?: LineSelection;
  earn: EarnRate;
}

/**
 * points = amountMinor × rateNumerator × 10^loyaltyUnitPrecision ÷ (rateDenominator × 10^currencyExponent),
 * in the smallest loyalty unit, rounded as `rounding` names; then × the tier's multiplier, rounded as
 * `tierRounding` names.
 */
export interface EarnRate {
  /** Decimals of the currency's minor unit: 2 for USD, 0 for JPY. */
  currencyExponent: number;
  loyaltyUnitPrecision: number;
  /** Points per `rateDenominator` major currency units. 0 makes a rule that gives nothing. */
  rateNumerator: number;
  rateDenominator: number;
  rounding: Rounding;
  tierRounding: Rounding;
}

export interface Tier {
  id: string;
  name: string;
  /** Qualification points that the tier requires, in the smallest loyalty unit. */
  threshold: number;
  multiplier: Fraction;
}

/** How points count for the tiers, and what happens to a tier that is not reached again. */
export interface Qualification {
  window: QualificationWindow;
  /**
   * What re-qualification does with a member whose window ended below the tier: `to_reached` gives the tier that the
   * window's points reach, `one_tier` the next lower one at most, `never` leaves the tier. `to_reached` where absent.
   */
  downgrade?: Downgrade;
}

export type Downgrade = 'to_reached' | 'one_tier' | 'never';

/** The time over which qualification points are counted, on the UTC calendar. */
export type QualificationWindow = 'lifetime' | 'calendar_year' | 'rolling_12_months';

export interface MemberLimit {
  /** In the smallest loyalty unit. */
  points: number;
  /** On the UTC calendar; a week begins on Monday. */
  period: LimitPeriod;
  /** `trim` awards what is left of the limit; `reject` refuses the purchase. */
  onExceed: 'trim' | 'reject';
}

export type ExpirationPolicy =
  | { policy: 'never' }
  | { policy: 'rolling_days'; days: number }
  | { policy: 'end_of_period'; period: 'month' | 'quarter' | 'year'; offsetDays?: number }
  | { policy: 'inactivity'; days: number };

/** Signed off by finance (`rewards finance approve`), apart from the rest of the document. */
export interface FinanceSection {
  /** Without it the report only counts points. */
  valuation?: {
    /** Minor currency units that one point (in the smallest loyalty unit) is worth. */
    amountMinor: Fraction;
  };
  /** The share of the points that is expected never to be redeemed; none where absent. */
  breakage?: BreakagePolicy;
}

/** By cohorts of months to expiry or of age, not both; `rate` is for points in no cohort. */
export interface BreakagePolicy {
  rate: Share;
  /** Ascending: the first one with `upTo` at least the months to expiry is used. Not for points that never expire. */
  byMonthsToExpiry?: { upTo: number; rate: Share }[];
  /** Ascending: the last one with `from` at most the months since issue is used. */
  byAgeMonths?: { from: number; rate: Share }[];
}

/** An exact fraction from 0 to 1. */
export interface Share {
  numerator: number;
  denominator: number;
}

/** The merchant's accounts, signed off by finance too. The mapping is complete with all of them. */
export interface JournalSection {
  accounts: Partial<Record<JournalAccount, string>>;
}

/** The accounts of journal entries: one for the members' points, and one for each account of the program. */
export type JournalAccount = 'liability' | 'expense' | 'redemption' | 'breakage' | 'adjustment' | 'clearing';
