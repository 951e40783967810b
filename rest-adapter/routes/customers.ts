import type { Route } from '../route.ts';

const done = { fresh: 200, repeated: 200 } as const;
const createdStatus = { fresh: 201, repeated: 200 } as const;

/** What customers do for themselves, under /loyalty/v1. */
export const customerRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/member',
    operation: 'customerMember',
    status: done,
    violationCode: 'validation_failed',
  },
  {
    method: 'GET',
    path: '/member/details',
    operation: 'customerDetails',
    status: done,
    violationCode: 'validation_failed',
  },
  {
    method: 'PUT',
    path: '/programs/{programId}/enrollment',
    operation: 'enrollCustomer',
    status: createdStatus,
    missingKeyStatus: 400,
    violationCode: 'validation_failed',
  },
  {
    method: 'DELETE',
    path: '/programs/{programId}/enrollment',
    operation: 'unenrollCustomer',
    status: done,
    missingKeyStatus: 400,
    violationCode: 'validation_failed',
  },
  {
    method: 'GET',
    path: '/activity',
    query: { programId: 'programId', limit: 'limit', cursor: 'cursor' },
    operation: 'customerActivity',
    status: done,
    violationCode: 'validation_failed',
  },
  {
    method: 'GET',
    path: '/catalog',
    query: { programId: 'programId' },
    operation: 'customerCatalog',
    status: done,
    violationCode: 'validation_failed',
  },
  {
    method: 'POST',
    path: '/purchases/preview',
    operation: 'previewForCustomer',
    status: done,
    violationCode: 'validation_failed',
  },
  {
    method: 'POST',
    path: '/redemptions/quote',
    operation: 'quoteForCustomer',
    status: createdStatus,
    missingKeyStatus: 400,
    violationCode: 'validation_failed',
  },
  {
    method: 'POST',
    path: '/redemptions/reserve',
    operation: 'reserveForCustomer',
    status: createdStatus,
    missingKeyStatus: 400,
    violationCode: 'validation_failed',
  },
  {
    method: 'POST',
    path: '/redemptions/{reservationId}/commit',
    operation: 'commitForCustomer',
    status: done,
    missingKeyStatus: 400,
    violationCode: 'validation_failed',
  },
  {
    method: 'POST',
    path: '/redemptions/{reservationId}/release',
    operation: 'releaseForCustomer',
    status: done,
    missingKeyStatus: 400,
    bodyOptional: true,
    violationCode: 'validation_failed',
  },
  {
    method: 'POST',
    path: '/redemptions/{reservationId}/reverse',
    operation: 'reverseForCustomer',
    status: { fresh: 202, repeated: 200 },
    missingKeyStatus: 400,
    violationCode: 'validation_failed',
  },
];
