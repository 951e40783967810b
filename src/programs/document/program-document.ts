import type { Audience, Campaign, Coupon, ReferralSection } from './campaign-document.ts';
import type { Condition, Fraction, LimitPeriod, Rounding } from './document-values.ts';
import type { Challenge, ChoiceSet, EventDefinition } from './engagement-document.ts';
import type { Offer } from './offer-document.ts';

/**
 * The configuration that a merchant publishes for one program, as src/programs/document/program.schema.json allows it.
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
  /** What happens when returned points are spent already; `record` where absent. */
  returns?: { onShortfall: 'record' | 'refuse' };
  /** What points are worth in the close report; without it the report counts points alone. */
  finance?: FinanceSection;
  /** The merchant's accounts that the close report books to. */
  journal?: JournalSection;
  /** Days that points restored by a reversal live on when they have expired meanwhile; 30 where absent. */
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
  /** The engagement events that the environment takes. */
  eventDefinitions?: EventDefinition[];
  /** Goals over engagement events. */
  challenges?: Challenge[];
  /** Benefits that members choose from. */
  choiceSets?: ChoiceSet[];
  /** Discounts on carts. */
  offers?: Offer[];
}

/** `graceDays` of a document that does not say. */
export const defaultGraceDays = 30;

export interface Reward {
  id: string;
  /** Shown to customers. */
  name: string;
  description?: string;
  /** The price, in the smallest loyalty unit. */
  points: number;
  /** How many there are in all; without it there is no end to them. */
  inventory?: number;
  /** How long a reservation holds the points before it expires by itself; 1,800 where absent. */
  holdSeconds?: number;
  /** Who may have it; everyone where absent. */
  eligibility?: Eligibility;
  /** Whether a reversal takes `cancellationEvidence`; false where absent. */
  cancellationEvidenceRequired?: boolean;
  /** RFC 3339. It can be quoted from then on. */
  availableFrom?: string;
  /** RFC 3339. It can be quoted before then. */
  availableUntil?: string;
}

/** `holdSeconds` of a reward that does not say. */
export const defaultHoldSeconds = 1800;

export interface Eligibility {
  /** `all` with no conditions always holds. */
  match: 'all' | 'any';
  /** On `profile.*` and `time.*` alone: there is no purchase. */
  conditions: Condition[];
}

export interface EarnSection {
  /** In order: the first one whose conditions hold gives the points. */
  rules: EarnRule[];
}

export interface EarnRule {
  id: string;
  name?: string;
  /** `all` with no conditions always holds. */
  match: 'all' | 'any';
  /** On `purchase.…`, `items.…`, `attributes.…`, `profile.…`, `history.…`, `member.…`, `time.…`. */
  conditions: Condition[];
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
  /** Qualification points from which on a member is in the tier, in the smallest loyalty unit. */
  threshold: number;
  multiplier: Fraction;
}

/** How points count for the tiers, and what becomes of a tier that is not reached again. */
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
  /** Without it the report counts points alone. */
  valuation?: {
    /** Minor currency units that one point (in the smallest loyalty unit) is worth. */
    amountMinor: Fraction;
  };
  /** Which part of the points is expected never to be redeemed; none where absent. */
  breakage?: BreakagePolicy;
}

/** By cohort of months to expiry or of age, not both; `rate` for what no cohort takes. */
export interface BreakagePolicy {
  rate: Share;
  /** Ascending: the first one whose `upTo` the months to expiry do not exceed. Never for points that do not expire. */
  byMonthsToExpiry?: { upTo: number; rate: Share }[];
  /** Ascending: the last one whose `from` the months since issue reach. */
  byAgeMonths?: { from: number; rate: Share }[];
}

/** An exact fraction from 0 to 1. */
export interface Share {
  numerator: number;
  denominator: number;
}

/** Signed off by finance as well. With one of them missing the mapping is not complete. */
export interface JournalSection {
  accounts: Partial<Record<JournalAccount, string>>;
}

/** What is booked to: the members' points, and one for each account of the program. */
export type JournalAccount = 'liability' | 'expense' | 'redemption' | 'breakage' | 'adjustment' | 'clearing';
