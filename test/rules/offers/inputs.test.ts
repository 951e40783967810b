import { describe, expect, test } from '@jest/globals';
import type { Condition } from '../../../src/programs/document/document-values.ts';
import type { Offer } from '../../../src/programs/document/offer-document.ts';
import { newcomer } from '../../../src/rules/conditions/member-facts.ts';
import type { Cart, OfferProgram } from '../../../src/rules/offers/cart.ts';
import { evaluateOffers } from '../../../src/rules/offers/evaluate-offers.ts';
import { noon } from '../../support/rules/fixtures.ts';
import {
  amount,
  applied,
  evaluate,
  freeItem,
  gold,
  line,
  offer,
  percent,
  shop,
  when,
} from '../../support/rules/offer-fixtures.ts';

const cart: Cart = {
  items: [
    {
      ...line('a', 1000, 2),
      lineReference: 'line-1',
      tags: ['sale'],
      attributes: { origin: 'kenya', height: 1800 },
    },
    line('b', 500, 1, 'mugs'),
  ],
  channel: 'store',
  currency: 'USD',
  market: 'us-east',
  store: 'store-7',
  tags: ['pickup', 'evening'],
};

const reasonOf = (of: OfferProgram | OfferProgram[], given: Cart = cart): string | undefined =>
  evaluate(of, given).notApplied[0]?.reason;

describe('every field of a condition is read from the cart', () => {
  const cases: [Condition, Condition][] = [
    [when('cart.subtotalMinor', 'equals', 2500), when('cart.subtotalMinor', 'equals', 2499)],
    [when('cart.quantity', 'equals', 3), when('cart.quantity', 'equals', 2)],
    [when('context.channel', 'equals', 'store'), when('context.channel', 'equals', 'web')],
    [when('context.currency', 'equals', 'USD'), when('context.currency', 'equals', 'EUR')],
    [when('context.market', 'equals', 'us-east'), when('context.market', 'equals', 'us-west')],
    [when('context.store', 'in', ['store-7']), when('context.store', 'in', ['store-8'])],
    [when('context.tags', 'equals', 'evening'), when('context.tags', 'equals', 'morning')],
    [when('items.sku', 'equals', 'b'), when('items.sku', 'equals', 'c')],
    [when('items.category', 'equals', 'mugs'), when('items.category', 'equals', 'tea')],
    [when('items.lineReference', 'equals', 'line-1'), when('items.lineReference', 'equals', 'line-2')],
    [when('items.quantity', 'gte', 2), when('items.quantity', 'gte', 3)],
    [when('items.unitPriceMinor', 'lt', 501), when('items.unitPriceMinor', 'lt', 500)],
    [when('items.tags', 'equals', 'sale'), when('items.tags', 'equals', 'new')],
    [when('items.attributes.origin', 'equals', 'kenya'), when('items.attributes.origin', 'equals', 'peru')],
    [when('items.attributes.height', 'gt', 1700), when('items.attributes.height', 'gt', 1800)],
    [when('items.attributes.roast', 'exists', false), when('items.attributes.roast', 'exists', true)],
    [when('profile.tier', 'equals', 'gold'), when('profile.tier', 'equals', 'bronze')],
    [when('profile.qualificationPoints', 'gte', 6000), when('profile.qualificationPoints', 'gt', 6000)],
    [when('history.purchaseCount', 'equals', 3), when('history.purchaseCount', 'equals', 0)],
    [when('history.purchaseAmountMinor', 'gte', 9000), when('history.purchaseAmountMinor', 'gt', 9000)],
    [when('member.tags', 'equals', 'vip'), when('member.tags', 'equals', 'new')],
    [when('member.lists', 'equals', 'spring'), when('member.lists', 'equals', 'autumn')],
    [when('time.dayOfWeek', 'equals', 'wednesday'), when('time.dayOfWeek', 'equals', 'thursday')],
    [when('time.hour', 'equals', 12), when('time.hour', 'equals', 13)],
  ];
  test.each(cases)('%j and not %j', (holds, fails) => {
    const of = (condition: Condition): OfferProgram =>
      shop([offer('it', percent(1000), { conditions: [condition] })], {}, { customer: gold });
    expect(applied(evaluate(of(holds), cart))).toEqual(['it']);
    expect(applied(evaluate(of(fails), cart))).toEqual([]);
    expect(reasonOf(of(fails))).toMatch(/^Does not hold: /);
  });

  test('a line by itself, where an offer chooses its lines', () => {
    const matched = (conditions: Condition[], match: 'all' | 'any' = 'all'): number[] | undefined =>
      evaluate(
        shop([offer('it', percent(1000), { lines: { match, conditions } })]),
        cart,
      ).effects[0]?.lines.map(({ index }) => index);
    expect(matched([when('items.tags', 'equals', 'sale')])).toEqual([0]);
    expect(matched([when('items.tags', 'not_equals', 'sale')])).toEqual([1]);
    expect(matched([when('items.attributes.origin', 'equals', 'kenya')])).toEqual([0]);
    expect(
      matched([when('items.unitPriceMinor', 'lte', 500), when('items.sku', 'equals', 'a')]),
    ).toBeUndefined();
    expect(
      matched([when('items.unitPriceMinor', 'lte', 500), when('items.sku', 'equals', 'a')], 'any'),
    ).toEqual([0, 1]);
    const none = shop([
      offer('it', percent(1000), { lines: { match: 'all', conditions: [when('items.sku', 'equals', 'z')] } }),
    ]);
    expect(reasonOf(none)).toBe('None of the lines matches.');
  });

  test('an effect names its lines and says what it did', () => {
    const { effects } = evaluate(shop([offer('it', percent(1250))]), cart);
    expect(effects).toEqual([
      {
        offerId: 'it',
        name: 'Offer it',
        programId: 'coffee-club',
        policy: 'stack',
        kind: 'percent',
        discountMinor: 313,
        explanation: '12.5 percent off all 2 lines that came to 25.00 USD: 3.13 USD off.',
        lines: [
          { index: 0, lineReference: 'line-1', sku: 'a', discountMinor: 250 },
          { index: 1, lineReference: null, sku: 'b', discountMinor: 63 },
        ],
      },
    ]);
    const yen = shop([offer('it', amount(100))], { currency: 'JPY' });
    expect(evaluate(yen, { items: [line('a', 250)] }).effects[0]?.explanation).toBe(
      '100 JPY off the one line that came to 250 JPY: 100 JPY off.',
    );
    expect(evaluate(shop([offer('it', freeItem(3, 1))]), cart).effects[0]?.explanation).toBe(
      'For every 3 units the cheapest 1 free, on all 2 lines that came to 25.00 USD: 5.00 USD off.',
    );
  });
});

