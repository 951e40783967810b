import type { Pool } from 'pg';
import { type RollUp, rollUp } from '../ledger/closed-days/roll-up.ts';

/** The result for one environment. */
export interface EnvironmentRollUp extends RollUp {
  /** UUID. */
  environmentId: string;
}

/**
 * Closes the days of every environment that ended more than ten minutes ago. Where two processes do it at once, only
 * one of them works on an environment at a time.
 * @param signal aborted when the process stops: the current month is finished, and no other is begun
 * @throws AggregateError where it failed for some environments, after the others are done
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
