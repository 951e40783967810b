import { toTypeId } from '../ids.ts';
import type { Decision } from '../ledger/command.ts';
import { grantPoints, MAX_POINTS } from '../ledger/posting.ts';
import type { TransactionRecord } from '../ledger/records.ts';
import { type Refusal, refuse } from '../refusal.ts';
import { type EvaluatedPurchase, purchaseReceipt } from './purchase-receipt.ts';

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
    receipt: purchaseReceipt(purchase, transactionId, profile.tier),
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
