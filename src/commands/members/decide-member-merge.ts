import type { ErrorCode } from '../../contract/generated/error-codes.ts';
import type { DecideMemberMergeInput, Mutation } from '../../contract/generated/types.ts';
import { toTypeId } from '../../ids.ts';
import type { Command, Decided, Decision, Subject } from '../../ledger/command.ts';
import { mergeDecisions } from '../../ledger/merge-decisions.ts';
import type { MemberMergeRecord } from '../../ledger/tables/member-merges.ts';
import { storedUndo } from '../../ledger/tables/merge-undos.ts';
import { isRefusal, type Refusal, refuse } from '../../refusal.ts';
import { type Caller, envelope } from '../shared/caller.ts';
import { ownerChanged } from '../shared/changed-owner.ts';
import type { CommandOf, DecisionOf } from '../shared/operation-command.ts';
import { mergeEngagement } from './merge-engagement.ts';
import { type MergedMembers, type MergedProfile, mergeProfiles } from './merge-profiles.ts';
import { type MemberMergeReceipt, mergeReceipt } from './merge-receipt.ts';
import { canMerge, noMember } from './request-member-merge.ts';

/** A merge with the names of its two members, as looked up before the command was submitted. */
export interface NamedMerge {
  /** UUID. */
  id: string;
  source: string;
  target: string;
}

/** The input of a decision on a merge. */
interface MergeCase {
  merge: MemberMergeRecord;
  members: MergedMembers;
  input: DecideMemberMergeInput;
  principal: string;
}

/**
 * Merges the source of a request into its target. The principal who asked for it may not approve it. In each program in
 * which the source has a profile, every lot moves to the target by balanced postings; docs/guide/members.md says what
 * becomes of the rest. From then on the source's name answers for the target. Refusals: `merge_not_found`,
 * `invalid_merge_state`, `self_approval_forbidden`, `member_not_found`, `reservation_open`, `enrollment_required`,
 * `balance_limit_exceeded`, `merge_blocked`.
 * @param named null where the environment has no such merge
 */
export function approveMemberMerge(
  input: DecideMemberMergeInput,
  named: NamedMerge | null,
  caller: Caller,
): CommandOf<'approveMemberMerge'> {
  return mergeCommand('approveMemberMerge', input, named, caller, approve);
}

/**
 * Rejects a request to merge. The principal who asked for it may also reject it. Allowed while Production is locked.
 * Refusals: `merge_not_found`, `invalid_merge_state`.
 */
export function rejectMemberMerge(
  input: DecideMemberMergeInput,
  named: NamedMerge | null,
  caller: Caller,
): CommandOf<'rejectMemberMerge'> {
  const command = mergeCommand('rejectMemberMerge', input, named, caller, reject);
  return { ...command, allowedWhileLocked: true };
}

function mergeCommand<Code extends ErrorCode = never>(
  operation: keyof Mutation,
  input: DecideMemberMergeInput,
  named: NamedMerge | null,
  caller: Caller,
  decide: (mergeCase: MergeCase) => Decided<MemberMergeReceipt, Code>,
): Command<MemberMergeReceipt, Code | 'merge_not_found' | 'invalid_merge_state'> {
  return {
    ...envelope(operation, input, caller),
    laneKey: named?.target ?? input.mergeId,
    subjects: named
      ? [{ kind: 'memberMerge', id: named.id }, ...subjectsOf(named.source), ...subjectsOf(named.target)]
      : [],
    decide(state, now) {
      const merge = named && state.row('memberMerges', named.id);
      if (!merge) return unknownMerge;
      const undecided = refuseDecided(merge, now);
      if (undecided) return undecided;
      const source = state.member(named.source);
      const target = state.member(named.target);
      // The names were those of members of this environment: an erasure has taken one of them since.
      if (!source || !target) return ownerChanged;
      return decide({ merge, members: { source, target, state, now }, input, principal: caller.actor.id });
    },
  };
}

/** The environment has no merge of the given id. */
export const unknownMerge = refuse('merge_not_found', 'This environment has no merge of this id.');

