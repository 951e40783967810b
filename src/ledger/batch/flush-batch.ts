import type { ClientBase } from 'pg';
import { ADMIN_CHANNEL } from '../../auth/admin-notices.ts';
import { inOneWrite } from '../../db/in-one-write.ts';
import type { Statement } from '../../db/statement.ts';
import { TABLE_LIST } from '../tables/all-tables.ts';
import { writeClock } from '../tables/environments.ts';
import type { RowSet } from '../tables/record-set.ts';
import type { Table } from '../tables/table.ts';
import type { ChangedRow } from '../tables/update-in-place.ts';
import type { WorkingSet } from './working-set.ts';

/**
 * The statements that write a batch, one to four a table, parents before children, and those that announce its commit
 * to other processes. Empty where nothing changed.
 */
export function flushStatements(working: WorkingSet): Statement[] {
  const environmentId = working.environment.id;
  const statements: Statement[] = [];
  const channels = new Set<string>();
  if (working.newClock) {
    statements.push(writeClock(environmentId, working.newClock));
    channels.add(ADMIN_CHANNEL);
  }
  for (const [name, table] of TABLE_LIST) {
    const rows: RowSet<object> = working.rows[name];
    const { inserted, updated } = rows;
    const [alone, dependent] = byDependence(table, inserted.values());
    if (alone.length > 0) statements.push(...insertStatements(table, environmentId, alone));
    if (dependent.length > 0) statements.push(table.insertWith(environmentId, dependent));
    if (updated.size > 0) statements.push(...updateStatements(table, environmentId, rows));
    if (table.channel !== null && inserted.size + updated.size > 0) channels.add(table.channel);
  }
  for (const channel of channels) statements.push(announce(channel, environmentId));
  return statements;
}

function insertStatements(table: Table, environmentId: string, rows: readonly object[]): Statement[] {
  if (!table.packed) return [table.insert(environmentId, rows)];
  const packed = table.packed(environmentId, rows);
  const insert = table.insert(environmentId, packed.rows);
  return packed.before ? [packed.before, insert] : [insert];
}

/** Updates rows in their places where these are known. */
function updateStatements(
  { update, updateInPlace }: Table,
  environmentId: string,
  rows: RowSet<object>,
): Statement[] {
  if (!updateInPlace) return update(environmentId, rows.updated.values());
  const inPlace: ChangedRow<object>[] = [];
  const others: object[] = [];
  for (const [key, row] of rows.updated) {
    const storedRow = rows.rowWithCtid(key);
    if (storedRow) inPlace.push({ row, storedRow });
    else others.push(row);
  }
  return [
    ...(inPlace.length > 0 ? [updateInPlace(environmentId, inPlace)] : []),
    ...(others.length > 0 ? update(environmentId, others) : []),
  ];
}

/** Splits rows into those that are inserted in any case, and those of `insertedWith`. */
function byDependence(
  { insertedWith }: Table,
  rows: Iterable<object>,
): [alone: object[], dependent: object[]] {
  if (!insertedWith) return [[...rows], []];
  const alone: object[] = [];
  const dependent: object[] = [];
  for (const row of rows) (insertedWith.applies(row) ? dependent : alone).push(row);
  return [alone, dependent];
}

function announce(channel: string, environmentId: string): Statement {
  return {
    name: 'announce_changes',
    text: 'select pg_notify($1::text, $2::text)',
    values: [channel, environmentId],
  };
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
