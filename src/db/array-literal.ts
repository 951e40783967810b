type Scalar = string | number | boolean | Date | Buffer | null;

const SPECIAL = /["\\]/;
const EVERY_SPECIAL = /["\\]/g;

/**
 * A Postgres array literal, for the values of one column in many rows. With one parameter for each column, the text of
 * a statement is the same for any number of rows, so that it is prepared once.
 */
export function arrayLiteral(values: readonly Scalar[]): string {
  return `{${values.map(elementOf).join()}}`;
}

function elementOf(value: Scalar): string {
  if (value === null) return 'NULL';
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object') return String(value);
  return value instanceof Date ? value.toISOString() : `"\\\\x${value.toString('hex')}"`;
}

// Writing the columns of a batch is on the hot path: each type has its own loop, which reads the property of each row
// once.

/** The array literal of a property that holds text or null. */
export function textColumn<Row extends object>(rows: readonly Row[], property: keyof Row): string {
  let literal = '{';
  // Successive rows often have the same state, program or tier: the text is quoted once.
  let text: string | null = null;
  let written = 'NULL';
  for (let index = 0; index < rows.length; index++) {
    if (index > 0) literal += ',';
    const value = (rows[index] as Row)[property] as string | null;
    if (value !== text) {
      text = value;
      written = value === null ? 'NULL' : quoted(value);
    }
    literal += written;
  }
  return `${literal}}`;
}

/** The array literal, cast to uuid[], of a property that holds UUIDs or null. */
export function uuidColumn<Row extends object>(rows: readonly Row[], property: keyof Row): string {
  let literal = '{';
  for (let index = 0; index < rows.length; index++) {
    if (index > 0) literal += ',';
    const value = (rows[index] as Row)[property] as string | null;
    // Text of 36 characters needs no quotes: it cannot contain two UUIDs, and Postgres refuses elements that are none.
    if (value === null) literal += 'NULL';
    else literal += value.length === 36 ? value : quoted(value);
  }
  return `${literal}}`;
}

/** The array literal of a property that holds numbers, booleans or null. */
export function plainColumn<Row extends object>(rows: readonly Row[], property: keyof Row): string {
  let literal = '{';
  for (let index = 0; index < rows.length; index++) {
    if (index > 0) literal += ',';
    literal += ((rows[index] as Row)[property] as number | boolean | null) ?? 'NULL';
  }
  return `${literal}}`;
}

/** The array literal of a property that holds instants or null. */
export function instantColumn<Row extends object>(rows: readonly Row[], property: keyof Row): string {
  let literal = '{';
  // The rows of a batch share Date objects: each is formatted once.
  let instant: Date | null = null;
  let written = '';
  for (let index = 0; index < rows.length; index++) {
    if (index > 0) literal += ',';
    const value = (rows[index] as Row)[property] as Date | null;
    if (value !== null && value !== instant) {
      instant = value;
      written = value.toISOString();
    }
    literal += value === null ? 'NULL' : written;
  }
  return `${literal}}`;
}

/** The array literal of JSON texts. */
export function jsonColumn(values: readonly (object | null)[]): string {
  let literal = '{';
  for (let index = 0; index < values.length; index++) {
    if (index > 0) literal += ',';
    const value = values[index] as object | null;
    // A JSON text has no raw control characters, so a second JSON.stringify escapes only quotes and backslashes. That
    // is how an array literal escapes them, and it costs a third of a regular expression.
    literal += value === null ? 'NULL' : JSON.stringify(JSON.stringify(value));
  }
  return `${literal}}`;
}

function quoted(text: string): string {
  return SPECIAL.test(text) ? `"${text.replace(EVERY_SPECIAL, '\\$&')}"` : `"${text}"`;
}
