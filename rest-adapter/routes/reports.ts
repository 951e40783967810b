import type { Route } from '../route.ts';

/** Totals and reports over the whole ledger of a program. */
export const reportRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/analytics/ledger-summary',
    query: { programId: 'programId', from: 'from', to: 'to' },
    operation: 'ledgerSummary',
    status: { fresh: 200, repeated: 200 },
    violationCode: 'validation_failed',
  },
  {
    method: 'GET',
    path: '/campaigns/{campaignId}/report',
    query: { programId: 'programId' },
    operation: 'campaignReport',
    status: { fresh: 200, repeated: 200 },
    violationCode: 'validation_failed',
  },
  {
    method: 'GET',
    path: '/reports/ledger-close',
    query: { programId: 'programId', from: 'from', to: 'to' },
    operation: 'ledgerClose',
    status: { fresh: 200, repeated: 200 },
    violationCode: 'validation_failed',
  },
];
