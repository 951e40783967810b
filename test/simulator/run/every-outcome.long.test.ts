import { expect, test } from '@jest/globals';
import { simulate } from '../../../simulator/run/simulate.ts';
import { OPERATIONS } from '../../../simulator/run/workload.ts';
import type { Figures } from '../../../simulator/run/world.ts';

/** The service's own operations have no idempotency keys to replay. */
const KEYED = OPERATIONS.filter(({ keyed }) => keyed).map(({ name }) => name);

/** Outcomes that every run must reach sooner or later. */
const OUTCOMES = [
  ...KEYED.flatMap((operation) => [`${operation} done`, `${operation} replayed`]),
  ...['createMember', 'enrollMember', 'purchaseEarn', 'recordReturn', 'quoteRedemption'].map(
    (operation) => `${operation} idempotency_key_reused`,
  ),
  'settleProfile done',
  'expireAdjustment done',
  'createMember member_exists',
  'enrollMember member_not_found',
  'enrollMember enrollment_required',
  'enrollMember unknown_tier',
  'unenrollMember profile_not_found',
  'unenrollMember balance_not_zero',
  'purchaseEarn production_locked',
  'purchaseEarn program_not_found',
  'purchaseEarn source_reference_conflict',
  'purchaseEarn enrollment_required',
  'purchaseEarn invalid_event',
  'purchaseEarn configuration_not_effective',
  'purchaseEarn unknown_tier',
  'purchaseEarn currency_mismatch',
  'purchaseEarn member_limit_reached',
  'previewPurchase done',
  'previewPurchase enrollment_required',
  'previewPurchase member_limit_reached',
  'recordCustomEvent event_definition_not_found',
  'recordCustomEvent member_not_found',
  'recordCustomEvent source_reference_conflict',
  'recordCustomEvent validation_failed',
  'recordCustomEvent attributes_invalid',
  'assignCouponCode program_not_found',
  'assignCouponCode member_not_found',
  'assignCouponCode coupon_code_not_found',
  'assignCouponCode coupon_code_unavailable',
  'claimChoiceBenefit member_not_found',
  'claimChoiceBenefit source_reference_conflict',
  'claimChoiceBenefit choice_set_not_found',
  'claimChoiceBenefit reward_not_found',
  'claimChoiceBenefit enrollment_required',
  'claimChoiceBenefit no_choice_left',
  'claimChoiceBenefit inventory_exhausted',
  'recordReturn order_not_found',
  'recordReturn return_reference_conflict',
  'recordReturn unknown_line',
  'recordReturn return_exceeds_remaining',
  'recordReturn points_not_recoverable',
  'quoteRedemption reward_not_found',
  'quoteRedemption reward_not_eligible',
  'quoteRedemption inventory_exhausted',
  'quoteRedemption insufficient_points',
  'quoteRedemption quote_form_invalid',
  'quoteRedemption points_out_of_range',
  'reserveRedemption quote_not_found',
  'reserveRedemption enrollment_required',
  'reserveRedemption invalid_redemption_state',
  'redeemInWidget idempotency_key_reused',
  'redeemInWidget reward_not_available',
  'redeemInWidget enrollment_required',
  'redeemInWidget unauthorized',
  'commitRedemption reservation_not_found',
  'commitRedemption invalid_redemption_state',
  'releaseRedemption invalid_redemption_state',
  'reverseRedemption cancellation_evidence_required',
  'reverseRedemption reversal_form_invalid',
  'reverseRedemption reversal_exceeds_remaining',
  'resolveDispute invalid_dispute_state',
  'requestAdjustment enrollment_required',
  'requestAdjustment profile_not_found',
  'requestMemberMerge member_not_found',
  'requestMemberMerge validation_failed',
  'approveMemberMerge merge_not_found',
  'approveMemberMerge self_approval_forbidden',
  'approveMemberMerge invalid_merge_state',
  'approveMemberMerge reservation_open',
  'approveMemberMerge enrollment_required',
  'requestMemberUnmerge invalid_merge_state',
  'approveMemberUnmerge self_approval_forbidden',
  'approveMemberUnmerge merged_points_used',
  'approveMemberUnmerge merged_engagement_used',
  'approveAdjustment adjustment_not_found',
  'approveAdjustment self_approval_forbidden',
  'approveAdjustment insufficient_points',
  'approveAdjustment invalid_adjustment_state',
  'reverseAdjustment self_approval_forbidden',
  'reverseAdjustment insufficient_points',
  'openBalance enrollment_required',
  'openBalance validation_failed',
  'settleExchange enrollment_required',
  'settleExchange insufficient_points',
  'settleExchange source_reference_conflict',
  'reverseExchange insufficient_points',
  'reverseExchange invalid_settlement_state',
  'reverseExchange settlement_not_found',
  'reverseExchange validation_failed',
];

