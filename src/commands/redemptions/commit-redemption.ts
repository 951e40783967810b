import type { CommitRedemptionInput } from '../../contract/generated/types.ts';
import type { Receipt } from '../../contract/receipt.ts';
import { Book } from '../../ledger/books/book.ts';
import { heldBy, noHoldChanges, reservationEvent } from '../../ledger/books/holds.ts';
import type { Command, Decision } from '../../ledger/command.ts';
import type { OwnedResource } from '../../ledger/resource-owner.ts';
import type { ReservationRecord } from '../../ledger/tables/redemption-reservations.ts';
import type { Refusal } from '../../refusal.ts';
import { bookedDecision } from '../shared/booked-decision.ts';
import type { Caller } from '../shared/caller.ts';
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
): Command<Receipt<'commitRedemption'>> {
  return reservationCommand('commitRedemption', input, resource, caller, decide);
}

function decide(
  reservationCase: ReservationCase<CommitRedemptionInput>,
): Decision<Receipt<'commitRedemption'>> | Refusal {
  const { input, externalCustomerId, profile, state, now } = reservationCase;
  const refusal = refuseUnless('reserved', reservationCase, 'committed');
  if (refusal) return refusal;
  const book = new Book(profile, state, now);
  const entry = book.open({
    eventType: 'redemption.committed',
    sourceReference: reservationCase.reservation.sourceReference,
  });
  for (const { lotId, amount } of heldBy(state, reservationCase.reservation)) {
    book.move(entry, lotId, 'member.reserved', 'program.redemption', amount);
  }
  book.close(entry);
  const { authorizationReference } = input;
  const reservation: ReservationRecord = {
    ...reservationCase.reservation,
    state: 'committed',
    commitTransactionId: entry.id,
    transactionId: entry.id,
    authorizationReference,
    fulfillmentStatus: 'pending',
    changedAt: now,
  };
  const receipt = reservationReceipt(reservation, externalCustomerId);
  const { transactionId } = receipt;
  return bookedDecision(
    book,
    { ...noHoldChanges, reservations: [reservation] },
    {
      receipt: { reservation: receipt },
      audits: [reservationAudit('redemption.committed', reservation, { transactionId })],
      webhookEvents: [
        {
          type: 'redemption.committed',
          data: { ...reservationEvent(reservation, externalCustomerId), authorizationReference },
        },
      ],
    },
  );
}
