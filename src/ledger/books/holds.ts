import { toTypeId } from '../../ids.ts';
import type { State } from '../command.ts';
import type { ReservationRecord } from '../tables/redemption-reservations.ts';
import type { StockRecord } from '../tables/reward-stocks.ts';
import type { TransactionRecord } from '../tables/transactions.ts';
import type { Book } from './book.ts';
import { type LotAmount, lotAmounts } from './lot-amounts.ts';

/**
 * Reservations of one program that a decision has changed so far, and the stocks that they have given back to. A value:
 * each step is given what the steps before it have changed, and returns that together with its own changes.
 */
export interface HoldChanges {
  readonly reservations: readonly ReservationRecord[];
  /** By reward. */
  readonly stocks: ReadonlyMap<string, StockRecord>;
}

/** Before the first step. */
export const noHoldChanges: HoldChanges = { reservations: [], stocks: new Map() };

/** A hold that has been ended. */
export interface EndedHold {
  transaction: TransactionRecord;
  /** As it is afterwards; among the changes too. */
  reservation: ReservationRecord;
  changes: HoldChanges;
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
 * @param before what the decision has changed before
 */
export function endHold(
  book: Book,
  state: State,
  reservation: ReservationRecord,
  ending: HoldEnding,
  before: HoldChanges,
): EndedHold {
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
  book.webhookEvents.push({ type: eventType, data: reservationEvent(ended, ending.externalCustomerId) });
  return { transaction: book.close(entry), reservation: ended, changes: withEnded(before, ended, state) };
}

/** With a reservation that no longer takes one of its reward: that goes back, where it was taken out of a stock. */
export function withEnded(before: HoldChanges, reservation: ReservationRecord, state: State): HoldChanges {
  const changes = { ...before, reservations: [...before.reservations, reservation] };
  const { programId, rewardId, terms } = reservation;
  if (terms.inventory === null) return changes;
  const taken = takenOf(before, programId, rewardId, state);
  return taken > 0 ? withStock(changes, { programId, rewardId, taken: taken - 1 }) : changes;
}

/** How many of a reward are taken out of its stock after what the decision has changed before. */
export function takenOf(before: HoldChanges, programId: string, rewardId: string, state: State): number {
  return (before.stocks.get(rewardId) ?? state.stock(programId, rewardId))?.taken ?? 0;
}

/** With a stock as it is now. */
export function withStock(before: HoldChanges, stock: StockRecord): HoldChanges {
  return { ...before, stocks: new Map(before.stocks).set(stock.rewardId, stock) };
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
