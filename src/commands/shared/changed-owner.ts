import { type Retry, retryFor } from '../../ledger/retry.ts';
import type { State } from '../../ledger/state.ts';

/**
 * Puts off a command whose member was looked up by what it names, and which runs when that name is not the owner's any
 * more: the member was erased in between, or two accounts that had been one were parted. Sent again, it finds the
 * present name.
 * @param memberId UUID of the member that the resource is stored with
 * @param externalCustomerId the name that was looked up
 */
export function retryChangedOwner(
  memberId: string,
  externalCustomerId: string,
  state: Pick<State, 'isOf' | 'member'>,
): Retry | null {
  return state.isOf(memberId, state.member(externalCustomerId)) ? null : ownerChanged;
}

/** The name that was looked up before a command was submitted is not the name of that member any more. */
export const ownerChanged = retryFor('owner_changed');
