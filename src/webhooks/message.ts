import type { Webhook } from 'standardwebhooks';
import { toTypeId } from '../ids.ts';
import { eventData } from '../ledger/batch/event-record.ts';
import type { EventRecord } from '../ledger/tables/events.ts';

/** A delivery with its event, as the sender reads it. */
export interface Outgoing {
  /** UUID. */
  deliveryId: string;
  sequence: number;
  eventType: string;
  createdAt: Date;
  /** Null for a test. */
  event: Pick<EventRecord, 'memberId' | 'data' | 'at'> | null;
  /** Of the event's member; null where it has none. */
  externalCustomerId: string | null;
}

/** The `webhook-id` of a delivery: the same on every attempt. */
export function messageId(deliveryId: string): string {
  return toTypeId('msg', deliveryId);
}

/**
 * The body that is signed and sent: `{type, timestamp, environmentId, sequence, data}`, the same on every attempt.
 * @param environmentId UUID
 */
export function messageBody(environmentId: string, outgoing: Outgoing): string {
  const { eventType, sequence, event, externalCustomerId, createdAt } = outgoing;
  return JSON.stringify({
    type: eventType,
    timestamp: (event?.at ?? createdAt).toISOString(),
    environmentId: toTypeId('env', environmentId),
    sequence,
    data: event ? eventData(event, externalCustomerId) : {},
  });
}

/**
 * The headers of an attempt.
 * @param id of the message
 * @param at when the attempt is made
 * @param signers one for each secret that is valid now
 */
export function messageHeaders(
  id: string,
  at: Date,
  body: string,
  signers: readonly Pick<Webhook, 'sign'>[],
  userAgent: string,
): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': userAgent,
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': signers.map((signer) => signer.sign(id, at, body)).join(' '),
  };
}
