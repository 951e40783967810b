import { openDispute } from '../../commands/redemptions/open-dispute.ts';
import { rejectDispute } from '../../commands/redemptions/reject-dispute.ts';
import { resolveDispute } from '../../commands/redemptions/resolve-dispute.ts';
import type { MutationResolvers } from '../generated/resolver-types.ts';
import { findReservation } from './shared/owned-resources.ts';
import { callerOf, submitCommand } from './shared/submit-command.ts';

export const disputeMutations: Required<
  Pick<MutationResolvers, 'openDispute' | 'resolveDispute' | 'rejectDispute'>
> = {
  openDispute: async (_root, { input }, context) =>
    submitCommand(context, openDispute(input, await findReservation(input, context), callerOf(context))),
  resolveDispute: async (_root, { input }, context) =>
    submitCommand(context, resolveDispute(input, await findReservation(input, context), callerOf(context))),
  rejectDispute: async (_root, { input }, context) =>
    submitCommand(context, rejectDispute(input, await findReservation(input, context), callerOf(context))),
};
