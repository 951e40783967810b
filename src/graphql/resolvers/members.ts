import { createMember } from '../../commands/members/create-member.ts';
import { enrollMember } from '../../commands/members/enroll-member.ts';
import { changeList, type ListReceipt, tagMember } from '../../commands/members/label-members.ts';
import { unenrollMember } from '../../commands/members/unenroll-member.ts';
import { updateMember } from '../../commands/members/update-member.ts';
import { normalizeLabel } from '../../commands/shared/label.ts';
import { memberReceipt, profileReceipt } from '../../commands/shared/receipts.ts';
import type {
  ListMembersInput,
  ListMembersPayload,
  TagMemberInput,
  TagMemberPayload,
} from '../../contract/generated/types.ts';
import type { ProfileView } from '../../queries/shared/member-view.ts';
import { refuse } from '../../refusal.ts';
import { refusalError } from '../errors/errors.ts';
import type { RequestContext } from '../execution/context.ts';
import type { MutationResolvers, QueryResolvers } from '../generated/resolver-types.ts';
import { DEFAULT_LIMIT } from './shared/default-limit.ts';
import { callerOf, found, submitCommand } from './shared/submit-command.ts';

export const memberQueries: Required<Pick<QueryResolvers, 'member' | 'members'>> = {
  members: async (_root, { filter, limit, cursor }, context) => {
    const { queries, credential, requestId } = context;
    const listed = await found(
      context,
      queries.members(credential.environmentId, filter ?? {}, limit ?? DEFAULT_LIMIT, cursor ?? null),
    );
    return { requestId, ...listed };
  },
  member: async (_root, { externalCustomerId }, context) => {
    const view = await found(
      context,
      context.queries.member(context.credential.environmentId, externalCustomerId),
    );
    if (!view) {
      throw refusalError(
        refuse('member_not_found', 'No member of this environment has this externalCustomerId.'),
        context.requestId,
      );
    }
    return {
      requestId: context.requestId,
      member: memberReceipt(view.member),
      programs: view.profiles.map(profileView),
    };
  },
};

export const memberMutations: Required<
  Pick<
    MutationResolvers,
    | 'createMember'
    | 'updateMember'
    | 'enrollMember'
    | 'unenrollMember'
    | 'tagMember'
    | 'untagMember'
    | 'addToList'
    | 'removeFromList'
  >
> = {
  createMember: (_root, { input }, context) => submitCommand(context, createMember(input, callerOf(context))),
  updateMember: (_root, { input }, context) => submitCommand(context, updateMember(input, callerOf(context))),
  enrollMember: (_root, { input }, context) => submitCommand(context, enrollMember(input, callerOf(context))),
  unenrollMember: (_root, { input }, context) =>
    submitCommand(context, unenrollMember(input, callerOf(context))),
  tagMember: (_root, { input }, context) => submitTag(input, true, context),
  untagMember: (_root, { input }, context) => submitTag(input, false, context),
  addToList: (_root, { input }, context) => submitList(input, true, context),
  removeFromList: (_root, { input }, context) => submitList(input, false, context),
};

async function submitTag(
  input: TagMemberInput,
  tagged: boolean,
  context: RequestContext,
): Promise<TagMemberPayload> {
  const answer = await submitCommand(context, tagMember(input, tagged, callerOf(context)));
  return { ...answer, tag: normalizeLabel(input.tag) ?? input.tag, tagged };
}

async function submitList(
  input: ListMembersInput,
  present: boolean,
  context: RequestContext,
): Promise<ListMembersPayload> {
  const { list, externalCustomerIds } = input;
  const answer = await submitCommand<ListReceipt>(context, changeList(input, present, callerOf(context)));
  // A replay has the same input: the receipt names customers by their places in it.
  const namesAt = (places: readonly number[]): string[] =>
    places.flatMap((place) => externalCustomerIds[place] ?? []);
  return {
    ...answer,
    list: normalizeLabel(list) ?? list,
    unknown: namesAt(answer.unknown),
    full: namesAt(answer.full),
  };
}

/** A profile with the points that expire next. Only reads return these: the receipts of commands do not have them. */
function profileView({ nextExpiry, ...profile }: ProfileView) {
  const receipt = profileReceipt(profile);
  const expiry = nextExpiry && { ...nextExpiry, at: nextExpiry.at.toISOString() };
  return { ...receipt, balances: receipt.balances.map((balance) => ({ ...balance, nextExpiry: expiry })) };
}
