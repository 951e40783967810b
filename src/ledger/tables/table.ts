import type { Statement } from '../../db/statement.ts';
import { type Column, type ColumnDefinitions, columnName, columnsOf, type SqlType } from './column.ts';
import type { Handling } from './handling.ts';
import {
  type Index,
  type LookUp,
  type LookUpDefinition,
  type LookUpKey,
  lookUpOf,
  type Select,
} from './look-up.ts';
import { RecordSet, type RowSet } from './record-set.ts';
import { inPlaceUpdate, type UpdateInPlace } from './update-in-place.ts';

/** How decisions may write a table: only insert rows; insert and update them; or set them (insert or update). */
export type Writes = 'inserted' | 'updated' | 'set';

/** A foreign key: where none of the properties is null, the other table has a row with these values. */
interface Reference<R extends object> {
  /** The name of the other table. */
  to: string;
  constraint: string;
  /** By property of the other table: those of its `knownBy` first, in that order, then others that must be equal. */
  properties: { readonly [referred: string]: keyof R & string };
}

interface UniqueKey<R extends object> {
  constraint: string;
  properties: readonly (keyof R & string)[];
}

/** Which rows of a table are inserted only together with a row of another one. */
interface InsertedWith<R extends object> {
  /** The name of the other table. */
  table: string;
  applies(row: R): boolean;
}

/** Rows as they are inserted. */
interface PackedRows<R extends object> {
  rows: readonly R[];
  /** The statement that has to be sent before the insert; null where there is none. */
  before: Statement | null;
}

export interface TableDefinition<R extends object, S extends LookUpKey, Rows extends RowSet<R>> {
  /** The name in the migrations. */
  name: string;
  columns: ColumnDefinitions<R>;
  /** Whose the rows are, and what exports, erasures, resets and clones do with them. */
  handling: Handling;
  /** Further columns of the table that batches neither read nor write: those who do name them in their statements. */
  otherColumns?: readonly string[];
  /** The primary key, after environment_id. */
  primaryKey: readonly (keyof R & string)[];
  /** The unique key that commands identify a row by. Default: the primary key. */
  knownBy?: UniqueKey<R>;
  unique?: readonly UniqueKey<R>[];
  /** A unique key on which an insert skips a row instead of failing; `where` is the predicate of its index. */
  insertedOnce?: { properties: readonly (keyof R & string)[]; where: string };
  /**
   * Rows that are inserted only where another table has a row of the same id: that row may have been skipped by its
   * `insertedOnce`.
   */
  insertedWith?: InsertedWith<R>;
  /** The CHECKs of the migrations by the name of the constraint: whether a row satisfies it. */
  checks?: Readonly<Record<string, (row: R) => boolean>>;
  references?: readonly Reference<R>[];
  /** In the order in which a batch sends them. */
  lookUps?: readonly LookUpDefinition<R, S, Rows>[];
  /** Where a batch has changed rows, its commit sends the environment's id on this channel (NOTIFY). */
  channel?: string;
  /** Rows as they are inserted, where they are stored in another form than that in which decisions make them. */
  packed?(environmentId: string, rows: readonly R[]): PackedRows<R>;
  /** Makes an empty set of rows for a batch. Default: a RecordSet. */
  newRows?(): Rows;
  /** The row to keep in memory, where the database would not return the row as it was written. */
  asStored?(row: R): R;
  /** How rows are updated: the statements, in their order, and the same in memory. Default: an upsert. */
  change?: {
    statements(environmentId: string, rows: readonly R[]): Statement[];
    inMemory(before: R, change: R): R;
  };
}

/** The definition of a table whose rows are updated. */
interface UpdatedTableDefinition<R extends object, S extends LookUpKey, Rows extends RowSet<R>>
  extends TableDefinition<R, S, Rows> {
  /**
   * The properties that only an insert writes, besides the primary key. Updates leave their columns alone, and the
   * server's role has no privilege to update these columns.
   */
  constant: readonly (keyof R & string)[];
  /**
   * Rows whose places are known are updated there, and by an upsert only where they are not: sets of properties that
   * often change together, without others, the smallest first. Default: always an upsert.
   */
  inPlace?: readonly (readonly (keyof R & string)[])[];
}

