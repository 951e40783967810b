import {
  approveMemberMerge,
  type NamedMerge,
  rejectMemberMerge,
} from '../../commands/members/decide-member-merge.ts';
import { requestMemberMerge } from '../../commands/members/request-member-merge.ts';
import { fromTypeId } from '../../ids.ts';
import type { RequestContext } from '../execution/context.ts';
import type { MutationResolvers } from '../generated/resolver-types.ts';
import { callerOf, found, submitCommand } from './shared/submit-command.ts';

export const memberMergeMutations: Required<
  Pick<MutationResolvers, 'requestMemberMerge' | 'approveMemberMerge' | 'rejectMemberMerge'>
> = {
  requestMemberMerge: (_root, { input }, context) =>
    submitCommand(context, requestMemberMerge(input, callerOf(context))),
  approveMemberMerge: async (_root, { input }, context) =>
    submitCommand(context, approveMemberMerge(input, await findMerge(input, context), callerOf(context))),
  rejectMemberMerge: async (_root, { input }, context) =>
    submitCommand(context, rejectMemberMerge(input, await findMerge(input, context), callerOf(context))),
};

/** Looks up the names of the merge that an input names. Null if the id is malformed or unknown. */
async function findMerge(
  { mergeId }: { mergeId: string },
  context: RequestContext,
): Promise<NamedMerge | null> {
  const { credential, queries } = context;
  const id = fromTypeId('mrg', mergeId);
  const names = id === null ? null : await found(context, queries.mergeNames(credential.environmentId, id));
  return id !== null && names ? { ...names, id } : null;
}
