import type { MemberMergeState, MergedProgram } from '../../contract/generated/types.ts';
import { updatedTable } from './table.ts';

/** A request to merge the account of one member, the source, into another one of the same person, the target. */
export interface MemberMergeRecord {
  id: string;
  sourceMemberId: string;
  targetMemberId: string;
  reason: string;
  evidence: object;
  state: 'requested' | 'merged' | 'rejected';
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
}

/** A merge with the state that it is in at the time of a read: of a request whose time is over, `expired`. */
export type MemberMergeView = Omit<MemberMergeRecord, 'state'> & { state: MemberMergeState };

/** A merge, by its id. With `changedMember` of both members. */
export interface MemberMergeSubject {
  kind: 'memberMerge';
  id: string;
}

export const memberMerges = updatedTable<MemberMergeRecord, MemberMergeSubject>({
  name: 'member_merges',
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
  },
  lookUps: [{ name: 'load_member_merges', wantedBy: { memberMerge: ['id'] } }],
});
