import type { ProfileFacts } from './purchase-facts.ts';

/** What a merchant knows of a member, before the event that is evaluated. */
export interface MemberFacts {
  /** Purchases in the program. */
  purchaseCount: number;
  /** What they came to less what went back, in minor currency units. */
  purchaseAmountMinor: number;
  firstPurchaseAt: Date | null;
  lastPurchaseAt: Date | null;
  tags: readonly string[];
  lists: readonly string[];
}

/** Of a member of whom nothing is known yet. */
export const newcomer: MemberFacts = {
  purchaseCount: 0,
  purchaseAmountMinor: 0,
  firstPurchaseAt: null,
  lastPurchaseAt: null,
  tags: [],
  lists: [],
};

/** Picks what conditions may look at out of a profile's and a member's rows. */
export function memberFactsOf(
  profile: Omit<MemberFacts, 'tags' | 'lists'>,
  member: Pick<MemberFacts, 'tags' | 'lists'>,
): MemberFacts {
  const { purchaseCount, purchaseAmountMinor, firstPurchaseAt, lastPurchaseAt } = profile;
  const { tags, lists } = member;
  return { purchaseCount, purchaseAmountMinor, firstPurchaseAt, lastPurchaseAt, tags, lists };
}

/** A member in a program: what audiences decide on. */
export interface KnownMember {
  profile: ProfileFacts;
  member: MemberFacts;
}

/** Whole days from one instant to another; null where there is no first, 0 where it is later. */
export function wholeDays(from: Date | null, to: Date): number | null {
  return from === null ? null : Math.max(0, Math.floor((to.getTime() - from.getTime()) / 86_400_000));
}