const EVENTS = [
  'adjustment.posted',
  'adjustment.reversed',
  'campaign on lines',
  'campaign withheld',
  'cap member reached',
  'cap member_day reached',
  'cap member_month reached',
  'cap member_week reached',
  'cap member_year reached',
  'cap total reached',
  'challenge completed',
  'challenge completed several times',
  'challenge completed twenty times',
  'challenge.awarded',
  'choices by challenge, exhausted',
  'choices by challenge, expired',
  'choices by challenge, open',
  'choices by tier, exhausted',
  'choices by tier, expired',
  'choices by tier, open',
  'claim paid',
  'claim paid with repaid points',
  'code of a pool redeemed',
  'code of a pool refused',
  'coupon redeemed',
  'coupon refused',
  'exchange.reversed',
  'exchange.settled',
  'lent points left',
  'lent points repaid',
  'member limit reached',
  'member.merged',
  'member.unmerged',
  'one campaign',
  'order.returned',
  'points.activated',
  'points.expired',
  'purchase.completed',
  'redemption.committed',
  'redemption.expired',
  'redemption.released',
  'redemption.reserved',
  'redemption.reversed',
  'referral clawed back',
  'referral refused',
  'referral.awarded',
  'several campaigns',
  'several earn rules',
  'streak completed',
  'told of adjustment.posted',
  'told of adjustment.rejected',
  'told of adjustment.requested',
  'told of adjustment.reversed',
  'told of campaign.cap_reached',
  'told of choice.granted',
  'told of exchange.reversed',
  'told of exchange.settled',
  'told of member.consent_changed',
  'told of member.created',
  'told of member.enrolled',
  'told of member.merged',
  'told of member.suspended',
  'told of member.unenrolled',
  'told of member.unmerged',
  'told of member.updated',
  'told of points.clawed_back',
  'told of points.earned',
  'told of points.expired',
  'told of points.expiring',
  'told of redemption.committed',
  'told of redemption.dispute_opened',
  'told of redemption.dispute_rejected',
  'told of redemption.dispute_resolved',
  'told of redemption.expired',
  'told of redemption.fulfillment_updated',
  'told of redemption.released',
  'told of redemption.reserved',
  'told of redemption.reversed',
  'told of tier.changed',
];

/** Further worlds are run until every outcome and event has occurred, which is usually soon. */
const MOST_RUNS = 20;

test('every outcome is as predicted, no invariant is violated, and all outcomes and events occur', () => {
  const figures: Figures[] = [];
  const seen = (): Set<string> => new Set(figures.flatMap((world) => [...world.outcomes.keys()]));
  const events = (): string[] => [...new Set(figures.flatMap((world) => [...world.events.keys()]))].sort();
  const violations = (): number => figures.reduce((sum, world) => sum + world.violations, 0);
  const seed = Date.now() % 2 ** 32;
  for (let run = 0; run < MOST_RUNS; run++) {
    const { figures: more, failure } = simulate({ seed: (seed + run * 100) % 2 ** 32, commands: 20_000 });
    expect(failure).toBeNull();
    figures.push(...more);
    const outcomes = seen();
    const occurred = new Set(events());
    const everything =
      OUTCOMES.every((outcome) => outcomes.has(outcome)) && EVENTS.every((event) => occurred.has(event));
    if (everything && violations() > 0) break;
  }
  for (const world of figures) {
    expect(Math.min(world.races, world.lockWaits, world.crashes, world.publications)).toBeGreaterThan(0);
  }
  expect([...seen()]).toEqual(expect.arrayContaining(OUTCOMES));
  expect(violations()).toBeGreaterThan(0);
  expect(events()).toEqual(EVENTS);
}, 300_000);
