import type { documents } from '../../rest-adapter/generated/documents.ts';
import { adjustmentExamples } from './adjustment-examples.ts';
import { couponExamples } from './coupon-examples.ts';
import { customerExamples } from './customer-examples.ts';
import { engagementExamples } from './engagement-examples.ts';
import { type Example, requestId } from './example.ts';
import { mergeExamples } from './merge-examples.ts';
import { offerExamples } from './offer-examples.ts';
import { operationExamples } from './operation-examples.ts';
import { peopleExamples } from './people-examples.ts';
import { redemptionExamples } from './redemption-examples.ts';
import { reportExamples } from './report-examples.ts';
import { sandboxExamples } from './sandbox-examples.ts';
import { searchExamples } from './search-examples.ts';
import { tokenIssuerExamples } from './token-issuer-examples.ts';
import { webhookExamples } from './webhook-examples.ts';
import { widgetExamples } from './widget-examples.ts';

const memberId = 'mem_01jz8jt5wkejgb6x5n9q2r4s7t';

const program = {
  programId: 'coffee-club',
  tier: 'bronze',
  status: 'enrolled',
  qualificationPoints: 0,
  referralCode: null,
  balances: [{ accountType: 'member', available: 0, pending: 0, reserved: 0 }],
};

const publishedVersion = {
  configurationVersion: 2,
  effectiveFrom: '2026-02-28T11:00:00.000Z',
  publishedAt: '2026-02-27T16:00:00.000Z',
  publishedBy: 'ops@example.com',
  documentHash: '7d865e959b2466918c9863afca942d0fb89d7c9ac0c99bafc3749504ded97730',
  note: 'Double points in March',
};

const programChange = {
  section: 'tiers',
  id: 'silver',
  change: 'changed',
  path: 'threshold',
  before: '1000',
  after: '800',
};

const financeApproval = {
  section: 'finance',
  sectionHash: '83861eaa2fbb1f55d0f0e0b3ec5a1f2d6ae2a1b3a2c90c4f4ac1b7a1f2f98d61',
  version: 2,
  approvedBy: 'finance@example.com',
  approvedAt: '2026-02-28T09:30:00.000Z',
};

const labelled = { member: { id: memberId, externalCustomerId: 'customer-1001' } };

const earnedLine = { index: 0, lineReference: 'line-1', valueMinor: 1250, points: 12 };

const transaction = {
  id: 'txn_01jz8k2v9xe6tr8p2w4y6z8abc',
  type: 'purchase',
  eventType: 'purchase.completed',
  programId: 'coffee-club',
  externalCustomerId: 'customer-1001',
  sourceReference: 'order-5001',
  state: 'committed',
  points: 12,
  occurredAt: '2026-01-31T12:00:00.000Z',
  createdAt: '2026-01-31T12:00:00.000Z',
  reversalOf: null,
  reversedBy: null,
  entries: [
    { account: 'program.issuance', direction: 'debit', points: 12, lotId: 'lot_01jz8k2v9yf4er8m3s5t7v9wxy' },
    { account: 'member.available', direction: 'credit', points: 12, lotId: 'lot_01jz8k2v9yf4er8m3s5t7v9wxy' },
  ],
  hasMoreEntries: false,
  evaluation: {
    award: { points: 12, basePoints: 12, campaignPoints: 0 },
    evaluationMode: 'receipt_time_current_configuration',
    evaluationAt: '2026-01-31T12:00:00.000Z',
    configurationVersion: 1,
    loyaltyUnitPrecision: 0,
    ruleDecisions: [
      { kind: 'earn_rule', id: 'every-dollar', matched: true, reason: null, points: 12, lines: [earnedLine] },
      { kind: 'tier', id: 'bronze', matched: true, reason: null, points: 0, lines: null },
    ],
    lines: [earnedLine],
  },
  evaluationUnreadable: false,
};

