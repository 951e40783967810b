import type { EvaluationFacts } from '../evaluation-facts.ts';
import type { CouponUses } from './cart.ts';
import type { CompiledCoupon, CompiledOffer } from './compiled-offers.ts';

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
  couponOf: ReadonlyMap<string, CompiledCoupon>,
  amongOffers: readonly CompiledOffer[] | null,
  facts: EvaluationFacts,
  uses: CouponUses,
): CouponStanding {
  if (code === null) return { opens: false, whyNot: () => 'It needs a coupon code.' };
  const unusable = whyUnusable(couponOf.get(code), facts, uses);
  const wanted =
    amongOffers === null ||
    amongOffers.some(({ ofEnvironment, couponCodes }) => ofEnvironment && couponCodes?.has(code));
  return {
    opens: unusable === null && wanted,
    whyNot: (couponCodes) => (couponCodes.has(code) ? unusable : 'It needs another coupon code.'),
  };
}

function whyUnusable(
  coupon: CompiledCoupon | undefined,
  facts: EvaluationFacts,
  uses: CouponUses,
): string | null {
  if (!coupon) return 'The program has no such coupon.';
  const why = coupon.whyNot(facts);
  if (why !== null) return `The coupon is not valid. ${why}`;
  const { total, perMember } = coupon.limits;
  if (total !== undefined && uses.total >= total)
    return 'The coupon has been redeemed as often as it may be.';
  if (perMember !== undefined && facts.member !== null && uses.member >= perMember) {
    return 'The customer has redeemed the coupon as often as they may.';
  }
  return null;
}