/** A table that batches read and write, made from its definition. */
export interface Table<
  R extends object = object,
  S extends LookUpKey = LookUpKey,
  Rows extends RowSet<R> = RowSet<R>,
  W extends Writes = Writes,
> {
  readonly name: string;
  readonly writes: W;
  readonly columns: readonly Column<R>[];
  readonly otherColumns: readonly string[];
  readonly handling: Handling;
  readonly primaryKey: readonly string[];
  /** The columns that updates set; none where rows are only inserted. */
  readonly updatedColumns: readonly Column<R>[];
  readonly knownBy: UniqueKey<R>;
  readonly unique: readonly UniqueKey<R>[];
  readonly checks: Readonly<Record<string, (row: R) => boolean>>;
  readonly references: readonly Reference<R>[];
  readonly lookUps: readonly LookUp<R, S, Rows>[];
  /** The look-up of a name. @throws where the table has none of that name */
  lookUp(name: string): LookUp<R, S, Rows>;
  /** The key of a row within its environment: the values of `knownBy`. */
  keyOf(row: R): string;
  /** The unique key on which an insert skips a row; null where every row is inserted. */
  readonly insertedOnce: Index<R> | null;
  /**
   * The rows that `inserts` writes only where another table has a row of the same id; null where there are none such.
   */
  readonly insertedWith: InsertedWith<R> | null;
  /** The channel on which the commit of changed rows is announced; null for most tables. */
  readonly channel: string | null;
  newRows(): Rows;
  /** Rows as they have to be given to `insert`; null where that is as decisions make them. */
  readonly packed: ((environmentId: string, rows: readonly R[]) => PackedRows<R>) | null;
  /** One statement that inserts all rows. */
  insert(environmentId: string, rows: Iterable<R>): Statement;
  /** The same for rows of `insertedWith`. @throws where the table has none such */
  insertWith(environmentId: string, rows: Iterable<R>): Statement;
  /**
   * The statements that update all rows, in their order: they find them by the primary key and set `updatedColumns`.
   */
  update(environmentId: string, rows: Iterable<R>): Statement[];
  readonly isUpdatedInPlace: boolean;
  /** One statement that updates rows where they were found; null where the table's rows are not updated so. */
  readonly updateInPlace: UpdateInPlace<R> | null;
  /** The row to keep in memory. @param before the row that it updates; null for a new one */
  asStored(row: R, before: R | null): R;
  /**
   * SQL for the list of columns of a record. Each column is named after its property, with a prefix where the statement
   * has other columns of that name.
   * @param replaced SQL expressions to use in place of columns, by property
   */
  select: Select<R>;
  /** The record among the columns of a row. @param prefix as for `select` */
  pick(row: object, prefix?: string): R;
}

/** Describes a table whose rows decisions only insert. */
export function insertedTable<R extends object, S extends LookUpKey, Rows extends RowSet<R> = RecordSet<R>>(
  definition: TableDefinition<R, S, Rows>,
): Table<R, S, Rows, 'inserted'> {
  return describe(definition, 'inserted', []);
}

/** Describes a table whose rows decisions insert and update. */
export function updatedTable<R extends object, S extends LookUpKey, Rows extends RowSet<R> = RecordSet<R>>(
  definition: UpdatedTableDefinition<R, S, Rows>,
): Table<R, S, Rows, 'updated'> {
  return describe(definition, 'updated', updatedColumnsOf(definition), definition.inPlace);
}

/** Describes a table whose rows decisions set: updated where they exist, inserted otherwise. */
export function setTable<R extends object, S extends LookUpKey>(
  definition: UpdatedTableDefinition<R, S, RecordSet<R>>,
): Table<R, S, RecordSet<R>, 'set'> {
  return describe(definition, 'set', updatedColumnsOf(definition));
}

