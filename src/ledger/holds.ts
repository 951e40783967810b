import { toTypeId } from '../ids.ts';
import type { Book } from './book.ts';
import type { State } from './command.ts';
import type { ReservationRecord, StockRecord, TransactionRecord } from './records.ts';

/** Reservations that have ended, and the stocks that they have given back to. */
export interface HoldChanges {
  reservations: ReservationRecord[];
  /** By reward. */
  stocks: Map<string, StockRecord>;
}

/** What an ending is called, of those that give the held points back. */
export type HoldEnding = Extract<ReservationRecord['state'], 'released' | 'expired'>;

/**
 * Gives the points of a hold back to its lots, after they have paid what returns have claimed of them, and the reward
 * back to its stock.
 */
export function endHold(
  book: Book,
  state: State,
  reservation: ReservationRecord,
  ending: HoldEnding,
  changes: HoldChanges,
  reason: string | null = null,
): TransactionRecord {
  const entry = book.open({
    eventType: ending === 'released' ? 'redemption.released' : 'redemption.expired',
    sourceReference: reservation.sourceReference,
  });
  for (const { lotId, amount } of heldBy(state, reservation)) {
    book.giveBack(entry, lotId, 'member.reserved', amount);
  }
  changes.reservations.push({
    ...reservation,
    state: ending,
    reason,
    transactionId: entry.id,
    changedAt: book.now,
  });
  restock(state, reservation, changes);
  book.webhookEvents.push({
    type: ending === 'released' ? 'redemption.released' : 'redemption.expired',
    data: {
      reservationId: toTypeId('rsv', reservation.id),
      transactionId: toTypeId('txn', entry.id),
      programId: reservation.programId,
      rewardId: reservation.rewardId,
      sourceReference: reservation.sourceReference,
      points: reservation.points,
    },
  });
  return book.close(entry);
}

/** Puts one of the reservation's reward back. */
export function restock(state: State, reservation: ReservationRecord, changes: HoldChanges): void {
  const { programId, rewardId } = reservation;
  const stock = changes.stocks.get(rewardId) ?? state.stock(programId, rewardId);
  if (stock && stock.taken > 0) changes.stocks.set(rewardId, { ...stock, taken: stock.taken - 1 });
}

/** The lots that a reservation holds, or has spent, with their amounts. */
export function heldBy(state: State, reservation: ReservationRecord): { lotId: string; amount: number }[] {
  return state.postingsOf(reservation.reserveTransactionId).map(({ lotId, amount, transactionId }) => {
    if (lotId === null) throw new Error(`a posting of ${transactionId} names no lot`);
    return { lotId, amount };
  });
}
