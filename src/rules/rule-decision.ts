/** Something that was considered for an award, and what came of it. */
export interface RuleDecision {
  kind: 'earn_rule' | 'tier' | 'campaign' | 'campaign_cap' | 'coupon' | 'member_limit' | 'referral';
  /** The rule's, tier's or campaign's id, or a code; of a cap such as `spring.total`; of the limit `member_limit`. */
  id: string;
  matched: boolean;
  /** Why it did not match, or what it changed. */
  reason: string | null;
  /** Points of the award that it gave (positive) or took (negative), in the smallest loyalty unit. */
  points: number;
}
