import type { EventData, MessageOf, WebhookMessage } from '../../src/contract/generated/webhook-events.ts';

const member = { memberId: 'mem_01jz8jt5wkejgb6x5n9q2r4s7t', externalCustomerId: 'customer-1001' };

/** What every event about a member of a program has. @param version of the profile */
const profile = (available: number, reserved: number, version: number) => ({
  programId: 'coffee-club',
  ...member,
  balances: { available, pending: 0, reserved },
  profileVersion: version,
});

const redemption = {
  reservationId: 'rsv_01jz8k5d3se8yv5b6m0n2p4q7r',
  rewardId: 'free-coffee',
  sourceReference: 'checkout-812',
  points: 100,
};
const reserved = { ...redemption, transactionId: 'txn_01jz8k5d3sf1tbsn4x6y8z0a2b' };
const committed = { ...redemption, transactionId: 'txn_01jz8k5q7re2wv9d1f3g5h7j9k' };

const adjustment = {
  adjustmentId: 'adj_01jz8k6m5ve4kts8w0y2z4a6c8',
  direction: 'credit',
  points: 50,
  reason: 'Order 5001 came late',
} as const;
const posted = { ...adjustment, transactionId: 'txn_01jz8k6r9xf3n8v0q2s4t6w8y1' };

const exchange = {
  transactionId: 'txn_01jz8k7a2bfd8h0j2k4m6n8p0q',
  settlementReference: 'settlement-2026-01-0042',
  partnerId: 'sky-miles',
  direction: 'in',
  points: 500,
} as const;

