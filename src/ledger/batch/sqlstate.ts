import { HoldingExceeded } from '../command.ts';

/** The server went away, or does not take us in. */
const CONNECTION_FAILURES = new Set([
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
  '57P05', // idle_session_timeout
  '53300', // too_many_connections
  '55000', // the database takes no connections
  '25P03', // idle_in_transaction_session_timeout
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
  'ENOENT', // the socket of a server that is not there
  'EPIPE',
]);

/** A concurrent command wrote the key, order, member or counter first. */
const UNIQUE_VIOLATION = '23505';

/** Others were in the way for too long. */
const DELAYS = new Set([
  '40001', // serialization_failure
  '40P01', // deadlock_detected
  '55P03', // lock_not_available
  '57014', // query_canceled (statement_timeout)
]);

/** Whether a failed command is worth another try: it may well succeed on the state that is there by then. */
export function isTransient(error: unknown): boolean {
  return isUnavailability(error) || isUniqueViolation(error) || error instanceof HoldingExceeded;
}

/** Whether the database is away or did not come to it in time, and nothing is broken. */
export function isUnavailability(error: unknown): boolean {
  return isConnectionFailure(error) || DELAYS.has(codeOf(error));
}

/** Whether the connection is to blame, and no command in particular. */
export function isConnectionFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    CONNECTION_FAILURES.has(codeOf(error)) ||
    /connection (terminated|error)|not queryable|timeout exceeded when trying to connect|query read timeout/i.test(
      error.message,
    )
  );
}

/** Whether somebody else has written the row first: it is there at the next try. */
export function isUniqueViolation(error: unknown): boolean {
  return codeOf(error) === UNIQUE_VIOLATION;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
