import { LoadedPointsExceeded } from '../command.ts';
import { ROW_HAS_MOVED } from '../tables/update-in-place.ts';

/** The server closed the connection, does not accept one, or cannot write. */
const CONNECTION_FAILURES = new Set([
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
  '57P05', // idle_session_timeout
  '53100', // disk_full
  '53300', // too_many_connections
  '55000', // the database takes no connections
  '25P03', // idle_in_transaction_session_timeout
  '25006', // read_only_sql_transaction: the server has become a standby
  '08000',
  '08003',
  '08006',
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT', // the socket does not exist, because the server is not running
  'EPIPE',
]);

/**
 * insufficient_resources and system_error: the server has no room, memory or file for a statement, and may have it
 * again in a moment.
 */
const SHORT_OF_RESOURCES = /^(?:53|58)/;

/**
 * How bad an error is that ends its session. A session that a full disk keeps from beginning fails with XX000 and
 * this.
 */
const FATAL = new Set(['FATAL', 'PANIC']);

/** A concurrent command wrote the key, order, member or counter first. */
const UNIQUE_VIOLATION = '23505';

/** invalid_text_representation: a text that was cast to another type is none of it. */
const INVALID_TEXT = '22P02';

/** The SQLSTATE of an error that has none of its own. */
const INTERNAL_ERROR = 'XX000';
/** How the message of a unique violation begins. */
const DUPLICATE = 'duplicate key value violates unique constraint';

/** query_canceled: the statement ran longer than statement_timeout. */
const STATEMENT_CANCELLED = '57014';

/** The statement waited too long for other transactions, or ran too long. */
/** What Prisma's client, which management uses, calls failures of the connection and delays. */
const OF_PRISMA: ReadonlyMap<string, string> = new Map([
  ['P1001', '08006'],
  ['P1002', '08006'],
  ['P1008', '08006'],
  ['P1017', '08006'],
  ['P2024', '53300'],
  // A transaction could not begin in time, or took too long and was rolled back.
  ['P2028', '55P03'],
  ['P2034', '40001'],
]);

const DELAYS = new Set([
  '40001', // serialization_failure
  '40P01', // deadlock_detected
  '55P03', // lock_not_available
  STATEMENT_CANCELLED,
]);

/** Why a batch is tried again, as the metric of retries names it. `error` may come from one of its commands alone. */
export type RetryCause =
  | 'connection'
  | 'delay'
  | 'duplicate_key'
  | 'moved_row'
  | 'loaded_points_exceeded'
  | 'error';

export function retryCauseOf(error: unknown): RetryCause {
  if (isConnectionFailure(error)) return 'connection';
  if (isDelay(error)) return 'delay';
  if (isUniqueViolation(error)) return 'duplicate_key';
  if (hasRowMoved(error)) return 'moved_row';
  return error instanceof LoadedPointsExceeded ? 'loaded_points_exceeded' : 'error';
}

/** Whether a failed command may succeed at another try. */
export function isTransient(error: unknown): boolean {
  return retryCauseOf(error) !== 'error';
}

/** Whether another transaction has written first what the batch was to write: the next try loads what that one left. */
export function isLostRace(error: unknown): boolean {
  return isUniqueViolation(error) || hasRowMoved(error);
}

/** Whether a row that was to be updated in its place is there no more (`tables/update-in-place.ts`). */
function hasRowMoved(error: unknown): boolean {
  return codeOf(error) === INVALID_TEXT && (error as Error).message.includes(ROW_HAS_MOVED);
}

/** Whether the database could not be reached or did not finish in time, and nothing else is wrong. */
export function isUnavailability(error: unknown): boolean {
  return isConnectionFailure(error) || isDelay(error);
}

/** Whether the database was too busy for the statement, or short of something. */
function isDelay(error: unknown): boolean {
  const code = codeOf(error);
  return DELAYS.has(code) || SHORT_OF_RESOURCES.test(code);
}

/** Whether Postgres cancelled the statement because it ran too long. */
export function isStatementCancelled(error: unknown): boolean {
  return codeOf(error) === STATEMENT_CANCELLED;
}

/** Whether the connection or the server failed, and not a particular command. */
export function isConnectionFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    CONNECTION_FAILURES.has(codeOf(error)) ||
    ('severity' in error && FATAL.has(String(error.severity))) ||
    /connection (terminated|error)|not queryable|timeout exceeded when trying to connect|query read timeout/i.test(
      error.message,
    )
  );
}

/**
 * Whether another transaction has written the same key first. The next try loads that row. Citus copies the rows of an
 * insert to their shard, and passes on what went wrong there without its SQLSTATE.
 */
export function isUniqueViolation(error: unknown): boolean {
  const code = codeOf(error);
  if (code === INTERNAL_ERROR) return (error as Error).message.startsWith(DUPLICATE);
  return code === UNIQUE_VIOLATION;
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) return '';
  return OF_PRISMA.get(error.code) ?? stateBehind(error) ?? error.code;
}

/** The SQLSTATE of a statement that failed in Prisma's client; null for an error of another kind. */
function stateBehind(error: Error & { meta?: unknown }): string | null {
  const { meta } = error as { meta?: { driverAdapterError?: { cause?: { originalCode?: unknown } } } };
  const state = meta?.driverAdapterError?.cause?.originalCode;
  return typeof state === 'string' ? state : null;
}
