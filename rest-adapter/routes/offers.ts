import type { Route } from '../route.ts';

/** Offers that apply to a cart, and benefits that a member chooses. */
export const offerRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/offers/evaluate',
    operation: 'evaluateOffers',
    status: { fresh: 200, repeated: 200 },
    violationCode: 'validation_failed',
    refusals: ['program_not_found', 'currency_mismatch', 'cart_too_large'],
  },
  {
    method: 'POST',
    path: '/choice-benefits',
    operation: 'claimChoiceBenefit',
    status: { fresh: 201, repeated: 200 },
    missingKeyStatus: 422,
    violationCode: 'validation_failed',
    refusals: [
      'production_locked',
      'member_not_found',
      'choice_set_not_found',
      'reward_not_found',
      'source_reference_conflict',
      'enrollment_required',
      'no_choice_left',
      'inventory_exhausted',
    ],
  },
];
