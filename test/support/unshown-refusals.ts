/**
 * Refusals that schema.graphql lists and that no test of a server shows, by their operations: most are shown where
 * commands are tested in memory, on the rule that several operations share. Each one that a test comes to show leaves
 * this list.
 */
export const UNSHOWN: Readonly<Record<string, readonly string[]>> = {
  transactionEntries: ['invalid_cursor'],
  previewPurchase: [
    'configuration_not_effective',
    'member_limit_reached',
    'balance_limit_exceeded',
    'unknown_tier',
  ],
  endPersonSession: ['management_unavailable'],
  previewForCustomer: [
    'program_not_found',
    'member_limit_reached',
    'balance_limit_exceeded',
    'currency_mismatch',
  ],
  tagMember: ['tag_limit_reached'],
  purchaseEarn: ['balance_limit_exceeded'],
  assignCouponCode: ['member_not_found', 'coupon_code_unavailable'],
  reserveRedemption: ['member_not_found', 'insufficient_points', 'inventory_exhausted'],
  reverseRedemption: ['balance_limit_exceeded', 'reversal_form_invalid'],
  resolveDispute: [
    'dispute_not_found',
    'enrollment_required',
    'balance_limit_exceeded',
    'invalid_redemption_state',
    'invalid_dispute_state',
    'cancellation_evidence_required',
  ],
  rejectDispute: ['dispute_not_found'],
  requestAdjustment: ['profile_not_found'],
  approveAdjustment: ['member_not_found', 'balance_limit_exceeded'],
  reverseAdjustment: ['member_not_found', 'enrollment_required', 'balance_limit_exceeded'],
  approveMemberMerge: [
    'member_not_found',

    'enrollment_required',
    'reservation_open',
    'balance_limit_exceeded',
    'merge_blocked',
  ],
  rejectMemberMerge: ['invalid_merge_state'],
  requestMemberUnmerge: ['unmerge_period_over', 'merged_again'],
  approveMemberUnmerge: ['unmerge_period_over', 'merged_engagement_used', 'self_approval_forbidden'],
  recordCustomEvent: ['balance_limit_exceeded'],
  enrollCustomer: ['member_not_found'],
  unenrollCustomer: ['member_not_found', 'program_not_found', 'profile_not_found', 'reservation_open'],
  quoteForCustomer: [
    'member_not_found',
    'program_not_found',
    'reward_not_found',
    'enrollment_required',
    'insufficient_points',
    'reward_not_eligible',
    'inventory_exhausted',
    'quote_form_invalid',
    'points_out_of_range',
  ],
  reserveForCustomer: [
    'member_not_found',

    'enrollment_required',
    'insufficient_points',
    'inventory_exhausted',
    'invalid_redemption_state',
  ],
  commitForCustomer: ['invalid_redemption_state'],
  releaseForCustomer: ['invalid_redemption_state'],
  reverseForCustomer: [
    'enrollment_required',
    'balance_limit_exceeded',
    'invalid_redemption_state',
    'dispute_limit_reached',
    'cancellation_evidence_required',
  ],
};
