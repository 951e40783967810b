import { createPool, type Pool } from '../../../src/db/pool.ts';

/** Types whose values are written with nothing but digits, the letters a to f and punctuation. */
const WITHOUT_WORDS = `('uuid', 'bytea', 'int2', 'int4', 'int8', 'oid')`;

/**
 * Looks for texts in every column of every row of every table of a database, as in a dump of it. Columns that cannot
 * hold any of the texts are left out: most of the time would be writing their values.
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
  const haveLetters = texts.every((text) => /[g-z]/.test(text));
  const { rows: tables } = await pool.query<{ name: string; columns: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name, string_agg(format('t.%I', a.attname), ', ') as columns
     from pg_class c
     join pg_namespace n on n.oid = c.relnamespace
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     join pg_type y on y.oid = a.atttypid
     where c.relkind in ('r', 'm') and n.nspname not in ('pg_catalog', 'information_schema', 'test_twins')
       and n.nspname not like 'pg_toast%' and not ($1 and y.typname in ${WITHOUT_WORDS})
     group by 1
     order by 1`,
    [haveLetters],
  );
  // The rules of the language know more capital letters, and take twice the time.
  const lower = texts.every((text) => /^[ -~]*$/.test(text)) ? 'collate "C"' : '';
  const matches: string[] = [];
  for (const { name, columns } of tables) {
    const { rows } = await pool.query<{ row: string }>(
      `select row::text from (
         select t as row, lower(concat_ws(E'\\n', ${columns}) ${lower}) as lowered from ${name} t offset 0
       ) as dumped
       where exists (select from unnest($1::text[]) as wanted(text) where strpos(lowered, wanted.text) > 0)`,
      [texts],
    );
    matches.push(...rows.map(({ row }) => `${name}: ${row}`));
  }
  return matches;
}
