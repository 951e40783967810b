import type { WorkingSet } from '../batch/working-set.ts';
import { type RecordOf, TABLE_LIST, type TableName } from '../tables/all-tables.ts';
import { keyOf } from '../tables/key-of.ts';
import type { Index, Stored, StoredRows } from '../tables/look-up.ts';
import { keyReader, type Table } from '../tables/table.ts';

/** An index that is kept up to date. */
interface RowIndex<R extends object> {
  /** Whether the index has the row. */
  includes(row: R): boolean;
  valuesOf(row: R): string;
  /** The keys of its rows, by the values of the index. */
  readonly keys: Map<string, Set<string>>;
}

/** The rows of one table by their keys. An index is built at its first use and kept up to date from then on. */
export class MemoryTable<R extends object> extends Map<string, R> implements StoredRows<R> {
  readonly #indexes = new Map<object, RowIndex<R>>();

  override set(key: string, row: R): this {
    const before = this.get(key);
    for (const rowIndex of this.#indexes.values()) {
      if (before && rowIndex.includes(before)) rowIndex.keys.get(rowIndex.valuesOf(before))?.delete(key);
      addTo(rowIndex, key, row);
    }
    return super.set(key, row);
  }

  by(index: Index<R>, ...values: string[]): R[] {
    const rowIndex = this.#indexes.get(index) ?? this.#make(index);
    const rows: R[] = [];
    for (const key of rowIndex.keys.get(keyOf(...values)) ?? []) rows.push(this.get(key) as R);
    return rows;
  }

  #make(index: Index<R>): RowIndex<R> {
    const rowIndex: RowIndex<R> = {
      includes: (row) => index.includes?.(row) ?? true,
      valuesOf: keyReader(index.properties),
      keys: new Map(),
    };
    for (const [key, row] of this) addTo(rowIndex, key, row);
    this.#indexes.set(index, rowIndex);
    return rowIndex;
  }
}

function addTo<R extends object>(rowIndex: RowIndex<R>, key: string, row: R): void {
  if (!rowIndex.includes(row)) return;
  const values = rowIndex.valuesOf(row);
  const keys = rowIndex.keys.get(values);
  if (keys) keys.add(key);
  else rowIndex.keys.set(values, new Set([key]));
}

/** The tables of one environment. The key of a row is the one that `knownBy` of its table describes. */
export type MemoryTables = { readonly [N in TableName]: MemoryTable<RecordOf<N>> };

export function createMemoryTables(): MemoryTables {
  return Object.fromEntries(TABLE_LIST.map(([name]) => [name, new MemoryTable()])) as MemoryTables;
}

/** Finds a table by its description. */
export function storedIn(tables: MemoryTables): Stored {
  return <R extends object>({ name }: { name: string }) =>
    tables[NAMES.get(name) as TableName] as unknown as MemoryTable<R>;
}

const NAMES = new Map(TABLE_LIST.map(([name, table]) => [table.name, name]));

/** Whether an insert skips the row, because a stored row has the same key of `insertedOnce`. */
export function isLeftOut<R extends object>(table: Table<R>, stored: MemoryTable<R>, row: R): boolean {
  const index = table.insertedOnce;
  return index !== null && stored.by(index, keyReader(index.properties)(row)).length > 0;
}

/** Whether the row of `insertedWith` that a row depends on is stored; true for a row that depends on none. */
function hasCompanion<R extends object>({ insertedWith }: Table<R>, tables: MemoryTables, row: R): boolean {
  if (!insertedWith?.applies(row)) return true;
  const companions = storedIn(tables)<object>({ name: insertedWith.table });
  return 'id' in row && companions.get(String(row.id)) !== undefined;
}

/** Writes what a working set has inserted and updated. */
export function writeRows(tables: MemoryTables, working: WorkingSet): void {
  for (const [name, table] of TABLE_LIST) {
    const stored: MemoryTable<object> = tables[name];
    const { inserted, updated } = working.rows[name];
    for (const row of inserted.values()) {
      if (isLeftOut(table, stored, row) || !hasCompanion(table, tables, row)) continue;
      stored.set(table.keyOf(row), Object.freeze(table.asStored(row, null)));
    }
    for (const row of updated.values()) {
      const key = table.keyOf(row);
      stored.set(key, Object.freeze(table.asStored(row, stored.get(key) ?? null)));
    }
  }
}