/** The `data` of an example message of every type. */
const data: { readonly [Type in keyof EventData]: EventData[Type] } = {
  'points.earned': {
    ...profile(132, 0, 7),
    transactionId: 'txn_01jz8k2v9xe6tr8p2w4y6z8abc',
    eventType: 'purchase.completed',
    sourceReference: 'order-5001',
    points: 12,
    basePoints: 12,
    campaignPoints: 0,
    activatesAt: null,
    occurredAt: '2026-01-31T12:00:00.000Z',
  },
  'points.expired': {
    ...profile(92, 0, 8),
    transactionId: 'txn_01jz8k3b6cfe9h1j3k5m7n9p2r',
    points: 40,
    occurredAt: '2026-01-31T12:00:00.000Z',
  },
  'points.clawed_back': {
    ...profile(120, 0, 8),
    transactionId: 'txn_01jz8k3t4ve7x9z1b3d5f7h9k2',
    returnId: 'txn_01jz8k3t4ve7x9z1b3d5f7h9k2',
    returnReference: 'return-7001',
    orderReference: 'order-5001',
    points: 12,
    shortfall: 0,
  },
  'points.expiring': {
    ...profile(132, 0, 7),
    lotId: 'lot_01jz8k2v9yf4er8m3s5t7v9wxy',
    points: 40,
    expiresAt: '2026-02-28T12:00:00.000Z',
  },
  'member.enrolled': { ...profile(0, 0, 1), tier: 'bronze' },
  'member.unenrolled': { ...profile(0, 0, 12), reason: 'customer_request' },
  'member.erased': { ...member, externalCustomerId: 'erased-019f913a-5af2-7c1e-8b2f-0a1b2c3d4e5f' },
  'member.merged': {
    ...member,
    mergedMemberId: 'mem_01jz8j2h4pf7r9t1v3x5z7b9cd',
    mergeId: 'mrg_01jz8k4c1ve2nb7q9s0t2v4wxy',
    programs: [{ programId: 'coffee-club', points: 120, lots: 3 }],
  },
  'member.unmerged': {
    ...member,
    unmergedMemberId: 'mem_01jz8j2h4pf7r9t1v3x5z7b9cd',
    unmergedExternalCustomerId: 'customer-2207',
    mergeId: 'mrg_01jz8k4c1ve2nb7q9s0t2v4wxy',
    programs: [{ programId: 'coffee-club', points: 120, lots: 3 }],
  },
  'tier.changed': {
    ...profile(512, 0, 9),
    previousTier: 'bronze',
    tier: 'silver',
    qualificationPoints: 500,
  },
  'choice.granted': {
    ...profile(512, 0, 9),
    choiceGrantId: 'cgr_01jz8k8b3cge9k1n3p5r7t9v1x',
    choiceSetId: 'gifts',
    choices: 1,
    grantedBy: 'tier:silver',
    expiresAt: '2026-04-30T12:00:00.000Z',
  },
  'redemption.reserved': {
    ...profile(32, 100, 8),
    ...reserved,
    expiresAt: '2026-01-31T12:15:00.000Z',
  },
  'redemption.committed': { ...profile(32, 0, 9), ...committed, authorizationReference: 'auth-9917' },
  'redemption.released': { ...profile(132, 0, 9), ...reserved },
  'redemption.expired': { ...profile(132, 0, 9), ...reserved },
  'redemption.reversed': {
    ...profile(132, 0, 10),
    ...committed,
    reservationState: 'reversed',
    reversedPoints: 100,
    reversedMinor: null,
  },
  'redemption.fulfillment_updated': {
    ...profile(32, 0, 9),
    ...committed,
    fulfillmentStatus: 'shipped',
    fulfillmentReference: '1Z999AA10123456784',
  },
  'redemption.dispute_opened': {
    ...profile(32, 0, 9),
    ...committed,
    disputeId: 'dsp_01jz8k5z8ae6c0e2g4j6m8p0r3',
  },
  'redemption.dispute_resolved': {
    ...profile(132, 0, 10),
    ...committed,
    disputeId: 'dsp_01jz8k5z8ae6c0e2g4j6m8p0r3',
  },
  'redemption.dispute_rejected': {
    ...profile(32, 0, 9),
    ...committed,
    disputeId: 'dsp_01jz8k5z8ae6c0e2g4j6m8p0r3',
  },
  'adjustment.requested': { ...profile(132, 0, 7), ...adjustment, state: 'requested' },
  'adjustment.posted': { ...profile(182, 0, 8), ...posted, state: 'posted' },
  'adjustment.rejected': { ...profile(132, 0, 7), ...adjustment, state: 'rejected' },
  'adjustment.reversed': {
    ...profile(132, 0, 9),
    ...posted,
    state: 'reversed',
    reversalTransactionId: 'txn_01jz8k6x1ze5g7j9m1p3r5t7v9',
  },
  'exchange.settled': { ...profile(632, 0, 8), ...exchange },
  'exchange.reversed': {
    ...profile(132, 0, 9),
    ...exchange,
    settlementReference: 'settlement-2026-02-0007',
    reverses: 'settlement-2026-01-0042',
  },
  'feed.epoch_started': {
    epoch: 2,
    previousEpoch: 1,
    lastPositionKept: 1084,
    at: '2026-01-31T12:00:00.000Z',
  },
  'program.published': {
    programId: 'coffee-club',
    version: 2,
    effectiveFrom: '2026-02-01T00:00:00.000Z',
  },
  'campaign.cap_reached': {
    programId: 'coffee-club',
    campaignId: 'rainy-days',
    percent: 80,
    capPoints: 50_000,
    givenPoints: 40_010,
  },
  'import.completed': {
    operationId: 'op_01jz8k7v9we8a0c2e4g6j8m0p2',
    kind: 'purchases',
    rows: 1000,
    committed: 990,
    replayed: 7,
    rejected: 3,
    membersCreated: 41,
    committedPoints: '48210',
    replayedPoints: '350',
  },
  'member.created': { ...member, status: 'active', consentStatus: 'granted' },
  'member.updated': { ...member, status: 'active', consentStatus: 'granted', changed: ['tags'] },
  'member.suspended': { ...member, status: 'suspended', consentStatus: 'granted' },
  'member.consent_changed': {
    ...{ ...member, status: 'active', consentStatus: 'withdrawn' },
    noticeVersion: 'privacy-2026-01',
  },
  'webhook.test': {},
};

/** An example message of each type. */
export const eventExamples = Object.fromEntries(
  Object.entries(data).map(([type, ofType], index) => [
    type,
    {
      type,
      timestamp: '2026-01-31T12:00:00.000Z',
      environmentId: 'env_01jz8jr8y4fd6s8a0c2e4g6h8k',
      epoch: 1,
      sequence: index + 1,
      data: ofType,
    },
  ]),
) as { readonly [Type in keyof EventData]: MessageOf<Type> } satisfies Record<string, WebhookMessage>;
