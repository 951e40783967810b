import type { CreateWebhookEndpointInput } from '../../contract/generated/types.ts';
import type { State } from '../../ledger/state.ts';
import { type EndpointRecord, MOST_ENDPOINTS } from '../../ledger/tables/webhook-endpoints.ts';
import { refuse } from '../../refusal.ts';
import { type Caller, envelope } from '../shared/caller.ts';
import type { CommandOf, RefusalOf } from '../shared/operation-command.ts';
import { ENDPOINTS_LANE, endpointAudit } from './endpoint-command.ts';
import { refuseTypes, refuseUrl, type UrlPolicy } from './endpoint-input.ts';
import { endpointReceipt } from './webhook-receipts.ts';

/** The id of a new endpoint, and its encrypted secret, which is bound to the id. */
export interface SealedSecret {
  /** UUID */
  endpointId: string;
  sealed: Buffer;
}

/**
 * Makes an endpoint, disabled. The receipt has no secret, so that a replay shows none: whoever made the secret adds it
 * to the first answer. Refusals: `validation_failed`, `url_not_public`, `endpoint_limit_reached`.
 */
export function createWebhookEndpoint(
  input: CreateWebhookEndpointInput,
  { endpointId, sealed }: SealedSecret,
  policy: UrlPolicy,
  caller: Caller,
): CommandOf<'createWebhookEndpoint'> | RefusalOf<'createWebhookEndpoint'> {
  const doubled = refuseTypes(input.eventTypes);
  if (doubled) return doubled;
  return {
    ...envelope('createWebhookEndpoint', input, caller),
    laneKey: ENDPOINTS_LANE,
    subjects: [{ kind: 'webhookEndpoints' }],
    decide(state, now) {
      const refusal = refuseUrl(input.url, policy, state.environment.kind);
      if (refusal) return refusal;
      const place = freePlace(state);
      if (place === null) {
        return refuse(
          'endpoint_limit_reached',
          `The environment has ${MOST_ENDPOINTS} webhook endpoints, the most possible.`,
        );
      }
      const endpoint: EndpointRecord = {
        id: endpointId,
        place,
        url: input.url,
        eventTypes: input.eventTypes,
        description: input.description || null,
        status: 'disabled',
        disabledReason: null,
        activatedAt: null,
        verifiedAt: null,
        failingSince: null,
        secret: sealed,
        previousSecret: null,
        previousSecretUntil: null,
        epoch: state.environment.feedEpoch ?? 1,
        lastSequence: 0,
        createdAt: now,
        updatedAt: now,
        deletedAt: null,
      };
      const { origin } = new URL(endpoint.url);
      return {
        receipt: { endpoint: endpointReceipt(endpoint), signingSecret: null },
        inserts: { webhookEndpoints: [endpoint] },
        updates: {},
        audits: [
          endpointAudit('webhook_endpoint.created', endpoint, { origin, eventTypes: endpoint.eventTypes }),
        ],
        webhookEvents: [],
      };
    },
  };
}

/** The first place that no endpoint has. The database refuses a second endpoint in it, which is then tried again. */
function freePlace(state: State): number | null {
  const endpoints = state.rowsOf('webhookEndpoints', {}).filter(({ deletedAt }) => deletedAt === null);
  const taken = new Set(endpoints.map(({ place }) => place));
  for (let place = 1; place <= MOST_ENDPOINTS; place++) if (!taken.has(place)) return place;
  return null;
}
