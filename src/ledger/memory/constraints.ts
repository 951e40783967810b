import type { WorkingSet } from '../batch/working-set.ts';
import { TABLE_LIST, type TableName } from '../tables/all-tables.ts';
import type { Table } from '../tables/table.ts';
import { isLeftOut, type MemoryTable, type MemoryTables } from './memory-tables.ts';

/** A batch would violate a constraint of the schema. `code` is the SQLSTATE that Postgres would give. */
export class ConstraintViolation extends Error {
  override name = 'ConstraintViolation';
  readonly code: '23505' | '23514' | '23503';
  readonly constraint: string;

  constructor(code: ConstraintViolation['code'], constraint: string, row: string) {
    super(`${constraint}: ${row.replaceAll('\u0000', ' ')}`);
    this.code = code;
    this.constraint = constraint;
  }
}

/** A table, its stored rows, and the rows that a batch inserts, by key. */
interface Written {
  table: Table;
  stored: MemoryTable<object>;
  inserted: Map<string, object>;
}

/**
 * Checks the rows that a batch is about to write against the constraints of the database: CHECKs, primary, unique and
 * foreign keys.
 * @throws ConstraintViolation
 */
export function checkRows(working: WorkingSet, tables: MemoryTables): void {
  const byName = new Map<string, Written>();
  for (const [name, table] of TABLE_LIST) {
    const written: Written = { table, stored: tables[name], inserted: new Map() };
    byName.set(table.name, written);
    for (const row of working.rows[name].inserted.values()) addInserted(written, row);
  }
  for (const [name, table] of TABLE_LIST)
    checkTable(working, name, byName.get(table.name) as Written, byName);
}

function addInserted({ table, stored, inserted }: Written, row: object): void {
  if (isLeftOut(table, stored, row)) return;
  const key = table.keyOf(row);
  if (stored.has(key) || inserted.has(key)) {
    throw new ConstraintViolation('23505', table.knownBy.constraint, key);
  }
  inserted.set(key, row);
}

function checkTable(
  working: WorkingSet,
  name: TableName,
  { table, stored, inserted }: Written,
  byName: ReadonlyMap<string, Written>,
): void {
  for (const [key, row] of inserted) checkRow(table, key, row, byName);
  for (const row of working.rows[name].updated.values()) {
    const key = table.keyOf(row);
    checkRow(table, key, row, byName);
    checkConstants(table, key, stored.get(key), row);
  }
  for (const unique of table.unique) {
    const { properties, constraint } = unique;
    const usedKeys = new Set<string>();
    for (const [key, row] of inserted) {
      const values = valuesOf(row, properties);
      if (values === null) continue;
      const valueKey = values.join('\u0000');
      if (usedKeys.has(valueKey) || stored.by(unique, ...values).length > 0) {
        throw new ConstraintViolation('23505', constraint, key);
      }
      usedKeys.add(valueKey);
    }
  }
}

function checkRow(table: Table, key: string, row: object, byName: ReadonlyMap<string, Written>): void {
  for (const [constraint, isSatisfiedBy] of Object.entries(table.checks)) {
    if (!isSatisfiedBy(row)) throw new ConstraintViolation('23514', constraint, key);
  }
  for (const { to, constraint, properties } of table.references) {
    const values = valuesOf(row, Object.values(properties));
    if (values === null) continue;
    const { table: parent, stored, inserted } = byName.get(to) as Written;
    const parentKey = values.slice(0, parent.knownBy.properties.length).join('\u0000');
    const parentRow = inserted.get(parentKey) ?? stored.get(parentKey);
    const same =
      parentRow && valuesOf(parentRow, Object.keys(properties))?.join('\u0000') === values.join('\u0000');
    if (!same) throw new ConstraintViolation('23503', constraint, key);
  }
}

/**
 * Expects an update to change only columns that updates write: the database would keep the others as they are.
 * @param change may have only some of the properties
 */
function checkConstants(table: Table, key: string, before: object | undefined, change: object): void {
  if (!before) return;
  const updated = new Set(table.updatedColumns.map(({ name }) => name));
  for (const { name, property, isWritten, literal } of table.columns) {
    if (!isWritten || updated.has(name) || !Object.hasOwn(change, property)) continue;
    if (literal([change]) !== literal([before])) {
      throw new Error(`an update changes ${name} of ${table.name}, which only an insert writes: ${key}`);
    }
  }
}

/** The values of properties; null where one of them is null, because the database does not check a key with a null. */
function valuesOf(row: object, properties: readonly string[]): string[] | null {
  const values = properties.map((property) => (row as Readonly<Record<string, unknown>>)[property] ?? null);
  return values.includes(null) ? null : values.map(String);
}
