import type { PurchaseEarnInput } from '../contract/generated/types.ts';
import { toTypeId } from '../ids.ts';
import type { State } from '../ledger/command.ts';
import type { LimitCounterRecord, MemberRecord, ProfileRecord } from '../ledger/records.ts';
import type { PurchaseEvaluation } from '../rules/evaluate-purchase.ts';
import type { PickedVersion } from '../rules/pick-version.ts';
import type { Standing } from '../rules/standing.ts';
import { memberReference } from './receipts.ts';

/** A purchase with all that its award follows from. */
export interface EvaluatedPurchase {
  input: PurchaseEarnInput;
  member: MemberRecord;
  /** The profile before the purchase. */
  before: ProfileRecord;
  /** Where the member stands after it. */
  standing: Standing;
  /** The program's. */
  currency: string;
  picked: PickedVersion;
  /** What the evaluation was made from beside the purchase: kept as evidence. */
  evaluatedFrom: { tier: string; qualificationPoints: number; limitUsed: number };
  evaluation: PurchaseEvaluation;
  /** The member limit's counter as it is after the purchase. */
  limitCounter: LimitCounterRecord | null;
  occurredAt: Date;
  state: State;
  now: Date;
}

/**
 * The receipt (SDL type PurchaseEarnPayload without requestId and idempotent), with all that computes the award again.
 * @param id UUID of the transaction
 * @param tier the member's, after the purchase
 */
export function purchaseReceipt(purchase: EvaluatedPurchase, id: string, tier: string): object {
  const { input, member, picked, evaluation } = purchase;
  const { points, basePoints, campaignPoints } = evaluation;
  return {
    id: toTypeId('txn', id),
    status: 'committed',
    member: memberReference(member, tier),
    award: { points, basePoints, campaignPoints },
    campaigns: [],
    referral: null,
    // No coupon is defined in a program document yet: each is unknown, and costs the purchase nothing.
    coupon: input.couponCode ? { code: input.couponCode, valid: false, redeemed: false } : null,
    evaluationMode: picked.mode,
    evaluationAt: picked.evaluationAt.toISOString(),
    configurationVersion: picked.version.version,
    loyaltyUnitPrecision: evaluation.loyaltyUnitPrecision,
    ruleDecisions: [...evaluation.ruleDecisions, ...unknownCodes(input)],
    // Not shown: what the award can be computed again from, together with the order's lines.
    evidence: {
      amountMinor: input.amountMinor,
      channel: input.channel,
      currency: input.currency ?? null,
      occurredAt: purchase.occurredAt.toISOString(),
      attributes: input.context?.attributes ?? null,
      profile: purchase.evaluatedFrom,
    },
  };
}

function unknownCodes(input: PurchaseEarnInput): object[] {
  const decisions: object[] = [];
  if (input.couponCode) {
    decisions.push({
      kind: 'coupon',
      id: input.couponCode,
      matched: false,
      reason: 'Unknown coupon.',
      points: 0,
    });
  }
  const referralCode = input.context?.attributes?.referralCode;
  if (typeof referralCode === 'string') {
    decisions.push({
      kind: 'referral',
      id: referralCode,
      matched: false,
      reason: 'Unknown code.',
      points: 0,
    });
  }
  return decisions;
}
