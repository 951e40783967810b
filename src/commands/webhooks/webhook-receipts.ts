import type { WebhookDelivery, WebhookEndpoint } from '../../contract/generated/types.ts';
import { toTypeId } from '../../ids.ts';
import type { DeliveryRecord } from '../../ledger/tables/webhook-deliveries.ts';
import type { EndpointRecord } from '../../ledger/tables/webhook-endpoints.ts';

/** An endpoint as receipts and reads show it: without its secrets. */
export function endpointReceipt(
  endpoint: Omit<EndpointRecord, 'secret' | 'previousSecret'>,
): WebhookEndpoint {
  return {
    id: toTypeId('we', endpoint.id),
    url: endpoint.url,
    eventTypes: [...endpoint.eventTypes],
    description: endpoint.description,
    status: endpoint.status,
    disabledReason: endpoint.disabledReason,
    epoch: endpoint.epoch,
    lastSequence: endpoint.lastSequence,
    verifiedAt: endpoint.verifiedAt?.toISOString() ?? null,
    createdAt: endpoint.createdAt.toISOString(),
    updatedAt: endpoint.updatedAt.toISOString(),
  };
}

/** A delivery as receipts and reads show it: without what is sent. */
export function deliveryReceipt(delivery: Omit<DeliveryRecord, 'eventId' | 'failures'>): WebhookDelivery {
  return {
    id: toTypeId('msg', delivery.id),
    endpointId: toTypeId('we', delivery.endpointId),
    eventType: delivery.eventType,
    epoch: delivery.epoch,
    sequence: delivery.sequence,
    status: delivery.status,
    attemptCount: delivery.attemptCount,
    createdAt: delivery.createdAt.toISOString(),
    nextAttemptAt: delivery.nextAttemptAt?.toISOString() ?? null,
    deliveredAt: delivery.deliveredAt?.toISOString() ?? null,
    lastResponseStatus: delivery.lastResponseStatus,
    lastError: delivery.lastError,
  };
}
