import type { Receipt } from '../../contract/receipt.ts';
import { fromTypeId, toTypeId } from '../../ids.ts';
import { reservationEvent } from '../../ledger/books/holds.ts';
import type { Decision } from '../../ledger/command.ts';
import type { DisputeRecord } from '../../ledger/tables/redemption-disputes.ts';
import type { ReservationRecord } from '../../ledger/tables/redemption-reservations.ts';
import { type Refusal, refuse } from '../../refusal.ts';
import { disputeReceipt, reservationReceipt } from './redemption-receipt.ts';
import type { ReservationCase } from './reservation-command.ts';

/**
 * The open dispute that a command names. Refusals: `dispute_not_found` (also where the dispute belongs to another
 * reservation), `invalid_dispute_state`.
 */
export function openDisputeOf({
  input,
  reservation,
  state,
}: ReservationCase<{ disputeId: string }>):
  | DisputeRecord
  | Refusal<'dispute_not_found' | 'invalid_dispute_state'> {
  const id = fromTypeId('dsp', input.disputeId);
  const dispute = state
    .rowsOf('disputes', { reservationId: reservation.id })
    .find((candidate) => candidate.id === id);
  if (!dispute) return refuse('dispute_not_found', 'This reservation has no dispute of this id.');
  if (dispute.state !== 'open') {
    return refuse('invalid_dispute_state', `The dispute is ${dispute.state} already.`);
  }
  return dispute;
}

/**
 * Receipt, audit entry and webhook event of a dispute that was opened, resolved or rejected.
 * @param reservation after the command
 * @param alongside what else the command has changed, for the audit entry
 */
export function disputeNotices(
  action: `redemption.dispute_${'opened' | 'resolved' | 'rejected'}`,
  dispute: DisputeRecord,
  reservation: ReservationRecord,
  externalCustomerId: string,
  alongside: object = {},
): Pick<Decision<Receipt<'openDispute'>>, 'receipt' | 'audits' | 'webhookEvents'> {
  const disputeId = toTypeId('dsp', dispute.id);
  return {
    receipt: {
      dispute: disputeReceipt(dispute),
      reservation: reservationReceipt(reservation, externalCustomerId),
    },
    audits: [
      {
        action,
        targetType: 'dispute',
        targetId: disputeId,
        changes: { reservationId: toTypeId('rsv', reservation.id), state: dispute.state, ...alongside },
      },
    ],
    webhookEvents: [
      { type: action, data: { ...reservationEvent(reservation, externalCustomerId), disputeId } },
    ],
  };
}
