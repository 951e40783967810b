import { toTypeId } from '../../ids.ts';
import type { EventData } from '../command.ts';
import type { State } from '../state.ts';
import type { ReservationRecord } from '../tables/redemption-reservations.ts';
import type { StockRecord } from '../tables/reward-stocks.ts';
import type { TransactionRecord } from '../tables/transactions.ts';
import type { Book } from './book.ts';
import { repayLenders } from './lent-points.ts';
import { type LotAmount, lotAmounts } from './lot-amounts.ts';

/**
 * The reservations of one program that a decision has changed so far, and the reward stocks that changed with them. It
 * is immutable: each step of the decision takes the changes of the steps before it, and returns them with its own.
 */
export interface HoldChanges {
  readonly reservations: readonly ReservationRecord[];
  /** By reward id. */
  readonly stocks: ReadonlyMap<string, StockRecord>;
}

/** No changes: the value before the first step. */
export const noHoldChanges: HoldChanges = { reservations: [], stocks: new Map() };

/** A hold that has been ended. */
export interface EndedHold {
  transaction: TransactionRecord;
  /** The reservation after its end; `changes` contains it too. */
  reservation: ReservationRecord;
  changes: HoldChanges;
}

/** How a hold ends, where its points go back to the member. */
export interface HoldEnding {
  state: Extract<ReservationRecord['state'], 'released' | 'expired'>;
  reason: string | null;
  /** The member's own id, for the webhook event. */
  externalCustomerId: string;
}

/**
 * Ends a hold: gives its points back to its lots, where they first pay the claims of returns and what a reversed credit
 * owes, and gives the reward back to its stock. The caller expires the lots that have lapsed.
 * @param before the changes of the earlier steps of the decision
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
  const held = heldBy(state, reservation);
  for (const { lotId, amount } of held) book.giveBack(entry, lotId, 'member.reserved', amount);
  const ended: ReservationRecord = {
    ...reservation,
    state: ending.state,
    reason: ending.reason,
    transactionId: entry.id,
    changedAt: book.now,
  };
  book.webhookEvents.push({ type: eventType, data: reservationEvent(ended, ending.externalCustomerId) });
  const transaction = book.close(entry);
  repayLenders(
    book,
    held.map(({ lotId }) => lotId),
    null,
  );
  return { transaction, reservation: ended, changes: withEnded(before, ended, state) };
}

/** Adds a reservation that has ended. Where its reward has a limited stock, one is given back to it. */
export function withEnded(before: HoldChanges, reservation: ReservationRecord, state: State): HoldChanges {
  const changes = { ...before, reservations: [...before.reservations, reservation] };
  const { programId, rewardId, terms } = reservation;
  if (terms.inventory === null) return changes;
  const stockTaken = takenOf(before, programId, rewardId, state);
  return stockTaken > 0 ? withStock(changes, { programId, rewardId, taken: stockTaken - 1 }) : changes;
}

/** How many of a reward are taken from its stock, after the changes of the earlier steps. */
export function takenOf(before: HoldChanges, programId: string, rewardId: string, state: State): number {
  return (before.stocks.get(rewardId) ?? state.stock(programId, rewardId))?.taken ?? 0;
}

/** Adds the new state of a stock. */
export function withStock(before: HoldChanges, stock: StockRecord): HoldChanges {
  return { ...before, stocks: new Map(before.stocks).set(stock.rewardId, stock) };
}

/** The state of a reservation at an instant: a hold has expired at `expiresAt`, even before its expiry is posted. */
export function stateAt({ state, expiresAt }: ReservationRecord, at: Date): ReservationRecord['state'] {
  return state === 'reserved' && expiresAt <= at ? 'expired' : state;
}

/** The data of a webhook event about a redemption. */
export function reservationEvent(reservation: ReservationRecord, externalCustomerId: string): EventData {
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
