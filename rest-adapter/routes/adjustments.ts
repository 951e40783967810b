import type { Route } from '../route.ts';

/** Manual adjustments of a balance: one principal requests them, another one approves or rejects them. */
export const adjustmentRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/adjustments',
    query: {
      state: 'filter.state',
      externalCustomerId: 'filter.externalCustomerId',
      programId: 'filter.programId',
      limit: 'limit',
      cursor: 'cursor',
    },
    operation: 'adjustments',
    status: { fresh: 200, repeated: 200 },
    violationCode: 'validation_failed',
  },
  {
    method: 'POST',
    path: '/adjustments',
    operation: 'requestAdjustment',
    status: { fresh: 201, repeated: 200 },
    missingKeyStatus: 400,
    violationCode: 'validation_failed',
  },
  {
    method: 'POST',
    path: '/adjustments/{adjustmentId}/approve',
    operation: 'approveAdjustment',
    status: { fresh: 200, repeated: 200 },
    missingKeyStatus: 400,
    violationCode: 'validation_failed',
  },
  {
    method: 'POST',
    path: '/adjustments/{adjustmentId}/reject',
    operation: 'rejectAdjustment',
    status: { fresh: 200, repeated: 200 },
    missingKeyStatus: 400,
    violationCode: 'validation_failed',
  },
  {
    method: 'POST',
    path: '/adjustments/{adjustmentId}/reverse',
    operation: 'reverseAdjustment',
    status: { fresh: 200, repeated: 200 },
    missingKeyStatus: 400,
    violationCode: 'validation_failed',
  },
];