/** One example for each operation of the OpenAPI documents. */
export const examples: Readonly<Record<keyof typeof documents, Example>> = {
  ...adjustmentExamples,
  ...mergeExamples,
  ...couponExamples,
  ...customerExamples,
  ...engagementExamples,
  ...offerExamples,
  ...operationExamples,
  ...sandboxExamples,
  ...searchExamples,
  ...redemptionExamples,
  ...reportExamples,
  ...tokenIssuerExamples,
  ...webhookExamples,
  ...widgetExamples,
  ...peopleExamples,
  createMember: {
    request: {
      externalCustomerId: 'customer-1001',
      displayName: 'Ada',
      email: 'ada@example.com',
      consentStatus: 'opted_in',
      noticeVersion: 'identity-2026-01',
    },
    response: {
      requestId,
      member: {
        id: memberId,
        externalCustomerId: 'customer-1001',
        displayName: 'Ada',
        status: 'active',
        consentStatus: 'granted',
      },
    },
  },
  updateMember: {
    request: {
      consentStatus: 'opted_out',
      noticeVersion: 'identity-2026-01',
      evidence: { source: 'account-page' },
    },
    response: {
      requestId,
      member: {
        id: memberId,
        externalCustomerId: 'customer-1001',
        displayName: 'Ada',
        status: 'active',
        consentStatus: 'withdrawn',
        identityStatus: 'unverified',
        consent: { status: 'withdrawn', noticeVersion: 'identity-2026-01', at: '2026-01-31T12:00:00.000Z' },
      },
    },
  },
  enrollMember: {
    request: {
      consentStatus: 'opted_in',
      noticeVersion: 'coffee-club-2026-01',
      evidence: { source: 'checkout' },
    },
    response: {
      requestId,
      member: { id: memberId, externalCustomerId: 'customer-1001', tier: 'bronze' },
      program,
    },
  },
  unenrollMember: {
    request: {
      noticeVersion: 'coffee-club-2026-01',
      evidence: { source: 'account-page' },
      reason: 'customer_request',
    },
    response: { requestId, program: { programId: 'coffee-club', status: 'unenrolled' } },
  },
  tagMember: {
    request: {},
    response: { requestId, ...labelled, tag: 'vip', tagged: true, changed: true },
  },
  untagMember: {
    request: {},
    response: { requestId, ...labelled, tag: 'vip', tagged: false, changed: true },
  },
  suspendMember: { request: {}, response: { requestId, ...labelled, status: 'suspended', changed: true } },
  resumeMember: { request: {}, response: { requestId, ...labelled, status: 'active', changed: true } },
  addToList: {
    request: { externalCustomerIds: ['customer-1001', 'customer-1002', 'customer-1003'] },
    response: {
      requestId,
      list: 'spring-mailing',
      changed: 1,
      unchanged: 1,
      unknown: ['customer-1003'],
      full: [],
    },
  },
  removeFromList: {
    request: { externalCustomerIds: ['customer-1001'] },
    response: { requestId, list: 'spring-mailing', changed: 1, unchanged: 0, unknown: [], full: [] },
  },
  members: {
    request: null,
    response: {
      requestId,
      data: [
        {
          id: memberId,
          externalCustomerId: 'customer-1001',
          displayName: 'Ada',
          status: 'active',
          consentStatus: 'granted',
          identityStatus: 'unverified',
          createdAt: '2026-01-31T12:00:00.000Z',
          tags: ['press'],
          lists: [],
          programs: [{ programId: 'coffee-club', tier: 'bronze', status: 'enrolled' }],
        },
      ],
      page: { nextCursor: null, hasMore: false },
    },
  },
  programs: {
    request: null,
    response: {
      requestId,
      data: [
        {
          programId: 'coffee-club',
          name: 'Coffee Club',
          currency: 'USD',
          loyaltyUnitPrecision: 0,
          tiers: [
            { id: 'bronze', name: 'Bronze' },
            { id: 'silver', name: 'Silver' },
          ],
          configurationVersion: 1,
          newestVersion: 1,
          publishedAt: '2026-01-31T11:00:00.000Z',
        },
      ],
      page: { nextCursor: null, hasMore: false },
    },
  },
  programVersions: {
    request: null,
    response: {
      requestId,
      data: [
        {
          configurationVersion: 1,
          effectiveFrom: '2026-01-31T11:00:00.000Z',
          publishedAt: '2026-01-31T11:00:00.000Z',
          publishedBy: 'ops@example.com',
          documentHash: 'b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c',
          note: null,
        },
      ],
      page: { nextCursor: null, hasMore: false },
    },
  },
  publishProgram: {
    request: null,
    response: {
      requestId,
      programId: 'coffee-club',
      version: publishedVersion,
      changes: [programChange],
      problems: [],
    },
  },
  programVersion: {
    request: null,
    response: {
      requestId,
      programId: 'coffee-club',
      version: publishedVersion,
      document: { id: 'coffee-club', name: 'Coffee Club' },
    },
  },
  programDiff: {
    request: null,
    response: { requestId, programId: 'coffee-club', from: 1, to: 2, changes: [programChange] },
  },
  financeSections: {
    request: null,
    response: {
      requestId,
      programId: 'coffee-club',
      configurationVersion: 2,
      publishedBy: 'ops@example.com',
      sections: [
        {
          section: 'finance',
          content: { valuation: { amountMinor: { numerator: 1, denominator: 2 } } },
          sectionHash: financeApproval.sectionHash,
          missingAccounts: [],
          approval: financeApproval,
        },
      ],
    },
  },
  approveFinance: {
    request: { sections: ['finance'] },
    response: {
      requestId,
      programId: 'coffee-club',
      configurationVersion: 2,
      approvals: [{ ...financeApproval, approved: true }],
    },
  },
  memberDetails: {
    request: null,
    response: {
      requestId,
      member: {
        id: memberId,
        externalCustomerId: 'customer-1001',
        displayName: 'Ada',
        status: 'active',
        consentStatus: 'granted',
        identityStatus: 'unverified',
        consent: { status: 'granted', noticeVersion: 'identity-2026-01', at: '2026-01-31T12:00:00.000Z' },
        tags: ['vip'],
        lists: ['spring-mailing'],
      },
      programs: [
        {
          ...program,
          tier: 'silver',
          profileVersion: 7,
          qualificationPoints: 620,
          balances: [
            {
              accountType: 'member',
              available: 20,
              pending: 0,
              reserved: 100,
              nextExpiry: { points: 20, at: '2026-12-31T23:59:59.000Z' },
            },
          ],
          nextTier: { tier: 'gold', name: 'Gold', threshold: 2000, missing: 1380 },
          tierUntil: '2027-01-01T00:00:00.000Z',
          challenges: [
            {
              challengeId: 'three-reviews',
              name: 'Three reviews in a month',
              open: true,
              reached: 2,
              goal: 3,
              completions: 0,
              windowStart: '2026-01-01T00:00:00.000Z',
              windowEnd: '2026-02-01T00:00:00.000Z',
            },
          ],
          choices: [
            {
              id: 'cgr_01jz8k2v9yf4er8m3s5t7v9wxy',
              choiceSetId: 'welcome',
              name: 'Welcome gift',
              grantedBy: 'tier:silver',
              choices: 1,
              remaining: 1,
              grantedAt: '2026-01-20T09:00:00.000Z',
              expiresAt: null,
            },
          ],
          holds: [
            {
              reservationId: 'rsv_01jz8k2v9yf4er8m3s5t7v9wxy',
              rewardId: 'free-coffee',
              rewardName: 'A free coffee',
              sourceReference: 'checkout-77',
              points: 100,
              reservedAt: '2026-01-31T12:00:00.000Z',
              expiresAt: '2026-01-31T12:30:00.000Z',
            },
          ],
          lots: [
            {
              id: 'lot_01jz8k2v9yf4er8m3s5t7v9wxy',
              transactionId: 'txn_01jz8k2v9xe6tr8p2w4y6z8abc',
              granted: 120,
              available: 20,
              pending: 0,
              reserved: 100,
              activatesAt: null,
              expiresAt: '2026-12-31T23:59:59.000Z',
              createdAt: '2026-01-31T12:00:00.000Z',
            },
          ],
          hasMoreLots: false,
          expirations: [{ points: 20, at: '2026-12-31T23:59:59.000Z' }],
        },
      ],
    },
  },
  member: {
    request: null,
    response: {
      requestId,
      member: {
        id: memberId,
        externalCustomerId: 'customer-1001',
        displayName: 'Ada',
        status: 'active',
        consentStatus: 'granted',
        identityStatus: 'unverified',
        consent: { status: 'granted', noticeVersion: 'identity-2026-01', at: '2026-01-31T12:00:00.000Z' },
      },
      programs: [
        {
          ...program,
          qualificationPoints: 120,
          referralCode: null,
          profileVersion: 7,
          balances: [
            {
              accountType: 'member',
              available: 120,
              pending: 0,
              reserved: 0,
              nextExpiry: { points: 40, at: '2027-01-31T12:00:00.000Z' },
            },
          ],
        },
      ],
    },
  },
  purchaseEarn: {
    request: {
      type: 'purchase.completed',
      programId: 'coffee-club',
      externalCustomerId: 'customer-1001',
      amountMinor: 1250,
      currency: 'USD',
      channel: 'web',
      sourceReference: 'order-5001',
      items: [
        {
          lineReference: 'line-1',
          sku: 'beans-1kg',
          category: 'coffee',
          quantity: 1,
          unitPriceMinor: 1250,
        },
      ],
    },
    response: {
      id: 'txn_01jz8k2v9xe6tr8p2w4y6z8abc',
      status: 'committed',
      requestId,
      member: { id: memberId, externalCustomerId: 'customer-1001', tier: 'bronze' },
      award: { points: 12, basePoints: 12, campaignPoints: 0 },
      campaigns: [],
      referral: null,
      coupon: null,
      evaluationMode: 'receipt_time_current_configuration',
      evaluationAt: '2026-01-31T12:00:00.000Z',
      configurationVersion: 1,
      loyaltyUnitPrecision: 0,
      ruleDecisions: [
        {
          kind: 'earn_rule',
          id: 'every-dollar',
          matched: true,
          reason: null,
          points: 12,
          lines: [earnedLine],
        },
        { kind: 'tier', id: 'bronze', matched: true, reason: null, points: 0, lines: null },
      ],
      lines: [earnedLine],
    },
  },
  previewPurchase: {
    request: {
      type: 'purchase.completed',
      programId: 'coffee-club',
      amountMinor: 1250,
      channel: 'web',
      items: [{ lineReference: 'line-1', sku: 'beans-1kg', category: 'coffee', unitPriceMinor: 1250 }],
    },
    response: {
      requestId,
      personalized: false,
      tier: 'bronze',
      award: { points: 12, basePoints: 12, campaignPoints: 0 },
      campaigns: [],
      referral: null,
      coupon: null,
      evaluationMode: 'receipt_time_current_configuration',
      evaluationAt: '2026-01-31T12:00:00.000Z',
      configurationVersion: 1,
      loyaltyUnitPrecision: 0,
      ruleDecisions: [
        {
          kind: 'earn_rule',
          id: 'every-dollar',
          matched: true,
          reason: null,
          points: 12,
          lines: [earnedLine],
        },
        { kind: 'tier', id: 'bronze', matched: true, reason: null, points: 0, lines: null },
      ],
      lines: [earnedLine],
    },
  },
  recordReturn: {
    request: {
      sourceReference: 'order-5001',
      returnReference: 'return-7001',
      items: [{ lineReference: 'line-1', quantity: 1 }],
    },
    response: {
      id: 'txn_01jz8k2v9xe6tr8p2w4y6z8abd',
      status: 'committed',
      requestId,
      return: {
        sourceReference: 'order-5001',
        returnReference: 'return-7001',
        returnAmountMinor: 1250,
        pointsClawedBack: 12,
        shortfall: 0,
        orderStatus: 'returned',
        referral: null,
      },
    },
  },
  transaction: { request: null, response: { requestId, transaction } },
  transactionEntries: {
    request: null,
    response: { requestId, data: transaction.entries, page: { nextCursor: null, hasMore: false } },
  },
  transactions: {
    request: null,
    response: { requestId, data: [transaction], page: { nextCursor: null, hasMore: false } },
  },
};
