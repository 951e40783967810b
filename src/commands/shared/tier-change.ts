import { toTypeId } from '../../ids.ts';
import type { Actor, Changes } from '../../ledger/command.ts';
import type { ProfileRecord } from '../../ledger/tables/program-profiles.ts';

/**
 * The audit entry and the webhook event of a changed tier; neither where the tier is the same.
 * @param actor who changed it, where that is not the command's actor
 */
export function tierChange(
  before: Pick<ProfileRecord, 'memberId' | 'programId' | 'tier'>,
  after: Pick<ProfileRecord, 'tier' | 'qualificationPoints'>,
  actor?: Actor,
): Pick<Changes, 'audits' | 'webhookEvents'> {
  if (before.tier === after.tier) return { audits: [], webhookEvents: [] };
  const { programId } = before;
  const { tier, qualificationPoints } = after;
  const memberId = toTypeId('mem', before.memberId);
  return {
    audits: [
      {
        action: 'tier.changed',
        targetType: 'member',
        targetId: memberId,
        changes: { programId, from: before.tier, to: tier, qualificationPoints },
        ...(actor && { actor }),
      },
    ],
    webhookEvents: [
      {
        type: 'tier.changed',
        data: { programId, memberId, previousTier: before.tier, tier, qualificationPoints },
      },
    ],
  };
}
