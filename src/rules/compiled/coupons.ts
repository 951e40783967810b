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

/** Of a code that nobody has used. */
export const unusedCoupon: CouponUse = { total: 0, member: 0 };

/** A coupon made ready to be asked. */
export interface CompiledCoupon {
  coupon: Coupon;
  /** @returns null where schedule and audiences hold, else why they do not. */
  whyNot(facts: EvaluationFacts): string | null;
  /** Null where it gives no points. */
  bonus: Bonus | null;
}

/** What became of the code that came with a purchase. */
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

/** Why a code cannot be used now, in words; null where it can. Codes are compared to the letter. */
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
 * What the code that came with a purchase does: a usable one is redeemed and gives its points, beside whatever campaigns
 * give; any other costs the purchase nothing (decisions, "Earning").
 * @param decisions get one, where a code came
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
