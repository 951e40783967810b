import type { Credentials, Sent } from '../surfaces/client.ts';
import { rest } from '../surfaces/client.ts';

/** An endpoint as answers show it. */
export interface ShownEndpoint {
  id: string;
  url: string;
  eventTypes: string[];
  description: string | null;
  status: string;
  disabledReason: string | null;
  lastSequence: number;
  verifiedAt: string | null;
}

/** A delivery as answers show it. */
export interface ShownDelivery {
  id: string;
  endpointId: string;
  eventType: string;
  sequence: number;
  status: string;
  attemptCount: number;
  nextAttemptAt: string | null;
  deliveredAt: string | null;
  lastError: string | null;
}

const ENDPOINTS = '/webhook-endpoints';
const DELIVERIES = '/webhook-deliveries';

/** The requests of webhooks over REST. */
export const webhookRequests = {
  create: (credentials: Credentials, body: object, key: string): Sent =>
    rest(credentials, 'POST', ENDPOINTS, body, key),
  endpoints: (credentials: Credentials, query = ''): Sent => rest(credentials, 'GET', ENDPOINTS + query),
  endpoint: (credentials: Credentials, id: string): Sent => rest(credentials, 'GET', `${ENDPOINTS}/${id}`),
  patch: (credentials: Credentials, id: string, body: object, key: string): Sent =>
    rest(credentials, 'PATCH', `${ENDPOINTS}/${id}`, body, key),
  remove: (credentials: Credentials, id: string, key: string): Sent =>
    rest(credentials, 'DELETE', `${ENDPOINTS}/${id}`, undefined, key),
  rotate: (credentials: Credentials, id: string, body: object, key: string): Sent =>
    rest(credentials, 'POST', `${ENDPOINTS}/${id}/rotate-secret`, body, key),
  test: (credentials: Credentials, id: string, key: string, body: object = {}): Sent =>
    rest(credentials, 'POST', `${ENDPOINTS}/${id}/test`, body, key),
  replay: (credentials: Credentials, id: string, body: object, key: string): Sent =>
    rest(credentials, 'POST', `${ENDPOINTS}/${id}/replay`, body, key),
  feed: (credentials: Credentials, query = ''): Sent => rest(credentials, 'GET', `/events-feed${query}`),
  deliveries: (credentials: Credentials, query = ''): Sent => rest(credentials, 'GET', DELIVERIES + query),
  delivery: (credentials: Credentials, id: string): Sent => rest(credentials, 'GET', `${DELIVERIES}/${id}`),
  retry: (credentials: Credentials, id: string, key: string, body: object = {}): Sent =>
    rest(credentials, 'POST', `${DELIVERIES}/${id}/retry`, body, key),
};
