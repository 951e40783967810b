/**
 * The profile that an order, a quote, a reservation or an adjustment belongs to. A command that names one of these by its
 * id or reference locks this profile. None of the fields ever changes, so they may be looked up before the locks.
 */
export interface Owner {
  programId: string;
  externalCustomerId: string;
  /** The points of the order, quote, reservation or adjustment. */
  points: number;
  /** Of the quote or reservation; null for an order and an adjustment. */
  rewardId: string | null;
}
