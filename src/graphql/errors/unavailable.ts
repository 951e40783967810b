import { isUnavailability } from '../../ledger/batch/sqlstate.ts';
import { type Refusal, refuse } from '../../refusal.ts';

const unavailable = refuse(
  'unavailable',
  'The database does not answer at the moment. Send it again after Retry-After; a ' +
    'change with the same Idempotency-Key, for it may have happened.',
);

/**
 * The refusal that a client of REST or GraphQL gets for a temporary failure of the database.
 * @param error thrown by a command, a read or the check of a key
 * @returns null for every other error
 */
export function refuseUnavailable(error: unknown): Refusal | null {
  return isUnavailability(error) ? unavailable : null;
}
