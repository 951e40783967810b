import { OF_MEMBERS } from './handling.ts';
import { insertedTable } from './table.ts';

export interface CustomEventRecord {
  id: string;
  sourceReference: string;
  type: string;
  memberId: string;
  attributes: object | null;
  occurredAt: Date;
  receivedAt: Date;
  receipt: object;
}

/** A custom event by its reference. */
export interface CustomEventSubject {
  kind: 'customEvent';
  sourceReference: string;
}

export const customEvents = insertedTable<CustomEventRecord, CustomEventSubject>({
  name: 'custom_events',
  handling: {
    owner: { members: ['member_id'] },
    exported: { ids: { id: 'evt', member_id: 'mem' }, order: ['received_at', 'id'], audited: true },
    erasure: { columns: { source_reference: 'reference', attributes: 'removed' }, usedOnce: 'customEvent' },
    ...OF_MEMBERS,
  },
  columns: {
    id: 'uuid',
    sourceReference: 'text',
    type: 'text',
    memberId: 'uuid',
    attributes: 'json',
    occurredAt: 'timestamptz',
    receivedAt: 'timestamptz',
    receipt: 'json',
  },
  primaryKey: ['id'],
  knownBy: { properties: ['sourceReference'], constraint: 'custom_events_source_reference_key' },
  lookUps: [{ name: 'load_custom_events', keyProperties: { customEvent: ['sourceReference'] } }],
});
