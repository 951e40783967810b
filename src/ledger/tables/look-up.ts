import { arrayLiteral } from '../../db/array-literal.ts';
import type { Statement } from '../../db/statement.ts';
import { type Column, columnName } from './column.ts';
import { keyOf } from './key-of.ts';
import type { RowSet } from './record-set.ts';

/** What rows are looked up for: a subject that a command names, or a need that follows from rows loaded before. */
export interface LookUpKey {
  kind: string;
}

/** For each kind of subject or need that a look-up finds rows for: the properties that identify one. */
export type KeyProperties<S extends LookUpKey> = {
  readonly [K in S['kind']]?: readonly (Exclude<keyof Extract<S, { kind: K }>, 'kind'> & string)[];
};

/** How rows are found: by a statement in Postgres, and in the same way in tables in memory. */
export interface LookUp<
  R extends object,
  S extends LookUpKey = LookUpKey,
  Rows extends RowSet<R> = RowSet<R>,
> {
  /** The name of the prepared statement. */
  readonly name: string;
  readonly keyProperties: KeyProperties<S>;
  /**
   * Whether the rows are locked (`for update`) until the batch ends. Rows of other look-ups are guarded by the lock on
   * their profile, which every change of them takes first.
   */
  readonly locks: boolean;
  /** Whether the statement gives the `ctid` of each row beside the record. */
  readonly givesCtids: boolean;
  statement(environmentId: string, keys: readonly S[]): Statement;
  /** The same over tables in memory. @param now the time of the batch */
  find(stored: Stored, key: S, now: Date): Iterable<R>;
  /** Puts the found rows into the working set, where more is to be done than to load each row. */
  fill?(rows: Rows, records: readonly R[], keys: readonly S[]): void;
}

/** Finds the stored rows of a table in memory. */
export type Stored = <R extends object>(table: TableOf<R>) => StoredRows<R>;

/** The name of a table, with the type of its rows. */
export interface TableOf<R extends object> {
  readonly name: string;
  keyOf?(row: R): string;
}

export interface StoredRows<R extends object> {
  get(key: string): R | undefined;
  /** The rows of the index that have these values in its properties. */
  by(index: Index<R>, ...values: string[]): R[];
}

/** An index over rows in memory. */
export interface Index<R extends object> {
  readonly properties: readonly (keyof R & string)[];
  /** Whether the index has a row, where it does not have all of them. */
  includes?(row: R): boolean;
}

/** Gives the SQL for the selected columns of a table. See Table.select. */
export type Select<R> = (
  alias: string,
  replaced?: { readonly [P in keyof R]?: string },
  prefix?: string,
) => string;

/**
 * A look-up in the description of a table. The plain form finds rows by the columns that the subjects name. The other
 * form is written out: a statement, in which `$1` is the environment, and the same over tables in memory.
 */
export type LookUpDefinition<R extends object, S extends LookUpKey, Rows extends RowSet<R>> = {
  name: string;
  keyProperties: KeyProperties<S>;
  locks?: true;
  /**
   * Selects `ctid` too, for updates of the found rows in place. What the rows are selected from has a column of that
   * name.
   */
  givesCtids?: true;
  fill?(rows: Rows, records: readonly R[], keys: readonly S[]): void;
} & (ByColumns<R> | WrittenOut<R, S>);

interface ByColumns<R> {
  /** Whether there can be several rows for one subject. Default: at most one. */
  many?: true;
  /** The order of several rows: SQL over the columns of `r`. */
  orderBy?: string;
  /** SQL that is joined to each row, `r`, and the properties that come from it. */
  join?: { sql: string; gives: { readonly [P in keyof R]?: string } };
}

interface WrittenOut<R extends object, S extends LookUpKey> {
  text(select: Select<R>): string;
  /** The parameters after `$1`. */
  values(keys: readonly S[]): unknown[];
  find(stored: Stored, key: S, now: Date): Iterable<R>;
}

