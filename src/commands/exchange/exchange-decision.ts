import { toTypeId } from '../../ids.ts';
import { Book } from '../../ledger/books/book.ts';
import type { HoldChanges } from '../../ledger/books/holds.ts';
import { settle } from '../../ledger/books/settle.ts';
import type { Decision, Subject, WebhookEvent } from '../../ledger/command.ts';
import type { State } from '../../ledger/state.ts';
import type { SettlementRecord } from '../../ledger/tables/exchange-settlements.ts';
import type { MemberRecord } from '../../ledger/tables/members.ts';
import { type Refusal, refuse } from '../../refusal.ts';
import { bookedDecision, type OwnDecision } from '../shared/booked-decision.ts';
import type { Keyed } from '../shared/caller.ts';
import { refuseErased } from '../shared/refuse-erased.ts';

/** What the input of every command of the exchange with partners names. */
export interface ExchangeInput extends Keyed {
  /** Names this settlement, or this reversal, once in the environment. */
  settlementReference: string;
  programId: string;
  externalCustomerId: string;
}

/** The receipt of a settlement or of a reversal. */
export interface ExchangeReceipt {
  exchange: {
    settlementReference: string;
    /** TypeID. */
    transactionId: string;
    programId: string;
    partnerId: string;
    direction: SettlementRecord['direction'];
    points: number;
    /** Null for a settlement that is not a reversal. */
    reverses: string | null;
  };
}

/** The rows that a command of the exchange locks and loads. @param points that it may spend */
export function exchangeSubjects(
  { settlementReference, programId, externalCustomerId }: ExchangeInput,
  points: number,
): Subject[] {
  return [
    { kind: 'member', externalCustomerId },
    { kind: 'profile', programId, externalCustomerId },
    { kind: 'exchangeSettlement', settlementReference },
    { kind: 'points', programId, externalCustomerId, points },
  ];
}

/** Refuses a reference that an earlier settlement or reversal has, under whichever idempotency key. */
export function refuseRecorded(
  { settlementReference }: ExchangeInput,
  state: State,
): Refusal<'source_reference_conflict'> | null {
  const earlier = state.row('exchangeSettlements', settlementReference);
  if (!earlier)
    return refuseErased('source_reference_conflict', state, 'exchangeSettlement', settlementReference);
  return refuse(
    'source_reference_conflict',
    `This settlementReference is recorded already: ${toTypeId('txn', earlier.transactionId)}.`,
  );
}

/** Refuses where the member is not enrolled in the program: the exchange with partners is gated, in both directions. */
export function refuseOutsider(
  { programId, externalCustomerId }: ExchangeInput,
  state: State,
): Refusal<'enrollment_required'> | null {
  if (state.profile(programId, externalCustomerId)?.enrolled) return null;
  return refuse('enrollment_required', 'The member is not enrolled in this program.');
}

/** The book of the member's profile, in which everything that is due by now has been settled. */
export interface SettledBook {
  book: Book;
  settled: HoldChanges;
}

export function settledBook(
  { programId, externalCustomerId }: ExchangeInput,
  state: State,
  now: Date,
): SettledBook {
  const profile = state.profile(programId, externalCustomerId);
  if (!profile) throw new Error(`no profile of ${externalCustomerId} in ${programId}`);
  const book = new Book(profile, state, now);
  return { book, settled: settle(book, state.loadedPoints(programId, externalCustomerId), state) };
}

/** What was posted for a settlement or a reversal, and what is recorded of it. */
interface Posted extends SettledBook {
  member: MemberRecord;
  /** The settlement or the reversal. */
  record: SettlementRecord;
  updates?: OwnDecision['updates'];
  /** Events besides the one of the settlement or the reversal. */
  webhookEvents?: readonly WebhookEvent[];
}

/** The decision that writes a settlement, or a reversal, with its audit entry and its events. */
export function exchangeDecision({
  book,
  settled,
  member,
  record,
  updates = {},
  webhookEvents = [],
}: Posted): Decision<ExchangeReceipt> {
  const type = record.reverses === null ? 'exchange.settled' : 'exchange.reversed';
  const receipt = exchangeReceipt(record);
  const { transactionId, settlementReference, reverses, ...exchanged } = receipt.exchange;
  const data = {
    transactionId,
    memberId: toTypeId('mem', member.id),
    externalCustomerId: member.externalCustomerId,
    settlementReference,
    ...exchanged,
    ...(reverses !== null && { reverses }),
  };
  return bookedDecision(book, settled, {
    receipt,
    inserts: { exchangeSettlements: [record] },
    updates,
    audits: [{ action: type, targetType: 'transaction', targetId: transactionId, changes: exchanged }],
    webhookEvents: [...webhookEvents, { type, data }],
  });
}

function exchangeReceipt(record: SettlementRecord): ExchangeReceipt {
  const { settlementReference, transactionId, programId, partnerId, direction, points, reverses } = record;
  return {
    exchange: {
      settlementReference,
      transactionId: toTypeId('txn', transactionId),
      programId,
      partnerId,
      direction,
      points,
      reverses,
    },
  };
}
