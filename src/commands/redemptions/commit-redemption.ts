import type { CommitRedemptionInput } from '../../contract/generated/types.ts';
import { toTypeId } from '../../ids.ts';
import { Book } from '../../ledger/books/book.ts';
import { heldBy, noHoldChanges, reservationEvent } from '../../ledger/books/holds.ts';
import type { LotAmount } from '../../ledger/books/lot-amounts.ts';
import type { AuditEntry, WebhookEvent } from '../../ledger/command.ts';
import type { OwnedResource } from '../../ledger/resource-owner.ts';
import type { ReservationRecord } from '../../ledger/tables/redemption-reservations.ts';
import { bookedDecision } from '../shared/booked-decision.ts';
import type { Caller } from '../shared/caller.ts';
import type { CommandOf, DecisionOf } from '../shared/operation-command.ts';
import { reservationReceipt } from './redemption-receipt.ts';
import {
  type ReservationCase,
  refuseUnless,
  reservationAudit,
  reservationCommand,
} from './reservation-command.ts';

/**
 * Spends held points, after the merchant's checkout has authorized the redemption (specification, GraphQL
 * `commitRedemption`). Refusals: `reservation_not_found`, `invalid_redemption_state`.
 * @param resource null where the environment has no such reservation
 */
export function commitRedemption(
  input: CommitRedemptionInput,
  resource: OwnedResource | null,
  caller: Caller,
): CommandOf<'commitRedemption'> {
  return reservationCommand('commitRedemption', input, resource, caller, decide);
}

function decide(reservationCase: ReservationCase<CommitRedemptionInput>): DecisionOf<'commitRedemption'> {
  const { input, externalCustomerId, profile, state, now } = reservationCase;
  const refusal = refuseUnless('reserved', reservationCase, 'committed');
  if (refusal) return refusal;
  const book = new Book(profile, state, now);
  const lots = heldBy(state, reservationCase.reservation);
  const { authorizationReference } = input;
  const { reservation, audit, webhookEvent } = commitHeld(book, reservationCase.reservation, {
    ...{ lots, authorizationReference, externalCustomerId },
  });
  return bookedDecision(
    book,
    { ...noHoldChanges, reservations: [reservation] },
    {
      receipt: { reservation: reservationReceipt(reservation, externalCustomerId) },
      audits: [audit],
      webhookEvents: [webhookEvent],
    },
  );
}

/** How held points are spent. */
export interface Commitment {
  /** What is held, by lot. */
  lots: readonly LotAmount[];
  authorizationReference: string;
  externalCustomerId: string;
}

/** Spends the points of a reservation, in the book alone: nothing is written yet. */
export function commitHeld(
  book: Book,
  openReservation: ReservationRecord,
  { lots, authorizationReference, externalCustomerId }: Commitment,
): { reservation: ReservationRecord; audit: AuditEntry; webhookEvent: WebhookEvent } {
  const entry = book.open({
    eventType: 'redemption.committed',
    sourceReference: openReservation.sourceReference,
  });
  for (const { lotId, amount } of lots) {
    book.move(entry, lotId, 'member.reserved', 'program.redemption', amount);
  }
  book.close(entry);
  const reservation: ReservationRecord = {
    ...openReservation,
    state: 'committed',
    commitTransactionId: entry.id,
    transactionId: entry.id,
    authorizationReference,
    fulfillmentStatus: 'pending',
    changedAt: book.now,
  };
  return {
    reservation,
    audit: reservationAudit('redemption.committed', reservation, {
      transactionId: toTypeId('txn', entry.id),
    }),
    webhookEvent: {
      id: entry.id,
      type: 'redemption.committed',
      data: { ...reservationEvent(reservation, externalCustomerId), authorizationReference },
    },
  };
}
