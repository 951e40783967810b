import type { EarnedLine } from '../../contract/generated/types.ts';
import type { ProgramDocument, Tier } from '../../programs/document/program-document.ts';
import { isRefusal, type Refusal, refuse } from '../../refusal.ts';
import { lotDates } from '../calendar/lot-dates.ts';
import { type CompiledProgram, compileProgram } from '../compiled/compiled-program.ts';
import {
  type CouponOutcome,
  type CouponUse,
  couponIdOf,
  type PoolCode,
  redeemCoupon,
  unusedCoupon,
  whyNotUsable,
} from '../compiled/coupons.ts';
import { type EvaluationFacts, factsOf } from '../conditions/evaluation-facts.ts';
import { type MemberFacts, newcomer } from '../conditions/member-facts.ts';
import type { ProfileFacts, PurchaseFacts } from '../conditions/purchase-facts.ts';
import { basketOf } from '../shared/basket.ts';
import type { RuleDecision } from '../shared/rule-decision.ts';
import { tierFor } from '../shared/tiers.ts';
import { basePointsByLine, basePointsOf } from './base-points.ts';
import { type CampaignPoints, type CapsUsed, type EarnedBase, evaluateCampaigns } from './campaigns.ts';
import { linesOf } from './line-points.ts';
import { applyMemberLimit, memberLimitId, periodInWords } from './member-limit.ts';
import type { EvaluationMode } from './pick-version.ts';

export interface PurchaseEvaluationInput {
  program: ProgramDocument;
  /** Number of the document's version, for the reasons of decisions and refusals. */
  version: number;
  mode: EvaluationMode;
  /** The instant that `time.*` conditions are read at and that expiration counts from. */
  evaluationAt: Date;
  purchase: PurchaseFacts;
  /** With the tier to evaluate under: the profile's own, or in pinned mode the one that the event names. */
  profile: ProfileFacts;
  /** Points already counted against the member limit in its period; 0 where the program has no limit. */
  limitUsed: number;
  /** Facts about the member before this purchase; those of a new member where absent. */
  member?: MemberFacts;
  /** Points that campaigns with caps have given before; none where absent. */
  capsUsed?: CapsUsed;
  /** Ids of the campaigns that are withheld from the member (holdout.ts); none where absent. */
  heldOut?: ReadonlySet<string>;
  /** How often the purchase's coupon was redeemed before; never where absent. */
  couponUsed?: CouponUse;
  /** What is known of the purchase's code where it was found in a pool. */
  poolCode?: PoolCode | null;
}

/**
 * What a purchase earns, in the smallest loyalty unit. points = basePoints + campaignPoints = the sum of the points of
 * all rule decisions. The points of a coupon are part of campaignPoints.
 */
export interface PurchaseEvaluation {
  points: number;
  basePoints: number;
  campaignPoints: number;
  /** Points that count for the tier: those of the earn rules, before tier multiplier and member limit. */
  qualificationPoints: number;
  /** Id of the tier that the purchase was evaluated under. */
  tier: string;
  /** Of every earn rule in order, the tier, every campaign with its caps, the coupon, and the member limit. */
  ruleDecisions: RuleDecision[];
  /** The campaigns that give points, after the member limit. */
  campaigns: CampaignPoints[];
  /** The purchase's coupon, with its points after the member limit; null where the purchase has none. */
  coupon: CouponOutcome | null;
  /** What each line earned in all; null where the program does not earn by line. */
  lines: EarnedLine[] | null;
  loyaltyUnitPrecision: number;
  /** When the points become available; null for at once, or where no points are earned. */
  activatesAt: Date | null;
  /** When the points expire; null for never, or where no points are earned. */
  expiresAt: Date | null;
  /** Days after the member's last activity at which they expire; null where `expiresAt` is fixed. */
  inactivityDays: number | null;
}

/**
 * Evaluates a purchase under one configuration version. Pure: the same input gives the same result.
 * @returns the evaluation, or a refusal: `currency_mismatch`; `unknown_tier` (only in pinned mode; in receipt mode a
 *   tier that the configuration no longer has is replaced by the one that the qualification points reach);
 *   `member_limit_reached`; `balance_limit_exceeded` where the points are above 2^53-1
 */
