import type { Route } from '../route.ts';

/** Operations that earn points or take earned points back: purchases, returns and custom events. */
export const earningRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/events',
    operation: 'purchaseEarn',
    constants: { type: 'purchase.completed' },
    status: { fresh: 201, repeated: 200 },
    missingKeyStatus: 400,
    violationCode: 'invalid_event',
  },
  {
    method: 'POST',
    path: '/events/preview',
    operation: 'previewPurchase',
    constants: { type: 'purchase.completed' },
    status: { fresh: 200, repeated: 200 },
    violationCode: 'invalid_event',
  },
  {
    method: 'POST',
    path: '/returns',
    operation: 'recordReturn',
    status: { fresh: 201, repeated: 200 },
    missingKeyStatus: 400,
    violationCode: 'validation_failed',
  },
  {
    method: 'POST',
    path: '/custom-events',
    operation: 'recordCustomEvent',
    status: { fresh: 201, repeated: 200 },
    missingKeyStatus: 422,
    violationCode: 'validation_failed',
  },
];
