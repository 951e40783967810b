import type {
  LedgerEntry,
  PurchaseEvaluation,
  Transaction,
  TransactionType,
} from '../../contract/generated/types.ts';
import { toTypeId } from '../../ids.ts';
import { entriesOf } from '../../ledger/books/posting.ts';
import { UnreadableReceipt } from '../../ledger/receipts/stored-receipt.ts';
import type { PostingRecord } from '../../ledger/tables/postings.ts';
import type { EventType, TransactionRecord } from '../../ledger/tables/transactions.ts';

/** The highest number of postings that a transaction is shown with: 200 entries. */
export const MOST_POSTINGS_SHOWN = 100;

/** The type that a transaction is shown with, by its event type. */
export const TYPE_OF: Readonly<Record<EventType, TransactionType>> = {
  'purchase.completed': 'purchase',
  'order.returned': 'return',
  'challenge.awarded': 'challenge',
  'referral.awarded': 'referral',
  'points.activated': 'points',
  'points.expired': 'points',
  'redemption.reserved': 'redemption',
  'redemption.committed': 'redemption',
  'redemption.released': 'redemption',
  'redemption.expired': 'redemption',
  'redemption.reversed': 'redemption',
  'adjustment.posted': 'adjustment',
  'adjustment.reversed': 'adjustment',
  'exchange.settled': 'exchange',
  'exchange.reversed': 'exchange',
  'member.merged': 'points',
  'member.unmerged': 'points',
};

/**
 * A transaction as reads show it (SDL type Transaction), each posting as its two entries.
 * @param postings the first postings; more than `MOST_POSTINGS_SHOWN` where there are more
 */
export function transactionView(
  transaction: Omit<TransactionRecord, 'memberId' | 'receipt'>,
  externalCustomerId: string,
  postings: readonly PostingRecord[],
  /** The receipt of a purchase; null for every other transaction, and where it was not read. */
  receipt: PurchaseEvaluation | UnreadableReceipt | null,
): Transaction {
  return {
    id: toTypeId('txn', transaction.id),
    type: TYPE_OF[transaction.eventType],
    eventType: transaction.eventType,
    programId: transaction.programId,
    externalCustomerId,
    sourceReference: transaction.sourceReference,
    state: transaction.state,
    points: transaction.points,
    occurredAt: transaction.occurredAt.toISOString(),
    createdAt: transaction.createdAt.toISOString(),
    reversalOf: transaction.reversalOf && toTypeId('txn', transaction.reversalOf),
    reversedBy: transaction.reversedBy && toTypeId('txn', transaction.reversedBy),
    entries: postings.slice(0, MOST_POSTINGS_SHOWN).flatMap(entryViews),
    hasMoreEntries: postings.length > MOST_POSTINGS_SHOWN,
    evaluation: receipt && !(receipt instanceof UnreadableReceipt) ? evaluationOf(receipt) : null,
    evaluationUnreadable: receipt instanceof UnreadableReceipt,
  };
}

/** The two entries of a posting as reads show them (SDL type LedgerEntry), the debit first. */
export function entryViews(posting: PostingRecord): LedgerEntry[] {
  return entriesOf(posting).map((entry) => ({
    ...entry,
    lotId: entry.lotId && toTypeId('lot', entry.lotId),
  }));
}

/** The part of a receipt that the contract shows, without the evidence. */
function evaluationOf(receipt: PurchaseEvaluation): PurchaseEvaluation {
  const {
    award,
    evaluationMode,
    evaluationAt,
    configurationVersion,
    loyaltyUnitPrecision,
    ruleDecisions,
    lines,
  } = receipt;
  return {
    award,
    evaluationMode,
    evaluationAt,
    configurationVersion,
    loyaltyUnitPrecision,
    ruleDecisions,
    lines: lines ?? null,
  };
}
