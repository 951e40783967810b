import {
  arrayLiteral,
  instantColumn,
  jsonColumn,
  plainColumn,
  textColumn,
  uuidColumn,
} from '../../db/array-literal.ts';

export type SqlType =
  | 'uuid'
  | 'text'
  | 'bigint'
  | 'integer'
  | 'boolean'
  | 'timestamptz'
  | 'bytea'
  | 'json'
  | 'text[]';

/** The SQL types that can store a property's type. */
type SqlTypeOf<V> = [V] extends [boolean]
  ? 'boolean'
  : [V] extends [number]
    ? 'bigint' | 'integer'
    : [V] extends [string]
      ? 'text' | 'uuid'
      : [V] extends [Date]
        ? 'timestamptz'
        : [V] extends [Buffer]
          ? 'bytea'
          : [V] extends [readonly string[]]
            ? 'text[]' | 'json'
            : 'json';

/**
 * How a property is stored: the type of its column, whose name is the property's in snake_case. With `readOnly`,
 * batches read the column and never write it. With `joined`, look-ups take the property from another table. With
 * `stored`, the written value differs from the one that is read.
 */
type ColumnDefinition<R, V> =
  | SqlTypeOf<V>
  | { type: SqlTypeOf<V>; readOnly: true }
  | { type: SqlTypeOf<V>; joined: true }
  | { type: 'json'; stored(row: R): object | null };

/** One definition for each property of the record, in the order of the columns. */
export type ColumnDefinitions<R extends object> = {
  readonly [P in keyof R]-?: ColumnDefinition<R, NonNullable<R[P]>>;
};

/** The definition of any property, for code that does not know its type. */
type AnyDefinition<R> =
  | SqlType
  | { type: SqlType; readOnly?: true; joined?: true; stored?(row: R): object | null };

export interface Column<R extends object> {
  readonly name: string;
  readonly property: keyof R & string;
  readonly type: SqlType;
  readonly isWritten: boolean;
  readonly isJoined: boolean;
  /** The column's values of the rows as an array literal: one parameter of a statement. */
  literal(rows: readonly R[]): string;
}

export function columnsOf<R extends object>(definitions: ColumnDefinitions<R>): Column<R>[] {
  return (Object.entries(definitions) as [string, AnyDefinition<R>][]).map(([name, definition]) => {
    const property = name as keyof R & string;
    const column = typeof definition === 'string' ? { type: definition } : definition;
    const { stored, joined: isJoined = false, readOnly: isReadOnly = false } = column;
    return {
      name: columnName(property),
      property,
      type: column.type,
      isJoined,
      isWritten: !isJoined && !isReadOnly,
      literal: stored ? (rows) => jsonColumn(rows.map(stored)) : literalOf<R>(column.type, property),
    };
  });
}

/** @returns the name in snake_case */
export function columnName(property: string): string {
  return property.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function literalOf<R extends object>(
  type: SqlType,
  property: keyof R & string,
): (rows: readonly R[]) => string {
  switch (type) {
    case 'json':
    case 'text[]':
      return (rows) => jsonColumn(rows.map((row) => row[property] as object | null));
    case 'uuid':
      return (rows) => uuidColumn(rows, property);
    case 'timestamptz':
      return (rows) => instantColumn(rows, property);
    case 'bigint':
    case 'integer':
    case 'boolean':
      return (rows) => plainColumn(rows, property);
    case 'bytea':
      return (rows) => arrayLiteral(rows.map((row) => row[property] as Buffer | null));
    default:
      return (rows) => textColumn(rows, property);
  }
}
