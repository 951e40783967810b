import { arrayLiteral } from '../../db/array-literal.ts';
import type { Statement } from '../../db/statement.ts';
import { type Column, columnName } from './column.ts';
import { keyOf } from './key-of.ts';
import type { RowSet } from './record-set.ts';

/** What leads to rows: a subject that a command names, or a need that the rows of the first round give rise to. */
export interface Wanted {
  kind: string;
}

/** The properties that tell one subject from another, for each kind that wants the rows of a look-up. */
export type WantedBy<S extends Wanted> = {
  readonly [K in S['kind']]?: readonly (Exclude<keyof Extract<S, { kind: K }>, 'kind'> & string)[];
};

/** How rows are found: the statement over Postgres, and the same over tables in memory. */
export interface LookUp<R extends object, S extends Wanted = Wanted, Rows extends RowSet<R> = RowSet<R>> {
  /** Of the prepared statement. */
  readonly name: string;
  readonly wantedBy: WantedBy<S>;
  /**
   * Whether the rows are locked (`for update`) until the batch ends. The rows of the other look-ups are guarded by a
   * lock that every change of them takes first: that on the profile.
   */
  readonly locks: boolean;
  statement(environmentId: string, wanted: readonly S[]): Statement;
  /** @param now the time after the locks */
  find(stored: Stored, wanted: S, now: Date): Iterable<R>;
  /** Takes over what was found, where that is more than to load each row. */
  fill?(rows: Rows, found: readonly R[], wanted: readonly S[]): void;
}

/** Finds the stored rows of a table in memory. */
export type Stored = <R extends object>(table: TableOf<R>) => StoredRows<R>;

/** A table by its name, with rows of this type. */
export interface TableOf<R extends object> {
  readonly name: string;
  keyOf?(row: R): string;
}

export interface StoredRows<R extends object> {
  get(key: string): R | undefined;
  /** The rows of an index that have these values. */
  by(index: Index<R>, ...values: string[]): R[];
}

/** What rows in memory are found by; of those for which `holds` does not hold, none. */
export interface Index<R extends object> {
  readonly properties: readonly (keyof R & string)[];
  includes?(row: R): boolean;
}

/** Columns as a statement selects them. */
export type Select<R> = (
  alias: string,
  replaced?: { readonly [P in keyof R]?: string },
  prefix?: string,
) => string;

/**
 * A look-up as a table describes it. The plain one finds rows by the columns that the subjects name. The other one is
 * written out: its statement, in which `$1` is the environment, and the same over tables in memory.
 */
export type LookUpDefinition<R extends object, S extends Wanted, Rows extends RowSet<R>> = {
  name: string;
  wantedBy: WantedBy<S>;
  locks?: true;
  fill?(rows: Rows, found: readonly R[], wanted: readonly S[]): void;
} & (ByColumns<R> | WrittenOut<R, S>);

interface ByColumns<R> {
  /** Whether a key can have several rows. Default: one at most. */
  many?: true;
  /** The order of several rows: columns of `r`. */
  orderBy?: string;
  /** What is joined to each row, `r`, and the properties that it gives. */
  join?: { sql: string; gives: { readonly [P in keyof R]?: string } };
}

interface WrittenOut<R extends object, S extends Wanted> {
  text(select: Select<R>): string;
  /** What follows `$1`. */
  values(wanted: readonly S[]): unknown[];
  find(stored: Stored, wanted: S, now: Date): Iterable<R>;
}

/** What a look-up has to know of its table. */
interface Described<R extends object> {
  readonly name: string;
  readonly columns: readonly Column<R>[];
  readonly knownBy: { readonly properties: readonly (keyof R & string)[] };
  keyOf(row: R): string;
  select: Select<R>;
}

/** Makes a look-up of its description. */
export function lookUpOf<R extends object, S extends Wanted, Rows extends RowSet<R>>(
  table: Described<R>,
  definition: LookUpDefinition<R, S, Rows>,
): LookUp<R, S, Rows> {
  const { name, wantedBy, locks = false, fill } = definition;
  const written = 'text' in definition ? definition : byColumns<R, S>(table, definition);
  const text = written.text(table.select);
  return {
    name,
    wantedBy,
    locks,
    statement: (environmentId, wanted) => ({
      name,
      text,
      values: [environmentId, ...written.values(wanted)],
    }),
    find: written.find,
    ...(fill && { fill }),
  };
}

/**
 * Rows are found through `lateral (… limit 1)`: each look-up is planned by itself and so goes through the whole key of
 * an index, also on tables that have no statistics yet. With a join or `column = any(…)`, a session that plans while
 * the table has some thousand rows and no statistics expects so few of them in an environment that it reads them all,
 * by whatever index begins with environment_id, as long as it lives. Rows are locked in the order of their keys.
 */
function byColumns<R extends object, S extends Wanted>(
  table: Described<R>,
  { wantedBy, locks, many, orderBy, join }: LookUpDefinition<R, S, RowSet<R>> & ByColumns<R>,
): WrittenOut<R, S> {
  const properties = (Object.values(wantedBy)[0] ?? []) as (keyof R & string)[];
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
        select * from ${table.name}
        where environment_id = $1::uuid and ${names.map((column) => `${column} = wanted.${column}`).join(' and ')}
        ${many ? 'offset 0' : 'limit 1'}${locks ? ' for update' : ''}
      ) r
      ${join?.sql ?? ''}
      ${orderBy ? `order by ${orderBy}` : ''}`,
    values: (wanted) =>
      properties.map((property) => arrayLiteral(wanted.map((one) => String(one[property as never])))),
    find(stored, wanted) {
      const values = valuesOf(wanted);
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
