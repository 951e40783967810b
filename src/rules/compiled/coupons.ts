import type { Coupon } from '../../programs/document/campaign-document.ts';
import { compileSchedule } from '../calendar/schedule.ts';
import { type CompiledAudiences, compileTargets } from '../conditions/audiences.ts';
import type { EvaluationFacts } from '../conditions/evaluation-facts.ts';
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

/** Why a code cannot be used now; null where it can. Codes are compared exactly, capitals included. */
export function whyNotUsable(
  coupons: ReadonlyMap<string, CompiledCoupon>,
  code: string,
  facts: EvaluationFacts,
  used: CouponUse,
): string | null {
  const compiled = coupons.get(code);
  if (!compiled) return 'Unknown coupon.';
  const { total, perMember } = compiled.coupon.limits ?? {};
  return (
    compiled.whyNot(facts) ??
    (total !== undefined && used.total >= total ? `All ${total} uses are taken.` : null) ??
    (perMember !== undefined && used.member >= perMember
      ? `The member has used it ${perMember === 1 ? 'once' : `${perMember} times`} already.`
      : null)
  );
}

/**
 * Redeems the coupon code of a purchase. A usable code gives its points in addition to those of campaigns; any other
 * code changes nothing about the purchase (decisions, "Earning").
 * @param decisions the decision on the coupon is added, where the purchase has a code
 * @returns null where the purchase has no code
 */
export function redeemCoupon(
  coupons: ReadonlyMap<string, CompiledCoupon>,
  code: string | null | undefined,
  facts: EvaluationFacts,
  basePoints: number,
  used: CouponUse,
  decisions: RuleDecision[],
): CouponOutcome | null {
  if (code === null || code === undefined) return null;
  const whyNot = whyNotUsable(coupons, code, facts, used);
  const points = whyNot === null ? (coupons.get(code)?.bonus?.(basePoints) ?? 0) : 0;
  decisions.push({ kind: 'coupon', id: code, matched: whyNot === null, reason: whyNot, points });
  return { code, valid: whyNot === null, redeemed: whyNot === null, points };
}
