import type { UpdateFulfillmentInput } from '../../contract/generated/types.ts';
import type { Receipt } from '../../contract/receipt.ts';
import { reservationEvent } from '../../ledger/books/holds.ts';
import type { Command } from '../../ledger/command.ts';
import type { ReservationRecord } from '../../ledger/tables/redemption-reservations.ts';
import type { Caller } from '../shared/caller.ts';
import { reservationReceipt } from './redemption-receipt.ts';
import { type Named, refuseUnless, reservationAudit, reservationCommand } from './reservation-command.ts';

/**
 * Notes how far the fulfillment of a committed redemption has come (decisions, "Redemption"). Moves no points; a
 * reference that was noted stays until another one comes. Refusals: `reservation_not_found`, `invalid_redemption_state`.
 * @param named null where the environment has no such reservation
 */
export function updateFulfillment(
  input: UpdateFulfillmentInput,
  named: Named | null,
  caller: Caller,
): Command<Receipt<'updateFulfillment'>> {
  return reservationCommand('updateFulfillment', input, named, caller, (one) => {
    const refusal = refuseUnless('committed', one, 'fulfilled');
    if (refusal) return refusal;
    const { externalCustomerId } = one;
    const reservation: ReservationRecord = {
      ...one.reservation,
      fulfillmentStatus: input.status,
      fulfillmentReference: input.reference ?? one.reservation.fulfillmentReference,
    };
    const { fulfillmentStatus, fulfillmentReference } = reservation;
    const said = { fulfillmentStatus, fulfillmentReference };
    return {
      receipt: { reservation: reservationReceipt(reservation, externalCustomerId) },
      inserts: {},
      updates: { reservations: [reservation] },
      audits: [reservationAudit('redemption.fulfillment_updated', reservation, said)],
      webhookEvents: [
        {
          type: 'redemption.fulfillment_updated',
          data: { ...reservationEvent(reservation, externalCustomerId), ...said },
        },
      ],
    };
  });
}
