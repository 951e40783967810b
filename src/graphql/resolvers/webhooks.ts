import { createWebhookEndpoint } from '../../commands/webhooks/create-webhook-endpoint.ts';
import { deleteWebhookEndpoint } from '../../commands/webhooks/delete-webhook-endpoint.ts';
import { replayWebhookEndpoint } from '../../commands/webhooks/replay-webhook-endpoint.ts';
import { retryWebhookDelivery, type StoredDelivery } from '../../commands/webhooks/retry-webhook-delivery.ts';
import { rotateWebhookSecret } from '../../commands/webhooks/rotate-webhook-secret.ts';
import { testWebhookEndpoint } from '../../commands/webhooks/test-webhook-endpoint.ts';
import { updateWebhookEndpoint } from '../../commands/webhooks/update-webhook-endpoint.ts';
import { deliveryReceipt, endpointReceipt } from '../../commands/webhooks/webhook-receipts.ts';
import { fromTypeId, newUuid } from '../../ids.ts';
import { deliveryNotFound, endpointNotFound, refuse } from '../../refusal.ts';
import { refusalError } from '../errors/errors.ts';
import type { RequestContext } from '../execution/context.ts';
import type { MutationResolvers, QueryResolvers } from '../generated/resolver-types.ts';
import { pageOf } from './shared/page-of.ts';
import { callerOf, orThrow, submitCommand } from './shared/submit-command.ts';

export const webhookQueries: Required<
  Pick<
    QueryResolvers,
    'webhookEndpoints' | 'webhookEndpoint' | 'webhookDeliveries' | 'webhookDelivery' | 'eventsFeed'
  >
> = {
  webhookEndpoints: async (_root, { limit, cursor }, context) => {
    const { queries, credential, requestId } = context;
    const reading = queries.webhookEndpoints(credential.environmentId, pageOf({ limit, cursor }));
    const { data, page } = await orThrow(context, reading);
    return { requestId, data: data.map(endpointReceipt), page };
  },
  webhookEndpoint: async (_root, { endpointId }, context) => {
    const { queries, credential, requestId } = context;
    const endpoint = await orThrow(context, queries.webhookEndpoint(credential.environmentId, endpointId));
    if (!endpoint) throw refusalError(endpointNotFound, requestId);
    return { requestId, endpoint: endpointReceipt(endpoint) };
  },
  webhookDeliveries: async (_root, { filter, limit, cursor }, context) => {
    const { queries, credential, requestId } = context;
    const reading = queries.webhookDeliveries(
      credential.environmentId,
      filter ?? {},
      pageOf({ limit, cursor }),
    );
    const { data, page } = await orThrow(context, reading);
    return { requestId, data: data.map(deliveryReceipt), page };
  },
  webhookDelivery: async (_root, { deliveryId }, context) => {
    const { queries, credential, requestId } = context;
    const view = await orThrow(context, queries.webhookDelivery(credential.environmentId, deliveryId));
    if (!view) throw refusalError(deliveryNotFound, requestId);
    return { requestId, delivery: deliveryReceipt(view.delivery), attempts: view.attempts };
  },
  eventsFeed: async (_root, { types, limit, after, afterPosition, epoch, epochAt }, context) => {
    const { queries, credential, requestId } = context;
    const reading = queries.eventsFeed(credential.environmentId, types ?? null, pageOf({ limit }).limit, {
      cursor: after ?? null,
      position: afterPosition ?? null,
      epoch: epoch ?? null,
      epochAt: epochAt ? new Date(epochAt) : null,
    });
    return { requestId, ...(await orThrow(context, reading)) };
  },
};

export const webhookMutations: Required<
  Pick<
    MutationResolvers,
    | 'createWebhookEndpoint'
    | 'updateWebhookEndpoint'
    | 'deleteWebhookEndpoint'
    | 'rotateWebhookSecret'
    | 'testWebhookEndpoint'
    | 'replayWebhookEndpoint'
    | 'retryWebhookDelivery'
  >
> = {
  createWebhookEndpoint: async (_root, { input }, context) => {
    const endpointId = newUuid();
    const { secret, sealed } = newSecret(context, endpointId);
    const { webhookSettings } = context;
    const command = createWebhookEndpoint(input, { endpointId, sealed }, webhookSettings, callerOf(context));
    const answer = await submitCommand(context, command);
    return { ...answer, signingSecret: answer.idempotent ? null : secret };
  },
  updateWebhookEndpoint: (_root, { input }, context) =>
    submitCommand(context, updateWebhookEndpoint(input, context.webhookSettings, callerOf(context))),
  deleteWebhookEndpoint: (_root, { input }, context) =>
    submitCommand(context, deleteWebhookEndpoint(input, callerOf(context))),
  rotateWebhookSecret: async (_root, { input }, context) => {
    // Where the id is malformed, the command is refused, and nothing is stored.
    const { secret, sealed } = newSecret(context, fromTypeId('we', input.endpointId) ?? '');
    const answer = await submitCommand(context, rotateWebhookSecret(input, sealed, callerOf(context)));
    return { ...answer, signingSecret: answer.idempotent ? null : secret };
  },
  testWebhookEndpoint: (_root, { input }, context) =>
    submitCommand(context, testWebhookEndpoint(input, callerOf(context))),
  replayWebhookEndpoint: (_root, { input }, context) =>
    submitCommand(context, replayWebhookEndpoint(input, callerOf(context))),
  retryWebhookDelivery: async (_root, { input }, context) =>
    submitCommand(
      context,
      retryWebhookDelivery(input, await findDelivery(input.deliveryId, context), callerOf(context)),
    ),
};

/** A new signing secret, and the same encrypted. @throws RefusalError where this server has no key for that */
function newSecret({ webhookSettings, requestId }: RequestContext, endpointId: string) {
  const secret = webhookSettings.newSecret(endpointId);
  if (secret) return secret;
  throw refusalError(
    refuse('unavailable', 'This server keeps no signing secrets: its operator has to set SECRETS_KEY.'),
    requestId,
  );
}

async function findDelivery(deliveryId: string, context: RequestContext): Promise<StoredDelivery | null> {
  const { queries, credential } = context;
  const view = await orThrow(context, queries.webhookDelivery(credential.environmentId, deliveryId));
  return view && { id: view.delivery.id, endpointId: view.delivery.endpointId };
}
