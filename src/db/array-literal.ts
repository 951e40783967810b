type Scalar = string | number | boolean | Date | Buffer | null;

const SPECIAL = /["\\]/;
const EVERY_SPECIAL = /["\\]/g;

/**
 * A Postgres array literal, for one column of many rows. One parameter a column keeps a statement's text the same
 * for any number of rows, so that it is prepared once.
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

// The columns of a batch are its hot path: each kind has a loop of its own, which reads the property of each row once.

/** The array literal of a property that holds text or null. */
export function textColumn<Row extends object>(rows: readonly Row[], property: keyof Row): string {
  let literal = '{';
  // Rows that follow each other often hold the same state, program or tier: it is quoted once.
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
    // Without quotes, text of this length can hold no two elements that are UUIDs: Postgres refuses what is none.
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
  // The rows of a batch share their instants: one is written once.
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
    // A JSON text holds no raw control characters: what a second JSON.stringify escapes are quotes and backslashes
    // alone, the way an array literal wants them, at a third of the cost of a regular expression.
    literal += value === null ? 'NULL' : JSON.stringify(JSON.stringify(value));
  }
  return `${literal}}`;
}

function quoted(text: string): string {
  return SPECIAL.test(text) ? `"${text.replace(EVERY_SPECIAL, '\\$&')}"` : `"${text}"`;
}
