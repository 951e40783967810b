import type { ClientBase } from 'pg';
import { inOneWrite } from '../db/in-one-write.ts';
import {
  challengeProgressTable,
  choiceClaimsTable,
  choiceGrantsTable,
  customEventsTable,
  sharedCountersTable,
} from './engagement-tables.ts';
import { lotExpiryChangesTable } from './lot-expiry-changes.ts';
import type { AuditRecord } from './records.ts';
import {
  adjustmentsTable,
  disputesTable,
  quotesTable,
  reservationsTable,
  stocksTable,
} from './redemption-tables.ts';
import type { Statement } from './table.ts';
import {
  auditTable,
  consentsTable,
  idempotencyTable,
  limitCountersTable,
  lotsTable,
  membersTable,
  ordersTable,
  postingsTable,
  profilesTable,
  returnsTable,
  reverseTransactions,
  transactionsTable,
} from './tables.ts';
import type { WorkingSet } from './working-set.ts';

/** The statements that write a batch, one a table, parents before children. Empty where nothing changed. */
export function flushStatements(working: WorkingSet, audits: readonly AuditRecord[]): Statement[] {
  const environmentId = working.environment.id;
  const statements: Statement[] = [];
  const add = <R>(
    rows: ReadonlyMap<string, R> | readonly R[],
    statement: (environmentId: string, rows: Iterable<R>) => Statement,
  ): void => {
    if ('size' in rows) {
      if (rows.size > 0) statements.push(statement(environmentId, rows.values()));
    } else if (rows.length > 0) statements.push(statement(environmentId, rows));
  };
  add(working.members.inserted, membersTable.insert);
  add(working.profiles.inserted, profilesTable.insert);
  add(working.profiles.updated, profilesTable.update);
  add(working.consents, consentsTable.insert);
  add(working.transactions, transactionsTable.insert);
  add(working.lots.inserted, lotsTable.insert);
  add(working.lots.updated, lotsTable.update);
  add(working.lotExpiryChanges, lotExpiryChangesTable.insert);
  add(working.postings, postingsTable.insert);
  add(working.orders.inserted, ordersTable.insert);
  add(working.orders.updated, ordersTable.update);
  if (working.reversedTransactions.length > 0) {
    statements.push(reverseTransactions(environmentId, working.reversedTransactions));
  }
  add(working.returns.inserted, returnsTable.insert);
  add(working.quotes.inserted, quotesTable.insert);
  add(working.quotes.updated, quotesTable.update);
  add(working.reservations.inserted, reservationsTable.insert);
  add(working.reservations.updated, reservationsTable.update);
  add(working.disputes.inserted, disputesTable.insert);
  add(working.disputes.updated, disputesTable.update);
  add(working.stocks.inserted, stocksTable.insert);
  add(working.stocks.updated, stocksTable.update);
  add(working.sharedCounters.inserted, sharedCountersTable.insert);
  add(working.sharedCounters.updated, sharedCountersTable.update);
  add(working.customEvents.inserted, customEventsTable.insert);
  add(working.challengeProgressRows.inserted, challengeProgressTable.insert);
  add(working.challengeProgressRows.updated, challengeProgressTable.update);
  add(working.grants.inserted, choiceGrantsTable.insert);
  add(working.grants.updated, choiceGrantsTable.update);
  add(working.claims.inserted, choiceClaimsTable.insert);
  add(working.adjustments.inserted, adjustmentsTable.insert);
  add(working.adjustments.updated, adjustmentsTable.update);
  add(working.limitCounters.inserted, limitCountersTable.insert);
  add(working.limitCounters.updated, limitCountersTable.update);
  add(working.idempotency.inserted, idempotencyTable.insert);
  add(audits, auditTable.insert);
  return statements;
}

/**
 * Sends the statements together and then COMMIT, and waits for all of them.
 * @throws the first failure; and where the server answered COMMIT with a rollback
 */
export async function commitWith(client: ClientBase, statements: readonly Statement[]): Promise<void> {
  const [committed, sent] = inOneWrite(client, () => {
    const queries = statements.map((statement) => client.query(statement));
    return [client.query('commit'), queries];
  });
  const results = await Promise.allSettled([...sent, committed]);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
  if ((await committed).command !== 'COMMIT') throw new Error('the server rolled the batch back at COMMIT');
}