test('a line without a quantity is one unit', () => {
  const { quantity: _, ...single } = line('a', 1000);
  expect(evaluate(shop([offer('it', percent(1000))]), [single, { ...single, quantity: null }])).toMatchObject(
    {
      subtotalMinor: 2000,
      discountMinor: 200,
    },
  );
});

describe('programs', () => {
  const coffee = shop([offer('own', amount(1)), offer('open', amount(2), { scope: 'environment' })]);
  const tea: OfferProgram = {
    ...shop([offer('tea-own', amount(4)), offer('tea-open', amount(8), { scope: 'environment' })]),
    programId: 'tea-club',
  };

  test('of the named one all offers, of others those of the environment', () => {
    const of = (programId: string | null) => applied(evaluate([coffee, tea], cart, { programId }));
    expect(of('coffee-club')).toEqual(['open', 'own', 'tea-open']);
    expect(of('tea-club')).toEqual(['open', 'tea-open', 'tea-own']);
    expect(of(null)).toEqual(['open', 'tea-open']);
  });

  test('offers of one id go by their program', () => {
    const [one, other] = [shop([offer('same', amount(1), { scope: 'environment' })]), tea].map((each) => ({
      ...each,
      document: coffee.document,
    }));
    const evaluation = evaluate([other, one] as OfferProgram[], cart, { programId: null });
    expect(evaluation.effects.map(({ programId }) => programId)).toEqual(['coffee-club', 'tea-club']);
  });

  test('one in another currency than the cart has nothing for it', () => {
    const euro = { ...tea, document: { ...tea.document, currency: 'EUR' } };
    expect(applied(evaluate([coffee, euro], cart, { programId: null }))).toEqual(['open']);
    // The cart has no currency, so it is in the currency of the program that it names.
    const { currency: _, ...plain } = cart;
    const evaluation = evaluate([coffee, euro], plain);
    expect(applied(evaluation)).toEqual(['open', 'own']);
    expect(evaluation.notApplied).toEqual([
      {
        offerId: 'tea-open',
        programId: 'tea-club',
        reason: 'The cart is in USD, the program in EUR.',
      },
    ]);
  });
});

