import { wouldOverflow } from '../../ledger/books/posting.ts';
import type { ProfileRecord } from '../../ledger/tables/program-profiles.ts';
import { type Refusal, refuse } from '../../refusal.ts';

/**
 * Refuses points that would bring the member's balance in the program above 2^53-1, the largest integer that every JSON
 * reader represents exactly.
 */
export function refuseOverflow(
  profile: ProfileRecord,
  points: number,
): Refusal<'balance_limit_exceeded'> | null {
  return wouldOverflow(profile, points)
    ? refuse('balance_limit_exceeded', 'The balance would exceed 2^53-1 points.')
    : null;
}

/** Refuses to take more points than the profile has available. The profile has to be settled before. */
export function refuseShortage(
  { available }: ProfileRecord,
  points: number,
): Refusal<'insufficient_points'> | null {
  if (available >= points) return null;
  return refuse(
    'insufficient_points',
    `The member has ${available} available points, and ${points} are needed.`,
  );
}

/**
 * Refuses a purchase with which all of the member's purchases, less what was returned, would come to more than 2^53-1
 * minor currency units. A sum that stopped there instead would be too small once purchases are returned.
 */
export function refuseAmountOverflow(
  { purchaseAmountMinor }: Pick<ProfileRecord, 'purchaseAmountMinor'>,
  amountMinor: number,
): Refusal<'balance_limit_exceeded'> | null {
  return purchaseAmountMinor + amountMinor > Number.MAX_SAFE_INTEGER
    ? refuse('balance_limit_exceeded', "The member's purchases would come to more than 2^53-1 minor units.")
    : null;
}
