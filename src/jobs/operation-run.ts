import type { Pool } from 'pg';
import { newUuid, toTypeId } from '../ids.ts';

/** The type of a run: settle profiles, or re-qualify them. */
export type RunType = 'expiry_run' | 'tier_run';

/** The long-running operation of a run over many profiles of one environment, as `GET /operations` shows it. */
export interface OperationRun {
  /** TypeID `op_…`: the request id of all commands of the run. */
  requestId: string;
  update(done: number): Promise<void>;
  /** @param problem null where everything that was due is done */
  finish(result: object, problem: 'interrupted' | 'internal_error' | null): Promise<void>;
}

const MESSAGES = {
  interrupted: 'The run was stopped; the next one goes on.',
  internal_error: 'Some profiles could not be done; the log says why.',
} as const;

/**
 * Creates the operation of a run in the status `running`. Runs of the same type in the environment that are `running` for
 * more than a day were killed: they are marked as failed.
 * @param environmentId UUID
 * @param total the number of profiles that are due
 */
export async function startRun(
  pool: Pool,
  environmentId: string,
  type: RunType,
  total: number,
): Promise<OperationRun> {
  const id = newUuid();
  await pool.query(
    `update operations set status = 'failed', finished_at = clock_timestamp(),
       error = '{"code":"interrupted","message":"The run was killed."}'
     where environment_id = $1::uuid and type = $2::text and status = 'running'
       and started_at < clock_timestamp() - interval '1 day'`,
    [environmentId, type],
  );
  await pool.query(
    `insert into operations (environment_id, id, type, status, progress_total, input, created_at, started_at)
     values ($1::uuid, $2::uuid, $3::text, 'running', $4::bigint, '{}', clock_timestamp(), clock_timestamp())`,
    [environmentId, id, type, total],
  );
  return {
    requestId: toTypeId('op', id),
    async update(done) {
      await pool.query(
        'update operations set progress_done = $3::bigint where environment_id = $1::uuid and id = $2::uuid',
        [environmentId, id, done],
      );
    },
    async finish(result, problem) {
      const error = problem && JSON.stringify({ code: problem, message: MESSAGES[problem] });
      await pool.query(
        `update operations set status = $3::text, result = $4::json, error = $5::json,
           progress_done = case when $5::json is null then progress_total else progress_done end,
           finished_at = clock_timestamp()
         where environment_id = $1::uuid and id = $2::uuid`,
        [environmentId, id, problem ? 'failed' : 'succeeded', JSON.stringify(result), error],
      );
    },
  };
}
