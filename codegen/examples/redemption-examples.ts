import { requestId } from './example.ts';

const quote = {
  id: 'quo_01jz8n1a2be5cr7d9e1f3g5hjk',
  state: 'quoted',
  programId: 'coffee-club',
  externalCustomerId: 'customer-1001',
  rewardId: 'free-coffee',
  sourceReference: 'checkout-9001',
  points: 150,
  availableBalance: 420,
  expiresAt: '2026-01-31T12:15:00.000Z',
  terms: {
    configurationVersion: 1,
    rewardName: 'A coffee of your choice',
    description: 'Any size.',
    holdSeconds: 1800,
    cancellationEvidenceRequired: false,
  },
};

const reserved = {
  id: 'rsv_01jz8n2m4nf6pr8s0t2v4w6xyz',
  quoteId: quote.id,
  state: 'reserved',
  programId: 'coffee-club',
  externalCustomerId: 'customer-1001',
  rewardId: 'free-coffee',
  sourceReference: 'checkout-9001',
  points: 150,
  reservedAt: '2026-01-31T12:01:00.000Z',
  expiresAt: '2026-01-31T12:31:00.000Z',
  changedAt: '2026-01-31T12:01:00.000Z',
  authorizationReference: null,
  reason: null,
  fulfillmentStatus: null,
  fulfillmentReference: null,
  transactionId: 'txn_01jz8n2m4ng8qs0t2v4w6x8yza',
  discount: null,
};

const committed = {
  ...reserved,
  state: 'committed',
  changedAt: '2026-01-31T12:02:00.000Z',
  authorizationReference: 'auth-77',
  fulfillmentStatus: 'pending',
  transactionId: 'txn_01jz8n4f6gh9kr1s3t5v7w9xyz',
};

const reversed = {
  ...committed,
  state: 'reversed',
  changedAt: '2026-02-01T09:00:00.000Z',
  reason: 'The machine was out of order',
  transactionId: 'txn_01jzb0s5t7v9wx1y3z5a7b9cde',
};

const dispute = {
  id: 'dsp_01jzaz0q2re4st6v8w0x2y4zab',
  reservationId: reserved.id,
  state: 'open',
  reason: 'I never got my coffee',
  resolution: null,
  openedAt: '2026-02-01T08:30:00.000Z',
  closedAt: null,
};

/** The operations on redemptions, as openapi.json shows them. */
export const redemptionExamples = {
  quoteRedemption: {
    request: {
      programId: 'coffee-club',
      externalCustomerId: 'customer-1001',
      sourceReference: 'checkout-9001',
      rewardId: 'free-coffee',
      ttlSeconds: 900,
    },
    response: { requestId, quote },
  },
  reserveRedemption: { request: { quoteId: quote.id }, response: { requestId, reservation: reserved } },
  commitRedemption: {
    request: { authorizationReference: 'auth-77' },
    response: { requestId, reservation: committed },
  },
  releaseRedemption: {
    request: { reason: 'The cart was abandoned' },
    response: {
      requestId,
      reservation: {
        ...reserved,
        state: 'released',
        changedAt: '2026-01-31T12:05:00.000Z',
        reason: 'The cart was abandoned',
        transactionId: 'txn_01jz8n9p1qe3rt5v7w9x1y3zab',
      },
    },
  },
  reverseRedemption: {
    request: { reason: 'The machine was out of order', cancellationEvidence: { ticket: 'CS-4712' } },
    response: { requestId, reservation: reversed },
  },
  updateFulfillment: {
    request: { status: 'shipped', reference: 'parcel-31' },
    response: {
      requestId,
      reservation: { ...committed, fulfillmentStatus: 'shipped', fulfillmentReference: 'parcel-31' },
    },
  },
  openDispute: {
    request: { reason: 'I never got my coffee', evidence: { ticket: 'CS-4712' } },
    response: { requestId, dispute, reservation: committed },
  },
  resolveDispute: {
    request: { resolution: 'The machine was out of order', reverse: true },
    response: {
      requestId,
      dispute: {
        ...dispute,
        state: 'resolved',
        resolution: 'The machine was out of order',
        closedAt: '2026-02-01T09:00:00.000Z',
      },
      reservation: reversed,
    },
  },
  rejectDispute: {
    request: { reason: 'The camera shows the handover' },
    response: {
      requestId,
      dispute: {
        ...dispute,
        state: 'rejected',
        resolution: 'The camera shows the handover',
        closedAt: '2026-02-01T09:00:00.000Z',
      },
      reservation: committed,
    },
  },
  redemptions: {
    request: null,
    response: { requestId, data: [committed], page: { nextCursor: null, hasMore: false } },
  },
  redemption: { request: null, response: { requestId, reservation: committed, disputes: [dispute] } },
} as const;
