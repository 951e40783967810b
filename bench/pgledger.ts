import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { createPool } from '../src/db/pool.ts';
import { DirectCalls } from './direct-calls.ts';
import { scatter } from './purchases.ts';
import type { PgledgerTarget } from './scenarios.ts';

/** The SQL of a checkout of pgledger, in the order in which it is loaded. */
const SQL_FILES = ['vendor/scoville-pgsql-ulid/uuid-to-ulid.sql', 'pgledger.sql'];

const DATABASE = 'pgledger';
/** As many as the service's members, so that transfers meet as seldom. */
const ACCOUNTS_SQL = `select a.id from generate_series(1, $1::integer) as number
  cross join lateral pgledger_create_account('account-' || number, 'PTS') as a`;

/**
 * Makes a database for pgledger beside the service's, with its tables and functions and with accounts.
 * @param pool connections of the superuser to the service's database
 * @param adminUrl the same superuser's
 * @param folder a checkout of pgledger
 */
export async function installPgledger(
  pool: Pool,
  adminUrl: string,
  folder: string,
  accounts: number,
): Promise<PgledgerTarget> {
  const texts = await Promise.all(SQL_FILES.map((file) => readFile(join(folder, file), 'utf8')));
  await pool.query(`create database ${DATABASE}`);
  const url = new URL(adminUrl);
  url.pathname = `/${DATABASE}`;
  const own = createPool({ url: url.href, size: 1, applicationName: 'bench', statementTimeoutMs: 0 });
  try {
    for (const text of texts) await own.query(text);
    const { rows } = await own.query<{ id: string }>(ACCOUNTS_SQL, [accounts]);
    await own.query('vacuum analyze');
    return { databaseUrl: url.href, accounts: rows.map(({ id }) => id) };
  } finally {
    await own.end();
  }
}

/** Transfers of a point between two accounts, each with one call of pgledger_create_transfer. */
export function pgledgerCalls({ databaseUrl, accounts }: PgledgerTarget): DirectCalls {
  const half = accounts.length >> 1;
  return new DirectCalls(
    databaseUrl,
    () => (number) => {
      const from = scatter(number) % accounts.length;
      const to = (from + half) % accounts.length;
      return {
        name: 'pgledger_transfer',
        text: 'select id from pgledger_create_transfer($1, $2, 1)',
        values: [accounts[from], accounts[to]],
        points: 1,
      };
    },
    (rows) => rows.length === 1,
  );
}
