import { toTypeId } from '../../ids.ts';
import { type Changes, SettlementStep } from '../command.ts';
import type { LoadedPoints, State } from '../state.ts';
import type { LotRecord } from '../tables/lot-rows.ts';
import { Book, transactionId } from './book.ts';
import { endHold, type HoldChanges, noHoldChanges } from './holds.ts';
import { expiryOf } from './lot-expiry.ts';

/**
 * Settles a profile: posts what time has done to it by now. Pending points become available, holds end, lots expire. A
 * command, the sweep or a read that needs the current balances calls it first, so that no balance depends on when the
 * sweep runs. Pure, and idempotent: a second call posts nothing.
 * @param before the changes that the same decision has made for other profiles of the program, which may give back to
 *   the same stocks
 * @returns `before`, with the reservations that have expired and the stocks that they give back to
 * @throws SettlementStep where more lots may be due than were loaded
 */
export function settle(
  book: Book,
  loaded: LoadedPoints,
  state: State,
  before: HoldChanges = noHoldChanges,
): HoldChanges {
  if (loaded.moreDue) throw new SettlementStep(stepFor(book, loaded, state));
  // The loaded lots show the next due instant only where the stored one is due or null. Otherwise an earlier command of
  // the batch may have emptied the loaded lots, and lots that were not loaded may be due first: the stored instant
  // stays.
  const { nextDueAt } = book.profile;
  const looksAhead = nextDueAt === null || nextDueAt <= book.now;
  activate(book, loaded);
  let changes = before;
  for (const reservation of loaded.reservations) {
    if (reservation.expiresAt > book.now) continue;
    const ending = {
      state: 'expired',
      reason: null,
      externalCustomerId: loaded.externalCustomerId,
    } as const;
    const ended = endHold(book, state, reservation, ending, changes);
    changes = ended.changes;
    book.noteSystem('redemption.expired', 'reservation', toTypeId('rsv', reservation.id), {
      transactionId: transactionId(ended.transaction),
      points: reservation.points,
    });
  }
  expireLapsed(
    book,
    loaded.lots.map(({ id }) => id),
  );
  if (looksAhead) book.setProfile({ nextDueAt: nextDue(book, loaded) });
  return changes;
}

/**
 * A part of `settle`, for a profile with more due lots than were loaded: the loaded ones become available or expire.
 * Holds end in the last step, and the next due instant stays where it is.
 */
export function settleLoaded(book: Book, loaded: LoadedPoints): void {
  activate(book, loaded);
  expireLapsed(
    book,
    loaded.lots.map(({ id }) => id),
  );
}

/** The step, in a book of its own: of the command that needs it nothing is written. */
function stepFor({ profile: { programId }, now }: Book, loaded: LoadedPoints, state: State): Changes {
  const profile = state.profile(programId, loaded.externalCustomerId);
  if (!profile) throw new Error(`the profile in ${programId} is not loaded`);
  const book = new Book(profile, state, now);
  settleLoaded(book, loaded);
  const { audits, webhookEvents } = book;
  return { ...book.changes(), audits, webhookEvents };
}

/**
 * Settles a profile that was loaded for a `due` or `profiles` subject, where something is due in it.
 * @param before as for `settle`
 */
export function settleDue(
  book: Book,
  externalCustomerId: string,
  state: State,
  before: HoldChanges = noHoldChanges,
): HoldChanges {
  const loaded = state.loadedPointsIfDue(book.profile.programId, externalCustomerId);
  return loaded ? settle(book, loaded, state, before) : before;
}

function activate(book: Book, loaded: LoadedPoints): void {
  const due = loaded.lots.filter(
    (lot) => lot.pending > 0 && lot.activatesAt !== null && lot.activatesAt <= book.now,
  );
  if (due.length === 0) return;
  const entry = book.open({ eventType: 'points.activated' });
  for (const lot of due) book.move(entry, lot.id, 'member.pending', 'member.available', lot.pending);
  const transaction = book.close(entry);
  book.noteSystem('points.activated', 'transaction', transactionId(transaction), {
    programId: transaction.programId,
    points: transaction.points,
  });
}

/** Expires those of the lots whose expiry has passed, including lots that points were just given back to. */
export function expireLapsed(book: Book, lotIds: readonly string[]): void {
  const lapsedLots: LotRecord[] = [];
  for (const id of lotIds) {
    const lot = book.lot(id);
    if (lot.available === 0 || lot.expiresAt === null || lot.expiresAt > book.now) continue;
    const livesUntil = expiryOf(lot, book.profile);
    if (livesUntil && livesUntil > book.now) book.setLot(id, { expiresAt: livesUntil });
    else lapsedLots.push(lot);
  }
  expireLots(book, lapsedLots);
}

/**
 * Posts the expiry of all points of the lots. A lot that has lapsed has no pending points; one that is forfeited may
 * have.
 */
export function expireLots(book: Book, lots: readonly LotRecord[]): void {
  if (lots.length === 0) return;
  const entry = book.open({ eventType: 'points.expired' });
  for (const { id } of lots) {
    const { available, pending } = book.lot(id);
    book.move(entry, id, 'member.available', 'program.expiry', available);
    book.move(entry, id, 'member.pending', 'program.expiry', pending);
  }
  const transaction = book.close(entry);
  const { programId, points } = transaction;
  book.noteSystem('points.expired', 'transaction', transactionId(transaction), { programId, points });
  book.webhookEvents.push({
    type: 'points.expired',
    data: {
      transactionId: transactionId(transaction),
      programId,
      memberId: toTypeId('mem', transaction.memberId),
      points,
      occurredAt: transaction.occurredAt.toISOString(),
    },
  });
}

/**
 * The next instant at which something is due; now where the loaded lots do not show it, so that the sweep looks again.
 */
function nextDue(book: Book, loaded: LoadedPoints): Date | null {
  let next: Date | null = null;
  const note = (at: Date | null): void => {
    if (at && (next === null || at < next)) next = at;
  };
  let available = 0;
  let pending = 0;
  for (const { id } of loaded.lots) {
    const lot = book.lot(id);
    available += lot.available;
    pending += lot.pending;
    if (lot.pending > 0) note(lot.activatesAt);
    if (lot.available > 0) note(lot.expiresAt);
  }
  for (const reservation of loaded.reservations) {
    if (reservation.expiresAt > book.now) note(reservation.expiresAt);
  }
  const { profile } = book;
  const { limit } = loaded;
  // Lots that were not loaded expire no earlier than the last loaded one, which may itself have expired by now.
  if (limit && available < profile.available) note(limit.expiresAt);
  const unseen = (available === 0 && profile.available > 0) || (pending === 0 && profile.pending > 0);
  return unseen ? book.now : next;
}
