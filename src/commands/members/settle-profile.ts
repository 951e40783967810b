import { toTypeId } from '../../ids.ts';
import { Book, transactionId } from '../../ledger/books/book.ts';
import { type HoldChanges, noHoldChanges } from '../../ledger/books/holds.ts';
import { settle, settleLoaded } from '../../ledger/books/settle.ts';
import type { Command, Decision } from '../../ledger/command.ts';
import type { State } from '../../ledger/state.ts';
import type { ProfileRecord } from '../../ledger/tables/program-profiles.ts';
import { profileNotFound, type Refusal } from '../../refusal.ts';
import { bookedDecision } from '../shared/booked-decision.ts';
import { type TimeDrivenInput, timeDrivenCommand } from '../shared/time-driven-command.ts';

/** The receipt of a settlement, with public ids. */
export interface SettlementReceipt {
  transactionIds: string[];
  /** Reservations that have expired. */
  reservationIds: string[];
  /** Present where this was a step, and more lots may be due: settle the profile again. */
  unfinished?: true;
}

/**
 * Settles a profile, that is, posts what time has done to it: activations, expiries, ends of holds (decisions,
 * "Redemption" and "Earning"). A second one finds nothing to do. Where very many lots are due, it is one step of
 * several. Refusal: `profile_not_found`.
 */
export function settleProfile(input: TimeDrivenInput): Command {
  const { programId, externalCustomerId } = input;
  return timeDrivenCommand(
    'settleProfile',
    input,
    [{ kind: 'points', programId, externalCustomerId, points: 0 }],
    (state, now) => decide(input, state, now),
  );
}

function decide(input: TimeDrivenInput, state: State, now: Date): Decision | Refusal<'profile_not_found'> {
  const { programId, externalCustomerId } = input;
  const profile = state.profile(programId, externalCustomerId);
  if (!profile) return profileNotFound;
  const book = new Book(profile, state, now);
  const loaded = state.loadedPoints(programId, externalCustomerId);
  if (!loaded.moreDue) return settlement(book, profile, settle(book, loaded, state));
  settleLoaded(book, loaded);
  return settlement(book, profile, noHoldChanges, { unfinished: true });
}

function settlement(
  book: Book,
  before: ProfileRecord,
  settled: HoldChanges,
  progress: Pick<SettlementReceipt, 'unfinished'> = {},
): Decision {
  const receipt: SettlementReceipt = {
    transactionIds: (book.changes().inserts.transactions ?? []).map(transactionId),
    reservationIds: settled.reservations.map(({ id }) => toTypeId('rsv', id)),
    ...progress,
  };
  const decision = bookedDecision(book, settled, { receipt, audits: [], webhookEvents: [] });
  const unchanged =
    receipt.transactionIds.length === 0 && before.nextDueAt?.getTime() === book.profile.nextDueAt?.getTime();
  return unchanged ? { ...decision, updates: { ...decision.updates, profiles: [] } } : decision;
}
