import { moveSandboxClock } from '../../commands/move-sandbox-clock.ts';
import type { MutationResolvers, QueryResolvers } from '../generated/resolver-types.ts';
import { callerOf, orThrow, submitCommand } from './shared/submit-command.ts';

export const sandboxQueries: Required<Pick<QueryResolvers, 'sandboxClock'>> = {
  sandboxClock: async (_root, _arguments, context) => {
    const { queries, credential, requestId } = context;
    return { requestId, clock: await orThrow(context, queries.sandboxClock(credential.environmentId)) };
  },
};

export const sandboxMutations: Required<Pick<MutationResolvers, 'moveSandboxClock'>> = {
  moveSandboxClock: async (_root, { input }, context) => {
    const answer = await submitCommand(context, moveSandboxClock(input, callerOf(context)));
    // A replay sweeps too: the first answer may have been lost before its sweep was done.
    return { ...answer, swept: await context.sweep(context.credential.environmentId) };
  },
};
