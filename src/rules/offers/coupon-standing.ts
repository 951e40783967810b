import { type CompiledCoupon, type CouponUse, whyNotUsable } from '../compiled/coupons.ts';
import type { EvaluationFacts } from '../conditions/evaluation-facts.ts';
import type { CompiledOffer } from './compiled-offers.ts';

/** What a cart's coupon code is worth to the offers of one program. */
export interface CouponStanding {
  /** Whether the code is good for something here. */
  opens: boolean;
  /** @returns null where it opens an offer with these codes, else why it does not. */
  whyNot(couponCodes: ReadonlySet<string>): string | null;
}

/**
 * Looks at a coupon without using it up: it has to be defined, to hold now and for this customer, and to have uses left.
 * @param code null where the cart has none
 * @param amongOffers of a program that the cart does not name though it names one: there a code is good for something
 *   only where an offer of the environment takes it. Null for the programs that a purchase may use it in
 * @param facts of the cart in this program
 */
export function couponStanding(
  code: string | null,
  coupons: ReadonlyMap<string, CompiledCoupon>,
  amongOffers: readonly CompiledOffer[] | null,
  facts: EvaluationFacts,
  used: CouponUse,
): CouponStanding {
  if (code === null) return { opens: false, whyNot: () => 'It needs a coupon code.' };
  // Nobody has no limit of their own.
  const ofCustomer = facts.member === null ? { ...used, member: 0 } : used;
  const why = whyNotUsable(coupons, code, facts, ofCustomer);
  const unusable = why && `The coupon is not valid. ${why}`;
  const wanted =
    amongOffers === null ||
    amongOffers.some(({ ofEnvironment, couponCodes }) => ofEnvironment && couponCodes?.has(code));
  return {
    opens: unusable === null && wanted,
    whyNot: (couponCodes) => (couponCodes.has(code) ? unusable : 'It needs another coupon code.'),
  };
}
