import { requestId } from './example.ts';

const endpoint = {
  id: 'we_01jz8k2v9qf5sv4m1c7d3e0abc',
  url: 'https://example.com/hooks/rewards',
  eventTypes: ['points.earned', 'redemption.committed'],
  description: 'Mirror of balances',
  status: 'disabled',
  disabledReason: null,
  epoch: 1,
  lastSequence: 0,
  verifiedAt: null,
  createdAt: '2026-01-31T12:00:00.000Z',
  updatedAt: '2026-01-31T12:00:00.000Z',
};

const active = { ...endpoint, status: 'active', lastSequence: 1, verifiedAt: '2026-01-31T12:01:00.000Z' };

const delivery = {
  id: 'msg_01jz8k4c1ve2nb7q9s0t2v4wxy',
  endpointId: endpoint.id,
  eventType: 'webhook.test',
  epoch: 1,
  sequence: 1,
  status: 'pending',
  attemptCount: 0,
  createdAt: '2026-01-31T12:01:00.000Z',
  nextAttemptAt: '2026-01-31T12:01:00.000Z',
  deliveredAt: null,
  lastResponseStatus: null,
  lastError: null,
};

const failed = {
  ...delivery,
  eventType: 'points.earned',
  status: 'failed',
  attemptCount: 1,
  nextAttemptAt: '2026-01-31T12:01:05.000Z',
  lastResponseStatus: 500,
  lastError: 'The receiver answered 500.',
};

const page = { nextCursor: null, hasMore: false };

/** The operations on webhooks, as openapi.json shows them. */
export const webhookExamples = {
  createWebhookEndpoint: {
    request: { url: endpoint.url, eventTypes: endpoint.eventTypes, description: endpoint.description },
    response: { requestId, endpoint, signingSecret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
  },
  webhookEndpoints: { request: null, response: { requestId, data: [active], page } },
  webhookEndpoint: { request: null, response: { requestId, endpoint: active } },
  updateWebhookEndpoint: { request: { status: 'active' }, response: { requestId, endpoint: active } },
  deleteWebhookEndpoint: {
    request: {},
    response: { requestId, endpoint: { ...active, status: 'disabled', disabledReason: 'operator' } },
  },
  rotateWebhookSecret: {
    request: { overlapSeconds: 3600 },
    response: { requestId, endpoint: active, signingSecret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD' },
  },
  testWebhookEndpoint: { request: {}, response: { requestId, delivery } },
  replayWebhookEndpoint: {
    request: { sinceSequence: 120 },
    response: {
      requestId,
      operation: {
        id: 'op_01jz8k2v9we2x9k3m5n7p9q1rs',
        type: 'webhook_replay',
        status: 'queued',
        progress: { done: 0, total: 80 },
        createdAt: '2026-01-31T12:01:00.000Z',
        startedAt: null,
        finishedAt: null,
        result: null,
        error: null,
      },
    },
  },
  eventsFeed: {
    request: null,
    response: {
      requestId,
      epoch: 1,
      epochAt: '2026-01-01T09:00:00.000Z',
      data: [
        {
          id: 'whe_01jz8k2v9hf6x9k3m5n7p9q1rs',
          type: 'member.enrolled',
          timestamp: '2026-01-31T12:00:00.000Z',
          environmentId: 'env_01jz8k2v9qf5sv4m1c7d3e0abc',
          epoch: 1,
          epochAt: '2026-01-01T09:00:00.000Z',
          position: 1,
          data: {
            memberId: 'mem_01jz8k2v9qf5sv4m1c7d3e0abc',
            externalCustomerId: 'customer-ada',
            programId: 'coffee-club',
            tier: 'bronze',
          },
        },
      ],
      page: { nextCursor: '4hmJ9v1mZq0oM2sV7pX3WyJc2QbT5uRk8eLn6iFa0gJbIjEiXQ', hasMore: false },
    },
  },
  webhookDeliveries: { request: null, response: { requestId, data: [failed], page } },
  webhookDelivery: {
    request: null,
    response: {
      requestId,
      delivery: failed,
      attempts: [
        {
          at: '2026-01-31T12:01:00.012Z',
          durationMs: 38,
          responseStatus: 500,
          error: 'The receiver answered 500.',
        },
      ],
    },
  },
  retryWebhookDelivery: {
    request: {},
    response: { requestId, delivery: { ...failed, status: 'pending' } },
  },
};
