import type {
  Page,
  PurchaseEvaluation,
  Transaction,
  TransactionFilter,
} from '../../contract/generated/types.ts';
import type { Connections } from '../../db/pool.ts';
import { fromTypeId } from '../../ids.ts';
import type { PostingRecord } from '../../ledger/tables/postings.ts';
import type { EventType, TransactionRecord } from '../../ledger/tables/transactions.ts';
import { isRefusal, type Refusal } from '../../refusal.ts';
import { checkWindow } from '../shared/check-window.ts';
import type { Cursors, Position } from '../shared/cursors.ts';
import {
  findTransaction,
  firstPostings,
  listTransactions,
  type RowPosition,
  receiptsOf,
  type TransactionCriteria,
} from './transaction-statements.ts';
import { MOST_POSTINGS_SHOWN, transactionView } from './transaction-view.ts';

/** Longest window of a list. */
const WINDOW_DAYS = 366;

/**
 * Most postings that are read for a page: it ends before the first transaction whose postings are not all among them.
 */
const MOST_POSTINGS_OF_A_PAGE = 1_000;

/** A page ends with the transaction whose receipt brings it to so many bytes. */
const MOST_RECEIPT_BYTES = 1_048_576;

/** What of transactions is read: nothing is that nobody asks for. */
export interface TransactionSelection {
  entries: boolean;
  evaluation: boolean;
}

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
  /** Of the receipt, whether it has come with the row or is still to be read. */
  receipt_bytes: number;
}

/** Reads one transaction. @param id as a client sends it; @returns null for one that the environment does not have */
export async function readTransaction(
  connections: Connections,
  environmentId: string,
  id: string,
  selection: TransactionSelection,
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
 * Lists transactions, newest first (decisions, "Lists"). An unknown program or customer has none. A page is bounded in
 * records, in postings and in bytes of receipts, and holds at least one transaction where there is one.
 * @param limit 1 to 200
 * @returns refusals: `invalid_window`, `invalid_cursor`
 */
export async function listOfTransactions(
  connections: Connections,
  cursors: Cursors,
  environmentId: string,
  filter: TransactionFilter,
  limit: number,
  cursor: string | null,
  selection: TransactionSelection,
): Promise<Listed<Transaction> | Refusal> {
  const criteria = criteriaOf(filter);
  const refusal = checkWindow(criteria, WINDOW_DAYS, await presentFor(connections, criteria.from));
  if (refusal) return refusal;
  const identity = { environmentId, list: 'transactions', filter: { ...criteria } };
  const after = cursor === null ? null : await cursors.read(identity, cursor);
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

/** The present, as the database has it where our own clock would refuse the window. */
async function presentFor(connections: Connections, from: Date | null): Promise<Date> {
  const here = new Date();
  if (!from || from <= here) return here;
  const { rows } = await connections.query<{ now: Date }>({
    name: 'present',
    text: 'select clock_timestamp() as now',
    values: [],
  });
  return rows[0]?.now ?? here;
}

/** The first rows, up to the one with which their receipts come to `MOST_RECEIPT_BYTES`. */
function untilHeavy(rows: readonly TransactionRow[]): readonly TransactionRow[] {
  let bytes = 0;
  const end = rows.findIndex((row) => {
    bytes += row.receipt_bytes;
    return bytes >= MOST_RECEIPT_BYTES;
  });
  return end === -1 ? rows : rows.slice(0, end + 1);
}

/**
 * The transactions with their entries where those are asked for: as many of the first ones as have all their postings
 * read. Neither postings nor receipts ever change, so statements of their own see the same as the one before them.
 */
async function viewsOf(
  connections: Connections,
  environmentId: string,
  rows: readonly TransactionRow[],
  { entries }: TransactionSelection,
): Promise<Transaction[]> {
  const { whole, postings } = entries
    ? await withPostings(connections, environmentId, rows)
    : { whole: rows, postings: new Map<string, PostingRecord[]>() };
  const receipts = await heavyReceipts(connections, environmentId, whole);
  return whole.map((row) =>
    viewOf(row, postings.get(row.id) ?? [], row.receipt ?? receipts.get(row.id) ?? null),
  );
}

async function withPostings(
  connections: Connections,
  environmentId: string,
  rows: readonly TransactionRow[],
): Promise<{ whole: readonly TransactionRow[]; postings: Map<string, PostingRecord[]> }> {
  if (rows.length === 0) return { whole: rows, postings: new Map() };
  const ids = rows.map((row) => row.id);
  // One more of each than it shows says that there are more.
  const statement = firstPostings(environmentId, ids, MOST_POSTINGS_SHOWN + 1, MOST_POSTINGS_OF_A_PAGE);
  const { rows: found } = await connections.query<PostingRecord>(statement);
  const last = found.length === MOST_POSTINGS_OF_A_PAGE ? found.at(-1) : undefined;
  return {
    whole: last ? rows.slice(0, ids.indexOf(last.transactionId)) : rows,
    postings: Map.groupBy(found, (posting) => posting.transactionId),
  };
}

/** The receipts that have not come with their rows. */
async function heavyReceipts(
  connections: Connections,
  environmentId: string,
  rows: readonly TransactionRow[],
): Promise<Map<string, PurchaseEvaluation>> {
  const missing = rows.filter((row) => row.receipt === null && row.receipt_bytes > 0);
  if (missing.length === 0) return new Map();
  const statement = receiptsOf(
    environmentId,
    missing.map((row) => row.id),
  );
  const { rows: found } = await connections.query<{ id: string; receipt: PurchaseEvaluation }>(statement);
  return new Map(found.map(({ id, receipt }) => [id, receipt]));
}

function viewOf(
  row: TransactionRow,
  postings: readonly PostingRecord[],
  receipt: PurchaseEvaluation | null,
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
