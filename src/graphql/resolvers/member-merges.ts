import {
  approveMemberMerge,
  type NamedMerge,
  rejectMemberMerge,
  unknownMerge,
} from '../../commands/members/decide-member-merge.ts';
import { approveMemberUnmerge, rejectMemberUnmerge } from '../../commands/members/decide-member-unmerge.ts';
import { mergeReceipt } from '../../commands/members/merge-receipt.ts';
import { requestMemberMerge } from '../../commands/members/request-member-merge.ts';
import { requestMemberUnmerge } from '../../commands/members/request-member-unmerge.ts';
import type { ListedMemberMerge } from '../../contract/generated/types.ts';
import { fromTypeId } from '../../ids.ts';
import type { ListedMerge } from '../../queries/member-merges.ts';
import { refusalError } from '../errors/errors.ts';
import type { RequestContext } from '../execution/context.ts';
import type { MutationResolvers, QueryResolvers } from '../generated/resolver-types.ts';
import { pageOf } from './shared/page-of.ts';
import { callerOf, orThrow, submitCommand } from './shared/submit-command.ts';

export const memberMergeMutations: Required<
  Pick<
    MutationResolvers,
    | 'requestMemberMerge'
    | 'approveMemberMerge'
    | 'rejectMemberMerge'
    | 'requestMemberUnmerge'
    | 'approveMemberUnmerge'
    | 'rejectMemberUnmerge'
  >
> = {
  requestMemberMerge: (_root, { input }, context) =>
    submitCommand(context, requestMemberMerge(input, callerOf(context))),
  approveMemberMerge: async (_root, { input }, context) =>
    submitCommand(context, approveMemberMerge(input, await findMerge(input, context), callerOf(context))),
  rejectMemberMerge: async (_root, { input }, context) =>
    submitCommand(context, rejectMemberMerge(input, await findMerge(input, context), callerOf(context))),
  requestMemberUnmerge: async (_root, { input }, context) =>
    submitCommand(context, requestMemberUnmerge(input, await findMerge(input, context), callerOf(context))),
  approveMemberUnmerge: async (_root, { input }, context) =>
    submitCommand(context, approveMemberUnmerge(input, await findMerge(input, context), callerOf(context))),
  rejectMemberUnmerge: async (_root, { input }, context) =>
    submitCommand(context, rejectMemberUnmerge(input, await findMerge(input, context), callerOf(context))),
};

export const memberMergeQueries: Required<Pick<QueryResolvers, 'memberMerges' | 'memberMerge'>> = {
  memberMerges: async (_root, { filter, limit, cursor }, context) => {
    const { queries, credential, requestId } = context;
    const { data, page } = await orThrow(
      context,
      queries.memberMerges(credential.environmentId, filter ?? {}, pageOf({ limit, cursor })),
    );
    return { requestId, data: data.map(listedMerge), page };
  },
  memberMerge: async (_root, { mergeId }, context) => {
    const { queries, credential, requestId } = context;
    const id = fromTypeId('mrg', mergeId);
    const merge =
      id === null ? null : await orThrow(context, queries.memberMerge(credential.environmentId, id));
    if (!merge) throw refusalError(unknownMerge, requestId);
    return { requestId, merge: listedMerge(merge) };
  },
};

function listedMerge({ source, target, merge }: ListedMerge): ListedMemberMerge {
  const { evidence, requestedBy, decidedBy, unmergeRequestedBy, unmergedBy } = merge;
  return {
    ...mergeReceipt(merge, { externalCustomerId: target }).merge,
    externalCustomerId: source,
    evidence: { ...evidence },
    requestedBy,
    decidedBy,
    unmergeRequestedBy,
    unmergedBy,
  };
}

/** Looks up the names of the merge that an input names. Null if the id is malformed or unknown. */
async function findMerge(
  { mergeId }: { mergeId: string },
  context: RequestContext,
): Promise<NamedMerge | null> {
  const { credential, queries } = context;
  const id = fromTypeId('mrg', mergeId);
  const names = id === null ? null : await orThrow(context, queries.mergeNames(credential.environmentId, id));
  return id !== null && names ? { ...names, id } : null;
}