export function evaluatePurchase(
  input: PurchaseEvaluationInput,
):
  | PurchaseEvaluation
  | Refusal<'balance_limit_exceeded' | 'currency_mismatch' | 'member_limit_reached' | 'unknown_tier'> {
  const { program, purchase, evaluationAt, poolCode } = input;
  if (purchase.currency && purchase.currency !== program.currency) {
    return refuse(
      'currency_mismatch',
      `The purchase is in ${purchase.currency}; program ${program.id} earns in ${program.currency}.`,
      [{ path: 'currency', message: `must be ${program.currency}` }],
    );
  }
  const compiled = compileProgram(program);
  const tier = evaluatedTier(input, compiled);
  if (isRefusal(tier)) return tier;

  const ruleDecisions: RuleDecision[] = [];
  const profile = tier.id === input.profile.tier ? input.profile : { ...input.profile, tier: tier.id };
  const facts = factsOfPurchase(input, profile, compiled);
  const byLine = compiled.byLine
    ? basePointsByLine(facts, basketOf(purchase, facts), tier, compiled, ruleDecisions)
    : null;
  const { rulePoints, tieredPoints } =
    byLine ?? basePointsOf(facts, purchase.amountMinor, tier, compiled, ruleDecisions);
  ruleDecisions.push(tierDecision(input, tier, rulePoints, tieredPoints, ruleDecisions));
  if (rulePoints > Number.MAX_SAFE_INTEGER || tieredPoints > Number.MAX_SAFE_INTEGER) return tooMany();
  const basePoints = Number(tieredPoints);
  const beyond = beyondBase(input, compiled, facts, { basePoints, byLine }, ruleDecisions);
  const campaignPoints = sumOf(beyond);
  if (basePoints + campaignPoints > Number.MAX_SAFE_INTEGER) return tooMany();
  const award = limited({ basePoints, campaignPoints }, input, ruleDecisions);
  if (isRefusal(award)) return award;

  const { campaigns, coupon } = cutOff(beyond, campaignPoints - award.campaignPoints);
  const points = award.basePoints + award.campaignPoints;
  const dates = points > 0 ? lotDates(program, purchase.occurredAt, evaluationAt) : null;
  return {
    points,
    basePoints: award.basePoints,
    campaignPoints: award.campaignPoints,
    qualificationPoints: Number(rulePoints),
    tier: tier.id,
    ruleDecisions,
    campaigns,
    coupon,
    lines:
      byLine &&
      linesOf(
        byLine,
        {
          basePoints: award.basePoints,
          campaigns,
          coupon,
          couponId: coupon ? couponIdOf(purchase.couponCode ?? '', poolCode ?? null) : null,
        },
        compiled,
      ),
    loyaltyUnitPrecision: program.loyaltyUnitPrecision,
    activatesAt: dates ? dates.activatesAt : null,
    expiresAt: dates ? dates.expiresAt : null,
    inactivityDays: dates ? dates.inactivityDays : null,
  };
}

/**
 * What conditions see. Of a code of a pool they see the pool, because they cannot name its million codes, and only
 * where the purchase redeems it. The name of a pool is not one of its codes, so whoever types that has no code.
 */
function factsOfPurchase(
  { program, purchase, member = newcomer, evaluationAt, poolCode, couponUsed }: PurchaseEvaluationInput,
  profile: ProfileFacts,
  { clock, coupons }: CompiledProgram,
): EvaluationFacts {
  const factsWith = (couponCode: string | null | undefined): EvaluationFacts =>
    factsOf(
      { purchase: { ...purchase, couponCode }, profile, member },
      program.currency,
      clock,
      evaluationAt,
    );
  const { couponCode: code } = purchase;
  const id = code && couponIdOf(code, poolCode ?? null);
  if (!id || !(poolCode || coupons.get(id)?.coupon.pool)) return factsWith(code);
  const facts = factsWith(id);
  return whyNotUsable(coupons, code, poolCode ?? null, facts, couponUsed ?? unusedCoupon) === null
    ? facts
    : factsWith(null);
}

function tooMany(): Refusal<'balance_limit_exceeded'> {
  return refuse('balance_limit_exceeded', 'The purchase would earn more than 2^53-1 points.');
}

