/** Rows to look up that are known only after the programs, members, orders, reservations and adjustments are loaded. */
export type Need =
  | TransactionNeed
  | ClaimNeed
  | SpendingNeed
  | PendingNeed
  | StockNeed
  | CounterNeed
  | CouponCodeNeed;

/** The postings of a transaction, the lots that these name, and the lots that such a lot owes points to. */
export interface TransactionNeed {
  kind: 'transaction';
  transactionId: string;
}

/** The order that has a claim on a lot: that of the transaction which granted the lot. */
export interface ClaimNeed {
  kind: 'claim';
  transactionId: string;
}

/** The lots of a profile that are due, and as many open lots as have more than `points` available together. */
export interface SpendingNeed {
  kind: 'spending';
  memberId: string;
  programId: string;
  points: number;
}

/** All pending lots of a profile. */
export interface PendingNeed {
  kind: 'pending';
  memberId: string;
  programId: string;
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

export interface CouponCodeNeed {
  kind: 'couponCodeHash';
  programId: string;
  /** As `couponCodeHash` makes it. */
  codeHash: string;
}
