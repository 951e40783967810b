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
  /** The error code for a resource of another environment; null where the operation names none. */
  foreign: string | null;
  send: (credentials: Credentials) => Sent;
}

const hook = { url: 'https://localhost.example', eventTypes: ['points.earned'] };

/** Every operation of webhooks. */
export function webhookOperations(ids: () => WebhookIds): WebhookOperation[] {
  const operation = (
    name: string,
    foreign: string | null,
    send: WebhookOperation['send'],
  ): WebhookOperation => ({ name, foreign, send });
  const requests = webhookRequests;
  return [
    operation('POST /webhook-endpoints', null, (by) => requests.create(by, hook, newUuid())),
    operation('GET /webhook-endpoints', null, (by) => requests.endpoints(by)),
    operation('GET /webhook-endpoints/{endpointId}', 'endpoint_not_found', (by) =>
      requests.endpoint(by, ids().endpointId),
    ),
    operation('PATCH /webhook-endpoints/{endpointId}', 'endpoint_not_found', (by) =>
      requests.patch(by, ids().endpointId, { description: 'a' }, newUuid()),
    ),
    operation('POST /webhook-endpoints/{endpointId}/rotate-secret', 'endpoint_not_found', (by) =>
      requests.rotate(by, ids().endpointId, {}, newUuid()),
    ),
    operation('POST /webhook-endpoints/{endpointId}/test', 'endpoint_not_found', (by) =>
      requests.test(by, ids().endpointId, newUuid()),
    ),
    operation('POST /webhook-endpoints/{endpointId}/replay', 'endpoint_not_found', (by) =>
      requests.replay(by, ids().endpointId, { sinceSequence: 0 }, newUuid()),
    ),
    operation('GET /events-feed', null, (by) => requests.feed(by)),
    operation('GET /webhook-deliveries', null, (by) => requests.deliveries(by)),
    operation('GET /webhook-deliveries/{deliveryId}', 'delivery_not_found', (by) =>
      requests.delivery(by, ids().deliveryId),
    ),
    operation('POST /webhook-deliveries/{deliveryId}/retry', 'delivery_not_found', (by) =>
      requests.retry(by, ids().deliveryId, newUuid()),
    ),
    // The last one, for nothing is found afterwards.
    operation('DELETE /webhook-endpoints/{endpointId}', 'endpoint_not_found', (by) =>
      requests.remove(by, ids().endpointId, newUuid()),
    ),
  ];
}
