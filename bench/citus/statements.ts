import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { JOB_SCHEMA } from '../../src/db/job-schema.ts';
import type { Pool } from '../../src/db/pool.ts';
import { newUuid } from '../../src/ids.ts';
import type { FoundSql } from '../../test/support/sql/statements-of-source.ts';

const PROGRAM = fileURLToPath(new URL('../../test/support/sql/statements-of-source.ts', import.meta.url));

/** What planning every statement of the service came to. */
export interface PlannedStatements {
  planned: number;
  /** One line for each that failed: where it is, and what the database says. */
  problems: string[];
}

/**
 * Plans and runs every statement of the service and its jobs, with values for one environment that does not exist, in
 * transactions that are rolled back.
 * @param pool of the owner, on a distributed database
 */
export async function planStatements(pool: Pool): Promise<PlannedStatements> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--no-warnings', PROGRAM], {
    maxBuffer: 64 * 1024 * 1024,
  });
  const environmentId = newUuid();
  const found = JSON.parse(stdout) as FoundSql[];
  const texts = found.flatMap(({ values }) => values.map(({ text }) => text));
  const problems: string[] = [];
  let planned = 0;
  for (const { file, line, name, values } of found) {
    for (const { text, isStatement } of values) {
      const isPart = texts.some((other) => other.length > text.length && other.includes(text));
      // What is not about the tables of the service: its migrations, and the queue of jobs.
      if (!isStatement || isPart || file.startsWith('src/db/') || text.includes(JOB_SCHEMA)) continue;
      planned += 1;
      const problem = await problemOf(pool, text, environmentId);
      if (problem) problems.push(`${file}:${line} ${name}: ${problem}`);
    }
  }
  return { planned, problems: [...new Set(problems)] };
}

/** SQLSTATE classes of errors that come of the values: data exceptions and violated constraints. */
const OF_THE_VALUES = /^2[23]/;
/** The same where Citus does not pass on the SQLSTATE of a worker. */
const VIOLATION = / violates \S+( \S+)? constraint/;

/** Plans and runs a statement in a transaction that is rolled back. */
async function problemOf(pool: Pool, text: string, environmentId: string): Promise<string | null> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query(`prepare planned as ${text}`);
    const { rows } = await client.query<{ type: string }>(
      `select unnest(parameter_types)::text as type from pg_prepared_statements where name = 'planned'`,
    );
    // With values in place of the parameters, as in a plan for values; EXPLAIN EXECUTE fails on some that run.
    const values = rows.map(({ type }) => literal(type, environmentId));
    const filled = text.replace(/\$(\d+)/g, (_, number) => values[number - 1] ?? '');
    await client.query(`explain ${filled}`);
    await client.query(filled);
    return null;
  } catch (error) {
    const { message, detail, code } = error as Error & { detail?: string; code?: string };
    if (OF_THE_VALUES.test(code ?? '') || VIOLATION.test(message)) return null;
    return detail ? `${message} (${detail})` : message;
  } finally {
    await client.query('rollback');
    await client.query('deallocate all');
    client.release();
  }
}

const VALUES: Readonly<Record<string, string>> = {
  text: 'x',
  boolean: 'true',
  json: '[]',
  jsonb: '[]',
  bytea: '\\x00',
  date: '2026-01-01',
  'timestamp with time zone': '2026-01-01Z',
  'character varying': 'x',
  pg_lsn: '0/0',
};

/** A value of a type, in SQL. Every UUID is the environment's, so that the statement is for one environment. */
function literal(type: string, environmentId: string): string {
  const element = type.replace(/\[\]$/, '');
  const value = element === 'uuid' ? environmentId : (VALUES[element] ?? '1');
  return type === element ? `'${value}'::${type}` : `array['${value}']::${type}`;
}
