import { requestId } from './example.ts';

const requested = {
  id: 'adj_01jz8k4c1ve2nb7q9s0t2v4wxy',
  state: 'requested',
  programId: 'coffee-club',
  externalCustomerId: 'customer-1001',
  direction: 'credit',
  points: 100,
  reason: 'Cold coffee on 30 January',
  requestedAt: '2026-01-31T12:00:00.000Z',
  expiresAt: '2026-02-14T12:00:00.000Z',
  decidedAt: null,
  decisionReason: null,
  transactionId: null,
  reversalTransactionId: null,
};

const posted = {
  ...requested,
  state: 'posted',
  decidedAt: '2026-01-31T14:30:00.000Z',
  decisionReason: 'The receipt is attached to the ticket',
  transactionId: 'txn_01jz8wzd40fm2rv5x7y9za1bcd',
};

/** The operations on adjustments, as openapi.json shows them. */
export const adjustmentExamples = {
  adjustments: {
    request: null,
    response: {
      requestId,
      data: [
        {
          ...requested,
          evidence: { ticket: 'CS-4711' },
          requestedBy: 'shop-backend',
          decidedBy: null,
          reversedBy: null,
        },
      ],
      page: { nextCursor: null, hasMore: false },
    },
  },
  requestAdjustment: {
    request: {
      programId: 'coffee-club',
      externalCustomerId: 'customer-1001',
      direction: 'credit',
      points: 100,
      reason: 'Cold coffee on 30 January',
      evidence: { ticket: 'CS-4711' },
    },
    response: { requestId, adjustment: requested },
  },
  approveAdjustment: {
    request: { reason: 'The receipt is attached to the ticket' },
    response: { requestId, adjustment: posted },
  },
  rejectAdjustment: {
    request: { reason: 'Paid back in cash already' },
    response: {
      requestId,
      adjustment: {
        ...requested,
        state: 'rejected',
        decidedAt: '2026-01-31T14:30:00.000Z',
        decisionReason: 'Paid back in cash already',
      },
    },
  },
  reverseAdjustment: {
    request: { reason: 'Credited to the wrong customer' },
    response: {
      requestId,
      adjustment: {
        ...posted,
        state: 'reversed',
        decidedAt: '2026-02-02T09:15:00.000Z',
        decisionReason: 'Credited to the wrong customer',
        reversalTransactionId: 'txn_01jzdfm6x8ep5aw7b9c1d3e5fg',
      },
    },
  },
} as const;
