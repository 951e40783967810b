import type { PurchaseEarnInput } from '../graphql/generated/resolver-types.ts';
import { toTypeId } from '../ids.ts';
import type { Decision } from '../ledger/command.ts';
import { grantPoints, MAX_POINTS } from '../ledger/posting.ts';
import type {
  LimitCounterRecord,
  MemberRecord,
  ProfileRecord,
  TransactionRecord,
} from '../ledger/records.ts';
import { type Refusal, refuse } from '../refusal.ts';
import type { PurchaseEvaluation } from '../rules/evaluate-purchase.ts';
import type { PickedVersion } from '../rules/pick-version.ts';
import { memberReference } from './receipts.ts';

export interface EvaluatedPurchase {
  input: PurchaseEarnInput;
  member: MemberRecord;
  /** With the tier and the qualification points as they are after the purchase. */
  profile: ProfileRecord;
  /** The program's. */
  currency: string;
  picked: PickedVersion;
  /** What the evaluation was made from beside the purchase: kept as evidence. */
  evaluatedFrom: { tier: string; qualificationPoints: number; limitUsed: number };
  evaluation: PurchaseEvaluation;
  /** The member limit's counter as it is after the purchase. */
  limitCounter: LimitCounterRecord | null;
  occurredAt: Date;
  newId: () => string;
  now: Date;
}

/** Turns an evaluated purchase into what is written: transaction, order, lot and posting, profile, receipt. */
export function awardDecision(purchase: EvaluatedPurchase): Decision | Refusal {
  const { input, member, evaluation, limitCounter, occurredAt, newId, now } = purchase;
  const { points } = evaluation;
  if (
    purchase.profile.available + purchase.profile.pending + purchase.profile.reserved + points >
    MAX_POINTS
  ) {
    return refuse('balance_limit_exceeded', 'The balance would exceed 2^53-1 points.');
  }
  const transactionId = newId();
  const { activatesAt, expiresAt } = evaluation;
  const granted =
    points > 0
      ? grantPoints(
          purchase.profile,
          { transactionId, lotId: newId(), points, activatesAt, expiresAt, now },
          1,
        )
      : null;
  const profile = granted?.profile ?? purchase.profile;
  const transaction: TransactionRecord = {
    id: transactionId,
    programId: input.programId,
    memberId: member.id,
    eventType: 'purchase.completed',
    sourceReference: input.sourceReference,
    state: 'committed',
    points,
    occurredAt,
    createdAt: now,
    reversalOf: null,
    reversedBy: null,
    receipt: receiptOf(purchase, transactionId, profile.tier),
  };
  const outerId = toTypeId('txn', transactionId);
  return {
    receipt: transaction.receipt,
    receiptOf: transaction,
    inserts: {
      transactions: [transaction],
      lots: granted ? [granted.lot] : [],
      postings: granted ? [granted.posting] : [],
      orders: [
        {
          sourceReference: input.sourceReference,
          programId: input.programId,
          memberId: member.id,
          transactionId,
          state: 'active',
          amountMinor: input.amountMinor,
          currency: purchase.currency,
          points,
          returnedMinor: 0,
          clawedBack: 0,
          lines: input.items ?? null,
        },
      ],
    },
    updates: { profiles: [profile], limitCounters: limitCounter ? [limitCounter] : [] },
    audit: {
      action: 'purchase.completed',
      targetType: 'transaction',
      targetId: outerId,
      changes: { programId: input.programId, sourceReference: input.sourceReference, points },
    },
    webhookEvents: [
      {
        type: 'points.earned',
        data: {
          transactionId: outerId,
          programId: input.programId,
          memberId: toTypeId('mem', member.id),
          externalCustomerId: member.externalCustomerId,
          sourceReference: input.sourceReference,
          points,
          basePoints: evaluation.basePoints,
          campaignPoints: evaluation.campaignPoints,
          occurredAt: occurredAt.toISOString(),
        },
      },
    ],
  };
}

/** The receipt (SDL type PurchaseEarnPayload without requestId and idempotent), with all that computes it again. */
function receiptOf(purchase: EvaluatedPurchase, id: string, tier: string): object {
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
  const referralCode = input.context?.attributes?.['referralCode'];
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
