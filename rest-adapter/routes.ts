import type { documents } from './generated/documents.ts';
import type { ErrorCode } from './generated/error-codes.ts';

/** One operation of the REST API, under the prefix /api/v1. */
export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** `{name}` takes one segment, URL-decoded, for the input field or argument of that name. */
  path: string;
  /** Where the path calls an input field or argument otherwise: its name in the contract, by its name in the path. */
  pathNames?: Readonly<Record<string, string>>;
  /**
   * What a read takes in its query string: where each parameter goes, by its name there. A place is an argument, or a
   * field of one, such as `filter.programId`; the SDL says what may stand in it.
   */
  query?: Readonly<Record<string, string>>;
  /** SDL name of the root field, of rest-adapter/documents and of its one operation. */
  operation: keyof typeof documents;
  /** Values that the body must carry, which the operation itself implies: checked, not forwarded. */
  constants?: Readonly<Record<string, string>>;
  /** Success status of the first time, and of a replay or of what was there already. */
  status: { fresh: 200 | 201; repeated: 200 };
  /**
   * Mutations need an Idempotency-Key; without one they are answered with this status. Of a read it is absent, whether
   * the read takes a body or not.
   */
  missingKeyStatus?: 400 | 422;
  /** The 422 of a body that violates the contract. */
  violationCode: Extract<ErrorCode, 'validation_failed' | 'invalid_event'>;
  /** A list that must be empty, and the code that refuses it otherwise, whatever else is wrong. */
  emptyList?: { field: string; code: ErrorCode; message: string };
  /** What the operation itself may refuse for, beyond what every route does: for openapi.json. */
  refusals: readonly ErrorCode[];
}

