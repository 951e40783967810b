import type { UpdateWebhookEndpointInput } from '../../contract/generated/types.ts';
import type { EndpointRecord } from '../../ledger/tables/webhook-endpoints.ts';
import { type Refusal, refuse } from '../../refusal.ts';
import type { Caller } from '../shared/caller.ts';
import type { CommandOf, DecisionOf, RefusalOf } from '../shared/operation-command.ts';
import { type EndpointCase, endpointChanges, endpointCommand } from './endpoint-command.ts';
import { refuseTypes, refuseUrl, type UrlPolicy } from './endpoint-input.ts';
import { endpointReceipt } from './webhook-receipts.ts';

const CHANGEABLE = ['url', 'status', 'eventTypes', 'description'] as const;

/**
 * Changes an endpoint. A changed URL disables it, also where the input activates it: its receiver has yet to show that
 * it verifies signatures. Refusals: `validation_failed`, `url_not_public`, `endpoint_not_found`.
 */
export function updateWebhookEndpoint(
  input: UpdateWebhookEndpointInput,
  policy: UrlPolicy,
  caller: Caller,
): CommandOf<'updateWebhookEndpoint'> | RefusalOf<'updateWebhookEndpoint'> {
  return violationOf(input) ?? endpointCommand('updateWebhookEndpoint', input, caller, decide);

  function decide(
    endpointCase: EndpointCase<UpdateWebhookEndpointInput>,
  ): DecisionOf<'updateWebhookEndpoint'> {
    const { endpoint: current, state, now } = endpointCase;
    const refusal = input.url ? refuseUrl(input.url, policy, state.environment.kind) : null;
    if (refusal) return refusal;
    const url = input.url ?? current.url;
    const endpoint: EndpointRecord = {
      ...current,
      url,
      ...stateAfter(current, url === current.url ? (input.status ?? current.status) : 'moved', now),
      eventTypes: input.eventTypes ?? current.eventTypes,
      description: (input.description ?? current.description) || null,
      updatedAt: now,
    };
    const changes = {
      ...(url !== current.url && { origin: new URL(url).origin }),
      ...(endpoint.status !== current.status && { status: endpoint.status }),
      ...(input.eventTypes && { eventTypes: endpoint.eventTypes }),
      ...(endpoint.description !== current.description && { described: endpoint.description !== null }),
    };
    return {
      receipt: { endpoint: endpointReceipt(endpoint) },
      ...endpointChanges('webhook_endpoint.updated', endpoint, changes),
    };
  }
}

function violationOf(input: UpdateWebhookEndpointInput): Refusal<'validation_failed'> | null {
  // A fingerprint does not tell null from absent, so null cannot mean that a value is taken away.
  const nulls = CHANGEABLE.filter((name) => input[name] === null);
  if (nulls.length > 0) {
    const details = nulls.map((path) => ({ path, message: 'must not be null: leave it out to keep it' }));
    return refuse('validation_failed', 'The change has properties that are null.', details);
  }
  if (CHANGEABLE.every((name) => input[name] === undefined)) {
    return refuse('validation_failed', `Name what changes: ${CHANGEABLE.join(', ')}.`);
  }
  return input.eventTypes ? refuseTypes(input.eventTypes) : null;
}

/** @param nextStatus `moved` where the URL changes */
function stateAfter(
  current: EndpointRecord,
  nextStatus: EndpointRecord['status'] | 'moved',
  now: Date,
): Pick<EndpointRecord, 'status' | 'disabledReason' | 'activatedAt' | 'failingSince'> {
  const { status, disabledReason, activatedAt, failingSince } = current;
  if (nextStatus === status) return { status, disabledReason, activatedAt, failingSince };
  if (nextStatus === 'active') {
    // Failures of before do not count against it.
    return { status: nextStatus, disabledReason: null, activatedAt: activatedAt ?? now, failingSince: null };
  }
  const reason = nextStatus === 'moved' ? 'url_changed' : 'operator';
  return {
    status: 'disabled',
    disabledReason: status === 'active' ? reason : disabledReason,
    activatedAt,
    failingSince,
  };
}
