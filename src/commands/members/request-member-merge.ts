import type { RequestMemberMergeInput } from '../../contract/generated/types.ts';
import { toTypeId } from '../../ids.ts';
import type { State } from '../../ledger/state.ts';
import type { MemberMergeRecord } from '../../ledger/tables/member-merges.ts';
import type { MemberRecord } from '../../ledger/tables/members.ts';
import { refuse } from '../../refusal.ts';
import { type Caller, envelope } from '../shared/caller.ts';
import type { CommandOf, DecisionOf } from '../shared/operation-command.ts';
import { mergeReceipt } from './merge-receipt.ts';

/** The columns about an unmerge, of a merge of which none is asked for. */
export const NO_UNMERGE = {
  unmergeRequestedBy: null,
  unmergeRequestedAt: null,
  unmergeReason: null,
  unmergeExpiresAt: null,
  unmergedBy: null,
  unmergedAt: null,
  unmergeDecisionReason: null,
} satisfies Partial<MemberMergeRecord>;

/** How long a request waits for a decision. */
export const LIFETIME_MS = 14 * 86_400_000;

/**
 * Asks to merge the account of one member into another one of the same person. Another principal decides on it. Nothing
 * moves until then. Refusals: `member_not_found` where one of the two is not there, suspended or erased;
 * `validation_failed` where both names are the same member's.
 */
export function requestMemberMerge(
  input: RequestMemberMergeInput,
  caller: Caller,
): CommandOf<'requestMemberMerge'> {
  const { externalCustomerId, intoExternalCustomerId } = input;
  return {
    ...envelope('requestMemberMerge', input, caller),
    laneKey: intoExternalCustomerId,
    subjects: [
      { kind: 'member', externalCustomerId },
      { kind: 'member', externalCustomerId: intoExternalCustomerId },
    ],
    decide: (state, now) => decide(input, caller, state, now),
  };
}

function decide(
  input: RequestMemberMergeInput,
  caller: Caller,
  state: State,
  now: Date,
): DecisionOf<'requestMemberMerge'> {
  const source = state.member(input.externalCustomerId);
  const target = state.member(input.intoExternalCustomerId);
  if (!canMerge(source) || !canMerge(target)) return noMember;
  if (source.id === target.id) {
    return refuse('validation_failed', 'Both names are those of one member already.', [
      { path: 'intoExternalCustomerId', message: 'must be the name of another member' },
    ]);
  }
  const merge: MemberMergeRecord = {
    id: state.newId(),
    sourceMemberId: source.id,
    targetMemberId: target.id,
    reason: input.reason,
    evidence: input.evidence,
    state: 'requested',
    requestedBy: caller.actor.id,
    requestedAt: now,
    expiresAt: new Date(now.getTime() + LIFETIME_MS),
    decidedBy: null,
    decidedAt: null,
    decisionReason: null,
    programs: [],
    ...NO_UNMERGE,
  };
  return {
    receipt: mergeReceipt(merge, target),
    inserts: { memberMerges: [merge] },
    updates: {},
    audits: [
      {
        action: 'member_merge.requested',
        targetType: 'member_merge',
        targetId: toTypeId('mrg', merge.id),
        changes: {
          sourceMemberId: toTypeId('mem', source.id),
          targetMemberId: toTypeId('mem', target.id),
        },
      },
    ],
    webhookEvents: [],
  };
}

/** The refusal where one of the two members may not be merged. */
export const noMember = refuse(
  'member_not_found',
  'One of the two members does not exist, or is suspended: only members whose status is active are merged.',
);

/** Whether a member may be one of a merge. Its consent does not matter: the target's own answer holds. */
export function canMerge(member: MemberRecord | null): member is MemberRecord {
  return member?.status === 'active';
}
