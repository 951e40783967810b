import type { Route } from '../route.ts';

/** Codes of pools. They come in bodies: paths are logged. */
export const couponRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/coupon-codes/lookup',
    operation: 'couponCode',
    status: { fresh: 200, repeated: 200 },
    violationCode: 'validation_failed',
  },
  {
    method: 'POST',
    path: '/coupon-codes/assign',
    operation: 'assignCouponCode',
    status: { fresh: 200, repeated: 200 },
    missingKeyStatus: 400,
    violationCode: 'validation_failed',
  },
  {
    method: 'GET',
    path: '/programs/{programId}/code-pools',
    operation: 'codePools',
    status: { fresh: 200, repeated: 200 },
    violationCode: 'validation_failed',
  },
  {
    method: 'POST',
    path: '/programs/{programId}/code-pools/{poolId}/generate',
    operation: 'generateCouponCodes',
    status: { fresh: 201, repeated: 200 },
    missingKeyStatus: 400,
    managed: true,
    violationCode: 'validation_failed',
  },
];
