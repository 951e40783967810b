import { createMember } from '../../commands/members/create-member.ts';
import { enrollMember } from '../../commands/members/enroll-member.ts';
import { unenrollMember } from '../../commands/members/unenroll-member.ts';
import { updateMember } from '../../commands/members/update-member.ts';
import { memberReceipt, profileReceipt } from '../../commands/shared/receipts.ts';
import type { ProfileView } from '../../queries/shared/member-view.ts';
import { refuse } from '../../refusal.ts';
import { refusalError } from '../errors/errors.ts';
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
  Pick<MutationResolvers, 'createMember' | 'updateMember' | 'enrollMember' | 'unenrollMember'>
> = {
  createMember: (_root, { input }, context) => submitCommand(context, createMember(input, callerOf(context))),
  updateMember: (_root, { input }, context) => submitCommand(context, updateMember(input, callerOf(context))),
  enrollMember: (_root, { input }, context) => submitCommand(context, enrollMember(input, callerOf(context))),
  unenrollMember: (_root, { input }, context) =>
    submitCommand(context, unenrollMember(input, callerOf(context))),
};

/** A profile with the points that expire next. Only reads return these: the receipts of commands do not have them. */
function profileView({ nextExpiry, ...profile }: ProfileView) {
  const receipt = profileReceipt(profile);
  const expiry = nextExpiry && { ...nextExpiry, at: nextExpiry.at.toISOString() };
  return { ...receipt, balances: receipt.balances.map((balance) => ({ ...balance, nextExpiry: expiry })) };
}
