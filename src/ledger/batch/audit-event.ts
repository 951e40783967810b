import type { AuditEntry, Command } from '../command.ts';
import type { AuditRecord } from '../tables/audit-events.ts';

/**
 * Makes a row of the audit trail, for commands, administration and imports.
 * @param id UUID
 * @param author the actor, which an actor in the entry overrides, and the id of the request
 * @param at the time of the change that the entry describes, by the database's clock
 */
export function auditEvent(
  id: string,
  author: Pick<Command, 'actor' | 'requestId'>,
  { action, targetType, targetId, changes, actor = author.actor }: AuditEntry,
  at: Date,
): AuditRecord {
  const { requestId } = author;
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
