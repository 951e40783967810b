import type { Receipt } from '../../contract/receipt.ts';
import { toTypeId } from '../../ids.ts';
import type { AdjustmentRecord } from '../../ledger/tables/adjustments.ts';

/** The receipt of every command on an adjustment. */
export type AdjustmentReceipt = Receipt<'requestAdjustment'>;

/** An adjustment as receipts show it. */
export function adjustmentReceipt(
  adjustment: AdjustmentRecord,
  externalCustomerId: string,
): AdjustmentReceipt {
  const { transactionId, reversalTransactionId } = adjustment;
  return {
    adjustment: {
      id: toTypeId('adj', adjustment.id),
      state: adjustment.state,
      programId: adjustment.programId,
      externalCustomerId,
      direction: adjustment.direction,
      points: adjustment.points,
      reason: adjustment.reason,
      requestedAt: adjustment.requestedAt.toISOString(),
      expiresAt: adjustment.expiresAt.toISOString(),
      decidedAt: adjustment.decidedAt?.toISOString() ?? null,
      decisionReason: adjustment.decisionReason,
      transactionId: transactionId && toTypeId('txn', transactionId),
      reversalTransactionId: reversalTransactionId && toTypeId('txn', reversalTransactionId),
    },
  };
}

/** The data of every webhook event about an adjustment. */
export function adjustmentEvent(adjustment: AdjustmentRecord, externalCustomerId: string) {
  const { id, state, programId, direction, points, reason, transactionId, reversalTransactionId } =
    adjustment;
  return {
    adjustmentId: toTypeId('adj', id),
    state,
    programId,
    memberId: toTypeId('mem', adjustment.memberId),
    externalCustomerId,
    direction,
    points,
    reason,
    ...(transactionId ? { transactionId: toTypeId('txn', transactionId) } : {}),
    ...(reversalTransactionId ? { reversalTransactionId: toTypeId('txn', reversalTransactionId) } : {}),
  };
}
