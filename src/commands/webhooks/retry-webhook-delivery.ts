import type { RetryWebhookDeliveryInput } from '../../contract/generated/types.ts';
import { realTime } from '../../ledger/tables/environments.ts';
import type { DeliveryRecord } from '../../ledger/tables/webhook-deliveries.ts';
import { deliveryNotFound, refuse } from '../../refusal.ts';
import { type Caller, envelope } from '../shared/caller.ts';
import type { CommandOf } from '../shared/operation-command.ts';
import { ENDPOINTS_LANE } from './endpoint-command.ts';
import { deliveryReceipt } from './webhook-receipts.ts';

/** A delivery that is older cannot be retried: what it sent is no longer kept (src/jobs/empty-payloads.ts). */
const RETRIED_DAYS = 90;
const DAY_MS = 86_400_000;

/** A delivery and its endpoint: UUIDs. */
export interface StoredDelivery {
  id: string;
  endpointId: string;
}

/**
 * Puts a delivery that failed or was given up in the queue again: the same one, whose schedule begins anew. Refusals:
 * `delivery_not_found`, `invalid_delivery_state`, `endpoint_disabled`.
 * @param storedDelivery null where the environment has no such delivery
 */
export function retryWebhookDelivery(
  input: RetryWebhookDeliveryInput,
  storedDelivery: StoredDelivery | null,
  caller: Caller,
): CommandOf<'retryWebhookDelivery'> {
  return {
    ...envelope('retryWebhookDelivery', input, caller),
    laneKey: ENDPOINTS_LANE,
    subjects: storedDelivery
      ? [
          { kind: 'webhookEndpoint', id: storedDelivery.endpointId },
          { kind: 'webhookDelivery', id: storedDelivery.id },
        ]
      : [],
    decide(state, now) {
      const before = storedDelivery && state.row('webhookDeliveries', storedDelivery.id);
      if (!before) return deliveryNotFound;
      if (before.status !== 'failed' && before.status !== 'dead_letter') {
        return refuse(
          'invalid_delivery_state',
          `The delivery is ${before.status}: there is nothing to retry.`,
        );
      }
      if (before.createdAt.getTime() < now.getTime() - RETRIED_DAYS * DAY_MS) {
        return refuse(
          'invalid_delivery_state',
          `The delivery is more than ${RETRIED_DAYS} days old: what it sent is no longer kept.`,
        );
      }
      if (state.row('webhookEndpoints', before.endpointId)?.status !== 'active') {
        return refuse('endpoint_disabled', 'The endpoint is disabled: activate it first.');
      }
      const delivery: DeliveryRecord = {
        ...before,
        status: 'pending',
        failures: 0,
        nextAttemptAt: realTime(state.environment, now),
      };
      const receipt = deliveryReceipt(delivery);
      return {
        receipt: { delivery: receipt },
        inserts: {},
        updates: { webhookDeliveries: [delivery] },
        audits: [
          {
            action: 'webhook_delivery.retried',
            targetType: 'webhook_delivery',
            targetId: receipt.id,
            changes: { status: before.status, attemptCount: before.attemptCount },
          },
        ],
        webhookEvents: [],
      };
    },
  };
}
