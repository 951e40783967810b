/**
 * Whose points a thing is about (an order, a quote, a reservation, an adjustment): the profile that a command which
 * names the thing locks. None of this ever changes, so it may be looked up before the locks.
 */
export interface Owner {
  programId: string;
  externalCustomerId: string;
  /** Of the thing: a purchase's, a quote's, a reservation's or an adjustment's points. */
  points: number;
  /** Null where it is about no reward. */
  rewardId: string | null;
}
