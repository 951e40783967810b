import { commitRedemption } from '../../../commands/redemptions/commit-redemption.ts';
import { receiptOf, tellOf } from '../../model/ledger.ts';
import type { ModelReservation } from '../../model/model.ts';
import { PointBalance } from '../../model/points.ts';
import { onReservation } from './on-reservation.ts';

export const commitRedemptionOperation = onReservation<{ authorizationReference: string }>({
  name: 'commitRedemption',
  weight: 14,
  requiredState: 'reserved',
  invent: (random) => ({ authorizationReference: `auth-${random.below(1000)}` }),
  alter: (input) => ({ ...input, authorizationReference: `${input.authorizationReference}x` }),
  command: commitRedemption,
  predict({ model, input, moment, name, reservation, profile }) {
    if (reservation.state !== 'reserved') return { code: 'invalid_redemption_state' };
    // Not settled first: what has become due does not change points that are held.
    const balance = new PointBalance(profile, moment.now);
    const committed: ModelReservation = {
      ...reservation,
      state: 'committed',
      spent: balance.endHold(name),
      fulfillment: 'pending',
    };
    model.profiles.set(reservation.quote.profile, { ...profile, ...balance.points });
    model.reservations.set(name, committed);
    const { authorizationReference } = input;
    tellOf(model, 'redemption.committed', committed, { authorizationReference });
    return {
      receipt: {
        reservation: {
          ...receiptOf(committed),
          id: input.reservationId,
          authorizationReference,
          reason: null,
        },
      },
    };
  },
});
