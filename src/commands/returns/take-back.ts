import { toTypeId } from '../../ids.ts';
import type { Book, OpenEntry } from '../../ledger/books/book.ts';
import type { WebhookEvent } from '../../ledger/command.ts';
import { spreadClaim } from '../../rules/clawback.ts';

/** What a return took back of an award, and what was due besides. */
export interface Clawback {
  clawedBack: number;
  /** Due and not there: it stays as a claim on the lots. */
  shortfall: number;
}

/**
 * Takes points that are due back out of the lots of an award, pending ones before available ones. What the lots do not
 * have becomes a claim on them: points that come back to them later pay it first (decisions, "Returns").
 * @param due no more than the lots were granted and is neither taken back nor claimed yet
 */
export function takeBack(book: Book, entry: OpenEntry, lotIds: readonly string[], due: number): Clawback {
  let remaining = due;
  for (const [account, balance] of [
    ['member.pending', 'pending'],
    ['member.available', 'available'],
  ] as const) {
    for (const id of lotIds) {
      const amount = Math.min(remaining, book.lot(id)[balance]);
      book.move(entry, id, account, 'program.issuance', amount);
      remaining -= amount;
    }
  }
  const lots = lotIds.map((id) => book.lot(id));
  for (const [id, claimed] of spreadClaim(lots, remaining)) book.setLot(id, { claimed });
  return { clawedBack: due - remaining, shortfall: remaining };
}

/** How a return is named. */
export interface ReturnReferences {
  /** The id in its receipt: `txn_…`. */
  returnId: string;
  /** Of the order. */
  sourceReference: string;
  returnReference: string;
}

/**
 * The webhook event of an award that a return takes back, wholly or in part; none where nothing of it was due.
 * @param entry in which it was taken back
 */
export function pointsClawedBack(
  { profile: { programId, memberId } }: Book,
  entry: OpenEntry,
  { returnId, sourceReference, returnReference }: ReturnReferences,
  { clawedBack, shortfall }: Clawback,
): WebhookEvent[] {
  if (clawedBack + shortfall === 0) return [];
  return [
    {
      type: 'points.clawed_back',
      data: {
        transactionId: clawedBack > 0 ? toTypeId('txn', entry.id) : null,
        programId,
        memberId: toTypeId('mem', memberId),
        returnId,
        returnReference,
        orderReference: sourceReference,
        points: clawedBack,
        shortfall,
      },
    },
  ];
}
