import { type RowsOf, TABLE_LIST, type TableName } from '../tables/all-tables.ts';

/** The rows of every table that a batch has loaded and changed. */
export type BatchRows = { readonly [N in TableName]: RowsOf<N> };

/** No rows yet, of any table. */
export function newRows(): BatchRows {
  const rows = TABLE_LIST.map(([name, table]) => [name, table.newRows()]);
  return Object.fromEntries(rows) as BatchRows;
}
