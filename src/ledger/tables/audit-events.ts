import { AppendedRows } from './record-set.ts';
import { insertedTable } from './table.ts';

export interface AuditRecord {
  id: string;
  action: string;
  targetType: string;
  targetId: string;
  actorType: 'api_key' | 'person' | 'customer' | 'system' | 'operator';
  actorId: string;
  requestId: string;
  changes: object;
  at: Date;
}

export const audits = insertedTable<AuditRecord, never, AppendedRows<AuditRecord>>({
  name: 'audit_events',
  handling: {
    owner: 'environment',
    exported: 'by_ids',
    erasure: 'nothing',
    reset: 'kept',
    clone: 'left',
  },
  columns: {
    id: 'uuid',
    action: 'text',
    targetType: 'text',
    targetId: 'text',
    actorType: 'text',
    actorId: 'text',
    requestId: 'text',
    changes: 'json',
    at: 'timestamptz',
  },
  primaryKey: ['at', 'id'],
  newRows: () => new AppendedRows(),
});
