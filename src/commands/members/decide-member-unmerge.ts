import type { ErrorCode } from '../../contract/generated/error-codes.ts';
import type { DecideMemberMergeInput, Mutation } from '../../contract/generated/types.ts';
import { toTypeId } from '../../ids.ts';
import type { Command, Decided, Decision } from '../../ledger/command.ts';
import { mergeDecisions } from '../../ledger/merge-decisions.ts';
import type { State } from '../../ledger/state.ts';
import type { MemberMergeRecord } from '../../ledger/tables/member-merges.ts';
import type { MemberRecord } from '../../ledger/tables/members.ts';
import { type MergeUndo, type MergeUndoRecord, undoOf } from '../../ledger/tables/merge-undos.ts';
import { isRefusal, type Refusal, refuse } from '../../refusal.ts';
import { type Caller, envelope } from '../shared/caller.ts';
import { ownerChanged } from '../shared/changed-owner.ts';
import type { CommandOf, DecisionOf } from '../shared/operation-command.ts';
import { type NamedMerge, subjectsOf, unknownMerge } from './decide-member-merge.ts';
import type { MergedMembers } from './merge-profiles.ts';
import { type MemberMergeReceipt, mergeReceipt } from './merge-receipt.ts';
import { canMerge, NO_UNMERGE, noMember } from './request-member-merge.ts';
import { erased, mergedAgain, presentState, refuseLate } from './request-member-unmerge.ts';
import { unmergeEngagement } from './unmerge-engagement.ts';
import { pointsUsed, type UnmergedProfile, unmergeProfile } from './unmerge-profiles.ts';

/** The input of a decision on an unmerge. */
interface UnmergeCase {
  merge: MemberMergeRecord;
  named: NamedMerge;
  /** The member that the target's name answers for. */
  target: MemberRecord;
  input: DecideMemberMergeInput;
  principal: string;
  state: State;
  now: Date;
}

/**
 * Undoes a merge: the source has its account again as it was, every lot that was moved included, and the target keeps
 * what is its own, with everything that came since. Refused where something of what was moved has been used. The
 * principal who asked for it may not approve it. It runs alone in its environment, so that no name is read half before
 * and half after it. Refusals: `merge_not_found`, `invalid_merge_state`, `self_approval_forbidden`,
 * `unmerge_period_over`, `merged_again`, `member_not_found`, `merged_points_used`, `merged_engagement_used`.
 * @param named null where the environment has no such merge
 */
export function approveMemberUnmerge(
  input: DecideMemberMergeInput,
  named: NamedMerge | null,
  caller: Caller,
): CommandOf<'approveMemberUnmerge'> {
  const command = unmergeCommand('approveMemberUnmerge', input, named, caller, approve);
  if (!named) return command;
  const undo = { kind: 'mergeUndo', mergeId: named.id } as const;
  return { ...command, runsAlone: true, subjects: [...command.subjects, undo, ...subjectsOf(named.target)] };
}

/**
 * Rejects a request to undo a merge: it stays merged. The principal who asked for it may also reject it. Allowed while
 * Production is locked. Refusals: `merge_not_found`, `invalid_merge_state`.
 */
export function rejectMemberUnmerge(
  input: DecideMemberMergeInput,
  named: NamedMerge | null,
  caller: Caller,
): CommandOf<'rejectMemberUnmerge'> {
  const command = unmergeCommand('rejectMemberUnmerge', input, named, caller, reject);
  return { ...command, allowedWhileLocked: true };
}

function unmergeCommand<Code extends ErrorCode = never>(
  operation: keyof Mutation,
  input: DecideMemberMergeInput,
  named: NamedMerge | null,
  caller: Caller,
  decide: (unmergeCase: UnmergeCase) => Decided<MemberMergeReceipt, Code>,
): Command<MemberMergeReceipt, Code | 'merge_not_found' | 'invalid_merge_state'> {
  return {
    ...envelope(operation, input, caller),
    laneKey: named?.target ?? input.mergeId,
    subjects: named
      ? [
          { kind: 'memberMerge', id: named.id },
          { kind: 'member', externalCustomerId: named.target },
          { kind: 'changedMember', externalCustomerId: named.target },
        ]
      : [],
    decide(state, now) {
      const merge = named && state.row('memberMerges', named.id);
      if (!merge) return unknownMerge;
      const stateNow = presentState(merge, now);
      if (stateNow !== 'unmerge_requested') {
        return refuse(
          'invalid_merge_state',
          `The merge is ${stateNow}: only a requested unmerge can be decided.`,
        );
      }
      const target = state.member(named.target);
      // The name was that of a member of this environment: an erasure has taken it since.
      if (!target) return ownerChanged;
      return decide({ merge, named, target, input, principal: caller.actor.id, state, now });
    },
  };
}

