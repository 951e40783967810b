// SQL expressions for rows that are generated in the database.

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * The outer form of a UUID, as toTypeId of src/ids.ts returns it: 26 digits of five bits each.
 * @param uuid an expression
 */
export function typeIdSql(prefix: string, uuid: string): string {
  const hex = `replace(${uuid}::text, '-', '')`;
  const digits = (start: number, hexDigits: number): string => {
    const bits = hexDigits * 4;
    const value = `('x' || substr(${hex}, ${start}, ${hexDigits}))::bit(${bits})::bigint`;
    const shifts = Array.from({ length: Math.ceil(bits / 5) }, (_, index) => index * 5).reverse();
    const text = shifts.map((shift) => `substr('${ALPHABET}', ((v >> ${shift}) & 31)::integer + 1, 1)`);
    return `(select ${text.join(' || ')} from (select ${value} as v offset 0) as part)`;
  };
  return `'${prefix}_' || ${[digits(1, 2), digits(3, 10), digits(13, 10), digits(23, 10)].join(' || ')}`;
}

/** The placeholder in a template for a column of type text. */
export function textOf(column: string): string {
  return `%%${column}%%`;
}

/** The placeholder in a template for a numeric column. */
export function numberOf(column: string): string {
  return `##${column}##`;
}

/** The JSON of a template with the columns of each row. Its constant parts are literals that are concatenated. */
export function jsonSql(template: object): string {
  const parts = JSON.stringify(template).split(/("##\w+##"|%%\w+%%)/);
  const expressions = parts.map((part) => {
    const [, column] = /^"##(\w+)##"$|^%%(\w+)%%$/.exec(part)?.filter(Boolean) ?? [];
    return column ?? `'${part.replaceAll("'", "''")}'`;
  });
  return `concat(${expressions.join(', ')})::json`;
}
