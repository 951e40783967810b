import type { Coupon } from '../../../src/programs/document/campaign-document.ts';
import type { Condition } from '../../../src/programs/document/document-values.ts';
import type { Offer, OfferEffect } from '../../../src/programs/document/offer-document.ts';
import type { ProgramDocument } from '../../../src/programs/document/program-document.ts';
import { isRefusal } from '../../../src/refusal.ts';
import { unusedCoupon } from '../../../src/rules/compiled/coupons.ts';
import { newcomer } from '../../../src/rules/conditions/member-facts.ts';
import type { Cart, CartLine, OfferEvaluation, OfferProgram } from '../../../src/rules/offers/cart.ts';
import { evaluateOffers, type OfferRequest } from '../../../src/rules/offers/evaluate-offers.ts';
import { noon, program } from './fixtures.ts';

export const percent = (basisPoints: number): OfferEffect => ({ kind: 'percent', basisPoints });
export const amount = (amountMinor: number): OfferEffect => ({ kind: 'amount', amountMinor });
export const fixedPrice = (unitPriceMinor: number): OfferEffect => ({ kind: 'fixed_price', unitPriceMinor });
export const freeItem = (buy: number, free: number): OfferEffect => ({ kind: 'free_item', buy, free });

export const when = (
  field: string,
  operator: Condition['operator'],
  value: Condition['value'],
): Condition => ({
  field,
  operator,
  value,
});

export function offer(id: string, effect: OfferEffect, change: Partial<Offer> = {}): Offer {
  return { id, name: `Offer ${id}`, match: 'all', conditions: [], effect, ...change };
}

/** An offer on the lines of one category. */
export const onCategory = (category: string): Pick<Offer, 'lines'> => ({
  lines: { match: 'all', conditions: [when('items.category', 'equals', category)] },
});

/** A cart line: units at a price, in a category. */
export const line = (sku: string, unitPriceMinor: number, quantity = 1, category = 'beans'): CartLine => ({
  sku,
  category,
  quantity,
  unitPriceMinor,
});

export function shop(
  offers: Offer[],
  change: Partial<ProgramDocument> & { coupons?: Coupon[] } = {},
  of: Partial<Omit<OfferProgram, 'document'>> = {},
): OfferProgram {
  const document = program({ ...change, offers });
  return {
    programId: document.id,
    document,
    customer: null,
    couponUses: unusedCoupon,
    poolCode: null,
    ...of,
  };
}

/** A member with a profile in the program. */
export const gold: NonNullable<OfferProgram['customer']> = {
  profile: { tier: 'gold', qualificationPoints: 6000 },
  member: { ...newcomer, tags: ['vip'], lists: ['spring'], purchaseCount: 3, purchaseAmountMinor: 9_000 },
};

/** Evaluates a cart under one program, which the cart names. @throws where the evaluation is null */
export function evaluate(
  of: OfferProgram | OfferProgram[],
  cart: Cart | readonly CartLine[],
  change: Partial<OfferRequest> = {},
): OfferEvaluation {
  const programs = [of].flat();
  const evaluation = evaluateOffers({
    cart: 'items' in cart ? cart : { items: cart },
    programId: programs[0]?.programId ?? null,
    programs,
    at: noon,
    explain: true,
    ...change,
  });
  if (isRefusal(evaluation)) throw new Error(evaluation.message);
  return evaluation;
}

/** The ids of the offers that apply, in their order. */
export const applied = ({ effects }: OfferEvaluation): string[] => effects.map(({ offerId }) => offerId);
