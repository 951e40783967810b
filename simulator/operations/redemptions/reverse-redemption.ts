import { reverseRedemption } from '../../../src/commands/redemptions/reverse-redemption.ts';
import { receiptOf } from '../../model/ledger.ts';
import type { ModelReservation } from '../../model/model.ts';
import type { Random } from '../../random.ts';
import { onReservation } from './on-reservation.ts';
import { reversed } from './reversed.ts';

interface ReversalInput {
  reason: string;
  cancellationEvidence?: { photo: string };
  amountMinor?: number;
}

export const reverseRedemptionOperation = onReservation<ReversalInput>({
  name: 'reverseRedemption',
  weight: 8,
  requiredState: 'committed',
  invent: (random, reservation) => ({
    reason: 'came back',
    ...(random.chance(0.6) ? { cancellationEvidence: { photo: 'of it' } } : {}),
    ...inventPart(random, reservation),
  }),
  alter: (input) => ({ ...input, reason: `${input.reason}!` }),
  command: reverseRedemption,
  predict(reserved) {
    const { reason, cancellationEvidence, reservationId, amountMinor = null } = reserved.input;
    const reservation = reversed(reserved, cancellationEvidence !== undefined, amountMinor);
    if ('code' in reservation) return reservation;
    return { receipt: { reservation: { ...receiptOf(reservation), id: reservationId, reason } } };
  },
});

/**
 * A part of what is left of a discount, at times more than that; now and then a part of a reward with a fixed price.
 */
function inventPart(random: Random, reservation: ModelReservation | null): { amountMinor?: number } {
  const discount = reservation?.quote.discount;
  if (!discount) return random.chance(0.03) ? { amountMinor: 1 } : {};
  const remainingMinor = discount.amountMinor - reservation.reversedMinor;
  if (remainingMinor === 0 || random.chance(0.05))
    return { amountMinor: remainingMinor + random.between(1, 50) };
  if (random.chance(0.2)) return {};
  return {
    amountMinor: random.pick([
      1,
      remainingMinor,
      Math.ceil(remainingMinor / 3),
      random.between(1, remainingMinor),
    ]),
  };
}
