import type { Route } from '../route.ts';

/** Reads of the ledger's transactions and their entries; lists come in pages. */
export const transactionRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/transactions',
    query: {
      sourceReference: 'filter.sourceReference',
      programId: 'filter.programId',
      externalCustomerId: 'filter.externalCustomerId',
      eventType: 'filter.eventType',
      state: 'filter.state',
      from: 'filter.from',
      to: 'filter.to',
      limit: 'limit',
      cursor: 'cursor',
    },
    operation: 'transactions',
    status: { fresh: 200, repeated: 200 },
    violationCode: 'validation_failed',
  },
  {
    method: 'GET',
    path: '/transactions/{id}',
    operation: 'transaction',
    status: { fresh: 200, repeated: 200 },
    violationCode: 'validation_failed',
  },
  {
    method: 'GET',
    path: '/transactions/{id}/entries',
    query: { limit: 'limit', cursor: 'cursor' },
    operation: 'transactionEntries',
    status: { fresh: 200, repeated: 200 },
    violationCode: 'validation_failed',
  },
];
