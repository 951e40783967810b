import type { PurchaseEvaluation, Transaction, TransactionType } from '../../contract/generated/types.ts';
import { toTypeId } from '../../ids.ts';
import { entriesOf } from '../../ledger/books/posting.ts';
import type { PostingRecord } from '../../ledger/tables/postings.ts';
import type { EventType, TransactionRecord } from '../../ledger/tables/transactions.ts';

const TYPE_OF: Readonly<Record<EventType, TransactionType>> = {
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
};

/** A transaction as reads show it (SDL type Transaction), each posting as its two entries. */
export function transactionView(
  transaction: Omit<TransactionRecord, 'memberId' | 'receipt'>,
  externalCustomerId: string,
  postings: readonly PostingRecord[],
  /** What a purchase was answered with; null for everything else. */
  receipt: PurchaseEvaluation | null,
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
    entries: postings.flatMap(entriesOf).map((entry) => ({
      ...entry,
      lotId: entry.lotId && toTypeId('lot', entry.lotId),
    })),
    evaluation: receipt && evaluationOf(receipt),
  };
}

/** Out of the receipt only what the contract shows: its evidence stays inside. */
function evaluationOf(receipt: PurchaseEvaluation): PurchaseEvaluation {
  const { award, evaluationMode, evaluationAt, configurationVersion, loyaltyUnitPrecision, ruleDecisions } =
    receipt;
  return { award, evaluationMode, evaluationAt, configurationVersion, loyaltyUnitPrecision, ruleDecisions };
}
