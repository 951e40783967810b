import type { ProgramDocument } from '../../programs/document/program-document.ts';
import type { CouponUse, PoolCode } from '../compiled/coupons.ts';
import type { AudienceFacts } from '../conditions/member-facts.ts';
import type { ItemFacts } from '../conditions/purchase-facts.ts';

/** A line of a cart. */
export interface CartLine extends ItemFacts {
  sku: string;
  /** 1 to 10^6; 1 where absent. */
  quantity?: number | null | undefined;
  /** Price of one, in minor currency units: 1 to 10^12. */
  unitPriceMinor: number;
}

/** A cart to evaluate offers for, with its channel, market and store. */
export interface Cart {
  couponCode?: string | null | undefined;
  /** Not empty. */
  items: readonly CartLine[];
  channel?: string | null | undefined;
  /** ISO 4217 code. */
  currency?: string | null | undefined;
  market?: string | null | undefined;
  store?: string | null | undefined;
  /** Tags of the cart as a whole. */
  tags?: readonly string[] | null | undefined;
}

/** A program with a version in effect, and its view of the cart's customer and coupon. */
export interface OfferProgram {
  programId: string;
  document: ProgramDocument;
  /**
   * The customer in this program; `profile` is null for a member who is not enrolled in it. Null where the cart names
   * no customer, or one whom the environment does not know.
   */
  customer: { profile: AudienceFacts['profile'] | null; member: AudienceFacts['member'] } | null;
  /** How often the cart's coupon was redeemed in the program: by all members, and by the customer. */
  couponUses: CouponUse;
  /** What is known of the cart's code where it was found in a pool of the program. */
  poolCode: PoolCode | null;
}

/** Which offers apply to a cart. Money in minor currency units; totalMinor = subtotalMinor - discountMinor. */
export interface OfferEvaluation {
  subtotalMinor: number;
  /** 0 to subtotalMinor. */
  discountMinor: number;
  totalMinor: number;
  /** In the order in which they apply. */
  effects: AppliedOffer[];
  /** Offers that were evaluated and do not apply, in order of evaluation; empty where they are not asked for. */
  notApplied: RejectedOffer[];
  /** Null where the cart has no code. */
  coupon: { code: string; valid: boolean } | null;
}

export interface AppliedOffer {
  offerId: string;
  name: string;
  programId: string;
  policy: 'exclusive' | 'stack' | 'best_value';
  kind: 'percent' | 'amount' | 'fixed_price' | 'free_item';
  /** Above 0: the sum over the lines. */
  discountMinor: number;
  /** A sentence in plain words. */
  explanation: string;
  /** The matched lines, in the order of the cart. */
  lines: MatchedLine[];
}

export interface MatchedLine {
  /** Position in the cart, from 0. */
  index: number;
  lineReference: string | null;
  sku: string;
  discountMinor: number;
}

export interface RejectedOffer {
  offerId: string;
  programId: string;
  reason: string;
}
