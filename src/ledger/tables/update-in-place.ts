import { arrayLiteral } from '../../db/array-literal.ts';
import type { Statement } from '../../db/statement.ts';
import type { Column } from './column.ts';
import type { RowWithCtid } from './record-set.ts';

/** A row as a decision leaves it, and as it was found. */
export interface ChangedRow<R> {
  row: R;
  storedRow: RowWithCtid<R>;
}

/** Makes the statement that updates rows where they were found. */
export type UpdateInPlace<R> = (environmentId: string, changes: readonly ChangedRow<R>[]) => Statement;

/** What the error says by which the statement fails where a row is not in its place any more. */
export const ROW_HAS_MOVED = 'a row is not where the batch has found it';

/** What the statement has to know about its table. */
interface Described<R extends object> {
  name: string;
  columns: readonly Column<R>[];
  updatedColumns: readonly Column<R>[];
  /** The key that tells its rows apart. */
  key: readonly (keyof R & string)[];
}

/** A set of columns that change together. */
interface ColumnSet<R extends object> {
  statement: string;
  text: string;
  set: readonly Column<R>[];
  /** The properties that stay as they are. */
  others: readonly (keyof R & string)[];
}

/**
 * Rows that a batch has found need not be looked for again: they are updated by their places, and only in the columns
 * that change. An upsert reads all columns of each row, looks for it in the index and locks it; for a lot it costs
 * Postgres half as much again. A row that is not in its place any more, because somebody has changed it who has not
 * taken the lock that guards it, fails the statement, and with it the batch, which then loads its rows again. The
 * server has to fail it: COMMIT is sent together with it, before its count of rows is known here. SQL has no statement
 * that raises an error, so the statement casts a sentence to boolean, and the error quotes the sentence
 * (`ROW_HAS_MOVED`).
 *
 * The planner takes a limit that it does not know for a tenth of the rows: here one, in place of ten. So it finds the
 * row by its place, whatever the table has; ten places would be dearer to it than all rows of a small environment, and
 * the session keeps its plan while the environment grows. The functions are in the list of SELECT, because FROM would
 * keep the rows of each one of them before it joins them.
 * @param sets of properties that often change together, the smallest first
 */
export function inPlaceUpdate<R extends object>(
  table: Described<R>,
  sets: readonly (readonly (keyof R & string)[])[],
): UpdateInPlace<R> {
  const all = table.updatedColumns.map(({ property }) => property);
  const columnSets = [...sets, all].map((properties, index) => columnSet(table, properties, index));
  const key = columnsOf(table, table.key);
  return (environmentId, changes) => {
    const fitting = columnSets.find(({ others }) => changes.every((change) => keeps(change, others)));
    const { statement, text, set } = fitting ?? (columnSets.at(-1) as ColumnSet<R>);
    const rows = changes.map(({ row }) => row);
    const values: unknown[] = [environmentId, arrayLiteral(changes.map(({ storedRow }) => storedRow.ctid))];
    for (const column of key) values.push(column.literal(rows));
    for (const column of set) values.push(column.literal(rows));
    return { name: statement, text, values };
  };
}

function columnSet<R extends object>(
  table: Described<R>,
  properties: readonly (keyof R & string)[],
  index: number,
): ColumnSet<R> {
  const key = columnsOf(table, table.key);
  const set = columnsOf(table, properties);
  const sent = [...key, ...set];
  const selected = sent.map(({ name, type }, position) => `unnest($${position + 3}::${type}[]) as ${name}`);
  return {
    statement: `update_${table.name}_in_place_${index}`,
    text: `with changed as (
      update ${table.name} t set ${set.map(({ name }) => `${name} = r.${name}`).join(', ')}
      from (
        select unnest($2::tid[]) as place, ${selected.join(', ')}
        limit cardinality($2::tid[])
      ) r
      where t.environment_id = $1::uuid and t.ctid = r.place
        and ${key.map(({ name }) => `t.${name} = r.${name}`).join(' and ')}
      returning t.environment_id
    )
    select case when count(*) = cardinality($2::tid[]) then true
      else (
        '${ROW_HAS_MOVED}: ' || count(*) || ' of ' || cardinality($2::tid[]) || ' are updated'
      )::boolean
      end as all_in_place
    from changed`,
    set,
    others: table.updatedColumns
      .map(({ property }) => property)
      .filter((property) => !properties.includes(property)),
  };
}

function columnsOf<R extends object>(
  { name, columns }: Described<R>,
  properties: readonly (keyof R & string)[],
): Column<R>[] {
  return properties.map((property) => {
    const column = columns.find((known) => known.property === property);
    if (!column) throw new Error(`${name} has no ${property}`);
    return column;
  });
}

/** Whether a change leaves these properties as they were found. Objects that are not the same count as changed. */
function keeps<R extends object>(
  { row, storedRow }: ChangedRow<R>,
  properties: readonly (keyof R)[],
): boolean {
  for (const property of properties) {
    const [before, after] = [storedRow.row[property], row[property]];
    if (before === after) continue;
    if (!(before instanceof Date && after instanceof Date && before.getTime() === after.getTime()))
      return false;
  }
  return true;
}
