type Scalar = string | number | boolean | Date | Buffer | null;

const SPECIAL = /["\\]/;
const EVERY_SPECIAL = /["\\]/g;

/**
 * A Postgres array literal, for one column of many rows. One parameter a column keeps a statement's text the same
 * for any number of rows, so that it is prepared once.
 */
export function arrayLiteral(values: readonly Scalar[]): string {
  return columnLiteral(values, itself);
}

/** The array literal of what `valueIn` takes from each row. */
export function columnLiteral<Row>(rows: readonly Row[], valueIn: (row: Row) => Scalar): string {
  let literal = '{';
  // The rows of a batch share their instants: one is written once.
  let instant: Date | null = null;
  let written = '';
  for (let index = 0; index < rows.length; index++) {
    if (index > 0) literal += ',';
    const value = valueIn(rows[index] as Row);
    if (value === null) literal += 'NULL';
    else if (typeof value === 'string') literal += quoted(value);
    else if (typeof value !== 'object') literal += value;
    else if (value instanceof Date) {
      if (value !== instant) {
        instant = value;
        written = value.toISOString();
      }
      literal += written;
    } else literal += `"\\\\x${value.toString('hex')}"`;
  }
  return `${literal}}`;
}

/** The array literal of JSON texts. */
export function jsonColumnLiteral<Row>(rows: readonly Row[], valueIn: (row: Row) => object | null): string {
  let literal = '{';
  for (let index = 0; index < rows.length; index++) {
    if (index > 0) literal += ',';
    const value = valueIn(rows[index] as Row);
    // A JSON text holds no raw control characters: what a second JSON.stringify escapes are quotes and backslashes
    // alone, the way an array literal wants them, at a third of the cost of a regular expression.
    literal += value === null ? 'NULL' : JSON.stringify(JSON.stringify(value));
  }
  return `${literal}}`;
}

function quoted(text: string): string {
  return SPECIAL.test(text) ? `"${text.replace(EVERY_SPECIAL, '\\$&')}"` : `"${text}"`;
}

function itself(value: Scalar): Scalar {
  return value;
}
