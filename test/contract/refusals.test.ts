import { expect, test } from '@jest/globals';
import { approveAdjustment } from '../../src/commands/adjustments/approve-adjustment.ts';
import { rejectAdjustment } from '../../src/commands/adjustments/reject-adjustment.ts';
import { requestAdjustment } from '../../src/commands/adjustments/request-adjustment.ts';
import { reverseAdjustment } from '../../src/commands/adjustments/reverse-adjustment.ts';
import { assignCouponCode } from '../../src/commands/earning/assign-coupon-code.ts';
import { purchaseEarn } from '../../src/commands/earning/purchase-earn.ts';
import { claimChoiceBenefit } from '../../src/commands/engagement/claim-choice-benefit.ts';
import { recordCustomEvent } from '../../src/commands/engagement/record-custom-event.ts';
import { createMember } from '../../src/commands/members/create-member.ts';
import { approveMemberMerge, rejectMemberMerge } from '../../src/commands/members/decide-member-merge.ts';
import {
  approveMemberUnmerge,
  rejectMemberUnmerge,
} from '../../src/commands/members/decide-member-unmerge.ts';
import { enrollMember } from '../../src/commands/members/enroll-member.ts';
import { changeList, tagMember } from '../../src/commands/members/label-members.ts';
import { requestMemberMerge } from '../../src/commands/members/request-member-merge.ts';
import { requestMemberUnmerge } from '../../src/commands/members/request-member-unmerge.ts';
import { changeMemberStatus } from '../../src/commands/members/set-member-status.ts';
import { unenrollMember } from '../../src/commands/members/unenroll-member.ts';
import { updateMember } from '../../src/commands/members/update-member.ts';
import { moveSandboxClock } from '../../src/commands/move-sandbox-clock.ts';
import { commitForCustomer } from '../../src/commands/redemptions/commit-for-customer.ts';
import { commitRedemption } from '../../src/commands/redemptions/commit-redemption.ts';
import { openDispute } from '../../src/commands/redemptions/open-dispute.ts';
import { quoteForCustomer } from '../../src/commands/redemptions/quote-for-customer.ts';
import { quoteRedemption } from '../../src/commands/redemptions/quote-redemption.ts';
import { redeemInWidget } from '../../src/commands/redemptions/redeem-in-widget.ts';
import { rejectDispute } from '../../src/commands/redemptions/reject-dispute.ts';
import { releaseRedemption } from '../../src/commands/redemptions/release-redemption.ts';
import { reserveRedemption } from '../../src/commands/redemptions/reserve-redemption.ts';
import { resolveDispute } from '../../src/commands/redemptions/resolve-dispute.ts';
import { reverseForCustomer } from '../../src/commands/redemptions/reverse-for-customer.ts';
import { reverseRedemption } from '../../src/commands/redemptions/reverse-redemption.ts';
import { updateFulfillment } from '../../src/commands/redemptions/update-fulfillment.ts';
import { recordReturn } from '../../src/commands/returns/record-return.ts';
import { createWebhookEndpoint } from '../../src/commands/webhooks/create-webhook-endpoint.ts';
import { deleteWebhookEndpoint } from '../../src/commands/webhooks/delete-webhook-endpoint.ts';
import { replayWebhookEndpoint } from '../../src/commands/webhooks/replay-webhook-endpoint.ts';
import { retryWebhookDelivery } from '../../src/commands/webhooks/retry-webhook-delivery.ts';
import { rotateWebhookSecret } from '../../src/commands/webhooks/rotate-webhook-secret.ts';
import { testWebhookEndpoint } from '../../src/commands/webhooks/test-webhook-endpoint.ts';
import { updateWebhookEndpoint } from '../../src/commands/webhooks/update-webhook-endpoint.ts';
import { type RefusalCodeOf, refusals } from '../../src/contract/generated/refusals.ts';
import type { Mutation } from '../../src/contract/generated/types.ts';
import type { Command } from '../../src/ledger/command.ts';
import { type Refusal, refuse } from '../../src/refusal.ts';
import { isListed } from '../../src/server/service/refusals.ts';

/** Mutations that no command carries out: they change how an environment is set up. */
type OfManagement =
  | 'publishProgram'
  | 'addTokenIssuer'
  | 'removeTokenIssuer'
  | 'publishWidget'
  | 'endPersonSession'
  | 'approveFinance'
  | 'lockEnvironment'
  | 'unlockEnvironment'
  | 'generateCouponCodes';

/** `tagMember` makes the command of `untagMember` too, and only a tag that is put on can be one too many. */
type Typed = Exclude<keyof Mutation, 'untagMember' | OfManagement>;

/**
 * The type check fails where a mutation is missing, or where its command may be refused with a code that it does not
 * list.
 */
const commands: {
  [Name in Typed]: (...args: never) => Command<object, RefusalCodeOf<Name>> | Refusal<RefusalCodeOf<Name>>;
} = {
  createMember,
  updateMember,
  enrollMember,
  unenrollMember,
  tagMember,
  suspendMember: changeMemberStatus,
  resumeMember: changeMemberStatus,
  addToList: changeList,
  removeFromList: changeList,
  purchaseEarn,
  assignCouponCode,
  recordReturn,
  quoteRedemption,
  reserveRedemption,
  commitRedemption,
  releaseRedemption,
  reverseRedemption,
  updateFulfillment,
  openDispute,
  resolveDispute,
  rejectDispute,
  requestAdjustment,
  approveAdjustment,
  rejectAdjustment,
  reverseAdjustment,
  requestMemberMerge,
  approveMemberMerge,
  rejectMemberMerge,
  requestMemberUnmerge,
  approveMemberUnmerge,
  rejectMemberUnmerge,
  recordCustomEvent,
  claimChoiceBenefit,
  createWebhookEndpoint,
  updateWebhookEndpoint,
  deleteWebhookEndpoint,
  rotateWebhookSecret,
  testWebhookEndpoint,
  replayWebhookEndpoint,
  retryWebhookDelivery,
  moveSandboxClock,
  enrollCustomer: enrollMember,
  unenrollCustomer: unenrollMember,
  quoteForCustomer,
  reserveForCustomer: reserveRedemption,
  commitForCustomer,
  releaseForCustomer: releaseRedemption,
  reverseForCustomer,
  redeemInWidget,
};

test('the compiler holds the refusals of every command against the contract', () => {
  expect(Object.keys(commands)).toEqual(Object.keys(refusals).filter((name) => name in commands));
  // @ts-expect-error the contract does not list it for this mutation
  const unlisted: Refusal<RefusalCodeOf<'commitRedemption'>> = refuse('merge_not_found', 'No.');
  expect(isListed('commitRedemption', unlisted.code)).toBe(false);
});

test('a code is listed for an operation by its own list, or by its form', () => {
  expect(isListed('commitRedemption', 'reservation_not_found')).toBe(true);
  expect(isListed('commitRedemption', 'rate_limited')).toBe(true);
  expect(isListed('commitRedemption', 'graphql_parse_failed')).toBe(false);
  expect(isListed('noOperation', 'reservation_not_found')).toBe(false);
});
