import { columnLiteral, jsonColumnLiteral } from '../db/array-literal.ts';

type ScalarType = 'uuid' | 'text' | 'bigint' | 'integer' | 'smallint' | 'boolean' | 'timestamptz' | 'bytea';

/** A column of a table, and how to take its value from a row of the pure core. */
export type Column<R> =
  | { name: string; type: 'json'; value(row: R): object | null }
  | { name: string; type: ScalarType; value(row: R): string | number | boolean | Date | Buffer | null };

/** A prepared statement: named, so that a session parses it once. */
export interface Statement {
  name: string;
  text: string;
  values: unknown[];
}

/** A table that batches write, with one statement for all rows. */
export interface Table<R> {
  /** All rows added in one statement. */
  insert(environmentId: string, rows: Iterable<R>): Statement;
  /** All rows changed in one statement: found by the key, every other column set. */
  update(environmentId: string, rows: Iterable<R>): Statement;
}

/**
 * Describes a table whose rows belong to an environment.
 * @param key names of the columns that, after environment_id, are the primary key
 */
export function table<R>(name: string, key: readonly string[], columns: readonly Column<R>[]): Table<R> {
  const names = columns.map((column) => column.name);
  // A text[] parameter carries JSON too: its elements are cast one by one.
  const arrays = columns.map(({ type }, index) => `$${index + 2}::${type === 'json' ? 'text' : type}[]`);
  const picked = columns.map((column) =>
    column.type === 'json' ? `r.${column.name}::json` : `r.${column.name}`,
  );
  const source = `unnest(${arrays.join(', ')}) as r(${names.join(', ')})`;
  const insertText = `insert into ${name} (environment_id, ${names.join(', ')})
    select $1::uuid, ${picked.join(', ')} from ${source}`;
  const set = names
    .filter((column) => !key.includes(column))
    .map((column) => `${column} = excluded.${column}`);
  // The rows are there: they are locked. An upsert finds each through the primary key and nothing else, where the
  // plan of an UPDATE … FROM can come to walk the whole environment while the table has no statistics yet.
  const updateText = `${insertText}
    on conflict (environment_id, ${key.join(', ')}) do update set ${set.join(', ')}`;
  const values = (environmentId: string, rows: Iterable<R>): unknown[] => {
    const list = [...rows];
    const literals: unknown[] = columns.map((column) =>
      column.type === 'json' ? jsonColumnLiteral(list, column.value) : columnLiteral(list, column.value),
    );
    literals.unshift(environmentId);
    return literals;
  };
  return {
    insert: (environmentId, rows) => ({
      name: `insert_${name}`,
      text: insertText,
      values: values(environmentId, rows),
    }),
    update: (environmentId, rows) => ({
      name: `update_${name}`,
      text: updateText,
      values: values(environmentId, rows),
    }),
  };
}
