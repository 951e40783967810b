import {
  type CompiledCoupon,
  type CouponUse,
  couponIdOf,
  type PoolCode,
  whyNotUsable,
} from '../compiled/coupons.ts';
import type { EvaluationFacts } from '../conditions/evaluation-facts.ts';
import type { CompiledOffer } from './compiled-offers.ts';

/** Whether the offers of one program accept a cart's coupon code. */
export interface CouponStanding {
  /** Whether the code is valid in this program. */
  opens: boolean;
  /** @returns null where the code opens an offer that asks for one of these codes, else the reason why not. */
  whyNot(couponCodes: ReadonlySet<string>): string | null;
}

/** The coupon code of a cart, with what is known of it in one program. */
interface CartCode {
  /** Null where the cart has none. */
  code: string | null;
  /** Where it was found in a pool of the program. */
  ofPool: PoolCode | null;
  used: CouponUse;
}

/**
 * Checks a coupon without redeeming it: it has to be defined, to be open now and for this customer, and to have uses
 * left.
 * @param amongOffers the program's offers, where the cart names another program: the code is then valid only if an
 *   offer of scope `environment` asks for it. Null where the cart names this program or none
 * @param facts of the cart in this program
 */
export function couponStanding(
  { code, ofPool, used }: CartCode,
  coupons: ReadonlyMap<string, CompiledCoupon>,
  amongOffers: readonly CompiledOffer[] | null,
  facts: EvaluationFacts,
): CouponStanding {
  if (code === null) return { opens: false, whyNot: () => 'It needs a coupon code.' };
  // An unknown customer has no uses that count against the limit per member.
  const ofCustomer = facts.member === null ? { ...used, member: 0 } : used;
  const why = whyNotUsable(coupons, code, ofPool, facts, ofCustomer);
  const id = couponIdOf(code, ofPool);
  const unusable = why && `The coupon is not valid. ${why}`;
  const isRelevant =
    amongOffers === null ||
    amongOffers.some(({ ofEnvironment, couponCodes }) => ofEnvironment && couponCodes?.has(id));
  return {
    opens: unusable === null && isRelevant,
    whyNot: (couponCodes) => (couponCodes.has(id) ? unusable : 'It needs another coupon code.'),
  };
}
