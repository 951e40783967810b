import { toTypeId } from '../../ids.ts';
import type { Actor, AuditEntry } from '../../ledger/command.ts';
import type { ProfileRecord } from '../../ledger/tables/program-profiles.ts';

/**
 * The audit entry of a changed tier; none where the tier is the same.
 * @param actor who changed it, where that is not the command's actor
 */
export function tierChange(
  before: Pick<ProfileRecord, 'memberId' | 'programId' | 'tier'>,
  after: Pick<ProfileRecord, 'tier' | 'qualificationPoints'>,
  actor?: Actor,
): AuditEntry[] {
  if (before.tier === after.tier) return [];
  return [
    {
      action: 'tier.changed',
      targetType: 'member',
      targetId: toTypeId('mem', before.memberId),
      changes: {
        programId: before.programId,
        from: before.tier,
        to: after.tier,
        qualificationPoints: after.qualificationPoints,
      },
      ...(actor && { actor }),
    },
  ];
}
