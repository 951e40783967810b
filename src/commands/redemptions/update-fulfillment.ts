import type { UpdateFulfillmentInput } from '../../contract/generated/types.ts';
import { reservationEvent } from '../../ledger/books/holds.ts';
import type { OwnedResource } from '../../ledger/resource-owner.ts';
import type { ReservationRecord } from '../../ledger/tables/redemption-reservations.ts';
import type { Caller } from '../shared/caller.ts';
import type { CommandOf } from '../shared/operation-command.ts';
import { reservationReceipt } from './redemption-receipt.ts';
import { refuseUnless, reservationAudit, reservationCommand } from './reservation-command.ts';

/**
 * Records the fulfillment status of a committed redemption (decisions, "Redemption"). Moves no points. Where the input
 * has no reference, the reference recorded before is kept. Refusals: `reservation_not_found`,
 * `invalid_redemption_state`.
 * @param resource null where the environment has no such reservation
 */
export function updateFulfillment(
  input: UpdateFulfillmentInput,
  resource: OwnedResource | null,
  caller: Caller,
): CommandOf<'updateFulfillment'> {
  return reservationCommand('updateFulfillment', input, resource, caller, (reservationCase) => {
    const refusal = refuseUnless('committed', reservationCase, 'fulfilled');
    if (refusal) return refusal;
    const { externalCustomerId } = reservationCase;
    const reservation: ReservationRecord = {
      ...reservationCase.reservation,
      fulfillmentStatus: input.status,
      fulfillmentReference: input.reference ?? reservationCase.reservation.fulfillmentReference,
    };
    const { fulfillmentStatus, fulfillmentReference } = reservation;
    const fulfillment = { fulfillmentStatus, fulfillmentReference };
    return {
      receipt: { reservation: reservationReceipt(reservation, externalCustomerId) },
      inserts: {},
      updates: { reservations: [reservation] },
      audits: [reservationAudit('redemption.fulfillment_updated', reservation, { fulfillmentStatus })],
      webhookEvents: [
        {
          type: 'redemption.fulfillment_updated',
          data: { ...reservationEvent(reservation, externalCustomerId), ...fulfillment },
        },
      ],
    };
  });
}
