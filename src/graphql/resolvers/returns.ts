import { recordReturn } from '../../commands/returns/record-return.ts';
import type { MutationResolvers } from '../generated/resolver-types.ts';
import { callerOf, orThrow, submitCommand } from './shared/submit-command.ts';

export const returnMutations: Required<Pick<MutationResolvers, 'recordReturn'>> = {
  recordReturn: async (_root, { input }, context) => {
    const { credential, queries } = context;
    const { sourceReference } = input;
    const owner = await orThrow(
      context,
      queries.owner(credential.environmentId, { kind: 'order', sourceReference }),
    );
    return submitCommand(context, recordReturn(input, owner, callerOf(context)));
  },
};
