import type { Receipt } from '../../contract/receipt.ts';
import { compileProgram } from '../../rules/compiled/compiled-program.ts';
import type { AudienceFacts } from '../../rules/conditions/member-facts.ts';
import type { PurchaseEvaluation } from '../../rules/earning/evaluate-purchase.ts';
import type { memberReference } from '../shared/receipts.ts';
import type { EarningUse, Purchase } from './earning-counters.ts';
import type { Referral } from './referral.ts';

/** The transaction and the member of a receipt. */
export interface ReceiptHead {
  /** Public id of the transaction, `txn_…`. */
  id: string;
  /** The member, with the tier after the purchase. */
  member: ReturnType<typeof memberReference>;
}

/**
 * The receipt (SDL type PurchaseEarnPayload without requestId and idempotent), with the evidence from which the award
 * can be computed again.
 * @param buyerFacts the facts that the purchase was evaluated from, besides the purchase itself
 */
export function purchaseReceipt(
  head: ReceiptHead,
  purchase: Purchase,
  buyerFacts: AudienceFacts & EarningUse,
  evaluation: PurchaseEvaluation,
  referral: Referral | null,
): Receipt<'purchaseEarn'> & { evidence: object } {
  return {
    id: head.id,
    status: 'committed',
    member: head.member,
    ...shownAward(purchase, evaluation, referral),
    // Stored but never shown. The award can be computed again from it and the order's lines.
    evidence: evidenceOf(purchase, buyerFacts, referral),
  };
}

/** What a receipt shows of the award, and a preview too. */
export function shownAward(
  { picked: { mode, evaluationAt, version } }: Purchase,
  evaluation: PurchaseEvaluation,
  referral: Pick<Referral, 'award' | 'facts' | 'decision'> | null,
) {
  const { points, basePoints, campaignPoints, coupon, ruleDecisions } = evaluation;
  return {
    award: { points, basePoints, campaignPoints },
    campaigns: evaluation.campaigns,
    referral: referral?.award ? { code: referral.facts.code, ...referral.award } : null,
    coupon: coupon && { code: coupon.code, valid: coupon.valid, redeemed: coupon.redeemed },
    evaluationMode: mode,
    evaluationAt: evaluationAt.toISOString(),
    configurationVersion: version.version,
    loyaltyUnitPrecision: evaluation.loyaltyUnitPrecision,
    ruleDecisions: referral ? [...ruleDecisions, referral.decision] : ruleDecisions,
    ...(evaluation.lines && { lines: evaluation.lines }),
  };
}

/**
 * The facts that the award was computed from, besides the order's lines. Member facts are left out where the program
 * does not read them, and so are counters of caps and coupons that had not been used.
 */
function evidenceOf(
  { input, occurredAt, picked }: Purchase,
  { profile, member, limitUsed, capsUsed, couponUsed, poolCode, heldOut }: AudienceFacts & EarningUse,
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
  if (heldOut.size > 0) evidence.heldOut = [...heldOut];
  if (couponUsed.total + couponUsed.member > 0) evidence.couponUsed = couponUsed;
  if (poolCode) evidence.poolCode = poolCode;
  if (referral) evidence.referral = referral.facts;
  return evidence;
}
