import type { Receipt } from '../../contract/receipt.ts';
import { toTypeId } from '../../ids.ts';
import type { MemberMergeView } from '../../ledger/tables/member-merges.ts';
import type { MemberRecord } from '../../ledger/tables/members.ts';

/** The receipt of every command on a merge. */
export type MemberMergeReceipt = Receipt<'requestMemberMerge'>;

/** A merge as receipts show it. @param target its name */
export function mergeReceipt(
  merge: MemberMergeView,
  { externalCustomerId }: Pick<MemberRecord, 'externalCustomerId'>,
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
      programs: [...merge.programs],
      unmergeRequestedAt: merge.unmergeRequestedAt?.toISOString() ?? null,
      unmergeReason: merge.unmergeReason,
      unmergeExpiresAt: merge.unmergeExpiresAt?.toISOString() ?? null,
      unmergedAt: merge.unmergedAt?.toISOString() ?? null,
      unmergeDecisionReason: merge.unmergeDecisionReason,
    },
  };
}
