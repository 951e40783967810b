import type { Condition } from '../src/programs/document/document-values.ts';
import type { Offer, OfferEffect } from '../src/programs/document/offer-document.ts';
import type { ProgramDocument } from '../src/programs/document/program-document.ts';
import { type HttpScenario, OK } from './http-scenario.ts';
import { customerOf } from './purchases.ts';
import { content, headerLines } from './request-text.ts';
import type { Place } from './scenarios.ts';

const OFFERS = 50;
const LINES = 20;

const CATEGORIES = ['beans', 'mugs', 'filters', 'machines', 'tea'];
const MARKETS = ['us-east', 'us-west', 'eu', 'uk', 'asia'];
const COUPON = 'BENCH';

/**
 * The program with fifty offers of every policy, effect and scope, ten of each kind: on lines of a category; for a
 * market; from a minimum subtotal; on tags and tiers; for an audience, hours of the day or a coupon. About four apply
 * to a cart.
 */
export function withOffers(document: ProgramDocument): ProgramDocument {
  return {
    ...document,
    audiences: [
      ...(document.audiences ?? []),
      { id: 'regulars', match: 'all', conditions: [when('history.purchaseCount', 'gte', 1_000_000)] },
      { id: 'everybody', match: 'any', conditions: [when('profile.tier', 'exists', true)] },
    ],
    coupons: [...(document.coupons ?? []), { code: COUPON }],
    offers: Array.from({ length: OFFERS }, (_, index) => offerOf(index)),
  };
}

function offerOf(index: number): Offer {
  const nth = Math.floor(index / 5);
  const priority = nth % 4;
  const category = CATEGORIES[nth % CATEGORIES.length] ?? '';
  const of = (kind: string, effect: OfferEffect, more: Partial<Offer>): Offer => ({
    id: `${kind}-${nth}`,
    name: `Offer ${kind} ${nth}`,
    match: 'all',
    conditions: [],
    priority,
    effect,
    ...more,
  });
  switch (index % 5) {
    case 0:
      return of('category', effectOf(nth), {
        policy: 'best_value',
        lines: {
          match: 'all',
          conditions: [
            when('items.category', 'equals', category),
            when('items.quantity', 'gte', 1 + (nth % 3)),
          ],
        },
      });
    case 1:
      return of('market', effectOf(nth), {
        scope: 'environment',
        policy: 'best_value',
        conditions: [when('context.market', 'equals', MARKETS[nth % MARKETS.length] ?? '')],
      });
    case 2:
      return of(
        'subtotal',
        { kind: 'amount', amountMinor: 100 * (nth + 1) },
        {
          conditions: [when('cart.subtotalMinor', 'gte', 20_000 * (nth + 1))],
          policy: nth % 5 ? 'best_value' : 'stack',
        },
      );
    case 3:
      return of('tags', effectOf(nth), {
        match: 'any',
        conditions: [when('items.tags', 'equals', `tag-${nth}`), when('profile.tier', 'equals', 'gold')],
      });
    default:
      return of('members', { kind: 'percent', basisPoints: 100 * (nth + 1) }, membersOf(nth));
  }
}

function when(field: string, operator: Condition['operator'], value: Condition['value']): Condition {
  return { field, operator, value };
}

function effectOf(nth: number): OfferEffect {
  switch (nth % 4) {
    case 0:
      return { kind: 'percent', basisPoints: 500 + 50 * nth };
    case 1:
      return { kind: 'amount', amountMinor: 250 };
    case 2:
      return { kind: 'fixed_price', unitPriceMinor: 400 };
    default:
      return { kind: 'free_item', buy: 3, free: 1 };
  }
}

function membersOf(nth: number): Partial<Offer> {
  if (nth % 3 === 0) return { audiences: ['regulars', ...(nth === 3 ? ['everybody'] : [])] };
  if (nth % 3 === 1) return { couponCodes: [COUPON], policy: 'exclusive' };
  return { schedule: { timeZone: 'America/New_York', hours: { from: nth, to: nth + 8 } } };
}

/** Carts of twenty lines. Every second one names a customer, every tenth a coupon. */
export function cartEvaluations(port: number, place: Place): HttpScenario {
  const headers = headerLines(place);
  return {
    port,
    steps: [
      {
        request(number) {
          const body = JSON.stringify(cartOf(number, place));
          return `POST /api/v1/offers/evaluate HTTP/1.1\r\n${headers(number)}${content(body)}`;
        },
        statusLine: OK,
        mark: '"totalMinor":',
      },
    ],
    end: null,
    points: null,
  };
}

/** Previews of purchases of twenty lines. Every second one names a customer, every tenth a coupon. */
export function previews(port: number, place: Place): HttpScenario {
  const headers = headerLines(place);
  return {
    port,
    steps: [
      {
        request(number) {
          const { store: _store, market: _market, items, ...cart } = cartOf(number, place);
          const body = JSON.stringify({
            type: 'purchase.completed',
            ...cart,
            amountMinor: 25_000 + (number % 10_000),
            items: items.map(({ tags: _tags, ...line }) => line),
          });
          return `POST /api/v1/events/preview HTTP/1.1\r\n${headers(number)}${content(body)}`;
        },
        statusLine: OK,
        mark: '"personalized":',
      },
    ],
    end: null,
    points: null,
  };
}

function cartOf(number: number, { programId, members }: Place) {
  return {
    programId,
    currency: 'USD',
    channel: 'web',
    market: MARKETS[number % MARKETS.length],
    store: `store-${number % 40}`,
    ...(number % 2 && { externalCustomerId: customerOf(number, members) }),
    ...(number % 10 === 0 && { couponCode: COUPON }),
    items: Array.from({ length: LINES }, (_, index) => ({
      lineReference: `line-${index + 1}`,
      sku: `sku-${(number * 7 + index) % 500}`,
      category: CATEGORIES[(number + index) % CATEGORIES.length],
      quantity: 1 + ((number + index) % 3),
      unitPriceMinor: 199 + ((number * 31 + index * 97) % 1_800),
      tags: [`tag-${(number * 13 + index) % 200}`],
    })),
  };
}
