import { updateFulfillment } from '../../../src/commands/redemptions/update-fulfillment.ts';
import { receiptOf, tellOf } from '../../model/ledger.ts';
import { onReservation } from './on-reservation.ts';

const STATUSES = ['pending', 'shipped', 'delivered', 'failed'] as const;

export const updateFulfillmentOperation = onReservation<{ status: (typeof STATUSES)[number] }>({
  name: 'updateFulfillment',
  weight: 3,
  requiredState: 'committed',
  invent: (random) => ({ status: random.pick(STATUSES) }),
  alter: ({ status }) => ({ status: status === 'failed' ? 'shipped' : 'failed' }),
  command: updateFulfillment,
  predict({ model, input, name, reservation }) {
    if (reservation.state !== 'committed') return { code: 'invalid_redemption_state' };
    const changed = { ...reservation, fulfillment: input.status };
    model.reservations.set(name, changed);
    const fulfillment = { fulfillmentStatus: input.status, fulfillmentReference: null };
    tellOf(model, 'redemption.fulfillment_updated', changed, fulfillment);
    return { receipt: { reservation: { ...receiptOf(changed), id: input.reservationId } } };
  },
});
