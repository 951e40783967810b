import { requestId } from './example.ts';

/** Engagement events and choices, as openapi.json shows them. */
export const engagementExamples = {
  recordCustomEvent: {
    request: {
      type: 'review',
      externalCustomerId: 'customer-1001',
      sourceReference: 'review-5001',
      occurredAt: '2026-01-31T12:00:00Z',
      attributes: { sku: 'house-blend', stars: 5 },
    },
    response: {
      id: 'evt_01jz8m3d4fe5g6h7j8k9mnpqrs',
      status: 'accepted',
      requestId,
      awards: [
        {
          programId: 'coffee-club',
          challengeId: 'critic',
          transactionId: 'txn_01jz8m3d4ge5g6h7j8k9mnpqrs',
          points: 30,
          choiceSetId: null,
        },
      ],
    },
  },
  claimChoiceBenefit: {
    request: {
      externalCustomerId: 'customer-1001',
      choiceSetId: 'gifts',
      rewardId: 'mug',
      sourceReference: 'choice-7001',
    },
    response: {
      id: 'chc_01jz8m5t6ve5g6h7j8k9mnpqrs',
      state: 'fulfilled',
      requestId,
      choice: {
        setId: 'gifts',
        rewardId: 'mug',
        rewardName: 'Stoneware mug',
        choicesRemaining: 0,
      },
    },
  },
};
