import type { ProfileFacts } from './purchase-facts.ts';

/** The facts about a member that conditions read, before the event that is evaluated. */
export interface MemberFacts {
  /** Purchases in the program. */
  purchaseCount: number;
  /** Sum of the purchases less their returns, in minor currency units. */
  purchaseAmountMinor: number;
  firstPurchaseAt: Date | null;
  lastPurchaseAt: Date | null;
  tags: readonly string[];
  lists: readonly string[];
}

/** The facts of a new member. */
export const newcomer: MemberFacts = {
  purchaseCount: 0,
  purchaseAmountMinor: 0,
  firstPurchaseAt: null,
  lastPurchaseAt: null,
  tags: [],
  lists: [],
};

/** Picks the facts that conditions read from the rows of a profile and a member. */
export function memberFactsOf(
  profile: Omit<MemberFacts, 'tags' | 'lists'>,
  member: Pick<MemberFacts, 'tags' | 'lists'>,
): MemberFacts {
  const { purchaseCount, purchaseAmountMinor, firstPurchaseAt, lastPurchaseAt } = profile;
  const { tags, lists } = member;
  return { purchaseCount, purchaseAmountMinor, firstPurchaseAt, lastPurchaseAt, tags, lists };
}

/** A member enrolled in a program, as audiences see it. */
export interface AudienceFacts {
  profile: ProfileFacts;
  member: MemberFacts;
}

/** Whole days from one instant to another; null where `from` is null, 0 where it is later than `to`. */
export function wholeDays(from: Date | null, to: Date): number | null {
  return from === null ? null : Math.max(0, Math.floor((to.getTime() - from.getTime()) / 86_400_000));
}
