import type { Pool } from 'pg';
import type { OperationType } from '../contract/generated/types.ts';
import type { Statement } from '../db/statement.ts';
import { newUuid, toTypeId } from '../ids.ts';

/** How long an operation counts as running after its process was last heard of, in seconds. */
export const LEASE_SECONDS = 30;
const RENEW_MS = 5_000;

export interface OperationStart {
  /** UUID. */
  environmentId: string;
  type: OperationType;
  /** Null where it is not known how much there is to do. */
  total: number | null;
  /** Its options; neither secrets nor personal data. */
  input: object;
}

/** How an operation ended. */
export interface OperationOutcome {
  /** How much was done; null for all of it. */
  done: number | null;
  result: object | null;
  /** Null where it has succeeded. */
  error: { code: string; message: string } | null;
}

/** Long-running work that this process does, as `GET /operations` shows it. */
export interface RunningOperation {
  /** UUID. */
  operationId: string;
  /** TypeID `op_…`: the request id of all commands of the operation. */
  requestId: string;
  /** @param total where it is known only now */
  update(done: number, total?: number): Promise<void>;
  /**
   * Ends it. What it says stands, even where the operation was taken for interrupted in the meantime.
   * @param execute runs the statement, such as in a transaction with others; by default on its own
   */
  finish(outcome: OperationOutcome, execute?: (statement: Statement) => Promise<unknown>): Promise<void>;
  /** Puts it in the queue again, where another process can go on from its progress. @param result of what was done */
  giveBack(result: object): Promise<void>;
}

/**
 * Creates a long-running operation in the status `running`. The process renews its lease until the operation ends; one
 * whose lease has ended was killed (`failInterrupted`).
 */
export async function startOperation(
  pool: Pick<Pool, 'query'>,
  { environmentId, type, total, input }: OperationStart,
): Promise<RunningOperation> {
  const id = newUuid();
  await failInterrupted(pool);
  await pool.query({
    name: 'start_operation',
    text: `insert into operations
        (environment_id, id, type, status, progress_total, input, created_at, started_at, lease_until)
      values ($1::uuid, $2::uuid, $3::text, 'running', $4::bigint, $5::json, clock_timestamp(), clock_timestamp(),
        clock_timestamp() + interval '${LEASE_SECONDS} seconds')`,
    values: [environmentId, id, type, total, JSON.stringify(input)],
  });
  return runningOperation(pool, environmentId, id);
}

/** An operation in the status `running` that this process has leased: its lease is renewed until it ends. */
export function runningOperation(
  pool: Pick<Pool, 'query'>,
  environmentId: string,
  id: string,
): RunningOperation {
  // A renewal that fails is followed by another one, well before the lease ends.
  const renewal = setInterval(() => {
    pool.query(renewLease(environmentId, id)).catch(() => undefined);
  }, RENEW_MS);
  renewal.unref();
  return {
    operationId: id,
    requestId: toTypeId('op', id),
    async update(done, total) {
      await pool.query(recordProgress(environmentId, id, done, total ?? null));
    },
    async finish(outcome, execute = (statement) => pool.query(statement)) {
      clearInterval(renewal);
      await execute(finishOperation(environmentId, id, outcome));
    },
    async giveBack(result) {
      clearInterval(renewal);
      await pool.query(queueAgain(environmentId, id, result));
    },
  };
}

/**
 * Marks the operations of all environments as failed whose process was killed, or is cut off from the database: it has
 * not renewed their leases.
 */
export async function failInterrupted(pool: Pick<Pool, 'query'>): Promise<void> {
  await pool.query({
    name: 'fail_interrupted_operations',
    // The JSON is put together as text: Citus updates many shards only with functions that are immutable.
    text: `update operations set status = 'failed', finished_at = statement_timestamp(), lease_until = null,
        error = ('{"code":"interrupted","message":"The process that ran it was killed. What was done stays done.'
          || case
            when type = 'webhook_replay' then ' Go on with another replay, with sinceSequence '
              || ((input ->> 'sinceSequence')::bigint + progress_done)::text || '.'
            else ''
          end || '"}')::json
      where status = 'running' and lease_until < statement_timestamp()`,
  });
}

function renewLease(environmentId: string, id: string): Statement {
  return {
    name: 'renew_operation_lease',
    text: `update operations set lease_until = statement_timestamp() + interval '${LEASE_SECONDS} seconds'
      where environment_id = $1::uuid and id = $2::uuid and status = 'running'`,
    values: [environmentId, id],
  };
}

function recordProgress(environmentId: string, id: string, done: number, total: number | null): Statement {
  return {
    name: 'record_operation_progress',
    text: `update operations
      set progress_done = $3::bigint, progress_total = coalesce($4::bigint, progress_total)
      where environment_id = $1::uuid and id = $2::uuid`,
    values: [environmentId, id, done, total],
  };
}

function queueAgain(environmentId: string, id: string, result: object): Statement {
  return {
    name: 'queue_operation_again',
    text: `update operations set status = 'queued', started_at = null, lease_until = null, result = $3::json
      where environment_id = $1::uuid and id = $2::uuid and status = 'running'`,
    values: [environmentId, id, JSON.stringify(result)],
  };
}

function finishOperation(
  environmentId: string,
  id: string,
  { done, result, error }: OperationOutcome,
): Statement {
  return {
    name: 'finish_operation',
    text: `update operations set status = $3::text, result = $4::json, error = $5::json,
        progress_done = coalesce($6::bigint, progress_total, progress_done),
        finished_at = statement_timestamp(), lease_until = null
      where environment_id = $1::uuid and id = $2::uuid`,
    values: [
      environmentId,
      id,
      error ? 'failed' : 'succeeded',
      result && JSON.stringify(result),
      error && JSON.stringify(error),
      done,
    ],
  };
}
