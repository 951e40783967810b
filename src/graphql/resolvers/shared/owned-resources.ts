import { fromTypeId } from '../../../ids.ts';
import type { OwnedResource } from '../../../ledger/resource-owner.ts';
import type { RequestContext } from '../../execution/context.ts';
import { found } from './submit-command.ts';

/** Looks up the quote that an input names, with its owner. Null if the id is malformed or unknown. */
export function findQuote(
  { quoteId }: { quoteId: string },
  context: RequestContext,
): Promise<OwnedResource | null> {
  return findOwned('quote', fromTypeId('quo', quoteId), context);
}

/** Looks up the reservation that an input names, with its owner. Null if the id is malformed or unknown. */
export function findReservation(
  { reservationId }: { reservationId: string },
  context: RequestContext,
): Promise<OwnedResource | null> {
  return findOwned('reservation', fromTypeId('rsv', reservationId), context);
}

async function findOwned(
  kind: 'quote' | 'reservation',
  id: string | null,
  context: RequestContext,
): Promise<OwnedResource | null> {
  const { credential, queries } = context;
  const owner =
    id === null ? null : await found(context, queries.owner(credential.environmentId, { kind, id }));
  return id !== null && owner ? { ...owner, id } : null;
}
