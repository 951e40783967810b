import type { AuditEntry, Command } from '../command.ts';
import type { AuditRecord } from '../tables/audit-events.ts';

/**
 * Makes a row of the audit trail. Commands, administration and imports all use it.
 * @param id UUID
 * @param by the actor, unless the entry names another one, and the id of the request
 * @param at the database's time of the change that the entry describes
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
