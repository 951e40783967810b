type Scalar = string | number | boolean | Date | Buffer | null;

const QUOTED = /["\\]/g;

/**
 * A Postgres array literal, for one column of many rows. One parameter a column keeps a statement's text the same
 * for any number of rows, so that it is prepared once.
 */
export function arrayLiteral(values: readonly Scalar[]): string {
  let literal = '{';
  for (let index = 0; index < values.length; index++) {
    if (index > 0) literal += ',';
    literal += element(values[index] ?? null);
  }
  return `${literal}}`;
}

function element(value: Scalar): string {
  if (value === null) return 'NULL';
  if (typeof value === 'string') return `"${value.replace(QUOTED, '\\$&')}"`;
  if (value instanceof Date) return value.toISOString();
  if (Buffer.isBuffer(value)) return `"\\\\x${value.toString('hex')}"`;
  return String(value);
}
