import type {
  Page,
  PurchaseEvaluation,
  Transaction,
  TransactionFilter,
} from '../contract/generated/types.ts';
import type { Connections } from '../db/pool.ts';
import { fromTypeId } from '../ids.ts';
import type { EventType, PostingRecord, TransactionRecord } from '../ledger/records.ts';
import { type PostingRow, postingOf } from '../ledger/redemption-rows.ts';
import { isRefusal, type Refusal } from '../refusal.ts';
import { checkWindow } from './check-window.ts';
import type { Cursors, Position } from './cursors.ts';
import {
  findTransaction,
  firstPostings,
  listTransactions,
  type RowPosition,
  type TransactionCriteria,
} from './transaction-statements.ts';
import { MOST_POSTINGS_SHOWN, transactionView } from './transaction-view.ts';

/** Longest window of a list. */
const WINDOW_DAYS = 366;

/** Most postings that are read for a page: it ends before the first transaction whose postings are not all among them. */
const MOST_POSTINGS_OF_A_PAGE = 1_000;

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
  /** Of a list: another one follows. */
  more: boolean;
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
  const [view] = await withEntries(connections, environmentId, rows, selection);
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
  const data = await withEntries(connections, environmentId, rows, selection);
  const last = rows[data.length - 1];
  const hasMore = last?.more ?? false;
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

/**
 * The transactions with their entries where those are asked for: as many of the first ones as have all their postings
 * read. Postings never change, so a statement of their own sees the same as the one before it.
 */
async function withEntries(
  connections: Connections,
  environmentId: string,
  rows: readonly TransactionRow[],
  { entries }: TransactionSelection,
): Promise<Transaction[]> {
  if (!entries || rows.length === 0) return rows.map((row) => viewOf(row, []));
  const ids = rows.map((row) => row.id);
  // One more of each than it shows says that there are more.
  const statement = firstPostings(environmentId, ids, MOST_POSTINGS_SHOWN + 1, MOST_POSTINGS_OF_A_PAGE);
  const postings = (await connections.query<PostingRow>(statement)).rows.map(postingOf);
  const last = postings.length === MOST_POSTINGS_OF_A_PAGE ? postings.at(-1) : undefined;
  const whole = last ? rows.slice(0, ids.indexOf(last.transactionId)) : rows;
  const byTransaction = Map.groupBy(postings, (posting) => posting.transactionId);
  return whole.map((row) => viewOf(row, byTransaction.get(row.id) ?? []));
}

function viewOf(row: TransactionRow, postings: readonly PostingRecord[]): Transaction {
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
    row.receipt,
  );
}
