import type { DocumentNames } from '../document/document-names.ts';
import { type DocumentProblem, under } from '../document/document-problem.ts';
import type { Offer, OfferEffect } from '../document/offer-document.ts';
import { checkMatch } from './check-match.ts';
import { checkReferences, checkUnique } from './check-names.ts';
import { checkSchedule } from './check-schedule.ts';

/** Checks what the JSON Schema cannot say of offers. Paths begin at the document. */
export function checkOffers(offers: readonly Offer[] | undefined, names: DocumentNames): DocumentProblem[] {
  return [
    ...checkUnique(offers, 'id', ['offers']),
    ...(offers ?? []).flatMap((offer, index) => under(['offers', index], checkOffer(offer, names))),
  ];
}

function checkOffer(offer: Offer, names: DocumentNames): DocumentProblem[] {
  const { lines } = offer;
  return [
    ...under(['schedule'], checkSchedule(offer.schedule)),
    ...checkReferences(offer.audiences, names.audiences, 'an audience', ['audiences']),
    ...checkMatch(offer, 'offer', 'it never applies', names.tiers),
    ...checkReferences(offer.couponCodes, names.coupons, 'the code of a coupon', ['couponCodes']),
    ...(lines ? under(['lines'], checkMatch(lines, 'offer_lines', 'it is on no line', names.tiers)) : []),
    ...under(['effect'], checkEffect(offer.effect)),
  ];
}

function checkEffect(effect: OfferEffect): DocumentProblem[] {
  if (effect.kind !== 'free_item' || effect.free < effect.buy) return [];
  return [{ path: ['free'], message: `must be below buy, ${effect.buy}` }];
}
