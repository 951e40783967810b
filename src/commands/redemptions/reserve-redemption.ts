import type { ReserveRedemptionInput } from '../../contract/generated/types.ts';
import { toTypeId } from '../../ids.ts';
import { Book } from '../../ledger/books/book.ts';
import { type HoldChanges, reservationEvent, takenOf, withStock } from '../../ledger/books/holds.ts';
import type { LotAmount } from '../../ledger/books/lot-amounts.ts';
import { settle } from '../../ledger/books/settle.ts';
import { spend } from '../../ledger/books/spend.ts';
import type { AuditEntry, WebhookEvent } from '../../ledger/command.ts';
import type { OwnedResource } from '../../ledger/resource-owner.ts';
import type { State } from '../../ledger/state.ts';
import { isActive } from '../../ledger/tables/members.ts';
import type { QuoteRecord } from '../../ledger/tables/redemption-quotes.ts';
import type { ReservationRecord } from '../../ledger/tables/redemption-reservations.ts';
import { versionAt } from '../../programs/published/published-program.ts';
import { isRefusal, type Refusal, refuse } from '../../refusal.ts';
import { findReward } from '../../rules/rewards.ts';
import { bookedDecision } from '../shared/booked-decision.ts';
import { type Caller, envelope } from '../shared/caller.ts';
import { retryChangedOwner } from '../shared/changed-owner.ts';
import type { CommandOf, DecisionOf } from '../shared/operation-command.ts';
import { presentName } from '../shared/present-name.ts';
import { reservationReceipt } from './redemption-receipt.ts';
import { reservationAudit } from './reservation-command.ts';

/**
 * Holds the points of a quote in the member's lots, soonest-expiring first (specification, GraphQL
 * `reserveRedemption`). Refusals: `quote_not_found`, `member_not_found`, `enrollment_required`,
 * `invalid_redemption_state`, `inventory_exhausted`, `insufficient_points`.
 * @param resource the quote; null where the environment has no such quote
 */
export function reserveRedemption(
  input: ReserveRedemptionInput,
  resource: OwnedResource | null,
  caller: Caller,
): CommandOf<'reserveRedemption'> {
  const common = envelope('reserveRedemption', input, caller);
  if (!resource) return { ...common, laneKey: input.quoteId, subjects: [], decide: quoteNotFound };
  const { id, programId, externalCustomerId, points } = resource;
  return {
    ...common,
    laneKey: externalCustomerId,
    subjects: [
      { kind: 'member', externalCustomerId },
      { kind: 'profile', programId, externalCustomerId },
      { kind: 'quote', id },
      { kind: 'points', programId, externalCustomerId, points },
      ...(resource.rewardId === null
        ? []
        : [{ kind: 'stock', programId, rewardId: resource.rewardId } as const]),
    ],
    decide: (state, now) => decide(resource, state, now),
  };
}

function quoteNotFound(): Refusal<'quote_not_found'> {
  return refuse('quote_not_found', 'This environment has no quote of this id.');
}

function decide(resource: OwnedResource, state: State, now: Date): DecisionOf<'reserveRedemption'> {
  const { programId } = resource;
  const externalCustomerId = presentName(resource.externalCustomerId, state);
  const quote = state.row('quotes', resource.id);
  if (!quote) return quoteNotFound();
  // A merge cancels the open quotes of the account that is merged: the others stay with its id.
  const changed =
    quote.state === 'quoted' && retryChangedOwner(quote.memberId, resource.externalCustomerId, state);
  if (changed) return changed;
  if (!isActive(state.member(externalCustomerId))) {
    return refuse('member_not_found', 'The member of the quote is not active any more.');
  }
  const profile = state.profile(programId, externalCustomerId);
  if (!profile?.enrolled) {
    return refuse('enrollment_required', 'The member is not enrolled in this program any more.');
  }
  const quoteState = quote.state === 'quoted' && quote.expiresAt <= now ? 'expired' : quote.state;
  if (quoteState !== 'quoted') {
    return refuse('invalid_redemption_state', `The quote is ${quoteState}: ask for a new one.`);
  }
  const book = new Book(profile, state, now);
  const settled = settle(book, state.loadedPoints(programId, externalCustomerId), state);
  const held = holdPoints({ quote, book, settled, externalCustomerId, state });
  if (isRefusal(held)) return held;
  const { reservation, changes, audit, webhookEvent } = held;
  return bookedDecision(book, changes, {
    receipt: { reservation: reservationReceipt(reservation, externalCustomerId) },
    inserts: { reservations: [reservation] },
    updates: { quotes: [{ ...quote, state: 'reserved' }] },
    audits: [audit],
    webhookEvents: [webhookEvent],
  });
}

