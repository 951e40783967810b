import { Book, transactionId } from '../../ledger/books/book.ts';
import { type HoldChanges, heldBy, reservationEvent, withEnded } from '../../ledger/books/holds.ts';
import { restorePoints } from '../../ledger/books/restore-points.ts';
import { settle } from '../../ledger/books/settle.ts';
import { type DecisionPart, mergeDecisions } from '../../ledger/merge-decisions.ts';
import type { State } from '../../ledger/state.ts';
import type { ReservationRecord } from '../../ledger/tables/redemption-reservations.ts';
import { type Refusal, refuse } from '../../refusal.ts';
import { refuseOverflow } from '../shared/balance-limit.ts';
import { bookedParts } from '../shared/booked-decision.ts';
import { type ReservationCase, refuseUnless } from './reservation-command.ts';
import { lotsOfPart, type ReversedPart, reversedPart } from './reversed-part.ts';

/** Why a committed redemption is reversed. */
export interface ReversalGrounds {
  reason: string;
  cancellationEvidence: object | null;
  /**
   * How much is reversed of a discount that was paid with points, as `refusePart` admits it; null for all that is left
   * of the redemption.
   */
  amountMinor: number | null;
}

/** Why a redemption is not reversed. */
export type RefusedReversal = Refusal<
  | 'invalid_redemption_state'
  | 'cancellation_evidence_required'
  | 'enrollment_required'
  | 'balance_limit_exceeded'
>;

/** A reversed redemption that is posted to the book but not yet written. */
export interface Reversal {
  /** The reservation after the reversal. */
  reservation: ReservationRecord;
  /** For the command's audit entry. */
  changes: { transactionId: string } & ReversedEventPart;
  /** What is written, except the command's audit entry: the reversal, and what was settled before it. */
  decided: Required<DecisionPart>;
}

/** What the audit entry and the webhook event of a reversal say of it. */
interface ReversedEventPart {
  reversedPoints: number;
  /** Of the discount; null where the reward has a fixed price. */
  reversedMinor: number | null;
}

/**
 * Restores the points of a committed redemption, or of a part of its discount, to the lots that paid for it. Where such
 * a lot has expired since then, its points get a new expiry: the grace days of the reservation's terms from now.
 */
export function reversal(
  reservationCase: ReservationCase<object>,
  { reason, cancellationEvidence, amountMinor }: ReversalGrounds,
): Reversal | RefusedReversal {
  const { externalCustomerId, profile, state, now, reservation: committed } = reservationCase;
  const { terms, commitTransactionId, sourceReference } = committed;
  const refusal = refuseUnless('committed', reservationCase, 'reversed');
  if (refusal) return refusal;
  if (commitTransactionId === null) throw new Error('a committed reservation has no commit');
  const part = reversedPart(committed, amountMinor);
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
  const overflow = refuseOverflow(book.profile, part.points);
  if (overflow) return overflow;
  const entry = book.open({
    eventType: 'redemption.reversed',
    sourceReference,
    reversalOf: commitTransactionId,
  });
  const lots = lotsOfPart(heldBy(state, committed), committed.reversedPoints, part.points);
  const transaction = restorePoints(book, entry, lots, 'program.redemption', terms.graceDays);
  const reservation: ReservationRecord = {
    ...afterPart(committed, part, now),
    transactionId: entry.id,
    reason,
    cancellationEvidence,
  };
  const amounts: ReversedEventPart = { reversedPoints: part.points, reversedMinor: part.amountMinor };
  const reservationState = reservation.state;
  const data = { ...reservationEvent(reservation, externalCustomerId), reservationState, ...amounts };
  const reversed = { id: commitTransactionId, state: 'reversed' as const, reversedBy: entry.id };
  return {
    reservation,
    changes: { transactionId: transactionId(transaction), ...amounts },
    decided: mergeDecisions(
      ...bookedParts(book, withReservation(settled, reservation, state)),
      { updates: { transactions: part.isLast ? [reversed] : [] } },
      { webhookEvents: [{ type: 'redemption.reversed', data }] },
    ),
  };
}

function afterPart(
  committed: ReservationRecord,
  { points, amountMinor, isLast }: ReversedPart,
  now: Date,
): ReservationRecord {
  const reversedMinor = committed.reversedMinor + (amountMinor ?? 0);
  const reversedPoints = committed.reversedPoints + points;
  const after = { ...committed, reversedMinor, reversedPoints };
  return isLast ? { ...after, state: 'reversed', changedAt: now } : after;
}

/** Adds the reservation, whose reward goes back to its stock once nothing is left of the redemption. */
function withReservation(settled: HoldChanges, reservation: ReservationRecord, state: State): HoldChanges {
  if (reservation.state === 'reversed') return withEnded(settled, reservation, state);
  return { ...settled, reservations: [...settled.reservations, reservation] };
}