function evaluatedTier(
  { program, version, mode, profile }: PurchaseEvaluationInput,
  compiled: CompiledProgram,
) {
  const tier = compiled.tierOf.get(profile.tier);
  if (tier) return tier;
  if (mode === 'event_time_pinned_configuration') {
    return refuse(
      'unknown_tier',
      `Version ${version} of program ${program.id} has no tier ${JSON.stringify(profile.tier)}.`,
    );
  }
  return tierFor(program.tiers, profile.qualificationPoints);
}

function tierDecision(
  { profile, version }: PurchaseEvaluationInput,
  tier: Tier,
  rulePoints: bigint,
  tieredPoints: bigint,
  ofRules: readonly RuleDecision[],
): RuleDecision {
  const matched = ofRules.some((decision) => decision.matched);
  const { numerator, denominator } = tier.multiplier;
  const effect = matched ? `Multiplies by ${numerator}/${denominator}.` : 'No earn rule applies.';
  return {
    kind: 'tier',
    id: tier.id,
    matched,
    reason:
      tier.id === profile.tier
        ? effect
        : `Version ${version} has no tier ${JSON.stringify(profile.tier)}; the points reach this one. ${effect}`,
    points: Number(tieredPoints - rulePoints),
  };
}

/** The points of campaigns and of the coupon, beyond the base points. */
interface BeyondBase {
  campaigns: CampaignPoints[];
  coupon: CouponOutcome | null;
}

function beyondBase(
  { purchase: { couponCode: code }, capsUsed, heldOut, couponUsed, poolCode }: PurchaseEvaluationInput,
  { campaigns, coupons }: CompiledProgram,
  facts: EvaluationFacts,
  base: EarnedBase,
  decisions: RuleDecision[],
): BeyondBase {
  return {
    campaigns: evaluateCampaigns(
      campaigns,
      facts,
      base,
      capsUsed ?? NO_CAPS,
      heldOut ?? NONE_HELD_OUT,
      decisions,
    ),
    coupon: redeemCoupon(
      coupons,
      { code, ofPool: poolCode ?? null, used: couponUsed ?? unusedCoupon },
      facts,
      base.basePoints,
      decisions,
    ),
  };
}

const NO_CAPS: CapsUsed = new Map();
const NONE_HELD_OUT: ReadonlySet<string> = new Set();

/** Exact up to 2^53-1. A larger sum may be inexact, but is above 2^53-1 too. */
function sumOf({ campaigns, coupon }: BeyondBase): number {
  let sum = coupon?.points ?? 0;
  for (const { points } of campaigns) sum += points;
  return sum;
}

/** Takes off the points above the member limit: first those of the coupon, then of the campaigns, last one first. */
function cutOff({ campaigns, coupon }: BeyondBase, points: number): BeyondBase {
  if (points === 0) return { campaigns, coupon };
  let remaining = points;
  const cut = <P extends { points: number }>(part: P): P => {
    const cutPoints = Math.min(remaining, part.points);
    remaining -= cutPoints;
    return { ...part, points: part.points - cutPoints };
  };
  const couponAfter = coupon && cut(coupon);
  const campaignsAfter = campaigns.toReversed().map(cut).toReversed();
  return { campaigns: campaignsAfter.filter((given) => given.points > 0), coupon: couponAfter };
}

function limited(
  earned: { basePoints: number; campaignPoints: number },
  { program: { memberLimit }, limitUsed }: PurchaseEvaluationInput,
  decisions: RuleDecision[],
) {
  if (!memberLimit) return earned;
  const award = applyMemberLimit(earned, memberLimit, limitUsed);
  if (isRefusal(award)) return award;
  const before = earned.basePoints + earned.campaignPoints;
  const after = award.basePoints + award.campaignPoints;
  decisions.push({
    kind: 'member_limit',
    id: memberLimitId,
    matched: after < before,
    reason:
      after < before
        ? `${limitUsed} of ${memberLimit.points} points ` +
          `${periodInWords[memberLimit.period]} were used: ${before} became ` +
          `${after}.`
        : 'Within the limit.',
    points: after - before,
  });
  return award;
}
