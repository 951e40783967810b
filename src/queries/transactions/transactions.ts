import type { Pool } from 'pg';
import type {
  Page,
  PurchaseEvaluation,
  Transaction,
  TransactionFilter,
} from '../../contract/generated/types.ts';
import { fromTypeId } from '../../ids.ts';
import { type PostingRecord, postings } from '../../ledger/tables/postings.ts';
import type { EventType, TransactionRecord } from '../../ledger/tables/transactions.ts';
import { isRefusal, type Refusal } from '../../refusal.ts';
import { checkWindow } from '../shared/check-window.ts';
import type { Cursors } from '../shared/cursors.ts';
import { findTransaction, listTransactions, type TransactionCriteria } from './transaction-statements.ts';
import { transactionView } from './transaction-view.ts';

/** Longest window of a list. */
const WINDOW_DAYS = 366;

/** One page of a list. */
export interface Listed<Item> {
  data: Item[];
  page: Page;
}

interface TransactionRow {
  id: string;
  program_id: string;
  external_customer_id: string;
  event_type: EventType;
  source_reference: string | null;
  state: TransactionRecord['state'];
  points: number;
  occurred_at: Date;
  created_at: Date;
  /** To the microsecond. */
  created_at_text: string;
  reversal_of: string | null;
  reversed_by: string | null;
  receipt: PurchaseEvaluation | null;
}

/** Reads one transaction. @param id as a client sends it; @returns null for one that the environment does not have */
export async function readTransaction(
  pool: Pool,
  environmentId: string,
  id: string,
): Promise<Transaction | null> {
  const uuid = fromTypeId('txn', id);
  if (uuid === null) return null;
  const { rows } = await pool.query<TransactionRow>(findTransaction(environmentId, uuid));
  const [view] = await withEntries(pool, environmentId, rows);
  return view ?? null;
}

/**
 * Lists transactions, newest first (decisions, "Lists"). An unknown program or customer has none.
 * @param limit 1 to 200
 * @returns refusals: `invalid_window`, `invalid_cursor`
 */
export async function listOfTransactions(
  pool: Pool,
  cursors: Cursors,
  environmentId: string,
  filter: TransactionFilter,
  limit: number,
  cursor: string | null,
): Promise<Listed<Transaction> | Refusal> {
  const criteria = criteriaOf(filter);
  const refusal = checkWindow(criteria, WINDOW_DAYS, await presentFor(pool, criteria.from));
  if (refusal) return refusal;
  const identity = { environmentId, list: 'transactions', filter: { ...criteria } };
  const after = cursor === null ? null : await cursors.read(identity, cursor);
  if (after && isRefusal(after)) return after;
  const { rows } = await pool.query<TransactionRow>(listTransactions(environmentId, criteria, after, limit));
  const shown = rows.slice(0, limit);
  const hasMore = rows.length > limit;
  const last = shown.at(-1);
  const [data, nextCursor] = await Promise.all([
    withEntries(pool, environmentId, shown),
    hasMore && last ? cursors.write(identity, { at: last.created_at_text, id: last.id }) : null,
  ]);
  return { data, page: { nextCursor, hasMore } };
}

function criteriaOf(filter: TransactionFilter): TransactionCriteria {
  return {
    sourceReference: filter.sourceReference ?? null,
    programId: filter.programId ?? null,
    externalCustomerId: filter.externalCustomerId ?? null,
    eventType: filter.eventType ?? null,
    state: filter.state ?? null,
    from: filter.from ? new Date(filter.from) : null,
    to: filter.to ? new Date(filter.to) : null,
  };
}

/** The present, as the database has it where our own clock would refuse the window. */
async function presentFor(pool: Pool, from: Date | null): Promise<Date> {
  const here = new Date();
  if (!from || from <= here) return here;
  const { rows } = await pool.query<{ now: Date }>('select clock_timestamp() as now');
  return rows[0]?.now ?? here;
}

/** Postings never change, so a statement of their own sees the same as the one before it. */
async function withEntries(
  pool: Pool,
  environmentId: string,
  rows: readonly TransactionRow[],
): Promise<Transaction[]> {
  if (rows.length === 0) return [];
  const wanted = rows.map(({ id }) => ({ kind: 'transaction', transactionId: id }) as const);
  const found = await pool.query<PostingRecord>(
    postings.lookUp('load_postings').statement(environmentId, wanted),
  );
  const byTransaction = Map.groupBy(found.rows, (posting) => posting.transactionId);
  return rows.map((row) => viewOf(row, byTransaction.get(row.id) ?? []));
}

function viewOf(row: TransactionRow, ofTransaction: readonly PostingRecord[]): Transaction {
  return transactionView(
    {
      id: row.id,
      programId: row.program_id,
      eventType: row.event_type,
      sourceReference: row.source_reference,
      state: row.state,
      points: row.points,
      occurredAt: row.occurred_at,
      createdAt: row.created_at,
      reversalOf: row.reversal_of,
      reversedBy: row.reversed_by,
    },
    row.external_customer_id,
    ofTransaction,
    row.receipt,
  );
}
