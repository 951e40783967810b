/** What leads to rows that are known only once profiles, orders, reservations and adjustments are loaded. */
export type Need = TransactionNeed | SpendingNeed | StockNeed | CounterNeed;

/** The postings of a transaction, the lots that these name, and the orders that have a claim on those. */
export interface TransactionNeed {
  kind: 'transaction';
  transactionId: string;
}

/** The lots of a profile that are due, and open ones that hold more than `points`. */
export interface SpendingNeed {
  kind: 'spending';
  memberId: string;
  programId: string;
  points: number;
}

export interface StockNeed {
  kind: 'rewardStock';
  programId: string;
  rewardId: string;
}

export interface CounterNeed {
  kind: 'sharedCounter';
  programId: string;
  counterId: string;
}
