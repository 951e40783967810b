import { toTypeId } from '../ids.ts';
import type { Book } from './book.ts';
import type { State } from './command.ts';
import { type LotAmount, lotAmounts } from './lot-amounts.ts';
import type { ReservationRecord, StockRecord, TransactionRecord } from './records.ts';

/** Reservations that have ended, and the stocks that they have given back to. */
export interface HoldChanges {
  reservations: ReservationRecord[];
  /** By reward. */
  stocks: Map<string, StockRecord>;
}

/** How a hold ends that gives its points back. */
export interface HoldEnding {
  state: Extract<ReservationRecord['state'], 'released' | 'expired'>;
  reason: string | null;
  /** The member's: the event names it. */
  externalCustomerId: string;
}

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
): TransactionRecord {
  const eventType = `redemption.${ending.state}` as const;
  const entry = book.open({ eventType, sourceReference: reservation.sourceReference });
  for (const { lotId, amount } of heldBy(state, reservation)) {
    book.giveBack(entry, lotId, 'member.reserved', amount);
  }
  const ended: ReservationRecord = {
    ...reservation,
    state: ending.state,
    reason: ending.reason,
    transactionId: entry.id,
    changedAt: book.now,
  };
  changes.reservations.push(ended);
  restock(state, reservation, changes);
  book.webhookEvents.push({ type: eventType, data: reservationEvent(ended, ending.externalCustomerId) });
  return book.close(entry);
}

/** Puts one of the reservation's reward back, where it was taken out of a stock. */
export function restock(state: State, reservation: ReservationRecord, changes: HoldChanges): void {
  const { programId, rewardId, terms } = reservation;
  if (terms.inventory === null) return;
  const stock = changes.stocks.get(rewardId) ?? state.stock(programId, rewardId);
  if (stock && stock.taken > 0) changes.stocks.set(rewardId, { ...stock, taken: stock.taken - 1 });
}

/** The state of a reservation at an instant: a hold ends with its time, whether that has been posted or not. */
export function stateAt({ state, expiresAt }: ReservationRecord, at: Date): ReservationRecord['state'] {
  return state === 'reserved' && expiresAt <= at ? 'expired' : state;
}

/** What webhook events say of a redemption. */
export function reservationEvent(reservation: ReservationRecord, externalCustomerId: string): object {
  return {
    reservationId: toTypeId('rsv', reservation.id),
    transactionId: toTypeId('txn', reservation.transactionId),
    programId: reservation.programId,
    memberId: toTypeId('mem', reservation.memberId),
    externalCustomerId,
    rewardId: reservation.rewardId,
    sourceReference: reservation.sourceReference,
    points: reservation.points,
  };
}

/** The lots that a reservation holds, or has spent, with their amounts. */
export function heldBy(state: State, reservation: ReservationRecord): LotAmount[] {
  return lotAmounts(state, reservation.reserveTransactionId);
}
