import type { State } from '../../ledger/state.ts';

/**
 * The name of the member that a name answers for: its own, or that of the member into which it was merged. Receipts
 * show this one.
 */
export function presentName(externalCustomerId: string, state: Pick<State, 'member'>): string {
  return state.member(externalCustomerId)?.externalCustomerId ?? externalCustomerId;
}
