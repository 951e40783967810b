import type { Pool } from 'pg';
import { type RollUp, rollUp } from '../ledger/closed-days/roll-up.ts';

/** What was done for one environment. */
export interface EnvironmentRollUp extends RollUp {
  /** UUID. */
  environmentId: string;
}

/**
 * Closes the days of every environment that ended more than ten minutes ago. Of two processes at it, each environment
 * is done by one.
 * @throws AggregateError where it failed for one, once the others are done
 * @param signal aborted where the process stops: the month that is begun is finished, and no other begun
 */
export async function rollUpEnvironments(pool: Pool, signal?: AbortSignal): Promise<EnvironmentRollUp[]> {
  const { rows } = await pool.query<{ id: string }>({
    name: 'environments_to_roll_up',
    text: 'select id from environments order by id',
  });
  const done: EnvironmentRollUp[] = [];
  const errors: unknown[] = [];
  for (const { id } of rows) {
    if (signal?.aborted) break;
    try {
      done.push({ environmentId: id, ...(await rollUp(pool, id, signal)) });
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, 'Days could not be closed');
  return done;
}
