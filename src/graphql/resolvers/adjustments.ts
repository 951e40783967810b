import type { OwnedAdjustment } from '../../commands/adjustments/adjustment-decision.ts';
import { adjustmentReceipt } from '../../commands/adjustments/adjustment-receipt.ts';
import { approveAdjustment } from '../../commands/adjustments/approve-adjustment.ts';
import { rejectAdjustment } from '../../commands/adjustments/reject-adjustment.ts';
import { requestAdjustment } from '../../commands/adjustments/request-adjustment.ts';
import { reverseAdjustment } from '../../commands/adjustments/reverse-adjustment.ts';
import { fromTypeId } from '../../ids.ts';
import type { RequestContext } from '../execution/context.ts';
import type { MutationResolvers, QueryResolvers } from '../generated/resolver-types.ts';
import { pageOf } from './shared/page-of.ts';
import { callerOf, orThrow, submitCommand } from './shared/submit-command.ts';

export const adjustmentQueries: Required<Pick<QueryResolvers, 'adjustments'>> = {
  adjustments: async (_root, { filter, limit, cursor }, context) => {
    const { queries, credential, requestId } = context;
    const { data, page } = await orThrow(
      context,
      queries.adjustments(credential.environmentId, filter ?? {}, pageOf({ limit, cursor })),
    );
    const listed = data.map(({ adjustment, externalCustomerId }) => {
      const { evidence, requestedBy, decidedBy, reversedBy } = adjustment;
      const receipt = adjustmentReceipt(adjustment, externalCustomerId).adjustment;
      return { ...receipt, evidence: { ...evidence }, requestedBy, decidedBy, reversedBy };
    });
    return { requestId, data: listed, page };
  },
};

export const adjustmentMutations: Required<
  Pick<
    MutationResolvers,
    'requestAdjustment' | 'approveAdjustment' | 'rejectAdjustment' | 'reverseAdjustment'
  >
> = {
  requestAdjustment: (_root, { input }, context) =>
    submitCommand(context, requestAdjustment(input, callerOf(context))),
  approveAdjustment: async (_root, { input }, context) =>
    submitCommand(context, approveAdjustment(input, await findAdjustment(input, context), callerOf(context))),
  rejectAdjustment: async (_root, { input }, context) =>
    submitCommand(context, rejectAdjustment(input, await findAdjustment(input, context), callerOf(context))),
  reverseAdjustment: async (_root, { input }, context) =>
    submitCommand(context, reverseAdjustment(input, await findAdjustment(input, context), callerOf(context))),
};

/** Looks up the adjustment that an input names, with its owner. Null if the id is malformed or unknown. */
async function findAdjustment(
  { adjustmentId }: { adjustmentId: string },
  context: RequestContext,
): Promise<OwnedAdjustment | null> {
  const { credential, queries } = context;
  const id = fromTypeId('adj', adjustmentId);
  const owner =
    id === null
      ? null
      : await orThrow(context, queries.owner(credential.environmentId, { kind: 'adjustment', id }));
  return id !== null && owner ? { ...owner, id } : null;
}
