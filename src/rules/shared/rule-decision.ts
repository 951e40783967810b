import type { RuleDecision as ShownDecision } from '../../contract/generated/types.ts';

/**
 * The decision on one part of an award, with every optional field present. `id` is the id of the rule, tier or
 * campaign, or the code of the coupon or referral; of a cap it is such as `spring.total`, of the member limit
 * `member_limit`.
 */
export type RuleDecision = Required<ShownDecision>;
