import { wouldOverflow } from '../../ledger/books/posting.ts';
import type { ProfileRecord } from '../../ledger/tables/program-profiles.ts';
import { type Refusal, refuse } from '../../refusal.ts';

/**
 * Refuses points that would bring the member's balance in the program above 2^53-1, the largest integer that every JSON
 * reader represents exactly.
 */
export function refuseOverflow(profile: ProfileRecord, points: number): Refusal | null {
  return wouldOverflow(profile, points)
    ? refuse('balance_limit_exceeded', 'The balance would exceed 2^53-1 points.')
    : null;
}
