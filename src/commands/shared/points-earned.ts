import { toTypeId } from '../../ids.ts';
import type { WebhookEvent } from '../../ledger/command.ts';
import type { TransactionRecord } from '../../ledger/tables/transactions.ts';

/** The parts of an award that do not follow from its transaction. */
interface AwardParts {
  basePoints: number;
  campaignPoints: number;
  /** Of the lot; null where its points were never pending. */
  activatesAt: Date | null;
  /** Of a challenge. */
  challengeId?: string;
}

/** The public ids in the event. */
interface EventIds {
  transactionId: string;
  memberId: string;
}

/**
 * The webhook event of an award of points, whatever it is for; none where it gave no points.
 * @param transaction that issues the points, and posts nothing else
 * @param ids of the transaction, where the caller has made them already
 */
export function pointsEarned(
  transaction: TransactionRecord,
  { activatesAt, ...parts }: AwardParts,
  ids: EventIds = idsOf(transaction),
): WebhookEvent[] {
  const { id, programId, eventType, sourceReference, points, occurredAt, createdAt } = transaction;
  if (points === 0) return [];
  // A late event may come only when its pending days are over.
  const isPending = activatesAt !== null && activatesAt > createdAt;
  return [
    {
      id,
      type: 'points.earned',
      data: {
        ...ids,
        programId,
        eventType,
        sourceReference,
        points,
        ...parts,
        activatesAt: isPending ? activatesAt.toISOString() : null,
        occurredAt: occurredAt.toISOString(),
      },
    },
  ];
}

function idsOf({ id, memberId }: TransactionRecord): EventIds {
  return { transactionId: toTypeId('txn', id), memberId: toTypeId('mem', memberId) };
}
