import { requestId } from './example.ts';

const program = {
  programId: 'coffee-club',
  tier: 'bronze',
  status: 'enrolled',
  qualificationPoints: 0,
  referralCode: null,
  balances: [{ accountType: 'member', available: 0, pending: 0, reserved: 0 }],
};

const reserved = { id: 'rsv_01jz8n2m4nf6pr8s0t2v4w6xyz', state: 'reserved' };

/** The examples of the customers’ surface. */
export const customerExamples = {
  customerMember: {
    request: null,
    response: {
      requestId,
      member: { displayName: 'Ada', status: 'active' },
      programs: [
        {
          programId: 'coffee-club',
          name: 'Coffee Club',
          unitName: 'beans',
          tier: { id: 'bronze', name: 'Bronze' },
          nextTier: 'Silver',
          nextTierAt: 500,
          qualificationPoints: 420,
          balances: { available: 420, pending: 12, reserved: 0 },
          nextExpiry: { points: 20, at: '2026-12-31T23:59:59.000Z' },
        },
      ],
    },
  },
  customerDetails: {
    request: null,
    response: {
      requestId,
      programs: [
        {
          programId: 'coffee-club',
          pointsToNextTier: 80,
          tierUntil: null,
          challenges: [
            {
              id: 'three-reviews',
              name: 'Three reviews in a month',
              reached: 2,
              goal: 3,
              completions: 0,
              windowEnd: '2026-02-01T00:00:00.000Z',
            },
          ],
          choices: [{ choiceSetId: 'welcome', name: 'Welcome gift', remaining: 1, expiresAt: null }],
          holds: [
            {
              rewardId: 'free-coffee',
              rewardName: 'A free coffee',
              points: 100,
              expiresAt: '2026-01-31T12:30:00.000Z',
            },
          ],
          expirations: [{ points: 20, at: '2026-12-31T23:59:59.000Z' }],
        },
      ],
    },
  },
  previewForCustomer: {
    request: { programId: 'coffee-club', amountMinor: 1250, channel: 'web' },
    response: {
      requestId,
      personalized: true,
      tier: 'bronze',
      award: { points: 12, basePoints: 12, campaignPoints: 0 },
      coupon: null,
      loyaltyUnitPrecision: 0,
      lines: null,
    },
  },
  enrollCustomer: {
    request: {
      consentStatus: 'opted_in',
      noticeVersion: 'coffee-club-2026-01',
      evidence: { source: 'app' },
    },
    response: { requestId, program },
  },
  unenrollCustomer: {
    request: {
      noticeVersion: 'coffee-club-2026-01',
      evidence: { source: 'app' },
      reason: 'customer_request',
    },
    response: { requestId, program: { programId: 'coffee-club', status: 'unenrolled' } },
  },
  customerActivity: {
    request: null,
    response: {
      requestId,
      data: [
        {
          id: 'act_01jz8n2m4ng8qs0t2v4w6x8yza',
          type: 'redemption',
          points: -150,
          postedAt: '2026-01-31T12:01:00.000Z',
          programId: 'coffee-club',
          description: 'Points held for a reward',
        },
      ],
      page: { nextCursor: null, hasMore: false },
    },
  },
  customerCatalog: {
    request: null,
    response: {
      requestId,
      data: [
        {
          id: 'free-coffee',
          name: 'A coffee of your choice',
          description: 'Any size.',
          imageUrl: 'https://cdn.example/coffee.jpg',
          pointsCost: 150,
          available: true,
          eligible: true,
          eligibilityReason: null,
          pointsNeeded: 0,
          redeemable: true,
          payWithPoints: null,
        },
      ],
    },
  },
  quoteForCustomer: {
    request: { programId: 'coffee-club', rewardId: 'free-coffee' },
    response: {
      requestId,
      quote: {
        id: 'quo_01jz8n1a2be5cr7d9e1f3g5hjk',
        points: 150,
        expiresAt: '2026-01-31T12:15:00.000Z',
        discountMinor: null,
      },
    },
  },
  reserveForCustomer: {
    request: { quoteId: 'quo_01jz8n1a2be5cr7d9e1f3g5hjk' },
    response: { requestId, reservation: reserved },
  },
  commitForCustomer: {
    request: { authorizationReference: 'auth-77' },
    response: { requestId, reservation: { ...reserved, state: 'committed' } },
  },
  releaseForCustomer: {
    request: { reason: 'changed_my_mind' },
    response: { requestId, reservation: { ...reserved, state: 'released' } },
  },
  reverseForCustomer: {
    request: { reason: 'The machine was out of order' },
    response: { requestId, reservation: { ...reserved, state: 'committed' } },
  },
};
