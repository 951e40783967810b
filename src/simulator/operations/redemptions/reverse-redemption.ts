import { reverseRedemption } from '../../../commands/redemptions/reverse-redemption.ts';
import { receiptOf } from '../../model/ledger.ts';
import { onReservation } from './on-reservation.ts';
import { reversed } from './reversed.ts';

interface ReversalInput {
  reason: string;
  cancellationEvidence?: { photo: string };
}

export const reverseRedemptionOperation = onReservation<ReversalInput>({
  name: 'reverseRedemption',
  weight: 8,
  requiredState: 'committed',
  invent: (random) => ({
    reason: 'came back',
    ...(random.chance(0.6) ? { cancellationEvidence: { photo: 'of it' } } : {}),
  }),
  alter: (input) => ({ ...input, reason: `${input.reason}!` }),
  command: reverseRedemption,
  predict(reserved) {
    const { reason, cancellationEvidence, reservationId } = reserved.input;
    const reservation = reversed(reserved, cancellationEvidence !== undefined);
    if ('code' in reservation) return reservation;
    return { receipt: { reservation: { ...receiptOf(reservation), id: reservationId, reason } } };
  },
});
