import type { Index } from './look-up.ts';
import { updatedTable } from './table.ts';
import { DELIVERIES_CHANNEL } from './webhook-deliveries.ts';

/** Where the events of an environment are sent to. */
export interface EndpointRecord {
  id: string;
  /** Which of the environment's places it has, from 1; null where it is deleted. */
  place: number | null;
  url: string;
  eventTypes: readonly string[];
  description: string | null;
  status: 'disabled' | 'active';
  /** Null where it is active, and before it was active for the first time. */
  disabledReason: 'gone' | 'failing' | 'url_changed' | 'operator' | null;
  /** When it became active for the first time. */
  activatedAt: Date | null;
  /** The last successful test. */
  verifiedAt: Date | null;
  /** Since when every attempt has failed; null where the last one succeeded. */
  failingSince: Date | null;
  /** Encrypted (src/auth/secret-box.ts). */
  secret: Buffer;
  /** Signs as well until its end. */
  previousSecret: Buffer | null;
  previousSecretUntil: Date | null;
  /** The epoch of the feed that the last sequence belongs to. The sequencer sets it. */
  epoch: number;
  /** The last sequence that a delivery took. */
  lastSequence: number;
  createdAt: Date;
  updatedAt: Date;
  deletedAt: Date | null;
}

/** The most endpoints of an environment that are not deleted. */
export const MOST_ENDPOINTS = 50;

export type EndpointSubject =
  /** An endpoint, deleted or not. Its lock keeps the sequencer from taking its next sequence. */
  | { kind: 'webhookEndpoint'; id: string }
  /** Every endpoint that is not deleted. */
  | { kind: 'webhookEndpoints' };

const BY_END: Index<EndpointRecord> = { properties: ['deletedAt'] };

export const webhookEndpoints = updatedTable<EndpointRecord, EndpointSubject>({
  name: 'webhook_endpoints',
  handling: {
    owner: 'environment',
    exported: { none: 'of the merchant' },
    erasure: 'nothing',
    reset: 'kept',
    clone: 'copied',
  },
  columns: {
    id: 'uuid',
    place: 'integer',
    url: 'text',
    eventTypes: 'json',
    description: 'text',
    status: 'text',
    disabledReason: 'text',
    activatedAt: 'timestamptz',
    // Set with the attempts of tests.
    verifiedAt: { type: 'timestamptz', readOnly: true },
    failingSince: 'timestamptz',
    secret: 'bytea',
    previousSecret: 'bytea',
    previousSecretUntil: 'timestamptz',
    epoch: 'integer',
    lastSequence: 'bigint',
    createdAt: 'timestamptz',
    updatedAt: 'timestamptz',
    deletedAt: 'timestamptz',
  },
  primaryKey: ['id'],
  constant: ['epoch', 'createdAt'],
  unique: [{ constraint: 'webhook_endpoints_place', properties: ['place'] }],
  checks: {
    webhook_endpoints_event_types_check: ({ eventTypes }) =>
      eventTypes.length >= 1 && eventTypes.length <= 20,
    webhook_endpoints_check: (row) => (row.place === null) === (row.deletedAt !== null),
    webhook_endpoints_check1: (row) => (row.previousSecret === null) === (row.previousSecretUntil === null),
    webhook_endpoints_check2: (row) =>
      row.status === 'disabled' ||
      (row.activatedAt !== null && row.disabledReason === null && row.deletedAt === null),
  },
  // One that is activated may have deliveries that wait.
  channel: DELIVERIES_CHANNEL,
  lookUps: [
    { name: 'lock_webhook_endpoints', keyProperties: { webhookEndpoint: ['id'] }, locks: true },
    {
      name: 'load_webhook_endpoints',
      keyProperties: { webhookEndpoints: [] },
      text: (select) => `select ${select('r')} from webhook_endpoints r
        where environment_id = $1::uuid and place between 1 and ${MOST_ENDPOINTS}`,
      values: () => [],
      find: (stored): EndpointRecord[] => stored(webhookEndpoints).by(BY_END, String(null)),
    },
  ],
});
