import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { toTypeId } from '../ids.ts';
import { eventDataText } from '../ledger/batch/event-record.ts';

/** What a delivery tells. */
export interface Outgoing {
  epoch: number;
  sequence: number;
  eventType: string;
  at: Date;
  /** UUID. Null for a test. */
  eventId: string | null;
  /** The program that the event is about, or null. */
  programId: string | null;
  /** The event's data as it is stored, a JSON text. Null for a test. */
  data: string | null;
  /** UUID. Null where the event is about no member. */
  memberId: string | null;
  /** Of the event's member; null where it has none. */
  externalCustomerId: string | null;
}

/** The `webhook-id` of a delivery: the same on every attempt. */
export function messageId(deliveryId: string): string {
  return toTypeId('msg', deliveryId);
}

/**
 * The body that is signed and sent: `{type, timestamp, environmentId, epoch, sequence, data}`, the same on every
 * attempt.
 * @param environmentId `env_…`
 */
export function messageBody(
  environmentId: string,
  { eventType, at, epoch, sequence, eventId, programId, data, memberId, externalCustomerId }: Outgoing,
): string {
  const head = JSON.stringify({
    type: eventType,
    timestamp: at.toISOString(),
    environmentId,
    epoch,
    sequence,
  });
  const text =
    eventId === null || data === null
      ? '{}'
      : eventDataText({ id: eventId, programId, at, memberId, data }, externalCustomerId);
  return `${head.slice(0, -1)},"data":${text}}`;
}

/**
 * Prepares a signing secret, so that it is decoded once for many messages.
 * @param secret `whsec_` and base64
 */
export function signingKey(secret: string): KeyObject {
  return createSecretKey(secret.replace(/^whsec_/, ''), 'base64');
}

/**
 * The headers of an attempt, as Standard Webhooks names and signs them.
 * @param id of the message
 * @param at when the attempt is made
 * @param keys one for each secret that is valid now
 */
export function messageHeaders(
  id: string,
  at: Date,
  body: string,
  keys: readonly KeyObject[],
  userAgent: string,
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  // The library of Standard Webhooks computes the same in JavaScript, which takes several times as long.
  const sign = (key: KeyObject): string =>
    `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  return {
    'content-type': 'application/json',
    'user-agent': userAgent,
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': keys.map(sign).join(' '),
  };
}
