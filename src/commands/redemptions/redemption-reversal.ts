import { Book, transactionId } from '../../ledger/books/book.ts';
import { heldBy, reservationEvent, withEnded } from '../../ledger/books/holds.ts';
import { restorePoints } from '../../ledger/books/restore-points.ts';
import { settle } from '../../ledger/books/settle.ts';
import { type DecisionPart, mergeDecisions } from '../../ledger/merge-decisions.ts';
import type { ReservationRecord } from '../../ledger/tables/redemption-reservations.ts';
import { type Refusal, refuse } from '../../refusal.ts';
import { refuseOverflow } from '../shared/balance-limit.ts';
import { bookedParts } from '../shared/booked-decision.ts';
import { type ReservationCase, refuseUnless } from './reservation-command.ts';

/** Why a committed redemption is reversed. */
export interface ReversalGrounds {
  reason: string;
  cancellationEvidence: object | null;
}

/** A reversed redemption that is posted to the book but not yet written. */
export interface Reversal {
  /** The reservation after the reversal. */
  reservation: ReservationRecord;
  /** For the command's audit entry. */
  changes: { transactionId: string };
  /** What is written, except the command's audit entry: the reversal, and what was settled before it. */
  decided: Required<DecisionPart>;
}

/**
 * Restores the points of a committed redemption to the lots that paid for it. Where such a lot has expired since then,
 * its points get a new expiry: the grace days of the reservation's terms from now. Refusals:
 * `invalid_redemption_state`, `cancellation_evidence_required`, `enrollment_required`, `balance_limit_exceeded`.
 */
export function reversal(
  reservationCase: ReservationCase<object>,
  { reason, cancellationEvidence }: ReversalGrounds,
): Reversal | Refusal {
  const { externalCustomerId, profile, state, now } = reservationCase;
  const { terms, commitTransactionId, sourceReference, points } = reservationCase.reservation;
  const refusal = refuseUnless('committed', reservationCase, 'reversed');
  if (refusal) return refusal;
  if (commitTransactionId === null) throw new Error('a committed reservation has no commit');
  if (terms.cancellationEvidenceRequired && !cancellationEvidence) {
    return refuse(
      'cancellation_evidence_required',
      'Reversing this reward takes evidence that it was not consumed.',
      [{ path: 'cancellationEvidence', message: 'is required by the terms of this reward' }],
    );
  }
  if (!profile.enrolled) {
    return refuse('enrollment_required', 'The member has left the program: points cannot come back.');
  }
  const book = new Book(profile, state, now);
  const settled = settle(book, state.loadedPoints(profile.programId, externalCustomerId), state);
  const overflow = refuseOverflow(book.profile, points);
  if (overflow) return overflow;
  const entry = book.open({
    eventType: 'redemption.reversed',
    sourceReference,
    reversalOf: commitTransactionId,
  });
  const paidFrom = heldBy(state, reservationCase.reservation);
  const transaction = restorePoints(book, entry, paidFrom, 'program.redemption', terms.graceDays);
  const reservation: ReservationRecord = {
    ...reservationCase.reservation,
    state: 'reversed',
    transactionId: entry.id,
    reason,
    cancellationEvidence,
    changedAt: now,
  };
  return {
    reservation,
    changes: { transactionId: transactionId(transaction) },
    decided: mergeDecisions(...bookedParts(book, withEnded(settled, reservation, state)), {
      updates: { transactions: [{ id: commitTransactionId, state: 'reversed', reversedBy: entry.id }] },
      webhookEvents: [
        { type: 'redemption.reversed', data: reservationEvent(reservation, externalCustomerId) },
      ],
    }),
  };
}
