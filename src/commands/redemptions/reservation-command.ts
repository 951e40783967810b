import type { ErrorCode } from '../../contract/generated/error-codes.ts';
import type { Mutation } from '../../contract/generated/types.ts';
import type { Receipt } from '../../contract/receipt.ts';
import { toTypeId } from '../../ids.ts';
import { stateAt } from '../../ledger/books/holds.ts';
import type { AuditEntry, Command, Decided, Subject } from '../../ledger/command.ts';
import type { OwnedResource } from '../../ledger/resource-owner.ts';
import type { State } from '../../ledger/state.ts';
import type { ProfileRecord } from '../../ledger/tables/program-profiles.ts';
import type { ReservationRecord } from '../../ledger/tables/redemption-reservations.ts';
import { type Refusal, refuse, reservationNotFound } from '../../refusal.ts';
import { type Caller, envelope, type Keyed } from '../shared/caller.ts';
import { retryChangedOwner } from '../shared/changed-owner.ts';
import { presentName } from '../shared/present-name.ts';

/** The input of a decision on a reservation: the command's input, the locked reservation and profile, and the state. */
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
  /** The command settles the profile before it gives points back, so the lots that are due are loaded too. */
  settles?: boolean;
  /** The command is about a dispute, so the disputes of the reservation are loaded too. */
  disputes?: boolean;
}

/**
 * A command on an existing reservation. It is allowed for suspended members.
 * @param resource null where the environment has no such reservation: the command is then refused as
 *   `reservation_not_found`, but only after replays, reused keys and the Production lock have been handled
 * @param decide receives the locked reservation
 */
export function reservationCommand<
  Name extends keyof Mutation,
  Input extends Keyed & { reservationId: string },
  Code extends ErrorCode = never,
>(
  operation: Name,
  input: Input,
  resource: OwnedResource | null,
  caller: Caller,
  decide: (reservationCase: ReservationCase<Input>) => Decided<Receipt<Name>, Code>,
  { allowedWhileLocked = false, settles = false, disputes = false }: ReservationCommandOptions = {},
): Command<Receipt<Name>, Code | 'reservation_not_found'> {
  const subjects: Subject[] = [];
  if (resource) {
    const { id, programId, externalCustomerId, reserveTransactionId } = resource;
    subjects.push(
      { kind: 'member', externalCustomerId },
      { kind: 'profile', programId, externalCustomerId },
      { kind: 'reservation', id },
    );
    if (reserveTransactionId) subjects.push({ kind: 'transactionLots', transactionId: reserveTransactionId });
    if (settles) subjects.push({ kind: 'points', programId, externalCustomerId, points: 0 });
    if (disputes) subjects.push({ kind: 'disputes', reservationId: id });
  }
  return {
    ...envelope(operation, input, caller),
    laneKey: resource?.externalCustomerId ?? input.reservationId,
    allowedWhileLocked,
    subjects,
    decide(state, now) {
      const reservation = resource && state.row('reservations', resource.id);
      if (!reservation) return reservationNotFound;
      const changed = retryChangedOwner(reservation.memberId, resource.externalCustomerId, state);
      if (changed) return changed;
      const profile = state.profile(resource.programId, resource.externalCustomerId);
      if (!profile) throw new Error(`the profile of reservation ${reservation.id} is gone`);
      const externalCustomerId = presentName(resource.externalCustomerId, state);
      return decide({ input, externalCustomerId, reservation, profile, state, now });
    },
  };
}

/**
 * Refuses with `invalid_redemption_state` where a reservation is not in the state that a command requires.
 * @param state the required state
 * @param result the state that the command brings about, such as `committed`; used in the message
 */
export function refuseUnless(
  state: ReservationRecord['state'],
  { reservation, now }: Pick<ReservationCase<object>, 'reservation' | 'now'>,
  result: string,
): Refusal<'invalid_redemption_state'> | null {
  const stateNow = stateAt(reservation, now);
  if (stateNow === state) return null;
  return refuse(
    'invalid_redemption_state',
    `The reservation is ${stateNow}: only one that is ${state} can be ${result}.`,
  );
}

/** The audit entry of a changed reservation. */
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
