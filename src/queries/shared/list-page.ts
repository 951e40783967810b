import { type Statement, UNPREPARED } from '../../db/statement.ts';
import type { Cursors, ListIdentity, Position } from './cursors.ts';
import { type Listed, MOST_PAGE_BYTES } from './listed.ts';

/** So many rows are looked through for a page, under filters that the index which leads to them does not answer. */
const MOST_LOOKED_THROUGH = 5_000;

/** A list of rows that an index leads to, some of whose filters are checked row by row. */
export interface ListQuery {
  /** SQL of the rows that the index leads to, ordered, after the position. */
  source: string;
  /** SQL of the rows `r` of the list and their columns, made from `(source) s`. */
  from: string;
  /** Conditions on `s` and `r` that the index does not answer. */
  checked: readonly string[];
  /** The columns that rows are ordered by: columns of `s` and of `r`, the last one being unique. */
  order: readonly string[];
  direction: 'asc' | 'desc';
  /** SQL of the bytes of a row `r` that has no bound which is small. */
  bytes: string;
  /** The columns of the result, of `r` and of what is joined to it. */
  columns: string;
  /** Left joins to `r`, each of one row. */
  joins: string;
  /** The first is the environment, the second the most rows. */
  values: unknown[];
}

/** A row of a page; a single row without a position where the page is empty. */
export interface ListRow {
  /** The values of `order`, as text. */
  position: string[] | null;
  /** How many were found, one more than the page has at most. */
  found: number;
  /** Where fewer were found: the position at which the look through the rows ended before their end. */
  looked_to: string[] | null;
}

/**
 * Reads a page and one row more where there is one. Rows are left out after the one that brings the page to
 * `MOST_PAGE_BYTES`; `found` counts them too. Where filters have to be checked, at most `MOST_LOOKED_THROUGH` rows are
 * looked through. All is read in one snapshot: where the look ended is known by the same statement.
 */
export function listStatement(query: ListQuery): Statement {
  const { source, from, checked, order, direction, bytes, columns, joins, values } = query;
  const by = (alias: string): string => order.map((column) => `${alias}.${column} ${direction}`).join(', ');
  const position = (alias: string): string =>
    `array[${order.map((column) => `${alias}.${column}::text`).join(', ')}]`;
  const bounded = checked.length > 0;
  const lookedTo = bounded
    ? `case when coalesce(r.found, 0) < $2::integer then (
        select ${position('s')} from (${source}) s offset ${MOST_LOOKED_THROUGH - 1} limit 1
      ) end`
    : 'null::text[]';
  return {
    name: UNPREPARED,
    text: `select r.position, coalesce(r.found, 0)::integer as found, ${lookedTo} as looked_to, ${columns}
      from (select) as one
      left join (
        select f.*, count(*) over () as found,
          sum(f.bytes) over (order by ${by('f')} rows unbounded preceding) - f.bytes as bytes_before
        from (
          select r.*, ${position('s')} as position, ${bytes} as bytes
          from (${source} limit ${bounded ? MOST_LOOKED_THROUGH : '$2::integer'}) s
          ${from}
          ${bounded ? `where ${checked.join(' and ')}` : ''}
          order by ${by('s')}
          limit $2::integer
        ) f
      ) r on r.bytes_before < ${MOST_PAGE_BYTES}
      ${joins}
      order by ${by('r')}`,
    values,
  };
}

/**
 * Makes the page of the rows that `listStatement` has read.
 * @param limit the most records of the page: one fewer than were read at most
 */
export async function pageOfRows<Row extends ListRow, Item>(
  rows: readonly Row[],
  limit: number,
  view: (row: Row) => Item,
  cursors: Cursors,
  identity: ListIdentity,
): Promise<Listed<Item>> {
  const shown = rows.filter(({ position }) => position !== null).slice(0, limit);
  const isCut = (rows[0]?.found ?? 0) > shown.length;
  const end: Position | null | undefined = isCut ? shown.at(-1)?.position : rows[0]?.looked_to;
  const nextCursor = end ? await cursors.write(identity, end) : null;
  return { data: shown.map(view), page: { nextCursor, hasMore: nextCursor !== null } };
}

/** The criteria of a filter: null where one is not given. */
export type Criteria<Filter> = { [Name in keyof Filter]-?: NonNullable<Filter[Name]> | null };

/** Collects the values of a statement and names their parameters. */
export class Values {
  readonly all: unknown[];

  /** @param limit of the page */
  constructor(environmentId: string, limit: number) {
    this.all = [environmentId, limit + 1];
  }

  /** @returns the parameter, such as `$3` */
  add(value: unknown): string {
    this.all.push(value);
    return `$${this.all.length}`;
  }
}

/**
 * Comes after every UUID of the service: the position before the first row of a list that begins with the newest id.
 */
export const AFTER_EVERY_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** SQL of the member that a merchant names; no rows where there is none. */
export function memberNamed(parameter: string): string {
  return `(select id from members where environment_id = $1::uuid and external_customer_id = ${parameter})`;
}

/** SQL that is true where the environment has the program: the list of an unknown one ends at once. */
export function programExists(parameter: string): string {
  return `exists (select from programs where environment_id = $1::uuid and id = ${parameter})`;
}
