import { createMember } from '../../commands/members/create-member.ts';
import { enrollMember } from '../../commands/members/enroll-member.ts';
import { changeList, type ListReceipt, tagMember } from '../../commands/members/label-members.ts';
import { changeMemberStatus } from '../../commands/members/set-member-status.ts';
import { unenrollMember } from '../../commands/members/unenroll-member.ts';
import { updateMember } from '../../commands/members/update-member.ts';
import { normalizeLabel } from '../../commands/shared/label.ts';
import { memberReceipt, profileReceipt } from '../../commands/shared/receipts.ts';
import type {
  ListMembersInput,
  ListMembersPayload,
  Member,
  MemberFilter,
  MemberResult,
  ProgramProfile,
  TagMemberInput,
  TagMemberPayload,
} from '../../contract/generated/types.ts';
import { toTypeId } from '../../ids.ts';
import { receiptUnreadable } from '../../ledger/receipts/stored-receipt.ts';
import type { MemberRecord } from '../../ledger/tables/members.ts';
import type { DetailedProfile } from '../../queries/shared/member-details.ts';
import type { ProfileView } from '../../queries/shared/member-view.ts';
import { memberNotFound } from '../../refusal.ts';
import { refusalError } from '../errors/errors.ts';
import type { RequestContext } from '../execution/context.ts';
import { isSelected } from '../execution/selection.ts';
import type { MutationResolvers, QueryResolvers } from '../generated/resolver-types.ts';
import { pageOf } from './shared/page-of.ts';
import { callerOf, orThrow, submitCommand } from './shared/submit-command.ts';

/** Fields of a profile that only the read of the details has. */
const DETAILS = [
  'nextTier',
  'tierUntil',
  'challenges',
  'choices',
  'holds',
  'lots',
  'hasMoreLots',
  'expirations',
] as const satisfies readonly (keyof ProgramProfile)[];

export const memberQueries: Required<Pick<QueryResolvers, 'member' | 'memberDetails' | 'members'>> = {
  members: async (_root, { filter, limit, cursor }, context) => {
    const { queries, credential, requestId } = context;
    const listed = await orThrow(
      context,
      queries.members(credential.environmentId, spelled(filter ?? {}), pageOf({ limit, cursor })),
    );
    return { requestId, ...listed };
  },
  member: async (_root, { externalCustomerId }, context, info) => {
    // The details cost a larger statement, so they are read only where they are selected.
    if (DETAILS.some((field) => isSelected(info, ['programs', field]))) {
      return readDetails(externalCustomerId, context);
    }
    const view = await orThrow(
      context,
      context.queries.member(context.credential.environmentId, externalCustomerId),
    );
    if (!view) throw refusalError(memberNotFound, context.requestId);
    return {
      requestId: context.requestId,
      member: memberView(view.member),
      programs: view.profiles.map(profileView),
    };
  },
  memberDetails: (_root, { externalCustomerId }, context) => readDetails(externalCustomerId, context),
};

async function readDetails(externalCustomerId: string, context: RequestContext): Promise<MemberResult> {
  const { queries, credential, requestId } = context;
  const details = await orThrow(context, queries.memberDetails(credential.environmentId, externalCustomerId));
  if (!details) throw refusalError(memberNotFound, requestId);
  return {
    requestId,
    member: memberView(details.member),
    programs: details.profiles.map((profile) => ({ ...profileView(profile), ...detailsView(profile) })),
  };
}

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
    | 'suspendMember'
    | 'resumeMember'
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
  suspendMember: (_root, { input }, context) =>
    submitCommand(context, changeMemberStatus(input, 'suspended', callerOf(context))),
  resumeMember: (_root, { input }, context) =>
    submitCommand(context, changeMemberStatus(input, 'active', callerOf(context))),
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
  adds: boolean,
  context: RequestContext,
): Promise<ListMembersPayload> {
  const { list, externalCustomerIds } = input;
  const answer = await submitCommand<ListReceipt>(context, changeList(input, adds, callerOf(context)));
  // A stored receipt may have been damaged.
  if (![answer.unknown, answer.full].every(Array.isArray))
    throw refusalError(receiptUnreadable, context.requestId);
  // A replay has the same input: the receipt names customers by their places in it.
  const namesAt = (indexes: readonly number[]): string[] =>
    indexes.flatMap((place) => externalCustomerIds[place] ?? []);
  return {
    ...answer,
    list: normalizeLabel(list) ?? list,
    unknown: namesAt(answer.unknown),
    full: namesAt(answer.full),
  };
}

function memberView(member: MemberRecord): Member {
  const { tags, lists } = member;
  return { ...memberReceipt(member), tags: [...tags], lists: [...lists] };
}

/**
 * The filter with its labels spelled as they are stored: so a label is found however a keyboard composes its letters.
 */
function spelled({ tag, list, ...filter }: MemberFilter): MemberFilter {
  const stored = (label: string | null | undefined) => label && (normalizeLabel(label) ?? label);
  return { ...filter, tag: stored(tag) ?? null, list: stored(list) ?? null };
}

/** A profile with the points that expire next. Only reads return these: the receipts of commands do not have them. */
function profileView({ nextExpiry, ...profile }: ProfileView) {
  const receipt = profileReceipt(profile);
  const expiry = nextExpiry && { ...nextExpiry, at: nextExpiry.at.toISOString() };
  const balances = receipt.balances.map((balance) => ({ ...balance, nextExpiry: expiry }));
  return { ...receipt, profileVersion: profile.version, balances };
}

function detailsView(profile: DetailedProfile): Pick<ProgramProfile, (typeof DETAILS)[number]> {
  const { nextTier, tierUntil, challenges, choices, holds, lots, hasMoreLots, expirations } = profile;
  return {
    nextTier: nextTier && {
      tier: nextTier.id,
      name: nextTier.name,
      threshold: nextTier.threshold,
      missing: nextTier.missing,
    },
    tierUntil: textOf(tierUntil),
    challenges: challenges.map(({ challenge, windowStart, windowEnd, ...standing }) => ({
      ...standing,
      challengeId: challenge.id,
      name: challenge.name ?? null,
      windowStart: textOf(windowStart),
      windowEnd: textOf(windowEnd),
    })),
    choices: choices.map(({ id, grantedAt, expiresAt, ...choice }) => ({
      ...choice,
      id: toTypeId('cgr', id),
      grantedAt: grantedAt.toISOString(),
      expiresAt: textOf(expiresAt),
    })),
    holds: holds.map(({ id, reservedAt, expiresAt, ...hold }) => ({
      ...hold,
      reservationId: toTypeId('rsv', id),
      reservedAt: reservedAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
    })),
    lots: lots.map(({ id, transactionId, activatesAt, expiresAt, createdAt, ...lot }) => ({
      ...lot,
      id: toTypeId('lot', id),
      transactionId: toTypeId('txn', transactionId),
      activatesAt: textOf(activatesAt),
      expiresAt: textOf(expiresAt),
      createdAt: createdAt.toISOString(),
    })),
    hasMoreLots,
    expirations: expirations.map(({ points, at }) => ({ points, at: at.toISOString() })),
  };
}

function textOf(instant: Date | null): string | null {
  return instant?.toISOString() ?? null;
}
