import type { MemberMergeState, MergedProgram } from '../../contract/generated/types.ts';
import { OF_MEMBERS } from './handling.ts';
import { updatedTable } from './table.ts';

/** A request to merge the account of one member, the source, into another one of the same person, the target. */
export interface MemberMergeRecord {
  id: string;
  sourceMemberId: string;
  targetMemberId: string;
  reason: string;
  evidence: object;
  state: 'requested' | 'merged' | 'rejected' | 'unmerge_requested' | 'unmerged';
  /** A principal, as is decidedBy. */
  requestedBy: string;
  requestedAt: Date;
  /** Until when it can be decided. */
  expiresAt: Date;
  decidedBy: string | null;
  decidedAt: Date | null;
  /** Of the decision. */
  decisionReason: string | null;
  /** What was moved, by program; empty until it is merged. */
  programs: readonly MergedProgram[];
  /** A principal, as is unmergedBy. Null unless an unmerge is asked for, or done. */
  unmergeRequestedBy: string | null;
  unmergeRequestedAt: Date | null;
  unmergeReason: string | null;
  /** Until when the request to unmerge can be decided. */
  unmergeExpiresAt: Date | null;
  unmergedBy: string | null;
  unmergedAt: Date | null;
  /** Of the decision to unmerge. */
  unmergeDecisionReason: string | null;
}

/**
 * A merge with the state that it is in at the time of a read. Of a request to merge whose time is over that is
 * `expired`, of one to unmerge `merged`.
 */
export type MemberMergeView = Omit<MemberMergeRecord, 'state'> & { state: MemberMergeState };

/** A merge, by its id. With `changedMember` of both members. */
export interface MemberMergeSubject {
  kind: 'memberMerge';
  id: string;
}

export const memberMerges = updatedTable<MemberMergeRecord, MemberMergeSubject>({
  name: 'member_merges',
  handling: {
    owner: { members: ['source_member_id', 'target_member_id'] },
    exported: {
      as: 'merges',
      ids: { id: 'mrg', source_member_id: 'mem', target_member_id: 'mem' },
      order: ['requested_at', 'id'],
      // One between two accounts of the person is listed with the account that has ended.
      only: `member_merges.source_member_id = $2::uuid or member_merges.state not in ('merged', 'unmerge_requested')`,
      audited: true,
    },
    erasure: {
      columns: {
        reason: 'sentence',
        evidence: 'emptied',
        decision_reason: 'sentence',
        unmerge_reason: 'sentence',
        unmerge_decision_reason: 'sentence',
      },
    },
    ...OF_MEMBERS,
  },
  columns: {
    id: 'uuid',
    sourceMemberId: 'uuid',
    targetMemberId: 'uuid',
    reason: 'text',
    evidence: 'json',
    state: 'text',
    requestedBy: 'text',
    requestedAt: 'timestamptz',
    expiresAt: 'timestamptz',
    decidedBy: 'text',
    decidedAt: 'timestamptz',
    decisionReason: 'text',
    programs: 'json',
    unmergeRequestedBy: 'text',
    unmergeRequestedAt: 'timestamptz',
    unmergeReason: 'text',
    unmergeExpiresAt: 'timestamptz',
    unmergedBy: 'text',
    unmergedAt: 'timestamptz',
    unmergeDecisionReason: 'text',
  },
  primaryKey: ['id'],
  constant: [
    'sourceMemberId',
    'targetMemberId',
    'reason',
    'evidence',
    'requestedBy',
    'requestedAt',
    'expiresAt',
  ],
  checks: {
    member_merges_members_check: (row) => row.sourceMemberId !== row.targetMemberId,
    member_merges_decided_check: (row) => (row.state === 'requested') === (row.decidedBy === null),
    two_persons_merge: (row) => row.state === 'rejected' || row.decidedBy !== row.requestedBy,
    member_merges_unmerge_check: (row) =>
      (row.state === 'unmerge_requested' || row.state === 'unmerged') === (row.unmergeRequestedBy !== null),
    member_merges_unmerged_check: (row) => (row.state === 'unmerged') === (row.unmergedBy !== null),
    two_persons_unmerge: (row) => row.unmergedBy !== row.unmergeRequestedBy || row.unmergedBy === null,
    unmerged_in_time: (row) =>
      row.unmergedAt === null || row.unmergeExpiresAt === null || row.unmergedAt < row.unmergeExpiresAt,
  },
  lookUps: [{ name: 'load_member_merges', keyProperties: { memberMerge: ['id'] } }],
});
