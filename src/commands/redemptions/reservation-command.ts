import type { Mutation } from '../../contract/generated/types.ts';
import type { Receipt } from '../../contract/receipt.ts';
import { toTypeId } from '../../ids.ts';
import { stateAt } from '../../ledger/books/holds.ts';
import type { AuditEntry, Command, Decision, State, Subject } from '../../ledger/command.ts';
import type { OwnedResource } from '../../ledger/resource-owner.ts';
import type { ProfileRecord } from '../../ledger/tables/program-profiles.ts';
import type { ReservationRecord } from '../../ledger/tables/redemption-reservations.ts';
import { type Refusal, refuse } from '../../refusal.ts';
import { type Caller, envelope, type Keyed } from '../shared/caller.ts';

/** What a decision on a reservation is made from. */
export interface ReservationCase<Input> {
  input: Input;
  externalCustomerId: string;
  reservation: ReservationRecord;
  profile: ProfileRecord;
  state: State;
  now: Date;
}

export interface ReservationCommandOptions {
  allowedWhileLocked?: boolean;
  /** It gives points back: what is due by itself has to be settled first. */
  settles?: boolean;
  /** It is about a dispute. */
  disputes?: boolean;
}

/**
 * A command on a reservation that is there already. It goes on for suspended members.
 * @param named null where the environment has no such reservation: refused as `reservation_not_found`, though only
 *   once replays, reused keys and the lock have been answered
 * @param decide is handed the locked reservation
 */
export function reservationCommand<
  Name extends keyof Mutation,
  Input extends Keyed & { reservationId: string },
>(
  operation: Name,
  input: Input,
  resource: OwnedResource | null,
  caller: Caller,
  decide: (reservationCase: ReservationCase<Input>) => Decision<Receipt<Name>> | Refusal,
  { allowedWhileLocked = false, settles = false, disputes = false }: ReservationCommandOptions = {},
): Command<Receipt<Name>> {
  const subjects: Subject[] = [];
  if (resource) {
    const { id, programId, externalCustomerId } = resource;
    subjects.push(
      { kind: 'member', externalCustomerId },
      { kind: 'profile', programId, externalCustomerId },
      { kind: 'reservation', id },
    );
    if (settles) subjects.push({ kind: 'points', programId, externalCustomerId, points: 0 });
    if (disputes) subjects.push({ kind: 'disputes', reservationId: id });
  }
  return {
    ...envelope(operation, input, caller),
    laneKey: resource?.externalCustomerId ?? input.reservationId,
    allowedWhileLocked,
    subjects,
    decide(state, now) {
      const reservation = resource && state.reservation(resource.id);
      const profile = resource && state.profile(resource.programId, resource.externalCustomerId);
      if (!reservation || !profile) {
        return refuse('reservation_not_found', 'This environment has no reservation of this id.');
      }
      const { externalCustomerId } = resource;
      return decide({ input, externalCustomerId, reservation, profile, state, now });
    },
  };
}

/**
 * Refuses where a reservation is not in the state that something takes.
 * @param takes what wants to be done, such as `committed`
 */
export function refuseUnless(
  state: ReservationRecord['state'],
  { reservation, now }: Pick<ReservationCase<object>, 'reservation' | 'now'>,
  takes: string,
): Refusal | null {
  const found = stateAt(reservation, now);
  if (found === state) return null;
  return refuse(
    'invalid_redemption_state',
    `The reservation is ${found}: only one that is ${state} can be ${takes}.`,
  );
}

/** What the audit trail says of a change of a reservation. */
export function reservationAudit(
  action: string,
  reservation: ReservationRecord,
  changes: object,
): AuditEntry {
  const { programId, rewardId, points } = reservation;
  return {
    action,
    targetType: 'reservation',
    targetId: toTypeId('rsv', reservation.id),
    changes: { programId, rewardId, points, ...changes },
  };
}
