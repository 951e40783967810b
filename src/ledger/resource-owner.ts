/**
 * The member and the program that a resource (an order, a quote, a reservation, an adjustment) belongs to. They say
 * which profile a command on the resource has to lock. The name alone may change before the locks are taken, where the
 * member is merged into another one or parted from it: commands ask again then.
 */
export interface ResourceOwner {
  programId: string;
  externalCustomerId: string;
  /** The points of the resource: earned by an order; asked for by a quote, a reservation or an adjustment. */
  points: number;
  /** Null for an order or an adjustment: neither is about a reward. */
  rewardId: string | null;
  /** UUID. Of a reservation, where it is known: the transaction whose postings hold its points. */
  reserveTransactionId?: string;
  /** Of an order: the rewards of its referral that a return takes back. Absent where there are none. */
  referral?: readonly ReferralReward[];
}

/** Points that a referral gave to one of its two members. */
export interface ReferralReward {
  /** UUID of the member that the transaction is stored with. */
  memberId: string;
  /** Of the member that this one is at present. */
  externalCustomerId: string;
  /** UUID of the transaction `referral.awarded`. */
  transactionId: string;
}

/** A resource that a command names by its id, with its owner. */
export interface OwnedResource extends ResourceOwner {
  /** UUID. */
  id: string;
}
