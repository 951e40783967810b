import type { AuditEntry, Command } from '../command.ts';
import type { AuditRecord } from '../tables/audit-events.ts';

/**
 * Makes a row of the audit trail, the same for commands, administration and imports.
 * @param id UUID
 * @param by who acts, and the request that they act with; an entry may name another actor
 * @param at time of the database, as of what the entry tells of
 */
export function auditEvent(
  id: string,
  by: Pick<Command, 'actor' | 'requestId'>,
  { action, targetType, targetId, changes, actor = by.actor }: AuditEntry,
  at: Date,
): AuditRecord {
  const { requestId } = by;
  return {
    id,
    action,
    targetType,
    targetId,
    actorType: actor.type,
    actorId: actor.id,
    requestId,
    changes,
    at,
  };
}
