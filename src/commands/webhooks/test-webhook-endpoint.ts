import type { TestWebhookEndpointInput } from '../../contract/generated/types.ts';
import { realTime } from '../../ledger/tables/environments.ts';
import { newDelivery } from '../../ledger/tables/webhook-deliveries.ts';
import type { Caller } from '../shared/caller.ts';
import type { CommandOf } from '../shared/operation-command.ts';
import { endpointChanges, endpointCommand } from './endpoint-command.ts';
import { deliveryReceipt } from './webhook-receipts.ts';

/**
 * Makes a delivery without an event. It takes the next sequence of the endpoint, under the lock that the sequencer
 * takes too, and is sent also while the endpoint is disabled. Refusal: `endpoint_not_found`.
 */
export function testWebhookEndpoint(
  input: TestWebhookEndpointInput,
  caller: Caller,
): CommandOf<'testWebhookEndpoint'> {
  return endpointCommand('testWebhookEndpoint', input, caller, ({ endpoint, state, now }) => {
    const delivery = newDelivery(state.newId(), {
      endpointId: endpoint.id,
      epoch: endpoint.epoch,
      sequence: endpoint.lastSequence + 1,
      eventId: null,
      eventType: 'webhook.test',
      createdAt: now,
      nextAttemptAt: realTime(state.environment, now),
    });
    const receipt = deliveryReceipt(delivery);
    return {
      receipt: { delivery: receipt },
      ...endpointChanges(
        'webhook_endpoint.tested',
        { ...endpoint, lastSequence: delivery.sequence },
        { deliveryId: receipt.id },
        [delivery],
      ),
    };
  });
}
