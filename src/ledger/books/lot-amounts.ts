import type { State } from '../state.ts';

/** Points of one lot. */
export interface LotAmount {
  /** UUID. */
  lotId: string;
  amount: number;
}

/**
 * The lots that a transaction has posted to, in the order of its postings.
 * @throws where a posting names no lot
 */
export function lotAmounts(state: State, transactionId: string): LotAmount[] {
  return state.postingsOf(transactionId).map(({ lotId, amount }) => {
    if (lotId === null) throw new Error(`a posting of ${transactionId} names no lot`);
    return { lotId, amount };
  });
}
