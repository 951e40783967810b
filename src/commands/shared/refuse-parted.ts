import type { State } from '../../ledger/command.ts';
import { type Refusal, refuse } from '../../refusal.ts';

/**
 * Refuses a command whose member was looked up while two accounts were one, and which runs after they were parted: the
 * resource is the other account's now. Sent again, it finds that one.
 * @param memberId UUID of the member that the resource is stored with
 * @param externalCustomerId the name that was looked up
 */
export function refuseParted(
  memberId: string,
  externalCustomerId: string,
  state: Pick<State, 'isOf' | 'member'>,
): Refusal | null {
  return state.isOf(memberId, state.member(externalCustomerId)) ? null : parted;
}

const parted = refuse(
  'overloaded',
  'Two accounts of the member were parted at this moment. Nothing was done for this request: send it again after Retry-After.',
);
