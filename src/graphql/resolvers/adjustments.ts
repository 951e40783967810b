import type { NamedAdjustment } from '../../commands/adjustments/adjustment-decision.ts';
import { approveAdjustment } from '../../commands/adjustments/approve-adjustment.ts';
import { rejectAdjustment } from '../../commands/adjustments/reject-adjustment.ts';
import { requestAdjustment } from '../../commands/adjustments/request-adjustment.ts';
import { reverseAdjustment } from '../../commands/adjustments/reverse-adjustment.ts';
import { fromTypeId } from '../../ids.ts';
import type { RequestContext } from '../execution/context.ts';
import type { MutationResolvers } from '../generated/resolver-types.ts';
import { answer, callerOf, found } from './shared/answer.ts';

export const adjustmentMutations: Required<
  Pick<
    MutationResolvers,
    'requestAdjustment' | 'approveAdjustment' | 'rejectAdjustment' | 'reverseAdjustment'
  >
> = {
  requestAdjustment: (_root, { input }, context) =>
    answer(context, requestAdjustment(input, callerOf(context))),
  approveAdjustment: async (_root, { input }, context) =>
    answer(context, approveAdjustment(input, await named(input, context), callerOf(context))),
  rejectAdjustment: async (_root, { input }, context) =>
    answer(context, rejectAdjustment(input, await named(input, context), callerOf(context))),
  reverseAdjustment: async (_root, { input }, context) =>
    answer(context, reverseAdjustment(input, await named(input, context), callerOf(context))),
};

/** Null for what cannot be the id of an adjustment, too: an unknown one. */
async function named(
  { adjustmentId }: { adjustmentId: string },
  context: RequestContext,
): Promise<NamedAdjustment | null> {
  const { credential, queries } = context;
  const id = fromTypeId('adj', adjustmentId);
  const owner =
    id === null
      ? null
      : await found(context, queries.owner(credential.environmentId, { kind: 'adjustment', id }));
  return id !== null && owner ? { ...owner, id } : null;
}
