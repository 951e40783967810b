import type { Pool } from '../../src/db/pool.ts';
import { testCluster } from './cluster.ts';

const WAITING = `select count(*)::integer as waiting from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`;

/**
 * How many sessions of a database wait for a lock. Where its tables are distributed, locks of rows are waited for on
 * the node that has the row, so that the sessions of every node count.
 * @param pool of the owner
 */
export async function countLockWaits(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ waiting: number }>(WAITING);
  let waiting = rows[0]?.waiting ?? 0;
  if (testCluster().workerUrls.length === 0) return waiting;
  const workers = await pool.query<{ result: string }>('select result from run_command_on_workers($1)', [
    WAITING,
  ]);
  for (const { result } of workers.rows) waiting += Number(result);
  return waiting;
}
