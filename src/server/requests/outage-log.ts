import type { Logger } from '../../http/logger.ts';
import { sparingly } from '../../http/sparingly.ts';
import { isUnavailability } from '../../ledger/batch/sqlstate.ts';

/** The part of the log in which requests that failed are named. */
export type FailureLog = Pick<Logger, 'error'>;

/**
 * A log of requests that failed. Those that failed because the database did not answer, or had no connection for them,
 * say all the same: one line a second names the last of them, as a warning, with the number of the others. All else is
 * an error with a line of its own.
 */
export function failureLog(logger: Pick<Logger, 'error' | 'warn'>): FailureLog {
  const warn = sparingly<{ err: unknown }>((fields, unmentioned) =>
    logger.warn({ ...fields, unmentioned }, 'The database did not answer a request: its client got 503'),
  );
  return {
    error(fields: { err?: unknown }, message: string): void {
      if (isUnavailability(fields.err)) warn({ ...fields, err: fields.err });
      else logger.error(fields, message);
    },
  } as FailureLog;
}
