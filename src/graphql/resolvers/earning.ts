import { purchaseEarn } from '../../commands/purchase-earn.ts';
import type { MutationResolvers } from '../generated/resolver-types.ts';
import { answer, callerOf } from './answer.ts';

export const earningMutations: Required<Pick<MutationResolvers, 'purchaseEarn'>> = {
  purchaseEarn: (_root, { input }, context) => answer(context, purchaseEarn(input, callerOf(context))),
};
