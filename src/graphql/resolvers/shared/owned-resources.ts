import { fromTypeId } from '../../../ids.ts';
import type { OwnedResource } from '../../../ledger/resource-owner.ts';
import type { RequestContext } from '../../execution/context.ts';
import { found } from './submit-command.ts';

/** Looks up the quote that an input names, with its owner. Null if the id is malformed or unknown. */
export function findQuote(
  { quoteId }: { quoteId: string },
  context: RequestContext,
): Promise<OwnedResource | null> {
  return findOwned('quote', quoteId, context.credential, context);
}

/** Looks up the reservation that an input names, with its owner. Null if the id is malformed or unknown. */
export function findReservation(
  { reservationId }: { reservationId: string },
  context: RequestContext,
): Promise<OwnedResource | null> {
  return findOwned('reservation', reservationId, context.credential, context);
}

/** The quote or reservation of this public id, with its owner; null if the id is malformed or unknown. */
export async function findOwned(
  kind: 'quote' | 'reservation',
  publicId: string,
  { environmentId }: { environmentId: string },
  context: Pick<RequestContext, 'queries' | 'requestId'>,
): Promise<OwnedResource | null> {
  const id = fromTypeId(kind === 'quote' ? 'quo' : 'rsv', publicId);
  if (id === null) return null;
  const owner = await found(context, context.queries.owner(environmentId, { kind, id }));
  return owner && { ...owner, id };
}
