import type { State } from '../../ledger/state.ts';
import type { ChoiceGrantRecord } from '../../ledger/tables/choice-grants.ts';

/** The open grants of a member that a `choiceGrants` subject names, oldest first. */
export function openGrants(state: Pick<State, 'rowsOf'>, externalCustomerId: string): ChoiceGrantRecord[] {
  return state
    .rowsOf('choiceGrants', { externalCustomerId })
    .filter(({ state: its }) => its === 'open')
    .sort((a, b) => a.grantedAt.getTime() - b.grantedAt.getTime() || (a.id < b.id ? -1 : 1));
}

/** The grants of tiers in any state, with the same subject. */
export function tierGrants(state: Pick<State, 'rowsOf'>, externalCustomerId: string): ChoiceGrantRecord[] {
  return grantedBy('tier:', state, externalCustomerId);
}

/** The grants that came with a merge, in any state, with the same subject. */
export function mergeGrants(state: Pick<State, 'rowsOf'>, externalCustomerId: string): ChoiceGrantRecord[] {
  return grantedBy('merge:', state, externalCustomerId);
}

function grantedBy(
  prefix: 'tier:' | 'merge:',
  state: Pick<State, 'rowsOf'>,
  externalCustomerId: string,
): ChoiceGrantRecord[] {
  return state
    .rowsOf('choiceGrants', { externalCustomerId })
    .filter((grant) => grant.grantedBy.startsWith(prefix))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}
