import { releaseRedemption } from '../../commands/redemptions/release-redemption.ts';
import { widgetActor } from '../../commands/shared/caller.ts';
import { forCustomer } from '../../commands/shared/for-customer.ts';
import { storedReceipt } from '../../commands/shared/receipts.ts';
import type { Receipt } from '../../contract/receipt.ts';
import { fromTypeId, toTypeId } from '../../ids.ts';
import type { CommandDoor } from '../../ledger/command.ts';
import { receiptUnreadable } from '../../ledger/receipts/stored-receipt.ts';
import type { HoldRelease, OwnHold, ReleaseReceipt } from '../../mcp/call-tool.ts';
import type { BoundedQueries } from '../../queries/bounded-queries.ts';
import { isRefusal, type Refusal, refuse, reservationNotFound } from '../../refusal.ts';
import type { Visitor } from './admit-visitor.ts';

/** Whose holds they are, and in which request. */
interface Holder extends Pick<Visitor, 'deployment'> {
  session: NonNullable<Visitor['session']>;
  requestId: string;
}

const sessionOver = refuse('unauthorized', 'The session is over: get a new one for the customer.');

/** The holds of a session's customer in the program of its widget that have not ended; the first to end comes first. */
export async function holdsOf(
  queries: Pick<BoundedQueries, 'memberDetails'>,
  { deployment, session }: Holder,
): Promise<OwnHold[] | Refusal> {
  const details = await queries.memberDetails(session.environmentId, session.externalCustomerId);
  if (details && isRefusal(details)) return details;
  // Another member who has the customer's name by now; one who was merged gets a session in the new name.
  if (details?.member.id !== session.memberId) return sessionOver;
  const profile = details.profiles.find(({ programId }) => programId === deployment.programId);
  return (profile?.holds ?? []).map(({ id, rewardId, rewardName, points, expiresAt }) => ({
    ...{ id: toTypeId('rsv', id), rewardId, rewardName, points },
    expiresAt: expiresAt.toISOString(),
  }));
}

/**
 * Gives the points of one of the customer's own holds back. Refusals: `unauthorized`, `reservation_not_found` also for
 * another's hold and one of another program, and those of `releaseForCustomer`.
 */
export async function releaseHold(
  { queries, commands }: { queries: Pick<BoundedQueries, 'member' | 'owner'>; commands: CommandDoor },
  { holdId, idempotencyKey }: HoldRelease,
  { deployment, session, requestId }: Holder,
): Promise<ReleaseReceipt | Refusal> {
  const { environmentId, externalCustomerId, memberId } = session;
  const view = await queries.member(environmentId, externalCustomerId);
  if (view && isRefusal(view)) return view;
  if (view?.member.id !== memberId) return sessionOver;
  const id = fromTypeId('rsv', holdId);
  const owner = id && (await queries.owner(environmentId, { kind: 'reservation', id }));
  if (owner && isRefusal(owner)) return owner;
  const isOwn =
    owner &&
    owner.externalCustomerId === view.member.externalCustomerId &&
    owner.programId === deployment.programId;
  if (!id || !isOwn) return reservationNotFound;
  const input = {
    idempotencyKey: `${toTypeId('mem', memberId)}:${idempotencyKey}`,
    ...{ reservationId: holdId, reason: 'customer_request' },
  };
  const caller = { environmentId, actor: widgetActor(session), requestId };
  const release = releaseRedemption(input, { ...owner, id }, caller);
  const command = forCustomer('releaseForCustomer', input, externalCustomerId, release, caller);
  if (isRefusal(command)) return command;
  const outcome = await commands.submit(command);
  if (isRefusal(outcome)) return outcome;
  const { reservation } = storedReceipt<Receipt<'releaseRedemption'>>(outcome.receipt);
  if (!reservation) return receiptUnreadable;
  const { state, rewardId, points } = reservation;
  return { idempotent: outcome.idempotent, hold: { id: holdId, state, rewardId, points } };
}
