/**
 * Failures after which the same command may well succeed: another process was first (it shows at the next look), a
 * deadlock, a serialization failure, a lost or refused connection, a timeout that the server set.
 */
const TRANSIENT = new Set([
  '23505', // unique_violation: a concurrent command wrote the key, order or member first
  '40001', // serialization_failure
  '40P01', // deadlock_detected
  '55P03', // lock_not_available
  '57014', // query_canceled (statement_timeout)
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
  '53300', // too_many_connections
  '08000',
  '08003',
  '08006',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
]);

/** Whether a failed command is worth another try. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('code' in error && typeof error.code === 'string') return TRANSIENT.has(error.code);
  return /connection (terminated|error)|timeout exceeded when trying to connect/i.test(error.message);
}