function approve(unmergeCase: UnmergeCase): DecisionOf<'approveMemberUnmerge'> {
  const { merge, target, input, principal, state, now } = unmergeCase;
  if (target.status === 'erased') return erased;
  if (target.id !== merge.targetMemberId) return mergedAgain;
  if (merge.unmergeRequestedBy === principal) {
    return refuse('self_approval_forbidden', 'Another principal than the one who asked has to approve this.');
  }
  const record = state.row('mergeUndos', merge.id);
  // Without a record it was merged before merges could be undone.
  const refusal = record ? refuseLate(merge, now) : refuseLate({ ...merge, decidedAt: null }, now);
  if (refusal || !record) return refusal ?? mergedAgain;
  const undo = undoOf(record);
  const parted = partedMembers(undo, target, state);
  if (isRefusal(parted)) return parted;
  const { source, followers } = parted;
  const members = { source, target, state, now };
  const undone = undoneParts(members, { record, undo, mergedAt: merge.decidedAt ?? now });
  if (isRefusal(undone)) return undone;
  const decided: MemberMergeRecord = {
    ...merge,
    state: 'unmerged',
    unmergedBy: principal,
    unmergedAt: now,
    unmergeDecisionReason: input.reason,
  };
  const programs = undone.profiles.map(({ programId, points, lots }) => ({ programId, points, lots }));
  return {
    receipt: mergeReceipt(decided, target),
    ...mergeDecisions(undone.engagement, ...undone.profiles.flatMap(({ parts }) => parts), {
      updates: {
        memberMerges: [decided],
        members: [
          { ...source, mergedInto: null },
          ...followers.map((member) => ({ ...member, mergedInto: source.id })),
        ],
      },
      ...unmergedNotes(merge, source, target, programs),
    }),
  };
}

/** The members that an unmerge parts from the target: the source, and those that had been merged into it before. */
function partedMembers(
  { moved, earlier }: MergeUndo,
  target: MemberRecord,
  state: State,
): { source: MemberRecord; followers: MemberRecord[] } | Refusal<'member_not_found' | 'merged_again'> {
  const merged = state.mergedInto(target.externalCustomerId);
  if (merged.length !== moved.length + earlier.length) return mergedAgain;
  const source = merged.find(({ id }) => id === moved[0]);
  const followers = merged.filter(({ id }) => id !== moved[0] && moved.includes(id));
  if (!source || followers.length !== moved.length - 1) return mergedAgain;
  return canMerge(source) && canMerge(target) ? { source, followers } : noMember;
}

/** Everything that is given back. Nothing is where something of it was used. */
function undoneParts(
  members: MergedMembers,
  { record, undo, mergedAt }: { record: MergeUndoRecord; undo: MergeUndo; mergedAt: Date },
) {
  if (record.touched) return pointsUsed;
  const engagement = unmergeEngagement(members, undo);
  if (isRefusal(engagement)) return engagement;
  const profiles: UnmergedProfile[] = [];
  for (const program of undo.programs) {
    const profile = unmergeProfile(members, { undo: program, moved: undo.moved, mergedAt });
    if (isRefusal(profile)) return profile;
    profiles.push(profile);
  }
  return { engagement, profiles };
}

/** The audit entry and the webhook event of an unmerge. */
function unmergedNotes(
  { id, unmergeRequestedBy: requestedBy }: MemberMergeRecord,
  source: MemberRecord,
  target: MemberRecord,
  programs: object[],
): Pick<Decision, 'audits' | 'webhookEvents'> {
  const memberId = toTypeId('mem', target.id);
  const mergeId = toTypeId('mrg', id);
  const sourceMemberId = toTypeId('mem', source.id);
  return {
    audits: [
      {
        action: 'member.unmerged',
        targetType: 'member',
        targetId: memberId,
        changes: { mergeId, sourceMemberId, requestedBy, programs },
      },
    ],
    webhookEvents: [
      {
        type: 'member.unmerged',
        data: {
          memberId,
          externalCustomerId: target.externalCustomerId,
          unmergedMemberId: sourceMemberId,
          unmergedExternalCustomerId: source.externalCustomerId,
          mergeId,
          programs,
        },
      },
    ],
  };
}

/** Whatever has become of the accounts since: a request that nobody can approve any more is taken out of the queue. */
function reject({ merge, named }: UnmergeCase): Decision<MemberMergeReceipt> {
  const merged: MemberMergeRecord = { ...merge, ...NO_UNMERGE, state: 'merged' };
  return {
    receipt: mergeReceipt(merged, { externalCustomerId: named.target }),
    inserts: {},
    updates: { memberMerges: [merged] },
    audits: [
      {
        action: 'member_unmerge.rejected',
        targetType: 'member_merge',
        targetId: toTypeId('mrg', merge.id),
        changes: { requestedBy: merge.unmergeRequestedBy },
      },
    ],
    webhookEvents: [],
  };
}
