import { arrayLiteral } from '../db/array-literal.ts';
import type { Statement } from './table.ts';

/** Rows of a table that are looked up by one column. */
export interface LookUp {
  /** Of the prepared statement. */
  name: string;
  table: string;
  /** With environment_id, what leads to the rows: an index begins so. */
  column: string;
  type: 'uuid' | 'text';
  /** Columns that are wanted; all of them by default. */
  columns?: string;
  /** Whether a key can have several rows. Default: one at most. */
  many?: boolean;
}

/**
 * Describes a statement that looks each key up by itself, so that it goes through the whole key of an index. With
 * `column = any(…)`, a session that plans while the table has some thousand rows and no statistics yet expects so few
 * of them in an environment that it reads them all, by whatever index begins with environment_id, as long as it lives.
 */
export function lookUp({
  name,
  table,
  column,
  type,
  columns = '*',
  many = false,
}: LookUp): (environmentId: string, keys: readonly string[]) => Statement {
  const text = `select r.*
      from unnest($2::${type}[]) as wanted(key)
      cross join lateral (
        select ${columns} from ${table}
        where environment_id = $1::uuid and ${column} = wanted.key
        ${many ? 'offset 0' : 'limit 1'}
      ) r`;
  return (environmentId, keys) => ({ name, text, values: [environmentId, arrayLiteral(keys)] });
}
