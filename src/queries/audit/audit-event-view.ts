import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { AuditEvent } from '../../contract/generated/types.ts';
import { toTypeId } from '../../ids.ts';
import { type AuditRecord, audits } from '../../ledger/tables/audit-events.ts';

/** The columns of an audit event in a select list, as properties of an AuditRecord. @param alias of the table */
export const auditColumns = (alias: string): string => audits.select(alias);

/** An audit event as the list shows it, without its seal: what the seal covers. */
export type SealedEvent = Omit<AuditEvent, 'seal'>;

export function sealedEvent(record: AuditRecord): SealedEvent {
  const { id, action, targetType, targetId, actorType, actorId, at, requestId, changes } = record;
  return {
    id: toTypeId('aud', id),
    action,
    targetType,
    targetId,
    actor: { type: actorType, id: actorId },
    at: at.toISOString(),
    requestId,
    changes: changes as AuditEvent['changes'],
  };
}

/**
 * The hash of a seal: SHA-256 over the hash before it, as hex (64 zeros before the first), followed by the canonical
 * JSON (RFC 8785) of the event as the list shows it without `seal`.
 * @param previous 32 bytes
 */
export function sealHash(previous: Buffer, record: AuditRecord): Buffer {
  const json = canonicalize(sealedEvent(record));
  if (json === undefined) throw new Error('an audit event is a JSON object');
  return createHash('sha256').update(previous.toString('hex')).update(json).digest();
}
