import { commitRedemption } from '../../../src/commands/redemptions/commit-redemption.ts';
import { receiptOf, tellOf } from '../../model/ledger.ts';
import type { Model, ModelReservation } from '../../model/model.ts';
import { PointBalance } from '../../model/points.ts';
import type { ModelProfile } from '../../model/profile.ts';
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
    const { authorizationReference } = input;
    const done = committed(model, { name, reservation, profile }, moment.now, authorizationReference);
    return {
      receipt: {
        reservation: {
          ...receiptOf(done),
          id: input.reservationId,
          authorizationReference,
          reason: null,
        },
      },
    };
  },
});

/** Spends held points in the model. */
export function committed(
  model: Model,
  { name, reservation, profile }: { name: string; reservation: ModelReservation; profile: ModelProfile },
  now: Date,
  authorizationReference: string,
): ModelReservation {
  // Not settled first: what has become due does not change points that are held.
  const balance = new PointBalance(profile, now);
  const done: ModelReservation = {
    ...reservation,
    state: 'committed',
    spent: balance.endHold(name),
    fulfillment: 'pending',
  };
  model.profiles.set(reservation.quote.profile, { ...profile, ...balance.points });
  model.reservations.set(name, done);
  tellOf(model, 'redemption.committed', done, { authorizationReference });
  return done;
}
