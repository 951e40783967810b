import { toTypeId } from '../../ids.ts';
import type { MemberMergeRecord } from '../../ledger/tables/member-merges.ts';
import type { MemberRecord } from '../../ledger/tables/members.ts';

/** What was moved in one program. */
export interface MergedProgram {
  programId: string;
  /** Available and pending points. */
  points: number;
  lots: number;
}

/** The receipt of every command on a merge. */
export interface MemberMergeReceipt {
  merge: {
    /** TypeID, `mrg_…`. */
    id: string;
    state: MemberMergeRecord['state'];
    /** The account that ends. */
    sourceMemberId: string;
    /** The account that answers for both. */
    targetMemberId: string;
    intoExternalCustomerId: string;
    reason: string;
    requestedAt: string;
    /** When the request lapses undecided. */
    expiresAt: string;
    decidedAt: string | null;
    decisionReason: string | null;
    /** What was moved, by program; empty until it is merged. */
    programs: MergedProgram[];
  };
}

export function mergeReceipt(
  merge: MemberMergeRecord,
  { externalCustomerId }: Pick<MemberRecord, 'externalCustomerId'>,
  programs: MergedProgram[] = [],
): MemberMergeReceipt {
  return {
    merge: {
      id: toTypeId('mrg', merge.id),
      state: merge.state,
      sourceMemberId: toTypeId('mem', merge.sourceMemberId),
      targetMemberId: toTypeId('mem', merge.targetMemberId),
      intoExternalCustomerId: externalCustomerId,
      reason: merge.reason,
      requestedAt: merge.requestedAt.toISOString(),
      expiresAt: merge.expiresAt.toISOString(),
      decidedAt: merge.decidedAt?.toISOString() ?? null,
      decisionReason: merge.decisionReason,
      programs,
    },
  };
}
