import type { RuleDecision as ShownDecision } from '../../contract/generated/types.ts';

/**
 * The decision on one part of an award, with every optional field present but `lines`, which only those of earn rules
 * and campaigns have that took lines. `id` is the id of the rule, tier or campaign, or the code of the coupon or
 * referral; for a cap it is campaign and cap, such as `spring.total`; for the member limit it is `member_limit`.
 */
export type RuleDecision = Required<Omit<ShownDecision, 'lines'>> & Pick<ShownDecision, 'lines'>;