function updatedColumnsOf<R extends object, S extends LookUpKey, Rows extends RowSet<R>>(
  definition: UpdatedTableDefinition<R, S, Rows>,
): readonly Column<R>[] {
  const constantNames = new Set<string>([...definition.primaryKey, ...definition.constant]);
  return columnsOf(definition.columns).filter(
    ({ isWritten, property }) => isWritten && !constantNames.has(property),
  );
}

function describe<R extends object, S extends LookUpKey, Rows extends RowSet<R>, W extends Writes>(
  definition: TableDefinition<R, S, Rows>,
  writes: W,
  updatedColumns: readonly Column<R>[],
  inPlace?: UpdatedTableDefinition<R, S, Rows>['inPlace'],
): Table<R, S, Rows, W> {
  const { name, primaryKey, insertedOnce, change } = definition;
  const columns = columnsOf(definition.columns);
  const knownBy = definition.knownBy ?? { constraint: `${name}_pkey`, properties: primaryKey };
  const keyOf = keyReader(knownBy.properties);
  const onceKeyOf = insertedOnce ? keyReader(insertedOnce.properties) : null;
  const statements = writeStatements(definition, columns, updatedColumns);
  const newRecords = (): RowSet<R> => new RecordSet(keyOf, onceKeyOf);
  const described = {
    name,
    writes,
    columns,
    otherColumns: definition.otherColumns ?? [],
    handling: definition.handling,
    primaryKey,
    updatedColumns,
    knownBy,
    unique: definition.unique ?? [],
    checks: definition.checks ?? {},
    references: definition.references ?? [],
    keyOf,
    insertedOnce: insertedOnce ?? null,
    insertedWith: definition.insertedWith ?? null,
    channel: definition.channel ?? null,
    packed: definition.packed ?? null,
    // A table without newRows has Rows = RecordSet.
    newRows: definition.newRows ?? (newRecords as () => Rows),
    ...statements,
    isUpdatedInPlace: inPlace !== undefined,
    updateInPlace: inPlace
      ? inPlaceUpdate({ name, columns, updatedColumns, key: knownBy.properties }, inPlace)
      : null,
    ...(change && {
      update: (environmentId: string, rows: Iterable<R>) => change.statements(environmentId, [...rows]),
    }),
    asStored: (row: R, before: R | null) => {
      if (before && change) return change.inMemory(before, row);
      return definition.asStored ? definition.asStored(row) : row;
    },
    select: selectOf(columns),
    pick: pickOf(columns),
  };
  const lookUps = (definition.lookUps ?? []).map((lookUp) => lookUpOf(described, lookUp));
  return {
    ...described,
    lookUps,
    lookUp(lookUpName) {
      const lookUp = lookUps.find((known) => known.name === lookUpName);
      if (!lookUp) throw new Error(`${name} has no look-up ${lookUpName}`);
      return lookUp;
    },
  };
}

