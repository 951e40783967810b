import type { PurchaseEvaluation, Transaction, TransactionFilter } from '../../contract/generated/types.ts';
import { readTime } from '../../db/environment-time.ts';
import type { Connections } from '../../db/pool.ts';
import { fromTypeId } from '../../ids.ts';
import { LONGEST_TEMPLATE } from '../../ledger/receipts/pack-receipts.ts';
import { templateOf, UnreadableReceipt } from '../../ledger/receipts/stored-receipt.ts';
import type { PostingRecord } from '../../ledger/tables/postings.ts';
import type { EventType, TransactionRecord } from '../../ledger/tables/transactions.ts';
import { isRefusal, type Refusal } from '../../refusal.ts';
import { checkWindow } from '../shared/check-window.ts';
import type { Position } from '../shared/cursors.ts';
import { type ListAccess, type Listed, MOST_PAGE_BYTES, type PageRequest } from '../shared/listed.ts';
import { receiptReader } from './receipt-reader.ts';
import {
  findTransaction,
  firstPostings,
  listTransactions,
  type RowPosition,
  receiptsOf,
  type TransactionCriteria,
} from './transaction-statements.ts';
import { MOST_POSTINGS_SHOWN, transactionView } from './transaction-view.ts';

/** The longest window of a list, in days. */
const WINDOW_DAYS = 366;

/**
 * The highest number of postings that are read for a page. The page ends before the first transaction whose postings
 * may not all be among them.
 */
const MOST_POSTINGS_OF_A_PAGE = 1_000;

/** Which parts of transactions the caller asks for. The others are not read. */
export interface TransactionSelection {
  entries: boolean;
  evaluation: boolean;
}

/** A read of transactions. */
export interface TransactionRead extends TransactionSelection {
  /** Called with each receipt that cannot be read. The others of the page are shown all the same. */
  onUnreadable?(error: UnreadableReceipt): void;
}

interface TransactionRow {
  id: string;
  program_id: string;
  member_id: string;
  external_customer_id: string;
  event_type: EventType;
  source_reference: string | null;
  state: TransactionRecord['state'];
  points: number;
  occurred_at: Date;
  created_at: Date;
  /** The time of creation, to the microsecond. */
  created_at_text: string;
  reversal_of: string | null;
  reversed_by: string | null;
  /** As it is stored. */
  receipt: object | null;
  /** The size of the receipt, whether it was read with the row or not; 0 where its size is not needed. */
  receipt_bytes: number;
}

/**
 * Reads one transaction.
 * @param id the public id, as a client sends it
 * @returns null where the environment has no such transaction
 */
export async function readTransaction(
  connections: Connections,
  environmentId: string,
  id: string,
  selection: TransactionRead,
): Promise<Transaction | null> {
  const uuid = fromTypeId('txn', id);
  if (uuid === null) return null;
  const { rows } = await connections.query<TransactionRow>(
    findTransaction(environmentId, uuid, selection.evaluation),
  );
  const [view] = await viewsOf(connections, environmentId, rows, selection);
  return view ?? null;
}

/**
 * Lists transactions, newest first (decisions, "Lists"). The list of an unknown program or customer is empty. A page is
 * limited in transactions, in postings and in bytes of receipts, and has at least one transaction where there is one.
 * @returns refusals: `invalid_window`, `invalid_cursor`
 */
export async function listOfTransactions(
  { connections, cursors, environmentId }: ListAccess,
  filter: TransactionFilter,
  { limit, cursor }: PageRequest,
  selection: TransactionRead,
): Promise<Listed<Transaction> | Refusal> {
  const criteria = criteriaOf(filter);
  const refusal =
    criteria.from && checkWindow(criteria, WINDOW_DAYS, await readTime(connections, environmentId));
  if (refusal) return refusal;
  const identity = { environmentId, list: 'transactions', filter: { ...criteria } };
  const after = await cursors.read(identity, cursor);
  if (after && isRefusal(after)) return after;
  const { rows } = await connections.query<TransactionRow>(
    listTransactions(environmentId, criteria, after && rowPosition(after), limit, selection.evaluation),
  );
  const fitting = untilHeavy(rows.slice(0, limit));
  const data = await viewsOf(connections, environmentId, fitting, selection);
  const last = fitting[data.length - 1];
  const hasMore = data.length < rows.length;
  const nextCursor = last && hasMore ? await cursors.write(identity, [last.created_at_text, last.id]) : null;
  return { data, page: { nextCursor, hasMore } };
}

