import { reverseRedemption } from '../../../commands/redemptions/reverse-redemption.ts';
import { receiptOf } from '../../model/ledger.ts';
import { onReservation } from './on-reservation.ts';
import { reversed } from './reversed.ts';

interface Said {
  reason: string;
  cancellationEvidence?: { photo: string };
}

export const reverseRedemptionOperation = onReservation<Said>({
  name: 'reverseRedemption',
  weight: 8,
  takes: 'committed',
  invent: (random) => ({
    reason: 'came back',
    ...(random.chance(0.6) ? { cancellationEvidence: { photo: 'of it' } } : {}),
  }),
  alter: (input) => ({ ...input, reason: `${input.reason}!` }),
  command: reverseRedemption,
  predict(one) {
    const { reason, cancellationEvidence, reservationId } = one.input;
    const came = reversed(one, cancellationEvidence !== undefined);
    if ('code' in came) return came;
    return { receipt: { reservation: { ...receiptOf(came), id: reservationId, reason } } };
  },
});
