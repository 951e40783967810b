import type { CampaignAward, CodePool } from '../../../src/programs/document/campaign-document.ts';
import { open } from './calendar.ts';
import { isFor } from './conditions.ts';
import type { PoolCode, Situation } from './situation.ts';

/** The coupon code of a purchase. */
export interface CouponOfPurchase {
  /** The `code` of its coupon: of a code of a pool the pool's name. */
  id: string;
  /** Whether the code is known, open, for this member, and not used up. */
  valid: boolean;
  /** What it gives; absent where it gives no points or is not valid. */
  award?: CampaignAward | undefined;
}

/** The purchase's coupon code; null where it has none. */
export function couponOf(situation: Situation): CouponOfPurchase | null {
  const {
    program,
    purchase,
    evaluationAt,
    poolCode = null,
    couponUsed = { total: 0, member: 0 },
  } = situation;
  if (typeof purchase.couponCode !== 'string') return null;
  const id = poolCode?.poolId ?? purchase.couponCode;
  const coupon = program.coupons?.find(({ code }) => code === id);
  const limits = coupon?.limits ?? {};
  const valid =
    coupon !== undefined &&
    isOfPool(coupon.pool, poolCode) &&
    open(coupon.schedule, evaluationAt, program.timeZone ?? 'UTC') &&
    isFor(coupon.audiences, situation) &&
    couponUsed.total < (limits.total ?? Number.POSITIVE_INFINITY) &&
    couponUsed.member < (limits.perMember ?? Number.POSITIVE_INFINITY);
  return { id, valid, award: valid ? coupon.award : undefined };
}

/** Whether both are absent, or the code of the pool can be used. The name of a pool is none of its codes. */
function isOfPool(pool: CodePool | undefined, code: PoolCode | null): boolean {
  if (!pool || !code) return !pool && !code;
  if (code.disabled || code.uses >= code.usesAllowed || code.assigned === 'to_another') return false;
  return code.assigned === 'to_buyer' || !pool.assignedOnly;
}

/** With the code that conditions see: of a code of a pool the pool's name, and only where the code is valid. */
export function asConditionsSee(situation: Situation, coupon: CouponOfPurchase | null): Situation {
  const { program, purchase, poolCode } = situation;
  const pool = program.coupons?.find(({ code }) => code === coupon?.id)?.pool;
  if (!coupon || !(pool || poolCode)) return situation;
  return { ...situation, purchase: { ...purchase, couponCode: coupon.valid ? coupon.id : null } };
}
