import type { Command } from '../../../ledger/command.ts';
import type { OwnedResource } from '../../../ledger/resource-owner.ts';
import type { RequestContext } from '../../execution/context.ts';
import { type RedeemedKind, uuidOf } from '../../execution/recent-owners.ts';
import { type Answered, orThrow, submitCommand } from './submit-command.ts';

/** Looks up the reservation that an input names, with its owner. Null if the id is malformed or unknown. */
export function findReservation(
  { reservationId }: { reservationId: string },
  context: RequestContext,
): Promise<OwnedResource | null> {
  return findOwned('reservation', reservationId, context.credential, context);
}

/** The quote or reservation of this public id, with its owner; null if the id is malformed or unknown. */
export async function findOwned(
  kind: RedeemedKind,
  publicId: string,
  { environmentId }: { environmentId: string },
  context: Pick<RequestContext, 'queries' | 'requestId'>,
): Promise<OwnedResource | null> {
  const id = uuidOf(kind, publicId);
  if (id === null) return null;
  const owner = await orThrow(context, context.queries.owner(environmentId, { kind, id }));
  return owner && { ...owner, id };
}

/**
 * Submits a command on the quote or reservation of this public id, and returns its receipt. The owner is read only
 * where this process has not made the resource lately, or where its member has another name by now.
 * @param make the command; null where the environment has no such resource
 * @throws RefusalError if the command was refused
 */
export async function submitOnOwned<Receipt extends object>(
  kind: RedeemedKind,
  publicId: string,
  context: RequestContext,
  make: (resource: OwnedResource | null) => Command<Receipt>,
): Promise<Answered<Receipt>> {
  const ofStored = async () => make(await findOwned(kind, publicId, context.credential, context));
  const recent = context.recentOwners.take(kind, context.credential.environmentId, publicId);
  return submitCommand(context, recent ? { ...make(recent), again: ofStored } : await ofStored());
}
