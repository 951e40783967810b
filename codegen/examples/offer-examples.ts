import type { documents } from '../../rest-adapter/generated/documents.ts';
import type { ProgramDocument } from '../../src/programs/document/program-document.ts';
import { unusedCoupon } from '../../src/rules/compiled/coupons.ts';
import { evaluateOffers } from '../../src/rules/offers/evaluate-offers.ts';
import { type Example, requestId } from './example.ts';

const document: ProgramDocument = {
  id: 'coffee-club',
  name: 'Coffee Club',
  unitName: 'beans',
  currency: 'USD',
  locale: 'en-US',
  loyaltyUnitPrecision: 0,
  earn: { rules: [] },
  tiers: [],
  qualification: { window: 'lifetime' },
  coupons: [{ code: 'BEANS10' }],
  offers: [
    {
      id: 'ten-off-beans',
      name: 'Ten percent off beans',
      match: 'all',
      conditions: [],
      couponCodes: ['BEANS10'],
      lines: { match: 'all', conditions: [{ field: 'items.category', operator: 'equals', value: 'beans' }] },
      effect: { kind: 'percent', basisPoints: 1000 },
    },
    {
      id: 'big-basket',
      name: 'Five dollars off from fifty',
      match: 'all',
      conditions: [{ field: 'cart.subtotalMinor', operator: 'gte', value: 5000 }],
      effect: { kind: 'amount', amountMinor: 500 },
    },
  ],
};

const request = {
  programId: 'coffee-club',
  couponCode: 'BEANS10',
  currency: 'USD',
  channel: 'web',
  items: [
    { lineReference: 'line-1', sku: 'espresso-1kg', category: 'beans', quantity: 1, unitPriceMinor: 2495 },
    { lineReference: 'line-2', sku: 'paper-filters', category: 'supplies', quantity: 2, unitPriceMinor: 350 },
  ],
};

const evaluation = evaluateOffers({
  cart: request,
  programId: request.programId,
  programs: [{ programId: document.id, document, customer: null, couponUses: unusedCoupon, poolCode: null }],
  at: new Date('2026-01-31T12:00:00Z'),
  explain: false,
});

export const offerExamples: Readonly<Record<keyof typeof documents & 'evaluateOffers', Example>> = {
  evaluateOffers: { request, response: { requestId, ...evaluation } },
};
