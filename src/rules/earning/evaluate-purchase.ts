import type { ProgramDocument, Tier } from '../../programs/document/program-document.ts';
import { isRefusal, type Refusal, refuse } from '../../refusal.ts';
import { lotDates } from '../calendar/lot-dates.ts';
import { type CompiledProgram, compileProgram } from '../compiled/compiled-program.ts';
import { type CouponOutcome, type CouponUse, redeemCoupon, unusedCoupon } from '../compiled/coupons.ts';
import { type EvaluationFacts, factsOf } from '../conditions/evaluation-facts.ts';
import { type MemberFacts, newcomer } from '../conditions/member-facts.ts';
import type { ProfileFacts, PurchaseFacts } from '../conditions/purchase-facts.ts';
import type { RuleDecision } from '../shared/rule-decision.ts';
import { applyMultiplier, tierFor } from '../shared/tiers.ts';
import { type CampaignPoints, type CapsUsed, evaluateCampaigns } from './campaigns.ts';
import { applyMemberLimit, memberLimitId, periodInWords } from './member-limit.ts';
import type { EvaluationMode } from './pick-version.ts';

export interface PurchaseEvaluationInput {
  program: ProgramDocument;
  /** Number of the document's version, for messages. */
  version: number;
  mode: EvaluationMode;
  /** The instant that `time.*` conditions are read at and that expiration counts from. */
  evaluationAt: Date;
  purchase: PurchaseFacts;
  /** The tier to evaluate under: the profile's own, or in pinned mode the one that the event gives evidence of. */
  profile: ProfileFacts;
  /** Points that count against the member limit in its period already; 0 where the program has no limit. */
  limitUsed: number;
  /** Before this purchase; nothing is known of the member where absent. */
  member?: MemberFacts;
  /** What campaigns with caps have given; nothing where absent. */
  capsUsed?: CapsUsed;
  /** Of the coupon that came; never where absent. */
  couponUsed?: CouponUse;
}

/**
 * What a purchase earns. Points are in the smallest loyalty unit; points = basePoints + campaignPoints = the sum of
 * the points of all rule decisions.
 */
export interface PurchaseEvaluation {
  points: number;
  basePoints: number;
  campaignPoints: number;
  /** Points that this purchase counts for the tier: the rule's, before tier multiplier and member limit. */
  qualificationPoints: number;
  /** Id of the tier that the purchase was evaluated under. */
  tier: string;
  /** Every earn rule in order, the tier, every campaign with its caps, the coupon that came, the member limit. */
  ruleDecisions: RuleDecision[];
  /** What campaigns give, after the member limit; those that give nothing are left out. */
  campaigns: CampaignPoints[];
  /** The coupon that came, with what it gives after the member limit; null where none came. */
  coupon: CouponOutcome | null;
  loyaltyUnitPrecision: number;
  /** When the points become available; null for at once. Null, too, where no points are earned. */
  activatesAt: Date | null;
  /** When the points expire; null for never. Null, too, where no points are earned. */
  expiresAt: Date | null;
  /** Days after the member's last activity at which they expire; null where `expiresAt` is fixed. */
  inactivityDays: number | null;
}

/**
 * Evaluates a purchase under one configuration version. Pure: the same input gives the same result.
 * @returns refusals: `currency_mismatch`; `unknown_tier` (pinned mode; in receipt mode a tier that the configuration
 *   no longer has is replaced by the one that the qualification points reach); `member_limit_reached`;
 *   `balance_limit_exceeded` where the points are beyond 2^53-1
 */
export function evaluatePurchase(input: PurchaseEvaluationInput): PurchaseEvaluation | Refusal {
  const { program, purchase, evaluationAt } = input;
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
  const known = { purchase, profile, member: input.member ?? newcomer };
  const facts = factsOf(known, program.currency, compiled.clock, evaluationAt);
  const { rulePoints, tieredPoints } = basePointsOf(
    facts,
    purchase.amountMinor,
    tier,
    compiled,
    ruleDecisions,
  );
  ruleDecisions.push(tierDecision(input, tier, rulePoints, tieredPoints, ruleDecisions));
  if (rulePoints > Number.MAX_SAFE_INTEGER || tieredPoints > Number.MAX_SAFE_INTEGER) return tooMany();
  const basePoints = Number(tieredPoints);
  const beyond = beyondBase(input, compiled, facts, basePoints, ruleDecisions);
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
    loyaltyUnitPrecision: program.loyaltyUnitPrecision,
    activatesAt: dates ? dates.activatesAt : null,
    expiresAt: dates ? dates.expiresAt : null,
    inactivityDays: dates ? dates.inactivityDays : null,
  };
}

function tooMany(): Refusal {
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

/** Points of the first rule that holds, before and after the tier. Every rule leaves its decision. */
function basePointsOf(
  facts: EvaluationFacts,
  amountMinor: number,
  tier: Tier,
  { rules }: CompiledProgram,
  decisions: RuleDecision[],
): { rulePoints: bigint; tieredPoints: bigint } {
  let rulePoints = 0n;
  let tieredPoints = 0n;
  let applied: string | null = null;
  for (const rule of rules) {
    const whyNot: string | null =
      applied === null ? rule.whyNot(facts) : `Rule ${JSON.stringify(applied)} comes first.`;
    if (whyNot === null) {
      applied = rule.id;
      rulePoints = rule.points(amountMinor);
      tieredPoints = applyMultiplier(rulePoints, tier.multiplier, rule.tierRounding);
    }
    decisions.push({
      kind: 'earn_rule',
      id: rule.id,
      matched: whyNot === null,
      reason: whyNot,
      points: whyNot === null ? Number(rulePoints) : 0,
    });
  }
  return { rulePoints, tieredPoints };
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

/** What campaigns and a coupon give beyond the base points. */
interface BeyondBase {
  campaigns: CampaignPoints[];
  coupon: CouponOutcome | null;
}

function beyondBase(
  { purchase: { couponCode }, capsUsed, couponUsed }: PurchaseEvaluationInput,
  { campaigns, coupons }: CompiledProgram,
  facts: EvaluationFacts,
  basePoints: number,
  decisions: RuleDecision[],
): BeyondBase {
  return {
    campaigns: evaluateCampaigns(campaigns, facts, basePoints, capsUsed ?? NO_CAPS, decisions),
    coupon: redeemCoupon(coupons, couponCode, facts, basePoints, couponUsed ?? unusedCoupon, decisions),
  };
}

const NO_CAPS: CapsUsed = new Map();

/** Exact up to 2^53-1, and above it where the sum is. */
function sumOf({ campaigns, coupon }: BeyondBase): number {
  let sum = coupon?.points ?? 0;
  for (const { points } of campaigns) sum += points;
  return sum;
}

/** Takes points that the member limit cuts off: the coupon's first, then the campaigns', the last one's first. */
function cutOff({ campaigns, coupon }: BeyondBase, points: number): BeyondBase {
  if (points === 0) return { campaigns, coupon };
  let left = points;
  const cut = <P extends { points: number }>(given: P): P => {
    const taken = Math.min(left, given.points);
    left -= taken;
    return { ...given, points: given.points - taken };
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
        ? `${limitUsed} of ${memberLimit.points} points ${periodInWords[memberLimit.period]} were used: ${before} became ${after}.`
        : 'Within the limit.',
    points: after - before,
  });
  return award;
}
