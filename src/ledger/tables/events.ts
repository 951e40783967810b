import type { WebhookEventType } from '../../contract/generated/webhook-events.ts';
import { storedData } from './event-data.ts';
import { isOrderOfAnother, OF_MEMBERS } from './handling.ts';
import { AppendedRows } from './record-set.ts';
import { insertedTable } from './table.ts';

/** What a command reports to webhooks and to the feed. It is written with the change, once, whoever subscribes. */
export interface EventRecord {
  /** That of its transaction, of its grant for `choice.granted`, or its own: see `WebhookEvent`. */
  id: string;
  type: WebhookEventType;
  /** The program that it is about; null for what concerns the environment or an identity. */
  programId: string | null;
  /** The member that it is about, or null. */
  memberId: string | null;
  /** Without the member. Contains no personal data: neither email nor display name. */
  data: object;
  /** When the change was decided. */
  at: Date;
}

export const events = insertedTable<EventRecord, never, AppendedRows<EventRecord>>({
  name: 'events',
  handling: {
    owner: { members: ['member_id'] },
    exported: {
      ids: { member_id: 'mem' },
      order: ['written_at', 'id'],
      more: {
        columns: `case
            when events.type = 'points.clawed_back' then ${isOrderOfAnother("events.data ->> 'orderReference'")}
            when events.data ->> 'eventType' = 'referral.awarded'
              then ${isOrderOfAnother("events.data ->> 'sourceReference'")}
            else false
          end as of_another_order`,
      },
    },
    erasure: 'own_step',
    ...OF_MEMBERS,
  },
  columns: {
    id: 'uuid',
    type: 'text',
    programId: 'text',
    memberId: 'uuid',
    data: { type: 'json', stored: storedData },
    at: 'timestamptz',
  },
  // The database stamps the one, and the sequencer of webhooks sets the other after the commit.
  otherColumns: ['written_at', 'position'],
  primaryKey: ['id'],
  // A milestone grants once. Whether it has granted before is known only where the grant is inserted.
  insertedWith: { table: 'choice_grants', applies: ({ type }) => type === 'choice.granted' },
  newRows: () => new AppendedRows(),
});
