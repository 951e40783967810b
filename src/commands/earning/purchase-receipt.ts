import type { Receipt } from '../../contract/receipt.ts';
import { compileProgram } from '../../rules/compiled/compiled-program.ts';
import type { KnownMember } from '../../rules/conditions/member-facts.ts';
import type { PurchaseEvaluation } from '../../rules/earning/evaluate-purchase.ts';
import type { memberReference } from '../shared/receipts.ts';
import type { EarningUse, Purchase } from './earning-counters.ts';
import type { Referral } from './referral.ts';

/** What the receipt names. */
export interface ReceiptHead {
  /** Outer id of the transaction. */
  id: string;
  /** After the purchase. */
  member: ReturnType<typeof memberReference>;
}

/**
 * The receipt (SDL type PurchaseEarnPayload without requestId and idempotent), with all that computes the award again.
 * @param known what the purchase was evaluated from beside itself
 */
export function purchaseReceipt(
  head: ReceiptHead,
  purchase: Purchase,
  known: KnownMember & EarningUse,
  evaluation: PurchaseEvaluation,
  referral: Referral | null,
): Receipt<'purchaseEarn'> & { evidence: object } {
  const { points, basePoints, campaignPoints, coupon, ruleDecisions } = evaluation;
  const { mode, evaluationAt, version } = purchase.picked;
  return {
    id: head.id,
    status: 'committed',
    member: head.member,
    award: { points, basePoints, campaignPoints },
    campaigns: evaluation.campaigns,
    referral: referral?.award ? { code: referral.facts.code, ...referral.award } : null,
    coupon: coupon && { code: coupon.code, valid: coupon.valid, redeemed: coupon.redeemed },
    evaluationMode: mode,
    evaluationAt: evaluationAt.toISOString(),
    configurationVersion: version.version,
    loyaltyUnitPrecision: evaluation.loyaltyUnitPrecision,
    ruleDecisions: referral ? [...ruleDecisions, referral.decision] : ruleDecisions,
    // Not shown: what the award can be computed again from, together with the order's lines.
    evidence: evidenceOf(purchase, known, referral),
  };
}

/** What the evaluation was made from beside the order's lines; what it did not look at is left out. */
function evidenceOf(
  { input, occurredAt, picked }: Purchase,
  { profile, member, limitUsed, capsUsed, couponUsed }: KnownMember & EarningUse,
  referral: Referral | null,
): object {
  const evidence: Record<string, unknown> = {
    amountMinor: input.amountMinor,
    channel: input.channel,
    currency: input.currency ?? null,
    occurredAt: occurredAt.toISOString(),
    attributes: input.context?.attributes ?? null,
    profile: { ...profile, limitUsed },
  };
  if (compileProgram(picked.version.document).looksAtMember) evidence.member = member;
  if (capsUsed.size > 0) {
    evidence.capsUsed = [...capsUsed].map(([campaignId, use]) => ({ campaignId, ...use }));
  }
  if (couponUsed.total + couponUsed.member > 0) evidence.couponUsed = couponUsed;
  if (referral) evidence.referral = referral.facts;
  return evidence;
}