/** A quote whose points are to be held. */
export interface QuotedCase {
  quote: QuoteRecord;
  /** The member's book, settled. */
  book: Book;
  /** What was settled. */
  settled: HoldChanges;
  externalCustomerId: string;
  state: State;
}

/** Points that are held, in the book alone: nothing is written yet. */
export interface HeldPoints {
  reservation: ReservationRecord;
  /** What was taken from each lot. */
  lots: LotAmount[];
  /** What was settled, and the stock. */
  changes: HoldChanges;
  audit: AuditEntry;
  webhookEvent: WebhookEvent;
}

/** Holds the points of a quote. Refusals: `inventory_exhausted`, `insufficient_points`. */
export function holdPoints({
  quote,
  book,
  settled,
  externalCustomerId,
  state,
}: QuotedCase): HeldPoints | Refusal<'insufficient_points' | 'inventory_exhausted'> {
  const { programId, points, rewardId, sourceReference } = quote;
  const stockTaken = takenOf(settled, programId, rewardId, state);
  const limit = presentInventory(quote, state, book.now);
  if (limit !== null && stockTaken >= limit) {
    return refuse('inventory_exhausted', 'Nothing is left of this reward.');
  }
  const { available } = book.profile;
  if (available < points) {
    return refuse(
      'insufficient_points',
      `The member has ${available} available points; the reward costs ${points}.`,
    );
  }
  const entry = book.open({ eventType: 'redemption.reserved', sourceReference });
  const loaded = state.loadedPoints(programId, externalCustomerId);
  const lots = spend(book, entry, loaded, points, 'member.reserved');
  const expiresAt = new Date(book.now.getTime() + quote.terms.holdSeconds * 1000);
  book.noteDue(expiresAt);
  book.setProfile({ lastActivityAt: book.now });
  const reservation = reservationOf(quote, {
    id: state.newId(),
    // The present inventory, not the quoted one: it decides whether the end of the hold gives one back to the stock.
    terms: { ...quote.terms, inventory: limit },
    reserveTransactionId: entry.id,
    reservedAt: book.now,
    expiresAt,
  });
  book.close(entry);
  const changes =
    limit === null ? settled : withStock(settled, { programId, rewardId, taken: stockTaken + 1 });
  const expiry = { expiresAt: expiresAt.toISOString() };
  const transactionId = toTypeId('txn', entry.id);
  return {
    ...{ reservation, lots, changes },
    audit: reservationAudit('redemption.reserved', reservation, { transactionId, ...expiry }),
    webhookEvent: {
      id: entry.id,
      type: 'redemption.reserved',
      data: { ...reservationEvent(reservation, externalCustomerId), ...expiry },
    },
  };
}

/** The new reservation of a quote. */
function reservationOf(
  { id: quoteId, programId, memberId, rewardId, sourceReference, points }: QuoteRecord,
  creation: Pick<ReservationRecord, 'id' | 'terms' | 'reserveTransactionId' | 'reservedAt' | 'expiresAt'>,
): ReservationRecord {
  return {
    ...creation,
    quoteId,
    programId,
    memberId,
    rewardId,
    sourceReference,
    state: 'reserved',
    points,
    commitTransactionId: null,
    transactionId: creation.reserveTransactionId,
    authorizationReference: null,
    reversedMinor: 0,
    reversedPoints: 0,
    reason: null,
    cancellationEvidence: null,
    fulfillmentStatus: null,
    fulfillmentReference: null,
    changedAt: creation.reservedAt,
  };
}

/** The reward's inventory in the version in effect, or as quoted where that has no such reward; null for no limit. */
function presentInventory(
  { programId, rewardId, terms }: QuoteRecord,
  state: State,
  now: Date,
): number | null {
  const program = state.program(programId);
  const version = program && versionAt(program, now);
  const reward = version && findReward(version.document, rewardId);
  return reward ? (reward.inventory ?? null) : terms.inventory;
}
