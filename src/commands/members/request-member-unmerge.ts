import type { RequestMemberUnmergeInput } from '../../contract/generated/types.ts';
import { toTypeId } from '../../ids.ts';
import type { State } from '../../ledger/state.ts';
import type { MemberMergeRecord } from '../../ledger/tables/member-merges.ts';
import { type Refusal, refuse } from '../../refusal.ts';
import { type Caller, envelope } from '../shared/caller.ts';
import { ownerChanged } from '../shared/changed-owner.ts';
import type { CommandOf, DecisionOf } from '../shared/operation-command.ts';
import { type NamedMerge, unknownMerge } from './decide-member-merge.ts';
import { mergeReceipt } from './merge-receipt.ts';
import { LIFETIME_MS, NO_UNMERGE } from './request-member-merge.ts';

/** How long after its approval a merge can be undone. */
const UNDONE_WITHIN_MS = 30 * 86_400_000;

/**
 * Asks to undo a merge: to give the two accounts back what each had. Another principal decides on it. Nothing moves
 * until then. Refusals: `merge_not_found`, `invalid_merge_state`, `unmerge_period_over`, `merged_again`,
 * `member_not_found`.
 * @param named null where the environment has no such merge
 */
export function requestMemberUnmerge(
  input: RequestMemberUnmergeInput,
  named: NamedMerge | null,
  caller: Caller,
): CommandOf<'requestMemberUnmerge'> {
  return {
    ...envelope('requestMemberUnmerge', input, caller),
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
      return decide(merge, named, { reason: input.reason, principal: caller.actor.id }, state, now);
    },
  };
}

function decide(
  merge: MemberMergeRecord,
  { target: targetName }: NamedMerge,
  { reason, principal }: { reason: string; principal: string },
  state: State,
  now: Date,
): DecisionOf<'requestMemberUnmerge'> {
  const stateNow = presentState(merge, now);
  const target = state.member(targetName);
  // The name was that of a member of this environment: an erasure has taken it since.
  if (!target) return ownerChanged;
  // Of a chain that was erased, the name answers for the last account. Whether its undoing had been asked for makes no
  // difference.
  if (target.status === 'erased' && (stateNow === 'merged' || stateNow === 'unmerge_requested'))
    return erased;
  if (stateNow !== 'merged') {
    return refuse('invalid_merge_state', `The merge is ${stateNow}: only one that is merged can be undone.`);
  }
  const refusal = refuseLate(merge, now);
  if (refusal) return refusal;
  if (target.id !== merge.targetMemberId) return mergedAgain;
  if (target.status !== 'active') return suspended;
  const latest = endOfPeriod(merge);
  const expiresAt = new Date(Math.min(now.getTime() + LIFETIME_MS, latest.getTime()));
  const requested: MemberMergeRecord = {
    ...merge,
    ...NO_UNMERGE,
    state: 'unmerge_requested',
    unmergeRequestedBy: principal,
    unmergeRequestedAt: now,
    unmergeReason: reason,
    unmergeExpiresAt: expiresAt,
  };
  return {
    receipt: mergeReceipt(requested, target),
    inserts: {},
    updates: { memberMerges: [requested] },
    audits: [
      {
        action: 'member_unmerge.requested',
        targetType: 'member_merge',
        targetId: toTypeId('mrg', merge.id),
        changes: {
          sourceMemberId: toTypeId('mem', merge.sourceMemberId),
          targetMemberId: toTypeId('mem', merge.targetMemberId),
        },
      },
    ],
    webhookEvents: [],
  };
}

/** An approval would be refused for the same reason: nothing is asked for that nobody can approve. */
export const erased = refuse(
  'member_not_found',
  'The accounts of this merge have been erased: nothing of them can be given ' +
    'back. A customer who comes again is a new member.',
);
const suspended = refuse(
  'member_not_found',
  'The member is suspended: end the suspension (rewards member resume), and ask again.',
);

/** The state of an approved merge at an instant: a request to undo it that nobody has decided in time is none. */
export function presentState({ state, unmergeExpiresAt }: MemberMergeRecord, now: Date): string {
  const lapsed = state === 'unmerge_requested' && unmergeExpiresAt !== null && unmergeExpiresAt <= now;
  return lapsed ? 'merged' : state;
}

/** Refuses with `unmerge_period_over` where a merge was approved too long ago. */
export function refuseLate(merge: MemberMergeRecord, now: Date): Refusal<'unmerge_period_over'> | null {
  if (now < endOfPeriod(merge)) return null;
  return refuse(
    'unmerge_period_over',
    'A merge can be undone for 30 days. Move points with adjustments of both accounts, where they have to be parted.',
  );
}

function endOfPeriod({ decidedAt }: MemberMergeRecord): Date {
  return new Date((decidedAt?.getTime() ?? 0) + UNDONE_WITHIN_MS);
}

/** The refusal where a later merge has to be undone first. */
export const mergedAgain = refuse(
  'merged_again',
  'One of the two accounts was merged once more since: undo that merge first.',
);
