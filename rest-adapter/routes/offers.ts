import type { Route } from '../route.ts';

/** Offers that apply to a cart, and benefits that a member chooses. */
export const offerRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/offers/evaluate',
    operation: 'evaluateOffers',
    status: { fresh: 200, repeated: 200 },
    violationCode: 'validation_failed',
  },
  {
    method: 'POST',
    path: '/choice-benefits',
    operation: 'claimChoiceBenefit',
    status: { fresh: 201, repeated: 200 },
    missingKeyStatus: 422,
    violationCode: 'validation_failed',
  },
];
