import type { Caller } from '../../../src/commands/shared/caller.ts';
import type { Command } from '../../../src/ledger/command.ts';
import type { OwnedResource } from '../../../src/ledger/resource-owner.ts';
import { type Operation, operation } from '../../client/intent.ts';
import { referenceTo } from '../../client/lookups.ts';
import { reservationOf } from '../../model/ledger.ts';
import type { Model, ModelReservation, Prediction } from '../../model/model.ts';
import type { Moment } from '../../model/moment.ts';
import { owes } from '../../model/points.ts';
import type { ModelProfile } from '../../model/profile.ts';
import type { Random } from '../../random.ts';

/** The reservation that a command names, in the state that it has at the moment's `now`. */
export interface ReservedCase<I> {
  model: Model;
  input: I;
  moment: Moment;
  name: string;
  reservation: ModelReservation;
  profile: ModelProfile;
}

interface OnReservation<I extends object> {
  name: string;
  weight: number;
  allowedWhileLocked?: boolean;
  /** The state that the reservation has to be in. */
  requiredState: ModelReservation['state'];
  /** The input besides the reservation's id. @param reservation null where the model does not know it */
  invent(random: Random, reservation: ModelReservation | null): I;
  alter(input: I): I;
  command(
    input: I & ReservationInput & { idempotencyKey: string },
    resource: OwnedResource | null,
    caller: Caller,
    /** Who sends it. */
    customer: string,
  ): Command;
  predict(reserved: ReservedCase<I & ReservationInput>): Prediction;
}

interface ReservationInput {
  reservationId: string;
}

/** An operation that names a reservation. */
export function onReservation<I extends object>(definition: OnReservation<I>): Operation {
  return operation<I & ReservationInput & { customer: string }>({
    name: definition.name,
    weight: definition.weight,
    allowedWhileLocked: definition.allowedWhileLocked ?? false,
    invent({ random, memory, customers, model, now }) {
      const suits = (id: string): boolean =>
        reservationOf(model, id, now)?.reservation.state === definition.requiredState;
      // Points that come back to the lot of a reversed credit.
      const repays = (id: string): boolean => {
        const reservationCase = reservationOf(model, id, now);
        if (reservationCase?.reservation.state !== definition.requiredState) return false;
        const hold = reservationCase.profile.holds.find(
          ({ reservation: name }) => name === reservationCase.name,
        );
        return owes(reservationCase.profile, hold?.parts ?? reservationCase.reservation.spent);
      };
      const reservation = memory.pick('reservation', random, customers, suits, repays);
      return (
        reservation && {
          ...definition.invent(random, reservationOf(model, reservation.id, now)?.reservation ?? null),
          reservationId: reservation.id,
          customer: reservation.externalCustomerId,
        }
      );
    },
    alter: (input) => ({ ...input, ...definition.alter(input) }),
    lookup: ({ reservationId }) => referenceTo('reservation', reservationId),
    command({ customer, ...input }, caller, owner) {
      const plainInput = input as unknown as I & ReservationInput & { idempotencyKey: string };
      const reference = referenceTo('reservation', plainInput.reservationId);
      return definition.command(
        plainInput,
        reference && owner && { ...owner, id: reference.id },
        caller,
        customer,
      );
    },
    predict(model, input, moment) {
      const reservationCase = reservationOf(model, input.reservationId, moment.now);
      if (!reservationCase) return { code: 'reservation_not_found' };
      return definition.predict({ ...reservationCase, model, input, moment });
    },
  });
}
