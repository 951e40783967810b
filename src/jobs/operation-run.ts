import type { Pool } from 'pg';
import { startOperation } from '../operations/operation.ts';

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
 * Creates the operation of a run in the status `running`.
 * @param environmentId UUID
 * @param total the number of profiles that are due
 */
export async function startRun(
  pool: Pool,
  environmentId: string,
  type: RunType,
  total: number,
): Promise<OperationRun> {
  const operation = await startOperation(pool, { environmentId, type, total, input: {} });
  let recorded = 0;
  return {
    requestId: operation.requestId,
    async update(done) {
      recorded = done;
      await operation.update(done);
    },
    async finish(result, problem) {
      const error = problem && { code: problem, message: MESSAGES[problem] };
      await operation.finish({ done: problem ? recorded : null, result, error });
    },
  };
}