function writeStatements<R extends object>(
  {
    name,
    primaryKey,
    insertedOnce,
    insertedWith,
  }: Pick<TableDefinition<R, LookUpKey, RowSet<R>>, 'name' | 'primaryKey' | 'insertedOnce' | 'insertedWith'>,
  columns: readonly Column<R>[],
  updatedColumns: readonly Column<R>[],
): Pick<Table<R>, 'insert' | 'insertWith' | 'update'> {
  const written = columns.filter(({ isWritten }) => isWritten);
  const names = written.map((column) => column.name);
  const target = `${name} (environment_id, ${names.join(', ')})`;
  // A list of texts is sent as JSON, because unnest would take an array of arrays apart to its last element.
  const arrays = written.map(({ type }, index) => `$${index + 2}::${type === 'text[]' ? 'json' : type}[]`);
  const selected = `select $1::uuid, ${written.map(pickOfRow).join(', ')}
    from unnest(${arrays.join(', ')}) as r(${names.join(', ')})`;
  // One row of VALUES, whose functions return as many rows as the arrays have elements. Citus takes that as it takes
  // one row: to the shard of the environment. The result of a SELECT it copies there, and commits such a transaction in
  // two phases. It takes a function of a function's rows in a SELECT only.
  const rows = written.some(({ type }) => type === 'text[]')
    ? selected
    : `values ($1::uuid, ${arrays.map((array) => `unnest(${array})`).join(', ')})`;
  const insertText = `insert into ${target}
    ${rows}`;
  const key = primaryKey.map(columnName);
  const set = updatedColumns.map((column) => `${column.name} = excluded.${column.name}`);
  // The rows exist, for they are locked. An upsert always finds them through the primary key, whereas the plan of an
  // UPDATE … FROM may read the whole environment while the table has no statistics.
  const updateText =
    set.length > 0
      ? `${insertText}
    on conflict (environment_id, ${key.join(', ')}) do update set ${set.join(', ')}`
      : null;
  const once = insertedOnce
    ? ' on conflict (environment_id, ' +
      `${insertedOnce.properties.map(columnName).join(', ')}) where ` +
      `${insertedOnce.where} do nothing`
    : '';
  const valuesOf = (environmentId: string, rows: Iterable<R>): unknown[] => {
    const list = [...rows];
    const values: unknown[] = [environmentId];
    for (const column of written) values.push(column.literal(list));
    return values;
  };
  return {
    insert: (environmentId, rows) => ({
      name: `insert_${name}`,
      text: `${insertText}${once}`,
      values: valuesOf(environmentId, rows),
    }),
    insertWith: (environmentId, rows) => {
      if (!insertedWith) throw new Error(`${name} has no rows that depend on another table's`);
      const text = `insert into ${target}
    ${selected}
    cross join lateral (
      select from ${insertedWith.table} where environment_id = $1::uuid and id = r.id limit 1
    ) as inserted_with`;
      return { name: `insert_${name}_with`, text, values: valuesOf(environmentId, rows) };
    },
    update: (environmentId, rows) => {
      if (updateText === null) throw new Error(`${name} has no column that is updated`);
      return [{ name: `update_${name}`, text: updateText, values: valuesOf(environmentId, rows) }];
    },
  };
}

/** SQL for a column's value in a row `r` of the parameters of an insert. */
function pickOfRow({ name, type }: { name: string; type: SqlType }): string {
  return type === 'text[]' ? `array(select json_array_elements_text(r.${name}))` : `r.${name}`;
}

function selectOf<R extends object>(columns: readonly Column<R>[]): Select<R> {
  return (alias, replaced = {}, prefix = '') =>
    columns
      .map(({ name, property, isJoined }) => {
        const expression = replaced[property] ?? (isJoined ? null : `${alias}.${name}`);
        if (expression === null) throw new Error(`${name} is joined: say from where`);
        return `${expression} as "${prefix}${property}"`;
      })
      .join(', ');
}

function pickOf<R extends object>(columns: readonly Column<R>[]): (row: object, prefix?: string) => R {
  const properties: readonly string[] = columns.map(({ property }) => property);
  const empty = Object.fromEntries(properties.map((property) => [property, null]));
  return (row, prefix = '') => {
    const from = row as Readonly<Record<string, unknown>>;
    // A copy has every property from the beginning, so that filling it is cheap.
    const record: Record<string, unknown> = { ...empty };
    for (const property of properties) record[property] = from[prefix + property];
    return record as R;
  };
}

/** Returns a function that reads the key of a row: the values of the properties, joined as by keyOf. */
export function keyReader<R extends object>(properties: readonly (keyof R & string)[]): (row: R) => string {
  const [first, ...others] = properties;
  if (first === undefined) throw new Error('a key has properties');
  return (row) => {
    let key = keyPart(row[first]);
    for (const property of others) key += `\u0000${keyPart(row[property])}`;
    return key;
  };
}

function keyPart(value: unknown): string {
  if (typeof value === 'string') return value;
  return value instanceof Date ? value.toISOString() : String(value);
}
