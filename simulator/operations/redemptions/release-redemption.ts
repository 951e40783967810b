import { releaseRedemption } from '../../../src/commands/redemptions/release-redemption.ts';
import { receiptOf, restock, settledBalance, storeBalance, tellOf } from '../../model/ledger.ts';
import type { ModelReservation } from '../../model/model.ts';
import { onReservation } from './on-reservation.ts';

export const releaseRedemptionOperation = onReservation<{ reason: string }>({
  name: 'releaseRedemption',
  weight: 8,
  requiredState: 'reserved',
  allowedWhileLocked: true,
  invent: (random) => ({ reason: random.pick(['changed my mind', 'cart is gone']) }),
  alter: (input) => ({ ...input, reason: `${input.reason}!` }),
  command: releaseRedemption,
  predict({ model, input, moment, name, reservation, profile }) {
    if (reservation.state !== 'reserved') return { code: 'invalid_redemption_state' };
    const balance = settledBalance(profile, moment.now);
    balance.returnToLots(balance.endHold(name));
    balance.expireLots();
    const released: ModelReservation = { ...reservation, state: 'released' };
    storeBalance(model, reservation.quote.profile, balance);
    model.reservations.set(name, released);
    restock(model, reservation);
    tellOf(model, 'redemption.released', released);
    const { reason, reservationId } = input;
    return { receipt: { reservation: { ...receiptOf(released), id: reservationId, reason } } };
  },
});
