import { createPool, type Pool } from '../../../src/db/pool.ts';

/**
 * Looks for texts in every column of every row of every table of a database, as in a dump of it.
 * @returns `table: row` for each row that has one of them, in lower or upper case
 */
export async function searchDatabase(
  { options }: Pick<Pool, 'options'>,
  texts: readonly string[],
): Promise<string[]> {
  // Without a limit of time: some tables are large.
  const pool = createPool({ url: options.connectionString ?? '', size: 1, statementTimeoutMs: 0 });
  try {
    return await search(
      pool,
      texts.map((text) => text.toLowerCase()),
    );
  } finally {
    await pool.end();
  }
}

async function search(pool: Pool, texts: readonly string[]): Promise<string[]> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'm') and n.nspname not in ('pg_catalog', 'information_schema', 'test_twins')
       and n.nspname not like 'pg_toast%'
     order by 1`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await pool.query<{ row: string }>(
      `select row from (select t::text as row, lower(t::text) as lowered from ${name} t offset 0) as dumped
       where exists (select from unnest($1::text[]) as wanted(text) where strpos(lowered, wanted.text) > 0)`,
      [texts],
    );
    found.push(...rows.map(({ row }) => `${name}: ${row}`));
  }
  return found;
}
