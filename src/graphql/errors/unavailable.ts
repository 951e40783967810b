import { isUnavailability } from '../../ledger/batch/sqlstate.ts';
import { type Refusal, refuse } from '../../refusal.ts';

const unavailable = refuse(
  'unavailable',
  'The database does not answer at the moment. Send it again after Retry-After; a change with the same Idempotency-Key, for it may have happened.',
);

/**
 * What a client is told of a failure that will pass, whatever the surface.
 * @param error what a command, a read or the check of a key has thrown
 * @returns null where something is broken
 */
export function refuseUnavailable(error: unknown): Refusal | null {
  return isUnavailability(error) ? unavailable : null;
}
