import type { DeleteWebhookEndpointInput } from '../../contract/generated/types.ts';
import type { EndpointRecord } from '../../ledger/tables/webhook-endpoints.ts';
import type { Caller } from '../shared/caller.ts';
import type { CommandOf } from '../shared/operation-command.ts';
import { endpointChanges, endpointCommand } from './endpoint-command.ts';
import { endpointReceipt } from './webhook-receipts.ts';

/**
 * Deletes an endpoint: it is disabled, its place is free, and reads no longer find it. Reads show as given up what
 * waits for it, and the process that delivers records that in steps. Refusal: `endpoint_not_found`.
 */
export function deleteWebhookEndpoint(
  input: DeleteWebhookEndpointInput,
  caller: Caller,
): CommandOf<'deleteWebhookEndpoint'> {
  return endpointCommand('deleteWebhookEndpoint', input, caller, ({ endpoint: current, now }) => {
    const endpoint: EndpointRecord = {
      ...current,
      place: null,
      status: 'disabled',
      disabledReason: current.status === 'active' ? 'operator' : current.disabledReason,
      updatedAt: now,
      deletedAt: now,
    };
    return {
      receipt: { endpoint: endpointReceipt(endpoint) },
      ...endpointChanges('webhook_endpoint.deleted', endpoint, { lastSequence: endpoint.lastSequence }),
    };
  });
}
