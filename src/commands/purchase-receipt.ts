import type { Receipt } from '../contract/receipt.ts';
import { toTypeId } from '../ids.ts';
import type { Updates } from '../ledger/command.ts';
import type { MemberRecord } from '../ledger/records.ts';
import type { ProgramDocument } from '../programs/program-document.ts';
import { compileProgram } from '../rules/compiled-program.ts';
import type { PurchaseEvaluation } from '../rules/evaluate-purchase.ts';
import type { MemberFacts } from '../rules/member-facts.ts';
import type { PickedVersion } from '../rules/pick-version.ts';
import type { Standing } from '../rules/standing.ts';
import type { EarningUse } from './earning-counters.ts';
import { memberReference } from './receipts.ts';
import type { Referral, ReferredPurchase } from './referral.ts';

/** A purchase with all that its award follows from. */
export interface EvaluatedPurchase extends ReferredPurchase {
  member: MemberRecord;
  picked: PickedVersion;
  /** What holds now, whichever configuration the purchase was evaluated under. */
  present: ProgramDocument;
  /** Where the member stands after it. */
  standing: Standing;
  /** What the evaluation was made from beside the purchase: kept as evidence. */
  evaluatedFrom: EarningUse & { tier: string; qualificationPoints: number; member: MemberFacts };
  evaluation: PurchaseEvaluation;
  /** As they are after the purchase. */
  counters: Required<Pick<Updates, 'limitCounters' | 'sharedCounters'>>;
  /** Null where no code came. */
  referral: Referral | null;
}

/**
 * The receipt (SDL type PurchaseEarnPayload without requestId and idempotent), with all that computes the award again.
 * @param id UUID of the transaction
 * @param tier the member's, after the purchase
 */
export function purchaseReceipt(
  purchase: EvaluatedPurchase,
  id: string,
  tier: string,
): Receipt<'purchaseEarn'> & { evidence: object } {
  const { input, member, picked, evaluation, referral } = purchase;
  const { points, basePoints, campaignPoints, coupon } = evaluation;
  return {
    id: toTypeId('txn', id),
    status: 'committed',
    member: memberReference(member, tier),
    award: { points, basePoints, campaignPoints },
    campaigns: evaluation.campaigns,
    referral: referral?.award ? { code: referral.facts.code, ...referral.award } : null,
    coupon: coupon && { code: coupon.code, valid: coupon.valid, redeemed: coupon.redeemed },
    evaluationMode: picked.mode,
    evaluationAt: picked.evaluationAt.toISOString(),
    configurationVersion: picked.version.version,
    loyaltyUnitPrecision: evaluation.loyaltyUnitPrecision,
    ruleDecisions: referral ? [...evaluation.ruleDecisions, referral.decision] : evaluation.ruleDecisions,
    // Not shown: what the award can be computed again from, together with the order's lines.
    evidence: {
      amountMinor: input.amountMinor,
      channel: input.channel,
      currency: input.currency ?? null,
      occurredAt: purchase.occurredAt.toISOString(),
      attributes: input.context?.attributes ?? null,
      ...evidenceOf(purchase),
    },
  };
}

/** What the evaluation was made from beside the purchase; what it did not look at is left out. */
function evidenceOf({ evaluatedFrom, document, referral }: EvaluatedPurchase): object {
  const { tier, qualificationPoints, limitUsed, member, capsUsed, couponUsed } = evaluatedFrom;
  const evidence: Record<string, object> = { profile: { tier, qualificationPoints, limitUsed } };
  if (compileProgram(document).looksAtMember) evidence.member = member;
  if (capsUsed.size > 0) {
    evidence.capsUsed = [...capsUsed].map(([campaignId, use]) => ({ campaignId, ...use }));
  }
  if (couponUsed.total + couponUsed.member > 0) evidence.couponUsed = couponUsed;
  if (referral) evidence.referral = referral.facts;
  return evidence;
}
