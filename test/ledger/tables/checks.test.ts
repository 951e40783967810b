import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { TABLE_LIST } from '../../../src/ledger/tables/all-tables.ts';
import type { SqlType } from '../../../src/ledger/tables/column.ts';
import type { Table } from '../../../src/ledger/tables/table.ts';
import { useConnection, useDatabase } from '../../support/use-database.ts';

// The store in memory, and so the simulator, knows the CHECKs of the database as functions. Both are given the same
// rows, most of them near the limits, and have to say the same of each.

const { database } = useDatabase();
const client = useConnection(() => database.adminPool);

/** The SQL of the CHECKs of a table. */
async function checksOf(table: Table): Promise<string[]> {
  const { rows } = await client.query<{ sql: string }>(
    `select pg_get_expr(conbin, conrelid) as sql from pg_constraint where contype = 'c' and conrelid = $1::regclass`,
    [table.name],
  );
  return rows.map(({ sql }) => sql);
}

async function nullableColumns(table: Table): Promise<Set<string>> {
  const { rows } = await client.query<{ name: string }>(
    'select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attnotnull',
    [table.name],
  );
  return new Set(rows.map(({ name }) => name));
}

// Mostly 0, so that many rows pass the CHECKs that add amounts up.
const small = fc.constantFrom(...Array<number>(10).fill(0), 1, 1, 1, 1, 2, 2, 3, 4, -1, -2);
/** Values of each type, few enough that two columns are often equal. */
const VALUES: Readonly<Record<SqlType, fc.Arbitrary<unknown>>> = {
  uuid: fc.constantFrom('018f0000-0000-7000-8000-000000000001', '018f0000-0000-7000-8000-000000000002'),
  text: fc.constantFrom('ann', 'ben'),
  bigint: small,
  integer: small,
  boolean: fc.boolean(),
  timestamptz: fc.constantFrom(new Date(0), new Date(1_000)),
  bytea: fc.integer({ min: 31, max: 33 }).map((length) => Buffer.alloc(length)),
  json: fc.nat({ max: 21 }).map((length) => Array.from({ length }, () => 'ann')),
  'text[]': fc.constant([]),
};

/** The values that a column may have by its type in TypeScript, where a CHECK lists them; null where none does. */
function listedValues(column: string, checks: readonly string[]): string[] | null {
  const list = checks.find((sql) => sql.startsWith(`(${column} = ANY (ARRAY[`));
  return list ? [...list.matchAll(/'([^']*)'::text/g)].map((match) => match[1] as string) : null;
}

/**
 * Rows that satisfy no CHECK but the lists of values. At most one amount of a row is about the largest safe integer, so
 * that no sum in JavaScript is rounded.
 */
function rowsOf(
  table: Table,
  nullable: ReadonlySet<string>,
  checks: readonly string[],
): fc.Arbitrary<object> {
  const values = table.columns.map(({ name, property, type }) => {
    const listed = listedValues(name, checks);
    const any = listed ? fc.constantFrom(...listed) : VALUES[type];
    // A record always has its JSON, also where the column leaves it to another table.
    const isNull = nullable.has(name) && type !== 'json';
    return [property, isNull ? fc.option(any, { freq: 1 }) : any] as const;
  });
  const amounts = table.columns
    .filter(({ type }) => type === 'bigint')
    .map(({ property }) => property as string);
  const record = fc.record(Object.fromEntries(values));
  if (amounts.length === 0) return record;
  const large = fc.record({
    property: fc.constantFrom(...amounts),
    amount: fc.constantFrom(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER + 1),
  });
  return fc
    .tuple(record, fc.option(large, { freq: 1 }))
    .map(([row, one]) => (one ? { ...row, [one.property]: one.amount } : row));
}

test.each(TABLE_LIST)(
  '%s: the CHECKs in memory pass the rows that those in Postgres pass',
  async (_name, table: Table) => {
    const checks = await checksOf(table);
    const columns = table.columns.filter(({ isJoined }) => !isJoined);
    const arrays = columns.map(({ type }, index) => `$${index + 1}::${type === 'json' ? 'text' : type}[]`);
    // A CHECK that gives null is satisfied.
    const statement = `select array[${checks.map((sql) => `(${sql}) is not false`).join(', ')}]::boolean[] as passed
    from (
      select ${columns.map(({ name, type }) => (type === 'json' ? `${name}::json as ${name}` : name)).join(', ')}
      from unnest(${arrays.join(', ')}) as r(${columns.map(({ name }) => name).join(', ')})
    ) as r`;
    const row = rowsOf(table, await nullableColumns(table), checks);
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 500, maxLength: 500 }), async (rows) => {
        const answers = await client.query<{ passed: boolean[] }>(
          statement,
          columns.map((column) => column.literal(rows)),
        );
        for (const [index, one] of rows.entries()) {
          const failed = checks.filter((_sql, place) => !answers.rows[index]?.passed[place]);
          const failedInMemory = Object.keys(table.checks).filter((name) => !table.checks[name]?.(one));
          const differs = failed.length > 0 !== failedInMemory.length > 0;
          expect(differs && { row: one, failed, failedInMemory }).toBe(false);
        }
      }),
      { numRuns: 6, endOnFailure: true },
    );
  },
);
