import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Offer, OfferEffect } from '../../../src/programs/document/offer-document.ts';
import type { CartLine, OfferEvaluation } from '../../../src/rules/offers/cart.ts';
import {
  amount,
  evaluate,
  fixedPrice,
  freeItem,
  offer,
  onCategory,
  percent,
  shop,
  when,
} from '../../support/rules/offer-fixtures.ts';

const money = fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 100_000 }));

/** Few skus and prices, so that lines tie and repeat each other. */
const cartLine: fc.Arbitrary<CartLine> = fc.record({
  sku: fc.constantFrom('a', 'b', 'c'),
  category: fc.constantFrom('beans', 'mugs'),
  quantity: fc.integer({ min: 1, max: 6 }),
  unitPriceMinor: money,
  lineReference: fc.option(fc.constantFrom('1', '2'), { nil: undefined }),
  tags: fc.option(fc.subarray(['sale', 'new']), { nil: undefined }),
});

const effect: fc.Arbitrary<OfferEffect> = fc.oneof(
  fc.integer({ min: 1, max: 10_000 }).map(percent),
  money.map(amount),
  fc.integer({ min: 0, max: 2_000 }).map(fixedPrice),
  fc
    .tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 4 }))
    .map(([a, b]) => freeItem(Math.max(a, b), Math.min(a, b))),
);

const change: fc.Arbitrary<Partial<Offer>> = fc
  .record({
    priority: fc.integer({ min: 0, max: 2 }),
    policy: fc.constantFrom('exclusive' as const, 'stack' as const, 'stack' as const, 'best_value' as const),
    lines: fc.constantFrom(undefined, onCategory('beans').lines, {
      match: 'any' as const,
      conditions: [when('items.sku', 'equals', 'a'), when('items.tags', 'equals', 'sale')],
    }),
    from: fc.constantFrom(0, 0, 500),
  })
  .map(({ lines, from, ...rest }) => ({
    ...rest,
    ...(lines ? { lines } : {}),
    conditions: [when('cart.subtotalMinor', 'gte', from)],
  }));

const offers: fc.Arbitrary<Offer[]> = fc
  .array(fc.tuple(effect, change), { minLength: 1, maxLength: 6 })
  .map((all) => all.map(([each, with_], index) => offer(`offer-${index}`, each, with_)));

const cart = fc.array(cartLine, { minLength: 1, maxLength: 6 });

/** A list, and the same in another order. */
const permuted = <T>(list: fc.Arbitrary<T[]>): fc.Arbitrary<[T[], T[]]> =>
  list.chain((values) =>
    fc
      .shuffledSubarray(
        values.map((_, index) => index),
        { minLength: values.length },
      )
      .map((order): [T[], T[]] => [values, order.map((index) => values[index] as T)]),
  );

/** Everything that does not depend on the order of the lines. */
const totals = ({ effects, notApplied, ...rest }: OfferEvaluation) => ({
  ...rest,
  notApplied,
  effects: effects.map(({ lines, ...of }) => ({
    ...of,
    lines: lines.map(({ sku, discountMinor }) => `${sku} ${discountMinor}`).sort(),
  })),
});

const RUNS = { numRuns: 600 };

test('the order of lines changes no total and no share', () => {
  fc.assert(
    fc.property(permuted(cart), offers, ([lines, shuffled], of) => {
      expect(totals(evaluate(shop(of), shuffled))).toEqual(totals(evaluate(shop(of), lines)));
    }),
    RUNS,
  );
});

test('the order of offers in the document changes nothing, to the byte', () => {
  fc.assert(
    fc.property(cart, permuted(offers), (lines, [of, shuffled]) => {
      expect(JSON.stringify(evaluate(shop(shuffled), lines))).toBe(JSON.stringify(evaluate(shop(of), lines)));
    }),
    RUNS,
  );
});

test('the order of programs changes nothing, to the byte', () => {
  fc.assert(
    fc.property(cart, offers, offers, (lines, ofOne, ofOther) => {
      const one = shop(ofOne.map((each) => ({ ...each, scope: 'environment' })));
      const other = { ...shop(ofOther.map((each) => ({ ...each, scope: 'environment' }))), programId: 'tea' };
      const evaluations = [
        [one, other],
        [other, one],
      ].map((programs) => JSON.stringify(evaluate(programs, lines, { programId: null })));
      expect(evaluations[0]).toBe(evaluations[1]);
    }),
    RUNS,
  );
});

test('no discount exceeds what there is, and shares add up', () => {
  fc.assert(
    fc.property(cart, offers, (lines, of) => {
      const { subtotalMinor, discountMinor, totalMinor, effects, notApplied } = evaluate(shop(of), lines);
      const prices = lines.map(({ quantity, unitPriceMinor }) => (quantity ?? 1) * unitPriceMinor);
      const left = [...prices];
      for (const each of effects) {
        expect(each.lines.reduce((sum, line) => sum + line.discountMinor, 0)).toBe(each.discountMinor);
        expect(each.discountMinor).toBeGreaterThan(0);
        for (const line of each.lines) {
          expect(line.discountMinor).toBeGreaterThanOrEqual(0);
          left[line.index] = (left[line.index] ?? 0) - line.discountMinor;
        }
        expect(Math.min(...left)).toBeGreaterThanOrEqual(0);
      }
      expect(subtotalMinor).toBe(prices.reduce((sum, price) => sum + price, 0));
      expect(totalMinor).toBe(left.reduce((sum, price) => sum + price, 0));
      expect(totalMinor).toBe(subtotalMinor - discountMinor);
      // Each offer is said to apply or why not, once.
      expect([...effects, ...notApplied].map(({ offerId }) => offerId).sort()).toEqual(
        of.map(({ id }) => id),
      );
    }),
    RUNS,
  );
});

test('policies: exclusive is alone, of best_value there is one at most', () => {
  fc.assert(
    fc.property(cart, offers, (lines, of) => {
      const policies = evaluate(shop(of), lines).effects.map(({ policy }) => policy);
      if (policies.includes('exclusive')) expect(policies).toEqual(['exclusive']);
      expect(policies.filter((policy) => policy === 'best_value').length).toBeLessThanOrEqual(1);
    }),
    RUNS,
  );
});

test('a best_value offer that is alone takes off what the best of many does', () => {
  fc.assert(
    fc.property(cart, offers, (lines, of) => {
      const competing = of.map((each): Offer => ({ ...each, policy: 'best_value' }));
      const alone = competing.map((each) => evaluate(shop([each]), lines).discountMinor);
      expect(evaluate(shop(competing), lines).discountMinor).toBe(Math.max(...alone));
    }),
    RUNS,
  );
});
