import { reverseForCustomer } from '../../../src/commands/redemptions/reverse-for-customer.ts';
import { forCustomer } from '../../../src/commands/shared/for-customer.ts';
import { isRefusal } from '../../../src/refusal.ts';
import { madeId } from '../../model/expected-event.ts';
import { tellOf } from '../../model/ledger.ts';
import { onReservation } from './on-reservation.ts';
import { reversed } from './reversed.ts';

interface Request {
  reason: string;
  cancellationEvidence?: { photo: string };
}

/** A customer asks for its redemption to be reversed: it is, or a dispute is opened. */
export const reverseForCustomerOperation = onReservation<Request>({
  name: 'reverseForCustomer',
  weight: 4,
  requiredState: 'committed',
  invent: (random) => ({
    reason: 'is not mine',
    ...(random.chance(0.6) ? { cancellationEvidence: { photo: 'of it' } } : {}),
  }),
  alter: (input) => ({ ...input, reason: `${input.reason}!` }),
  command(input, resource, caller, customer) {
    const reversal = reverseForCustomer(input, resource, caller);
    const command = forCustomer('reverseForCustomer', input, customer, reversal, caller);
    if (isRefusal(command)) throw new Error(`refused before it was sent: ${command.code}`);
    return command;
  },
  predict(reserved) {
    const { model, input, moment, name, reservation } = reserved;
    const { reservationId: id, cancellationEvidence } = input;
    if (reservation.quote.customerReverses) {
      const back = reversed(reserved, cancellationEvidence !== undefined);
      if ('code' in back) return back;
      return { receipt: { created: false, reservation: { id, state: 'reversed' } } };
    }
    if (reservation.state !== 'committed') return { code: 'invalid_redemption_state' };
    if (reservation.disputes >= 20) return { code: 'dispute_limit_reached' };
    model.reservations.set(name, { ...reservation, disputes: reservation.disputes + 1 });
    model.disputes.set(moment.name, { reservation: name, state: 'open' });
    tellOf(model, 'redemption.dispute_opened', reservation, { disputeId: madeId('dsp') });
    return { receipt: { created: true, reservation: { id, state: 'committed' } } };
  },
});