function rowPosition([at = '', id = '']: Position): RowPosition {
  return { at, id };
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

/** The first rows, up to and including the one with which their receipts reach `MOST_PAGE_BYTES`. */
function untilHeavy(rows: readonly TransactionRow[]): readonly TransactionRow[] {
  let bytes = 0;
  const end = rows.findIndex((row) => {
    bytes += row.receipt_bytes + (templateOf(row.receipt) === null ? 0 : LONGEST_TEMPLATE);
    return bytes >= MOST_PAGE_BYTES;
  });
  return end === -1 ? rows : rows.slice(0, end + 1);
}

/**
 * The transactions of the first rows, with their entries where the selection has them. It stops before the first
 * transaction whose postings were not all read. Postings and receipts never change, so they can be read by later
 * statements outside a common snapshot.
 */
async function viewsOf(
  connections: Connections,
  environmentId: string,
  rows: readonly TransactionRow[],
  { entries, evaluation: asked, onUnreadable }: TransactionRead,
): Promise<Transaction[]> {
  const { completeRows, postings } = entries
    ? await withPostings(connections, environmentId, rows)
    : { completeRows: rows, postings: new Map<string, PostingRecord[]>() };
  const heavy = await heavyReceipts(connections, environmentId, completeRows);
  const stored = completeRows.map((row) => row.receipt ?? heavy.get(row.id) ?? null);
  const complete = await receiptReader(connections, environmentId, stored);
  return completeRows.map((row, index) => {
    const { id, member_id: memberId, points, created_at: createdAt, occurred_at: occurredAt } = row;
    const receipt = stored[index] ?? null;
    const evaluation =
      asked && row.event_type === 'purchase.completed'
        ? complete(receipt, { id, memberId, points, createdAt, occurredAt })
        : null;
    if (evaluation instanceof UnreadableReceipt) onUnreadable?.(evaluation);
    return viewOf(row, postings.get(id) ?? [], evaluation);
  });
}

async function withPostings(
  connections: Connections,
  environmentId: string,
  rows: readonly TransactionRow[],
): Promise<{ completeRows: readonly TransactionRow[]; postings: Map<string, PostingRecord[]> }> {
  if (rows.length === 0) return { completeRows: rows, postings: new Map() };
  const ids = rows.map((row) => row.id);
  // One posting more than is shown, of each transaction, tells that there are more.
  const statement = firstPostings(environmentId, ids, MOST_POSTINGS_SHOWN + 1, MOST_POSTINGS_OF_A_PAGE);
  const { rows: postingRows } = await connections.query<PostingRecord>(statement);
  const last = postingRows.length === MOST_POSTINGS_OF_A_PAGE ? postingRows.at(-1) : undefined;
  return {
    completeRows: last ? rows.slice(0, ids.indexOf(last.transactionId)) : rows,
    postings: Map.groupBy(postingRows, (posting) => posting.transactionId),
  };
}

/** Reads the receipts that were too large to be read with their rows. */
async function heavyReceipts(
  connections: Connections,
  environmentId: string,
  rows: readonly TransactionRow[],
): Promise<Map<string, object>> {
  const missing = rows.filter((row) => row.receipt === null && row.receipt_bytes > 0);
  if (missing.length === 0) return new Map();
  const statement = receiptsOf(
    environmentId,
    missing.map((row) => row.id),
  );
  const { rows: receiptRows } = await connections.query<{ id: string; receipt: object }>(statement);
  return new Map(receiptRows.map(({ id, receipt }) => [id, receipt]));
}

function viewOf(
  row: TransactionRow,
  postings: readonly PostingRecord[],
  receipt: PurchaseEvaluation | UnreadableReceipt | null,
): Transaction {
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
    postings,
    receipt,
  );
}
