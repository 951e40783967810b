import type { CodePool, Coupon } from '../../programs/document/campaign-document.ts';
import { compileSchedule } from '../calendar/schedule.ts';
import { type CompiledAudiences, compileTargets } from '../conditions/audiences.ts';
import type { EvaluationFacts } from '../conditions/evaluation-facts.ts';
import { isChecked, normalizeCode } from '../shared/coupon-code.ts';
import type { RuleDecision } from '../shared/rule-decision.ts';
import { type Bonus, compileBonus } from './bonus.ts';

/** How often a coupon has been redeemed before. */
export interface CouponUse {
  /** By all members together. */
  total: number;
  /** By this member. */
  member: number;
}

/** The use of a coupon that was never redeemed. */
export const unusedCoupon: CouponUse = { total: 0, member: 0 };

/** What is known of a code that was found in a pool. */
export interface PoolCode {
  /** The `code` of the coupon whose pool it is in. */
  poolId: string;
  /** What may be shown of it: its beginning. */
  shown: string;
  uses: number;
  usesAllowed: number;
  assigned: 'to_nobody' | 'to_buyer' | 'to_another';
  disabled: boolean;
}

/** A coupon, compiled for evaluation. */
export interface CompiledCoupon {
  coupon: Coupon;
  /** @returns null where schedule and audiences match, else the reason why not. */
  whyNot(facts: EvaluationFacts): string | null;
  /** Null where it gives no points. */
  bonus: Bonus | null;
}

/** What the coupon code of a purchase did. */
export interface CouponOutcome {
  /** What the customer typed; of a code of a pool only its beginning. */
  code: string;
  /** Whether it could be used. */
  valid: boolean;
  /** A purchase redeems every code that it can use. */
  redeemed: boolean;
  points: number;
}

/** Compiles the coupons of a checked document, by code. */
export function compileCoupons(
  coupons: readonly Coupon[] | undefined,
  audiences: CompiledAudiences,
  timeZone: string,
): ReadonlyMap<string, CompiledCoupon> {
  return new Map((coupons ?? []).map((coupon) => [coupon.code, compileCoupon(coupon, audiences, timeZone)]));
}

function compileCoupon(coupon: Coupon, audiences: CompiledAudiences, timeZone: string): CompiledCoupon {
  const whyClosed = compileSchedule(coupon.schedule, timeZone);
  const whyNotFor = compileTargets(coupon.audiences, audiences);
  return {
    coupon,
    whyNot: (facts) => whyClosed(facts.at) ?? whyNotFor(facts),
    bonus: coupon.award ? compileBonus(coupon.award) : null,
  };
}

/**
 * Whether a code that a customer typed may be one of a pool. The codes of coupons without a pool come first, and where
 * all pools have check characters, a code without the right one is in none.
 */
export function mayBeOfPool(
  { coupons, pools }: { coupons: ReadonlyMap<string, CompiledCoupon>; pools: readonly CodePool[] },
  code: string,
): boolean {
  if (pools.length === 0 || coupons.has(code)) return false;
  const normalized = normalizeCode(code);
  if (normalized === null) return false;
  return isChecked(normalized) || pools.some(({ checkCharacter = true }) => !checkCharacter);
}

/** The `code` of the coupon that a code belongs to, in documents that have that coupon. */
export function couponIdOf(code: string, ofPool: Pick<PoolCode, 'poolId'> | null): string {
  return ofPool?.poolId ?? code;
}

/**
 * Why a code cannot be used now; null where it can. Codes of coupons without a pool are compared exactly, capitals
 * included.
 * @param ofPool what is known of the code where it was found in a pool
 */
export function whyNotUsable(
  coupons: ReadonlyMap<string, CompiledCoupon>,
  code: string,
  ofPool: PoolCode | null,
  facts: EvaluationFacts,
  used: CouponUse,
): string | null {
  const compiled = coupons.get(couponIdOf(code, ofPool));
  const pool = compiled?.coupon.pool ?? null;
  // The name of a pool is not one of its codes.
  if (!compiled || (pool === null) !== (ofPool === null)) return 'Unknown coupon.';
  const { total, perMember } = compiled.coupon.limits ?? {};
  return (
    (pool && ofPool && whyNotRedeemable(pool, ofPool)) ??
    compiled.whyNot(facts) ??
    (total !== undefined && used.total >= total ? `All ${total} uses are taken.` : null) ??
    (perMember !== undefined && used.member >= perMember
      ? `The member has used it ${perMember === 1 ? 'once' : `${perMember} times`} already.`
      : null)
  );
}

/** The coupon code of a purchase, with what is known of it. */
interface RedeemedCode {
  /** What the customer typed; null or absent where the purchase has no code. */
  code: string | null | undefined;
  /** Where it was found in a pool. */
  ofPool: PoolCode | null;
  /** How often its coupon was redeemed before. */
  used: CouponUse;
}

function whyNotRedeemable(
  { assignedOnly = false }: CodePool,
  { uses, usesAllowed, assigned, disabled }: PoolCode,
): string | null {
  if (disabled) return 'The code is disabled.';
  if (assigned === 'to_another') return 'The code is assigned to another member.';
  if (assigned === 'to_nobody' && assignedOnly) return 'The code is assigned to no member.';
  if (uses < usesAllowed) return null;
  return usesAllowed === 1 ? 'The code has been used.' : `All ${usesAllowed} uses of the code are taken.`;
}

/**
 * Redeems the coupon code of a purchase. A usable code gives its points in addition to those of campaigns; any other
 * code changes nothing about the purchase (decisions, "Earning").
 * @param decisions the decision on the coupon is added, where the purchase has a code
 * @returns null where the purchase has no code
 */
export function redeemCoupon(
  coupons: ReadonlyMap<string, CompiledCoupon>,
  { code, ofPool, used }: RedeemedCode,
  facts: EvaluationFacts,
  basePoints: number,
  decisions: RuleDecision[],
): CouponOutcome | null {
  if (code === null || code === undefined) return null;
  const whyNot = whyNotUsable(coupons, code, ofPool, facts, used);
  const id = couponIdOf(code, ofPool);
  const points = whyNot === null ? (coupons.get(id)?.bonus?.(basePoints) ?? 0) : 0;
  decisions.push({ kind: 'coupon', id, matched: whyNot === null, reason: whyNot, points });
  return { code: ofPool?.shown ?? code, valid: whyNot === null, redeemed: whyNot === null, points };
}
