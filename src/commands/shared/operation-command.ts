import type { RefusalCodeOf } from '../../contract/generated/refusals.ts';
import type { Mutation } from '../../contract/generated/types.ts';
import type { Receipt } from '../../contract/receipt.ts';
import type { Command, Decided } from '../../ledger/command.ts';
import type { Refusal } from '../../refusal.ts';

/** A refusal of a mutation: the compiler takes only the codes that schema.graphql lists for it. */
export type RefusalOf<Name extends keyof Mutation> = Refusal<RefusalCodeOf<Name>>;

/**
 * What the command of a mutation decides: its receipt, a refusal that schema.graphql lists, or that it is tried again.
 */
export type DecisionOf<Name extends keyof Mutation> = Decided<Receipt<Name>, RefusalCodeOf<Name>>;

/** The command of a mutation. */
export type CommandOf<Name extends keyof Mutation> = Command<Receipt<Name>, RefusalCodeOf<Name>>;