/** The rows of a member that a merge, or its undoing, changes. */
export function subjectsOf(externalCustomerId: string): Subject[] {
  return [
    { kind: 'member', externalCustomerId },
    { kind: 'changedMember', externalCustomerId },
    { kind: 'mergingMember', externalCustomerId },
    { kind: 'challengeProgress', externalCustomerId },
    { kind: 'choiceGrants', externalCustomerId },
  ];
}

function refuseDecided(
  { state, expiresAt }: MemberMergeRecord,
  now: Date,
): Refusal<'invalid_merge_state'> | null {
  if (state === 'requested' && expiresAt > now) return null;
  const stateNow = state === 'requested' ? 'expired' : state;
  return refuse('invalid_merge_state', `The merge is ${stateNow}: only a requested one can be decided.`);
}

function approve({ merge, members, input, principal }: MergeCase): DecisionOf<'approveMemberMerge'> {
  const { source, target, state, now } = members;
  if (merge.requestedBy === principal) {
    return refuse('self_approval_forbidden', 'Another principal than the one who asked has to approve this.');
  }
  if (source.id !== merge.sourceMemberId || target.id !== merge.targetMemberId) {
    return refuse(
      'invalid_merge_state',
      'One of the two members has been merged into another one since: ask for a merge into that one.',
    );
  }
  if (!canMerge(source) || !canMerge(target)) return noMember;
  const engagement = mergeEngagement(members);
  const profiles: MergedProfile[] = [];
  for (const profile of state.profilesOf(source.externalCustomerId)) {
    const merged = mergeProfiles(members, profile);
    if (isRefusal(merged)) return merged;
    profiles.push(merged);
  }
  const programs = profiles.map(({ programId, points, lots }) => ({ programId, points, lots }));
  const decided = { ...decidedMerge(merge, 'merged', input, principal, now), programs };
  const moved = [source, ...state.mergedInto(source.externalCustomerId)];
  const undo = storedUndo({
    moved: moved.map(({ id }) => id),
    earlier: state.mergedInto(target.externalCustomerId).map(({ id }) => id),
    programs: profiles.map((each) => each.undo),
    ...engagement.undo,
  });
  return {
    receipt: mergeReceipt(decided, target),
    ...mergeDecisions(engagement.part, ...profiles.flatMap(({ parts }) => parts), {
      inserts: { mergeUndos: [{ mergeId: merge.id, undo, touched: false }] },
      updates: {
        memberMerges: [decided],
        members: moved.map((member) => ({ ...member, mergedInto: target.id })),
      },
      audits: [
        {
          action: 'member.merged',
          targetType: 'member',
          targetId: toTypeId('mem', target.id),
          changes: {
            mergeId: toTypeId('mrg', merge.id),
            sourceMemberId: toTypeId('mem', source.id),
            requestedBy: merge.requestedBy,
            programs,
          },
        },
      ],
      webhookEvents: [
        {
          type: 'member.merged',
          data: {
            memberId: toTypeId('mem', target.id),
            externalCustomerId: target.externalCustomerId,
            mergedMemberId: toTypeId('mem', source.id),
            mergeId: toTypeId('mrg', merge.id),
            programs,
          },
        },
      ],
    }),
  };
}

function reject({ merge, members, input, principal }: MergeCase): Decision<MemberMergeReceipt> {
  const decided = decidedMerge(merge, 'rejected', input, principal, members.now);
  return {
    receipt: mergeReceipt(decided, members.target),
    inserts: {},
    updates: { memberMerges: [decided] },
    audits: [
      {
        action: 'member_merge.rejected',
        targetType: 'member_merge',
        targetId: toTypeId('mrg', merge.id),
        changes: { requestedBy: merge.requestedBy },
      },
    ],
    webhookEvents: [],
  };
}

function decidedMerge(
  merge: MemberMergeRecord,
  state: MemberMergeRecord['state'],
  { reason }: DecideMemberMergeInput,
  decidedBy: string,
  decidedAt: Date,
): MemberMergeRecord {
  return { ...merge, state, decidedBy, decidedAt, decisionReason: reason };
}
