import type { Named } from '../../../commands/redemptions/reservation-command.ts';
import { fromTypeId } from '../../../ids.ts';
import type { RequestContext } from '../../execution/context.ts';
import { found } from './answer.ts';

/** Null for what cannot be the id of a quote, too: an unknown one. */
export function namedQuote({ quoteId }: { quoteId: string }, context: RequestContext): Promise<Named | null> {
  return named('quote', fromTypeId('quo', quoteId), context);
}

/** Null for what cannot be the id of a reservation, too: an unknown one. */
export function namedReservation(
  { reservationId }: { reservationId: string },
  context: RequestContext,
): Promise<Named | null> {
  return named('reservation', fromTypeId('rsv', reservationId), context);
}

async function named(
  kind: 'quote' | 'reservation',
  id: string | null,
  context: RequestContext,
): Promise<Named | null> {
  const { credential, queries } = context;
  const owner =
    id === null ? null : await found(context, queries.owner(credential.environmentId, { kind, id }));
  return id !== null && owner ? { ...owner, id } : null;
}
