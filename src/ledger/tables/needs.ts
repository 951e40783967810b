/** Rows to look up that are known only after the programs, members, orders, reservations and adjustments are loaded. */
export type Need =
  | TransactionNeed
  | ClaimNeed
  | SpendingNeed
  | OpenReservationsNeed
  | DuePendingNeed
  | PendingNeed
  | OwingNeed
  | StockNeed
  | CounterNeed
  | CouponCodeNeed
  | FormerMemberNeed
  | FormerAccountNeed
  | LotsFromNeed
  | KeptLotNeed;

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

/**
 * As many open lots of a profile as have more than `points` available together, with those among them that have lapsed.
 */
export interface SpendingNeed {
  kind: 'spending';
  memberId: string;
  programId: string;
  points: number;
}

/** The reservations of a profile in the state `reserved`, each as a `reservation` subject. */
export interface OpenReservationsNeed {
  kind: 'openReservations';
  memberId: string;
  programId: string;
}

/** The pending lots of a profile that are due, and the next one after them. */
export interface DuePendingNeed {
  kind: 'duePending';
  memberId: string;
  programId: string;
}

/** All pending lots of a profile. */
export interface PendingNeed {
  kind: 'pending';
  memberId: string;
  programId: string;
}

/** The lots of a profile that returns have claims on, or that have lent or owe points. */
export interface OwingNeed {
  kind: 'owing';
  memberId: string;
  programId: string;
}

/** A member by its id, whose rows a batch has found although it does not name the member. */
export interface FormerMemberNeed {
  kind: 'formerMember';
  memberId: string;
}

/**
 * The profiles, counters and progress of a member that was merged, by its id: its own, which its name does not lead to.
 */
export interface FormerAccountNeed {
  kind: 'formerAccount';
  memberId: string;
}

/** The lots of a profile that were moved to it from lots of another member of the same program. */
export interface LotsFromNeed {
  kind: 'lotsFrom';
  memberId: string;
  programId: string;
  originMemberId: string;
}

/** A lot, by its profile and its id. */
export interface KeptLotNeed {
  kind: 'keptLot';
  memberId: string;
  programId: string;
  lotId: string;
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
