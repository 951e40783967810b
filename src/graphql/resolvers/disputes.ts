import { openDispute } from '../../commands/redemptions/open-dispute.ts';
import { rejectDispute } from '../../commands/redemptions/reject-dispute.ts';
import { resolveDispute } from '../../commands/redemptions/resolve-dispute.ts';
import type { MutationResolvers } from '../generated/resolver-types.ts';
import { answer, callerOf } from './shared/answer.ts';
import { namedReservation } from './shared/named.ts';

export const disputeMutations: Required<
  Pick<MutationResolvers, 'openDispute' | 'resolveDispute' | 'rejectDispute'>
> = {
  openDispute: async (_root, { input }, context) =>
    answer(context, openDispute(input, await namedReservation(input, context), callerOf(context))),
  resolveDispute: async (_root, { input }, context) =>
    answer(context, resolveDispute(input, await namedReservation(input, context), callerOf(context))),
  rejectDispute: async (_root, { input }, context) =>
    answer(context, rejectDispute(input, await namedReservation(input, context), callerOf(context))),
};