/** What a look-up has to know about its table. */
interface Described<R extends object> {
  readonly name: string;
  /** Whether its rows are updated in place: then look-ups by columns give the `ctid`. */
  readonly isUpdatedInPlace: boolean;
  readonly columns: readonly Column<R>[];
  readonly knownBy: { readonly properties: readonly (keyof R & string)[] };
  keyOf(row: R): string;
  select: Select<R>;
}

/** Makes a look-up from its definition. */
export function lookUpOf<R extends object, S extends LookUpKey, Rows extends RowSet<R>>(
  table: Described<R>,
  definition: LookUpDefinition<R, S, Rows>,
): LookUp<R, S, Rows> {
  const { name, keyProperties, locks = false, fill } = definition;
  const isWrittenOut = 'text' in definition;
  const givesCtids = definition.givesCtids ?? (!isWrittenOut && table.isUpdatedInPlace);
  const written = isWrittenOut ? definition : byColumns<R, S>(table, definition);
  const text = written.text(
    givesCtids ? (alias, ...rest) => `${table.select(alias, ...rest)}, ${alias}.ctid` : table.select,
  );
  return {
    name,
    keyProperties,
    locks,
    givesCtids,
    statement: (environmentId, keys) => ({
      name,
      text,
      values: [environmentId, ...written.values(keys)],
    }),
    find: written.find,
    ...(fill && { fill }),
  };
}

/**
 * The statement and the search in memory of a look-up by columns. The statement finds rows through `lateral (… limit
 * 1)`: the planner plans that subquery by itself and uses the whole key of an index, even on a table without
 * statistics. With a join or `column = any(…)`, a session that plans while the table has some thousand rows and no
 * statistics expects few rows in an environment. It then reads all of them through any index that begins with
 * environment_id, and keeps that plan as long as it lives. Rows are locked in the order of their keys.
 */
function byColumns<R extends object, S extends LookUpKey>(
  table: Described<R>,
  { keyProperties, locks, many, orderBy, join }: LookUpDefinition<R, S, RowSet<R>> & ByColumns<R>,
): WrittenOut<R, S> {
  const properties = (Object.values(keyProperties)[0] ?? []) as (keyof R & string)[];
  const names = properties.map(columnName);
  const arrays = properties.map((property, position) => `$${position + 2}::${typeOf(table, property)}[]`);
  const each = `unnest(${arrays.join(', ')}) as wanted(${names.join(', ')})`;
  const sorted = `(
        select distinct ${names.join(', ')} from ${each}
        order by ${names.map((_name, position) => position + 1).join(', ')}
      ) as wanted`;
  const index: Index<R> = { properties };
  const isKey = properties.join() === table.knownBy.properties.join();
  const valuesOf = (wanted: S): string[] => properties.map((property) => String(wanted[property as never]));
  return {
    text: (select) => `select ${select('r', join?.gives)}
      from ${locks ? sorted : each}
      cross join lateral (
        select ${table.isUpdatedInPlace ? 'ctid, ' : ''}* from ${table.name}
        where environment_id = $1::uuid and ${names.map((column) => `${column} = wanted.${column}`).join(' and ')}
        ${many ? 'offset 0' : 'limit 1'}${locks ? ' for update' : ''}
      ) r
      ${join?.sql ?? ''}
      ${orderBy ? `order by ${orderBy}` : ''}`,
    values: (keys) =>
      properties.map((property) => arrayLiteral(keys.map((one) => String(one[property as never])))),
    find(stored, key) {
      const values = valuesOf(key);
      if (!isKey) return stored(table).by(index, ...values);
      const row = stored(table).get(keyOf(...values));
      return row ? [row] : [];
    },
  };
}

function typeOf<R extends object>({ name, columns }: Described<R>, property: keyof R): string {
  const column = columns.find((known) => known.property === property);
  if (!column) throw new Error(`${name} has no ${String(property)}`);
  return column.type;
}
