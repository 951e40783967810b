import { OF_MEMBERS } from './handling.ts';
import { AppendedRows } from './record-set.ts';
import { insertedTable } from './table.ts';

export interface ConsentRecord {
  id: string;
  memberId: string;
  programId: string | null;
  status: 'granted' | 'withdrawn';
  noticeVersion: string;
  evidence: object | null;
  reason: string | null;
  requestId: string;
  at: Date;
}

export const consents = insertedTable<ConsentRecord, never, AppendedRows<ConsentRecord>>({
  name: 'consent_records',
  handling: {
    owner: { members: ['member_id'] },
    exported: { as: 'consentRecords', ids: { id: 'con', member_id: 'mem' }, order: ['at', 'id'] },
    erasure: { columns: { evidence: 'removed', reason: 'removed' } },
    ...OF_MEMBERS,
  },
  columns: {
    id: 'uuid',
    memberId: 'uuid',
    programId: 'text',
    status: 'text',
    noticeVersion: 'text',
    evidence: 'json',
    reason: 'text',
    requestId: 'text',
    at: 'timestamptz',
  },
  primaryKey: ['id'],
  newRows: () => new AppendedRows(),
});
