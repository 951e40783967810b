// Generated from schema.graphql. Do not edit.
import type { InputShape } from '../input-shape.ts';

/** The shape of the input of each operation that takes one. */
export const inputShapes = {
  evaluateOffers: {"items":{"fields":{"quantity":{"default":1}}},"explain":{"default":false}},
  createMember: {},
  updateMember: {},
  enrollMember: {},
  unenrollMember: {},
  purchaseEarn: {"items":{"fields":{"quantity":{"default":1}}},"context":{"fields":{}}},
  recordReturn: {"items":{"fields":{}}},
  quoteRedemption: {"ttlSeconds":{"default":900}},
  reserveRedemption: {},
  commitRedemption: {},
  releaseRedemption: {},
  reverseRedemption: {},
  updateFulfillment: {},
  openDispute: {},
  resolveDispute: {"reverse":{"default":false}},
  rejectDispute: {},
  requestAdjustment: {},
  approveAdjustment: {},
  rejectAdjustment: {},
  reverseAdjustment: {},
  recordCustomEvent: {},
  claimChoiceBenefit: {},
  createWebhookEndpoint: {},
  updateWebhookEndpoint: {},
  deleteWebhookEndpoint: {},
  rotateWebhookSecret: {"overlapSeconds":{"default":86400}},
  testWebhookEndpoint: {},
  retryWebhookDelivery: {},
} satisfies Readonly<Record<string, InputShape>>;
