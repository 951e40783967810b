import { toTypeId } from '../../ids.ts';
import type { WebhookEvent } from '../../ledger/command.ts';
import type { TransactionRecord } from '../../ledger/tables/transactions.ts';

/** The parts of an award that do not follow from its transaction. */
interface AwardParts {
  basePoints: number;
  campaignPoints: number;
  /** Of a challenge. */
  challengeId?: string;
}

/**
 * The webhook event of an award of points, whatever it is for; none where it gave no points.
 * @param transaction that issues the points, and posts nothing else
 */
export function pointsEarned(transaction: TransactionRecord, parts: AwardParts): WebhookEvent[] {
  const { id, programId, memberId, eventType, sourceReference, points, occurredAt } = transaction;
  if (points === 0) return [];
  return [
    {
      type: 'points.earned',
      data: {
        transactionId: toTypeId('txn', id),
        programId,
        memberId: toTypeId('mem', memberId),
        eventType,
        sourceReference,
        points,
        ...parts,
        occurredAt: occurredAt.toISOString(),
      },
    },
  ];
}
