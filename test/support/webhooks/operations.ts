import type { Scope } from '../../../src/auth/scopes.ts';
import { newUuid } from '../../../src/ids.ts';
import type { Credentials, Sent } from '../surfaces/client.ts';
import { webhookRequests } from './requests.ts';

/** The ids that the operations of webhooks need. */
export interface WebhookIds {
  endpointId: string;
  deliveryId: string;
}

interface WebhookOperation {
  name: string;
  scope: Scope;
  orScope?: Scope | readonly Scope[];
  /** The error code for a resource of another environment; null where the operation names none. */
  foreign: string | null;
  send: (credentials: Credentials) => Sent;
}

const hook = { url: 'https://localhost.example', eventTypes: ['points.earned'] };

/** Every operation of webhooks, with its scope. */
export function webhookOperations(ids: () => WebhookIds): WebhookOperation[] {
  const writing = (
    name: string,
    foreign: string | null,
    send: WebhookOperation['send'],
  ): WebhookOperation => ({
    name,
    scope: 'webhooks:write',
    foreign,
    send,
  });
  const reading = (
    name: string,
    foreign: string | null,
    send: WebhookOperation['send'],
  ): WebhookOperation => ({
    name: `GET ${name}`,
    scope: 'webhooks:read',
    orScope: 'webhooks:write',
    foreign,
    send,
  });
  const requests = webhookRequests;
  return [
    writing('POST /webhook-endpoints', null, (by) => requests.create(by, hook, newUuid())),
    reading('/webhook-endpoints', null, (by) => requests.endpoints(by)),
    reading('/webhook-endpoints/{endpointId}', 'endpoint_not_found', (by) =>
      requests.endpoint(by, ids().endpointId),
    ),
    writing('PATCH /webhook-endpoints/{endpointId}', 'endpoint_not_found', (by) =>
      requests.patch(by, ids().endpointId, { description: 'a' }, newUuid()),
    ),
    writing('POST /webhook-endpoints/{endpointId}/rotate-secret', 'endpoint_not_found', (by) =>
      requests.rotate(by, ids().endpointId, {}, newUuid()),
    ),
    writing('POST /webhook-endpoints/{endpointId}/test', 'endpoint_not_found', (by) =>
      requests.test(by, ids().endpointId, newUuid()),
    ),
    writing('POST /webhook-endpoints/{endpointId}/replay', 'endpoint_not_found', (by) =>
      requests.replay(by, ids().endpointId, { sinceSequence: 0 }, newUuid()),
    ),
    reading('/events-feed', null, (by) => requests.feed(by)),
    reading('/webhook-deliveries', null, (by) => requests.deliveries(by)),
    reading('/webhook-deliveries/{deliveryId}', 'delivery_not_found', (by) =>
      requests.delivery(by, ids().deliveryId),
    ),
    writing('POST /webhook-deliveries/{deliveryId}/retry', 'delivery_not_found', (by) =>
      requests.retry(by, ids().deliveryId, newUuid()),
    ),
    // The last one, for nothing is found afterwards.
    writing('DELETE /webhook-endpoints/{endpointId}', 'endpoint_not_found', (by) =>
      requests.remove(by, ids().endpointId, newUuid()),
    ),
  ];
}