describe('customers', () => {
  const vip: Partial<Offer> = { audiences: ['vips', 'golds'] };
  const audiences = [
    { id: 'vips', match: 'all' as const, conditions: [when('member.tags', 'equals', 'vip')] },
    { id: 'golds', match: 'all' as const, conditions: [when('profile.tier', 'not_equals', 'bronze')] },
  ];
  const of = (customer: OfferProgram['customer']): OfferProgram =>
    shop([offer('it', percent(1000), vip)], { audiences }, { customer });

  test('in one of the audiences', () => {
    expect(applied(evaluate(of(gold), cart))).toEqual(['it']);
    const bronze = { profile: { tier: 'bronze', qualificationPoints: 0 }, member: newcomer };
    expect(reasonOf(of(bronze))).toBe('The member is in none of the audiences vips, golds.');
  });

  test('a member who is not enrolled has tags, and no tier', () => {
    expect(applied(evaluate(of({ profile: null, member: { ...newcomer, tags: ['vip'] } }), cart))).toEqual([
      'it',
    ]);
  });

  test('of nobody no audience holds, not even one that asks for an absence', () => {
    expect(reasonOf(of(null))).toBe('It is for some members alone, and the customer is not known.');
  });
});

describe('schedules', () => {
  test('of an offer, in its time zone', () => {
    const hours = { timeZone: 'America/New_York', hours: { from: 9, to: 17 } };
    const of = shop([offer('it', percent(1000), { schedule: hours })]);
    // Noon in UTC is 7 o'clock there.
    expect(reasonOf(of)).toBe("Holds from 9 to 17 o'clock (America/New_York).");
    const later = new Date(noon.getTime() + 2 * 3_600_000);
    expect(applied(evaluate(of, cart, { at: later }))).toEqual(['it']);
  });

  test("in the document's time zone", () => {
    const of = (timeZone: string) =>
      shop([offer('it', percent(1000), { schedule: { daysOfWeek: ['wednesday'] } })], { timeZone });
    expect(applied(evaluate(of('UTC'), cart))).toEqual(['it']);
    expect(applied(evaluate(of('Pacific/Kiritimati'), cart))).toEqual([]);
  });
});

test('a cart that is worth more than can be counted has no evaluation', () => {
  const items = [line('a', 1_000_000_000_000, 9007), line('b', 199_254_740_991), line('c', 1)];
  const request = { programId: null, programs: [], at: noon, explain: true };
  expect(evaluateOffers({ ...request, cart: { items: items.slice(0, 2) } })).toMatchObject({
    totalMinor: Number.MAX_SAFE_INTEGER,
  });
  expect(evaluateOffers({ ...request, cart: { items } })).toMatchObject({
    refused: true,
    code: 'validation_failed',
  });
});

test('nothing that is handed in is changed', () => {
  const freeze = <T>(value: T): T => {
    if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(freeze);
    return value;
  };
  const of = shop([offer('it', percent(1000)), offer('more', freeItem(2, 1), { policy: 'best_value' })]);
  freeze(cart);
  freeze(of.document.offers);
  expect(evaluate(of, cart)).toEqual(evaluate(of, cart));
});

test('days and hours are read off the program’s own clock', () => {
  // It is one o'clock on Thursday in Auckland.
  const thursday = offer('thursday', percent(1000), {
    conditions: [when('time.dayOfWeek', 'equals', 'thursday'), when('time.hour', 'equals', 1)],
  });
  expect(applied(evaluate(shop([thursday], { timeZone: 'Pacific/Auckland' }), cart))).toEqual(['thursday']);
  expect(applied(evaluate(shop([thursday]), cart))).toEqual([]);
});

test('offers of several programs go by priority first, then by id, then by program', () => {
  const ofAll = (id: string, priority: number) => offer(id, amount(10), { scope: 'environment', priority });
  const coffee = shop([ofAll('b', 1), ofAll('a', 3), ofAll('same', 0)]);
  const tea = { ...shop([ofAll('a', 2), ofAll('c', 1), ofAll('same', 0)]), programId: 'a-tea' };
  const { effects } = evaluate([coffee, tea], cart);
  expect(effects.map(({ offerId, programId }) => `${offerId} of ${programId}`)).toEqual([
    'a of coffee-club',
    'a of a-tea',
    'b of coffee-club',
    'c of a-tea',
    'same of a-tea',
    'same of coffee-club',
  ]);
});