/** Every route, in the order of the specification. */
export const routes: readonly Route[] = [
  {
    method: 'POST',
    path: '/members',
    operation: 'createMember',
    status: { fresh: 201, repeated: 200 },
    missingKeyStatus: 400,
    violationCode: 'validation_failed',
    emptyList: {
      field: 'programIds',
      code: 'explicit_program_enrollment_required',
      message: 'Enroll the member in each program by PUT /members/{externalCustomerId}/programs/{programId}.',
    },
    refusals: ['production_locked', 'member_exists', 'explicit_program_enrollment_required'],
  },
  {
    method: 'PUT',
    path: '/members/{externalCustomerId}/programs/{programId}',
    operation: 'enrollMember',
    status: { fresh: 201, repeated: 200 },
    missingKeyStatus: 400,
    violationCode: 'validation_failed',
    refusals: ['production_locked', 'member_not_found', 'program_not_found'],
  },
  {
    method: 'DELETE',
    path: '/members/{externalCustomerId}/programs/{programId}',
    operation: 'unenrollMember',
    status: { fresh: 200, repeated: 200 },
    missingKeyStatus: 400,
    violationCode: 'validation_failed',
    refusals: [
      'member_not_found',
      'program_not_found',
      'profile_not_found',
      'balance_not_zero',
      'reservation_open',
    ],
  },
  {
    method: 'GET',
    path: '/members/{externalId}',
    pathNames: { externalId: 'externalCustomerId' },
    operation: 'member',
    status: { fresh: 200, repeated: 200 },
    violationCode: 'validation_failed',
    refusals: ['member_not_found'],
  },
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
  {
    method: 'POST',
    path: '/offers/evaluate',
    operation: 'evaluateOffers',
    status: { fresh: 200, repeated: 200 },
    violationCode: 'validation_failed',
    refusals: ['program_not_found', 'currency_mismatch'],
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
    refusals: ['invalid_cursor', 'invalid_window'],
  },
  {
    method: 'GET',
    path: '/transactions/{id}',
    operation: 'transaction',
    status: { fresh: 200, repeated: 200 },
    violationCode: 'validation_failed',
    refusals: ['transaction_not_found'],
  },
  {
    method: 'POST',
    path: '/redemptions/quote',
    operation: 'quoteRedemption',
    status: { fresh: 201, repeated: 200 },
    missingKeyStatus: 400,
    violationCode: 'validation_failed',
    refusals: [
      'production_locked',
      'program_not_found',
      'member_not_found',
      'reward_not_found',
      'enrollment_required',
      'reward_not_eligible',
      'inventory_exhausted',
      'insufficient_points',
    ],
  },
  {
    method: 'POST',
    path: '/redemptions/reserve',
    operation: 'reserveRedemption',
    status: { fresh: 201, repeated: 200 },
    missingKeyStatus: 400,
    violationCode: 'validation_failed',
    refusals: [
      'production_locked',
      'quote_not_found',
      'member_not_found',
      'enrollment_required',
      'invalid_redemption_state',
      'inventory_exhausted',
      'insufficient_points',
    ],
  },
  {
    method: 'POST',
    path: '/redemptions/{reservationId}/commit',
    operation: 'commitRedemption',
    status: { fresh: 200, repeated: 200 },
    missingKeyStatus: 400,
    violationCode: 'validation_failed',
    refusals: ['production_locked', 'reservation_not_found', 'invalid_redemption_state'],
  },
  {
    method: 'POST',
    path: '/redemptions/{reservationId}/release',
    operation: 'releaseRedemption',
    status: { fresh: 200, repeated: 200 },
    missingKeyStatus: 400,
    violationCode: 'validation_failed',
    refusals: ['reservation_not_found', 'invalid_redemption_state'],
  },
  {
    method: 'POST',
    path: '/redemptions/{reservationId}/reverse',
    operation: 'reverseRedemption',
    status: { fresh: 200, repeated: 200 },
    missingKeyStatus: 400,
    violationCode: 'validation_failed',
    refusals: [
      'production_locked',
      'reservation_not_found',
      'invalid_redemption_state',
      'cancellation_evidence_required',
      'enrollment_required',
      'balance_limit_exceeded',
    ],
  },
  {
    method: 'POST',
    path: '/redemptions/{reservationId}/fulfillment',
    operation: 'updateFulfillment',
    status: { fresh: 200, repeated: 200 },
    missingKeyStatus: 400,
    violationCode: 'validation_failed',
    refusals: ['production_locked', 'reservation_not_found', 'invalid_redemption_state'],
  },
  {
    method: 'POST',
    path: '/redemptions/{reservationId}/disputes',
    operation: 'openDispute',
    status: { fresh: 201, repeated: 200 },
    missingKeyStatus: 400,
    violationCode: 'validation_failed',
    refusals: ['production_locked', 'reservation_not_found', 'invalid_redemption_state'],
  },
  {
    method: 'POST',
    path: '/redemptions/{reservationId}/disputes/{disputeId}/resolve',
    operation: 'resolveDispute',
    status: { fresh: 200, repeated: 200 },
    missingKeyStatus: 400,
    violationCode: 'validation_failed',
    refusals: [
      'production_locked',
      'reservation_not_found',
      'dispute_not_found',
      'invalid_dispute_state',
      'invalid_redemption_state',
      'cancellation_evidence_required',
      'enrollment_required',
      'balance_limit_exceeded',
    ],
  },
  {
    method: 'POST',
    path: '/redemptions/{reservationId}/disputes/{disputeId}/reject',
    operation: 'rejectDispute',
    status: { fresh: 200, repeated: 200 },
    missingKeyStatus: 400,
    violationCode: 'validation_failed',
    refusals: ['production_locked', 'reservation_not_found', 'dispute_not_found', 'invalid_dispute_state'],
  },
  {
    method: 'GET',
    path: '/redemptions/{reservationId}',
    operation: 'redemption',
    status: { fresh: 200, repeated: 200 },
    violationCode: 'validation_failed',
    refusals: ['reservation_not_found'],
  },
  {
    method: 'POST',
    path: '/adjustments',
    operation: 'requestAdjustment',
    status: { fresh: 201, repeated: 200 },
    missingKeyStatus: 400,
    violationCode: 'validation_failed',
    refusals: [
      'production_locked',
      'program_not_found',
      'member_not_found',
      'enrollment_required',
      'profile_not_found',
    ],
  },
  {
    method: 'POST',
    path: '/adjustments/{adjustmentId}/approve',
    operation: 'approveAdjustment',
    status: { fresh: 200, repeated: 200 },
    missingKeyStatus: 400,
    violationCode: 'validation_failed',
    refusals: [
      'production_locked',
      'adjustment_not_found',
      'invalid_adjustment_state',
      'self_approval_forbidden',
      'member_not_found',
      'enrollment_required',
      'balance_limit_exceeded',
      'insufficient_points',
    ],
  },
  {
    method: 'POST',
    path: '/adjustments/{adjustmentId}/reject',
    operation: 'rejectAdjustment',
    status: { fresh: 200, repeated: 200 },
    missingKeyStatus: 400,
    violationCode: 'validation_failed',
    refusals: ['adjustment_not_found', 'invalid_adjustment_state'],
  },
  {
    method: 'POST',
    path: '/adjustments/{adjustmentId}/reverse',
    operation: 'reverseAdjustment',
    status: { fresh: 200, repeated: 200 },
    missingKeyStatus: 400,
    violationCode: 'validation_failed',
    refusals: [
      'production_locked',
      'adjustment_not_found',
      'invalid_adjustment_state',
      'self_approval_forbidden',
      'insufficient_points',
      'member_not_found',
      'enrollment_required',
      'balance_limit_exceeded',
    ],
  },
  {
    method: 'GET',
    path: '/analytics/ledger-summary',
    query: { programId: 'programId', from: 'from', to: 'to' },
    operation: 'ledgerSummary',
    status: { fresh: 200, repeated: 200 },
    violationCode: 'validation_failed',
    refusals: ['program_not_found', 'invalid_window'],
  },
  {
    method: 'GET',
    path: '/reports/ledger-close',
    query: { programId: 'programId', from: 'from', to: 'to' },
    operation: 'ledgerClose',
    status: { fresh: 200, repeated: 200 },
    violationCode: 'validation_failed',
    refusals: ['program_not_found', 'invalid_window'],
  },
];
