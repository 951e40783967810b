import { toTypeId } from '../../ids.ts';
import { Book, transactionId } from '../../ledger/books/book.ts';
import type { HoldChanges } from '../../ledger/books/holds.ts';
import { settle } from '../../ledger/books/settle.ts';
import type { Command, Decision, State } from '../../ledger/command.ts';
import type { ProfileRecord } from '../../ledger/tables/program-profiles.ts';
import { type Refusal, refuse } from '../../refusal.ts';
import { bookedDecision } from '../shared/booked-decision.ts';
import { type TimeDrivenInput, timeDrivenCommand } from '../shared/time-driven-command.ts';

/** The receipt of a settlement, with public ids. */
export interface SettlementReceipt {
  transactionIds: string[];
  /** Reservations that have expired. */
  reservationIds: string[];
}

/**
 * Settles a profile, that is, posts what time has done to it: activations, expiries, ends of holds (decisions,
 * "Redemption" and "Earning").
 * A second one finds nothing to do. Refusal: `profile_not_found`.
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

function decide(input: TimeDrivenInput, state: State, now: Date): Decision | Refusal {
  const { programId, externalCustomerId } = input;
  const profile = state.profile(programId, externalCustomerId);
  if (!profile) return refuse('profile_not_found', 'The member was never enrolled in this program.');
  const book = new Book(profile, state, now);
  const settled = settle(book, state.loadedPoints(programId, externalCustomerId), state);
  return settlement(book, profile, settled);
}

function settlement(book: Book, before: ProfileRecord, settled: HoldChanges): Decision {
  const receipt: SettlementReceipt = {
    transactionIds: (book.written().inserts.transactions ?? []).map(transactionId),
    reservationIds: settled.reservations.map(({ id }) => toTypeId('rsv', id)),
  };
  const decision = bookedDecision(book, settled, { receipt, audits: [], webhookEvents: [] });
  const unchanged =
    receipt.transactionIds.length === 0 && before.nextDueAt?.getTime() === book.profile.nextDueAt?.getTime();
  return unchanged ? { ...decision, updates: { ...decision.updates, profiles: [] } } : decision;
}
