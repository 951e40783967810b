import type { documents } from '../../rest-adapter/generated/documents.ts';
import { adjustmentExamples } from './adjustment-examples.ts';
import { customerExamples } from './customer-examples.ts';
import { engagementExamples } from './engagement-examples.ts';
import { type Example, requestId } from './example.ts';
import { mergeExamples } from './merge-examples.ts';
import { offerExamples } from './offer-examples.ts';
import { operationExamples } from './operation-examples.ts';
import { redemptionExamples } from './redemption-examples.ts';
import { reportExamples } from './report-examples.ts';
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
};

/** One example for each operation of the OpenAPI documents. */
export const examples: Readonly<Record<keyof typeof documents, Example>> = {
  ...adjustmentExamples,
  ...mergeExamples,
  ...customerExamples,
  ...engagementExamples,
  ...offerExamples,
  ...operationExamples,
  ...redemptionExamples,
  ...reportExamples,
  ...webhookExamples,
  ...widgetExamples,
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
