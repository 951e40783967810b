import type { documents } from '../../rest-adapter/generated/documents.ts';
import type { Books } from '../../src/queries/reports/ledger-close/read-books.ts';
import { closeReport } from '../../src/queries/reports/ledger-close/report.ts';
import { type Example, requestId } from './example.ts';

const equal = { expected: 12n, found: 12n, differences: 0 };

const books: Books = {
  pairs: [
    {
      debitAccount: 'program.issuance',
      creditAccount: 'member.available',
      eventType: null,
      opening: 0n,
      inside: 12n,
      closing: 12n,
      after: 0n,
      postings: 1n,
      transactions: 1n,
    },
  ],
  balances: { available: 12n, pending: 0n, reserved: 0n },
  members: equal,
  postings: equal,
  lots: equal,
  cohorts: [{ issueMonth: '2026-01', expiryMonth: '2027-03', points: 12n }],
};

/** One purchase of 12 points in January 2026, in a program without a finance policy. */
const close = closeReport({
  programId: 'coffee-club',
  currency: 'USD',
  version: null,
  approvals: [],
  window: { from: new Date('2026-01-01T00:00:00Z'), to: new Date('2026-02-01T00:00:00Z') },
  isOver: true,
  books,
  snapshots: 1,
});

/** One example for each report. */
export const reportExamples: Readonly<
  Record<Extract<keyof typeof documents, 'ledgerSummary' | 'ledgerClose' | 'campaignReport'>, Example>
> = {
  ledgerSummary: {
    request: null,
    response: {
      requestId,
      programId: 'coffee-club',
      from: '2026-01-01T00:00:00.000Z',
      to: '2026-02-01T00:00:00.000Z',
      transactions: { posted: 1, reversed: 0 },
      points: { credits: '12', debits: '0', net: '12' },
      balances: { members: 1, available: '12', pending: '0', reserved: '0' },
      redemptions: { reserved: 0, committed: 0, released: 0, expired: 0, reversed: 0 },
      webhookDeliveries: { pending: 0, delivered: 1, failed: 0, deadLetter: 0 },
    },
  },
  campaignReport: {
    request: null,
    response: {
      requestId,
      programId: 'coffee-club',
      campaignId: 'rainy-days',
      points: '40010',
      members: 912,
      purchases: 1873,
      amountMinor: '3745200',
      cap: { capPoints: 50_000, givenPoints: 40_010 },
      holdout: {
        membersGiven: 912,
        membersHeldOut: 101,
        purchases: { given: 2.05, heldOut: 1.82, difference: 0.23, low: 0.05, high: 0.41 },
        amountMinor: { given: 4106.6, heldOut: 3655.1, difference: 451.5, low: 102.2, high: 800.8 },
        points: { given: 84.9, heldOut: 36.5, difference: 48.4, low: 42.1, high: 54.7 },
      },
    },
  },
  ledgerClose: { request: null, response: { requestId, ...close } },
};
