import type { Pool } from '../src/db/pool.ts';
import type { Bench } from './bench.ts';
import type { BenchOptions } from './options.ts';
import { whole } from './report.ts';
import type { Stage } from './stage.ts';

/**
 * The bytes of all rows of a database, with their headers and their places in pages, and of all indexes. Postgres adds
 * many pages at a time to a table, so rows are counted, and not pages; indexes grow page by page.
 */
export async function storedBytes(pool: Pool): Promise<number> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class
     where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  );
  // A row begins at a multiple of 8 bytes, and takes 4 more in the page's list of rows.
  const sizes = tables.map(
    ({
      name,
    }) => `select coalesce(sum((pg_column_size(t.*) + 7) / 8 * 8 + 4), 0) + pg_indexes_size('${name}') as bytes
      from ${name} t`,
  );
  const { rows } = await pool.query<{ bytes: number }>(
    `select sum(bytes)::bigint as bytes from (${sizes.join(' union all ')}) each`,
  );
  return rows[0]?.bytes ?? 0;
}

/** Bytes of WAL that were written since the database was made. */
async function walBytes(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ bytes: number }>(
    `select (pg_current_wal_lsn() - '0/0'::pg_lsn)::bigint as bytes`,
  );
  return rows[0]?.bytes ?? 0;
}

/**
 * Measures what a purchase of (b) takes on disk and in the WAL, in an environment of its own.
 * @returns a line of the report
 */
export async function describeBytes(
  { pool }: Stage,
  bench: Bench,
  { seconds, members, keys }: Pick<BenchOptions, 'seconds' | 'members' | 'keys'>,
  connections: number,
): Promise<string> {
  const place = await bench.makePlace('Bytes', members, keys);
  const before = { stored: await storedBytes(pool), wal: await walBytes(pool) };
  const { requests } = await bench.measure('b', seconds, connections, { at: [place] });
  const each = (after: number, bytes: number): string => whole((after - bytes) / requests);
  const wal = each(await walBytes(pool), before.wal);
  const stored = each(await storedBytes(pool), before.stored);
  return `Bytes of a purchase, over ${whole(requests)} of (b): ${stored} in rows and indexes, ${wal} of WAL.`;
}
