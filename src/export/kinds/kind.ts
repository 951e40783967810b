import type { IdPrefix } from '../../ids.ts';

/**
 * A value of a row as text: an integer as its digits, an instant in ISO 8601 in UTC to the millisecond, JSON as it is
 * stored, an id as the API shows it. Null for no value.
 */
export type Cell = string | null;
export type Row = readonly Cell[];

/** A column of an export, in every format. */
export interface Column {
  name: string;
  type: 'id' | 'text' | 'integer' | 'instant' | 'json';
  /** Of an id. */
  prefix?: IdPrefix;
  /** The expression that the statement selects: uuid for an id, timestamptz for an instant, json for JSON. */
  sql: string;
  /** For the help: a few words. */
  description: string;
}

/** How rows are added up: for each combination of labels, how many rows there are and the sums of some columns. */
export interface TotalsDefinition {
  /** Columns whose values tell the sums apart. */
  labels: readonly string[];
  /** Rows, by the name of their count: all of them, or those whose column has, or has not, a value. */
  counts: Readonly<
    Record<string, 'all' | { column: string; is: string } | { column: string; isNot: string }>
  >;
  /** Integer columns that are summed. */
  sums: readonly string[];
}

/** One kind of rows that can be exported. */
export interface Kind {
  name: KindName;
  columns: readonly Column[];
  /** The name of the instant by which rows are chosen, ordered and divided into days. It never changes. */
  time: string;
  /**
   * False where the rows show the present state, so that all files have to come from one snapshot. True where a day
   * that is over is the same in every later snapshot: its file stays when an interrupted export goes on.
   */
  isHistory: boolean;
  totals: TotalsDefinition;
  /** Selects the columns in their order. `$1` is the environment, `$2` the begin and `$3` the end of the period. */
  statement: string;
  /** Counts the rows, with the same parameters. */
  count: string;
}

export type KindName = 'transactions' | 'postings' | 'members' | 'lots' | 'audit';

/** The select list of columns: each instant is formatted in UTC, whatever the session's time zone. */
export function selectList(columns: readonly Column[]): string {
  return columns
    .map(({ type, sql }) =>
      type === 'instant' ? `to_char(${sql} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')` : sql,
    )
    .join(', ');
}
