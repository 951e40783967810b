import { type Actor, type Command, type Decision, systemActor } from '../../ledger/command.ts';
import type { EndpointRecord } from '../../ledger/tables/webhook-endpoints.ts';
import { NO_FINGERPRINT } from '../shared/time-driven-command.ts';
import { ENDPOINTS_LANE, endpointChanges } from './endpoint-command.ts';

/** Who disables endpoints because of what their receivers answer. */
const DELIVERER: Actor = { ...systemActor, id: 'webhooks' };

const NOTHING: Decision = { receipt: {}, inserts: {}, updates: {}, audits: [], webhookEvents: [] };

/** What the deliverer has noticed of an endpoint. */
export interface DisableInput {
  /** UUIDs. */
  environmentId: string;
  endpointId: string;
  reason: 'gone' | 'failing';
  requestId: string;
}

/**
 * Disables an endpoint that wants no more deliveries, or to which all attempts have failed for long. It changes nothing
 * where the endpoint is disabled already, or one that was failing has had a success meanwhile. Allowed while Production
 * is locked.
 */
export function disableWebhookEndpoint({
  environmentId,
  endpointId,
  reason,
  requestId,
}: DisableInput): Command {
  return {
    environmentId,
    operation: 'disableWebhookEndpoint',
    idempotencyKey: null,
    fingerprint: NO_FINGERPRINT,
    actor: DELIVERER,
    requestId,
    laneKey: ENDPOINTS_LANE,
    allowedWhileLocked: true,
    subjects: [{ kind: 'webhookEndpoint', id: endpointId }],
    decide(state, now) {
      const current = state.row('webhookEndpoints', endpointId);
      if (current?.status !== 'active') return NOTHING;
      if (reason === 'failing' && current.failingSince === null) return NOTHING;
      const endpoint: EndpointRecord = {
        ...current,
        status: 'disabled',
        disabledReason: reason,
        updatedAt: now,
      };
      return { receipt: {}, ...endpointChanges('webhook_endpoint.disabled', endpoint, { reason }) };
    },
  };
}
