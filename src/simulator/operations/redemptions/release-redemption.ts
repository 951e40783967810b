import { releaseRedemption } from '../../../commands/redemptions/release-redemption.ts';
import { lay, putBack, receiptOf, restock } from '../../model/ledger.ts';
import type { ModelReservation } from '../../model/model.ts';
import { onReservation } from './on-reservation.ts';

export const releaseRedemptionOperation = onReservation<{ reason: string }>({
  name: 'releaseRedemption',
  weight: 8,
  takes: 'reserved',
  allowedWhileLocked: true,
  invent: (random) => ({ reason: random.pick(['changed my mind', 'cart is gone']) }),
  alter: (input) => ({ ...input, reason: `${input.reason}!` }),
  command: releaseRedemption,
  predict({ model, input, moment, name, reservation, profile }) {
    if (reservation.state !== 'reserved') return { code: 'invalid_redemption_state' };
    const purse = lay(profile, moment.now);
    purse.giveBack(purse.unhold(name));
    purse.dropOver();
    const released: ModelReservation = { ...reservation, state: 'released' };
    putBack(model, reservation.quote.profile, purse);
    model.reservations.set(name, released);
    restock(model, reservation);
    const { reason, reservationId } = input;
    return { receipt: { reservation: { ...receiptOf(released), id: reservationId, reason } } };
  },
});
