import type { RuleDecision as ShownDecision } from '../../contract/generated/types.ts';

/**
 * Something that was considered for an award, and what came of it, with nothing left out. Its `id` is the rule's, tier's
 * or campaign's, or a code; of a cap such as `spring.total`; of the limit `member_limit`.
 */
export type RuleDecision = Required<ShownDecision>;
