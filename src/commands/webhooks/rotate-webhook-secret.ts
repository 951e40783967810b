import type { RotateWebhookSecretInput } from '../../contract/generated/types.ts';
import { realTime } from '../../ledger/tables/environments.ts';
import type { EndpointRecord } from '../../ledger/tables/webhook-endpoints.ts';
import type { Caller } from '../shared/caller.ts';
import type { CommandOf } from '../shared/operation-command.ts';
import { endpointChanges, endpointCommand } from './endpoint-command.ts';
import { endpointReceipt } from './webhook-receipts.ts';

/** How long the old secret signs as well, where the input does not say: the default of the contract. */
const OVERLAP_SECONDS = 86_400;

/**
 * Gives an endpoint a new secret. The one of before signs as well until the overlap is over; one that was replaced
 * earlier ends at once. As at creation, the receipt has no secret. Refusal: `endpoint_not_found`.
 * @param sealed the new secret, encrypted for the endpoint
 */
export function rotateWebhookSecret(
  input: RotateWebhookSecretInput,
  sealed: Buffer,
  caller: Caller,
): CommandOf<'rotateWebhookSecret'> {
  return endpointCommand('rotateWebhookSecret', input, caller, ({ endpoint: current, state, now }) => {
    const overlapSeconds = input.overlapSeconds ?? OVERLAP_SECONDS;
    const overlaps = overlapSeconds > 0;
    const until = realTime(state.environment, now).getTime() + overlapSeconds * 1_000;
    const endpoint: EndpointRecord = {
      ...current,
      secret: sealed,
      previousSecret: overlaps ? current.secret : null,
      previousSecretUntil: overlaps ? new Date(until) : null,
      updatedAt: now,
    };
    return {
      receipt: { endpoint: endpointReceipt(endpoint), signingSecret: null },
      ...endpointChanges('webhook_endpoint.secret_rotated', endpoint, { overlapSeconds }),
    };
  });
}
