import type { Mutation, Reservation } from '../../../contract/generated/types.ts';
import type { Receipt } from '../../../contract/receipt.ts';
import { fromTypeId } from '../../../ids.ts';
import type { Command } from '../../../ledger/command.ts';
import type { OwnedResource } from '../../../ledger/resource-owner.ts';
import { isRefusal } from '../../../refusal.ts';
import type { RequestContext } from '../../execution/context.ts';
import { findReservation } from './owned-resources.ts';
import { answerOf, submitCommand } from './submit-command.ts';

/** Most reservations that a process remembers. */
const MOST_REMEMBERED = 5_000;

/** The owners of reservations that were made by this process and not named since, by environment and public id; oldest first. */
const recent = new Map<string, OwnedResource>();

const keyOf = (environmentId: string, reservationId: string): string => `${environmentId} ${reservationId}`;

/** Remembers whose a new reservation is: most are committed within a minute, and often by the process that made them. */
export function rememberReservation(environmentId: string, reservation: Reservation): void {
  const id = fromTypeId('rsv', reservation.id);
  if (id === null) return;
  const { programId, externalCustomerId, points, rewardId } = reservation;
  recent.set(keyOf(environmentId, reservation.id), { id, programId, externalCustomerId, points, rewardId });
  if (recent.size <= MOST_REMEMBERED) return;
  const [oldest] = recent.keys();
  recent.delete(oldest as string);
}

/**
 * Submits a command on a reservation, with the remembered owner or the one that is looked up. A remembered owner is good for one
 * try: its name may have become that of another member since, and then the command is refused and tried with the present one.
 * @throws RefusalError if the command was refused
 */
export async function submitOnReservation<Name extends keyof Mutation>(
  context: RequestContext,
  input: { reservationId: string },
  commandOn: (resource: OwnedResource | null) => Command<Receipt<Name>>,
): Promise<Receipt<Name> & { requestId: string; idempotent: boolean }> {
  const key = keyOf(context.credential.environmentId, input.reservationId);
  const remembered = recent.get(key);
  if (remembered) {
    recent.delete(key);
    const outcome = await context.commands.submit(commandOn(remembered));
    if (!isRefusal(outcome)) return answerOf(outcome, context);
  }
  return submitCommand(context, commandOn(await findReservation(input, context)));
}
