import { OF_MEMBERS } from './handling.ts';
import { updatedTable } from './table.ts';

/** An event for one endpoint, or a test of it. The sequencer makes those of events, after their commit. */
export interface DeliveryRecord {
  id: string;
  endpointId: string;
  /** The epoch of the feed that the sequence belongs to. */
  epoch: number;
  sequence: number;
  /** Null for a test. */
  eventId: string | null;
  eventType: string;
  status: 'pending' | 'delivered' | 'failed' | 'dead_letter';
  attemptCount: number;
  /** Attempts that have failed since it was made or put in the queue again. */
  failures: number;
  createdAt: Date;
  nextAttemptAt: Date | null;
  deliveredAt: Date | null;
  lastResponseStatus: number | null;
  lastError: string | null;
}

/** A delivery that was never tried. @param id UUID */
export function newDelivery(
  id: string,
  of: Pick<
    DeliveryRecord,
    'endpointId' | 'epoch' | 'sequence' | 'eventId' | 'eventType' | 'createdAt' | 'nextAttemptAt'
  >,
): DeliveryRecord {
  return {
    id,
    ...of,
    status: 'pending',
    attemptCount: 0,
    failures: 0,
    deliveredAt: null,
    lastResponseStatus: null,
    lastError: null,
  };
}

/** A delivery, locked. */
export interface DeliverySubject {
  kind: 'webhookDelivery';
  id: string;
}

/**
 * The channel on which processes tell each other that an environment has something to deliver: its id is the message.
 */
export const DELIVERIES_CHANNEL = 'rewards_deliveries';

export const webhookDeliveries = updatedTable<DeliveryRecord, DeliverySubject>({
  name: 'webhook_deliveries',
  handling: {
    owner: { through: 'events', on: 'webhook_deliveries.event_id = events.id' },
    exported: { as: 'deliveries', ids: { id: 'msg', endpoint_id: 'we' }, order: ['created_at', 'id'] },
    erasure: 'nothing',
    ...OF_MEMBERS,
  },
  columns: {
    id: 'uuid',
    endpointId: 'uuid',
    epoch: 'integer',
    sequence: 'bigint',
    eventId: 'uuid',
    eventType: 'text',
    status: 'text',
    // These are set with the attempts.
    attemptCount: { type: 'integer', readOnly: true },
    failures: 'integer',
    createdAt: 'timestamptz',
    nextAttemptAt: 'timestamptz',
    deliveredAt: { type: 'timestamptz', readOnly: true },
    lastResponseStatus: { type: 'integer', readOnly: true },
    lastError: { type: 'text', readOnly: true },
  },
  primaryKey: ['id'],
  constant: ['endpointId', 'epoch', 'sequence', 'eventId', 'eventType', 'createdAt'],
  unique: [{ constraint: 'webhook_deliveries_of_endpoint', properties: ['endpointId', 'sequence'] }],
  checks: {
    webhook_deliveries_check: (row) => (row.eventId === null) === (row.eventType === 'webhook.test'),
    webhook_deliveries_check1: (row) =>
      (row.nextAttemptAt !== null) === (row.status === 'pending' || row.status === 'failed'),
  },
  references: [
    {
      to: 'webhook_endpoints',
      constraint: 'webhook_deliveries_environment_id_endpoint_id_fkey',
      properties: { id: 'endpointId' },
    },
  ],
  channel: DELIVERIES_CHANNEL,
  lookUps: [{ name: 'lock_webhook_deliveries', keyProperties: { webhookDelivery: ['id'] }, locks: true }],
});
