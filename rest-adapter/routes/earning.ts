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
    refusals: [
      'production_locked',
      'program_not_found',
      'member_not_found',
      'enrollment_required',
      'source_reference_conflict',
      'configuration_not_effective',
      'member_limit_reached',
      'balance_limit_exceeded',
      'currency_mismatch',
      'unknown_tier',
    ],
  },
  {
    method: 'POST',
    path: '/returns',
    operation: 'recordReturn',
    status: { fresh: 201, repeated: 200 },
    missingKeyStatus: 400,
    violationCode: 'validation_failed',
    refusals: [
      'production_locked',
      'order_not_found',
      'return_reference_conflict',
      'return_exceeds_remaining',
      'points_not_recoverable',
      'return_form_invalid',
      'unknown_line',
    ],
  },
  {
    method: 'POST',
    path: '/custom-events',
    operation: 'recordCustomEvent',
    status: { fresh: 201, repeated: 200 },
    missingKeyStatus: 422,
    violationCode: 'validation_failed',
    refusals: [
      'production_locked',
      'event_definition_not_found',
      'member_not_found',
      'source_reference_conflict',
      'balance_limit_exceeded',
      'attributes_invalid',
    ],
  },
];
