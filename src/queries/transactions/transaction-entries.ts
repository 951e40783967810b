import type { LedgerEntry } from '../../contract/generated/types.ts';
import { fromTypeId } from '../../ids.ts';
import type { PostingRecord } from '../../ledger/tables/postings.ts';
import { isRefusal, type Refusal, transactionNotFound } from '../../refusal.ts';
import type { ListAccess, Listed, PageRequest } from '../shared/listed.ts';
import { postingsFrom } from './transaction-statements.ts';
import { entryViews } from './transaction-view.ts';

/** A posting, or a transaction that has none. */
type Row = PostingRecord | { line: null };

/**
 * Lists the entries of one transaction, in the order of its postings, the debit of each before its credit.
 * @param id the public id, as a client sends it
 * @returns refusals: `transaction_not_found`, `invalid_cursor`
 */
export async function listOfEntries(
  { connections, cursors, environmentId }: ListAccess,
  id: string,
  { limit, cursor }: PageRequest,
): Promise<Listed<LedgerEntry> | Refusal> {
  const transactionId = fromTypeId('txn', id);
  if (transactionId === null) return transactionNotFound;
  const identity = { environmentId, list: 'transactionEntries', filter: { transactionId } };
  const after = await cursors.read(identity, cursor);
  if (after && isRefusal(after)) return after;
  // The previous page ended with an entry of this line: with its credit, or with its debit, between the two entries.
  const [line, direction] = after ? [Number(after[0]), after[1]] : [0, 'credit'];
  // Enough for one entry more than the page has, and for the debit that the previous page may have shown.
  const mostPostings = Math.ceil((limit + 2) / 2);
  const from = direction === 'credit' ? line + 1 : line;
  const { rows } = await connections.query<Row>(
    postingsFrom(environmentId, transactionId, from, mostPostings),
  );
  if (rows.length === 0) return transactionNotFound;
  const entries = rows.flatMap((row) =>
    row.line === null ? [] : entryViews(row).map((entry) => ({ line: row.line, entry })),
  );
  const following = direction === 'credit' ? entries : entries.slice(1);
  const shown = following.slice(0, limit);
  const last = shown.at(-1);
  const hasMore = following.length > limit;
  const nextCursor =
    hasMore && last ? await cursors.write(identity, [String(last.line), last.entry.direction]) : null;
  return { data: shown.map(({ entry }) => entry), page: { nextCursor, hasMore } };
}
