import { expect, test } from '@jest/globals';
import type { Offer } from '../../../src/programs/document/offer-document.ts';
import type { CartLine } from '../../../src/rules/offers/cart.ts';
import {
  amount,
  evaluate,
  fixedPrice,
  freeItem,
  line,
  offer,
  onCategory,
  percent,
  shop,
  when,
} from '../../support/rules/offer-fixtures.ts';

interface WorkedCart {
  lines: CartLine[];
  offers: Offer[];
  subtotal: number;
  /**
   * Each offer that applies, in order, with its shares by line of the cart: `null` for a line that it does not match.
   */
  effects: [offerId: string, discount: number, shares: (number | null)[]][];
  total: number;
}

const three = [line('a', 1000), line('b', 1000), line('c', 1000)];
const mixed = [line('beans', 2495, 1), line('filter', 350, 2, 'supplies'), line('mug', 899, 1, 'mugs')];

/** In cents, computed by hand. */
const carts: Record<string, WorkedCart> = {
  'ten percent of one line': {
    lines: [line('a', 2495)],
    offers: [offer('ten', percent(1000))],
    // 249.5 is rounded half up.
    subtotal: 2495,
    effects: [['ten', 250, [250]]],
    total: 2245,
  },
  'an eighth of a line, in hundredths of a percent': {
    lines: [line('a', 999)],
    offers: [offer('eighth', percent(1250))],
    // 124.875
    subtotal: 999,
    effects: [['eighth', 125, [125]]],
    total: 874,
  },
  'a percentage is rounded once, not by line': {
    lines: [line('a', 5), line('b', 5), line('c', 5)],
    offers: [offer('ten', percent(1000))],
    // 1.5 makes 2; by line it would be 0.5 three times, 3 in all.
    subtotal: 15,
    effects: [['ten', 2, [1, 1, 0]]],
    total: 13,
  },
  'the odd cent of three equal lines': {
    lines: three,
    offers: [offer('dollar', amount(100))],
    // 33.33 each: one cent is left, which goes by sku.
    subtotal: 3000,
    effects: [['dollar', 100, [34, 33, 33]]],
    total: 2900,
  },
  'the odd cent goes to the largest remainder': {
    lines: [line('a', 1000), line('b', 2000), line('c', 4000)],
    offers: [offer('off', amount(100))],
    // 14.29, 28.57, 57.14: whole 14, 28, 57, and the cent left goes to b.
    subtotal: 7000,
    effects: [['off', 100, [14, 29, 57]]],
    total: 6900,
  },
  'two odd cents': {
    lines: [line('a', 333), line('b', 333), line('c', 334)],
    offers: [offer('off', amount(500))],
    // 166.5, 166.5, 167: one cent is left for a.
    subtotal: 1000,
    effects: [['off', 500, [167, 166, 167]]],
    total: 500,
  },
  'an amount above the cart makes it free': {
    lines: [line('a', 300), line('b', 199)],
    offers: [offer('off', amount(1000))],
    subtotal: 499,
    effects: [['off', 499, [300, 199]]],
    total: 0,
  },
  'lines of a category alone': {
    lines: mixed,
    offers: [offer('beans', percent(2000), onCategory('beans'))],
    subtotal: 4094,
    effects: [['beans', 499, [499, null, null]]],
    total: 3595,
  },
  'a fixed price for each unit': {
    lines: [line('a', 450, 3), line('b', 300, 2)],
    offers: [offer('flat', fixedPrice(350))],
    // a: 3 × 100; b costs less already.
    subtotal: 1950,
    effects: [['flat', 300, [300, 0]]],
    total: 1650,
  },
  'a fixed price of nothing': {
    lines: [line('a', 450), line('b', 125, 2)],
    offers: [offer('free', fixedPrice(0))],
    subtotal: 700,
    effects: [['free', 700, [450, 250]]],
    total: 0,
  },
  'three for two': {
    lines: [line('a', 500, 1), line('b', 400, 1), line('c', 300, 1)],
    offers: [offer('three-for-two', freeItem(3, 1))],
    subtotal: 1200,
    effects: [['three-for-two', 300, [0, 0, 300]]],
    total: 900,
  },
  'three for two, seven units: two of the cheapest are free': {
    lines: [line('a', 500, 4), line('b', 250, 1), line('c', 300, 2)],
    offers: [offer('three-for-two', freeItem(3, 1))],
    // b, and one c.
    subtotal: 2850,
    effects: [['three-for-two', 550, [0, 250, 300]]],
    total: 2300,
  },
  'two units do not make three': {
    lines: [line('a', 500, 2)],
    offers: [offer('three-for-two', freeItem(3, 1))],
    subtotal: 1000,
    effects: [],
    total: 1000,
  },
  'a free unit of a line that is cheaper already': {
    lines: [line('a', 333, 3)],
    offers: [offer('first', amount(100), { priority: 1 }), offer('three-for-two', freeItem(3, 1))],
    // 899 is left: a third of it is 299.67.
    subtotal: 999,
    effects: [
      ['first', 100, [100]],
      ['three-for-two', 300, [300]],
    ],
    total: 599,
  },
  'half of a cent of a free unit is rounded up': {
    lines: [line('a', 500, 2)],
    offers: [offer('first', amount(1), { priority: 1 }), offer('two-for-one', freeItem(2, 1))],
    // 999 is left for two units: half of it is 499.5.
    subtotal: 1000,
    effects: [
      ['first', 1, [1]],
      ['two-for-one', 500, [500]],
    ],
    total: 499,
  },
  'several units of one line are free': {
    lines: [line('a', 500, 1), line('b', 200, 6)],
    offers: [offer('three-for-one', freeItem(3, 2))],
    // Seven units make two groups: four of the b.
    subtotal: 1700,
    effects: [['three-for-one', 800, [0, 800]]],
    total: 900,
  },
  'the cheapest unit is free, not one of the cheapest line': {
    lines: [line('a', 400, 1), line('b', 300, 2)],
    offers: [offer('three-for-two', freeItem(3, 1))],
    // The b cost 600 together, and 300 each.
    subtotal: 1000,
    effects: [['three-for-two', 300, [0, 300]]],
    total: 700,
  },
  'of equally cheap units the first by sku is free': {
    lines: [line('b', 300), line('c', 300), line('a', 300)],
    offers: [offer('three-for-two', freeItem(3, 1))],
    subtotal: 900,
    effects: [['three-for-two', 300, [0, 0, 300]]],
    total: 600,
  },
  'exclusive that takes nothing off ends nothing': {
    lines: [line('a', 1000)],
    offers: [
      offer('alone', fixedPrice(2000), { policy: 'exclusive', priority: 1 }),
      offer('ten', percent(1000)),
    ],
    subtotal: 1000,
    effects: [['ten', 100, [100]]],
    total: 900,
  },
  'stacked: each works on what is left': {
    lines: [line('a', 10_000)],
    offers: [offer('a-ten', percent(1000)), offer('b-five', percent(500)), offer('c-off', amount(250))],
    // 1000, then 5 percent of 9000, then 2.50.
    subtotal: 10_000,
    effects: [
      ['a-ten', 1000, [1000]],
      ['b-five', 450, [450]],
      ['c-off', 250, [250]],
    ],
    total: 8300,
  },
  'priority changes what is left': {
    lines: [line('a', 10_000)],
    offers: [offer('a-ten', percent(1000)), offer('c-off', amount(250), { priority: 5 })],
    // 9750 × 10 %
    subtotal: 10_000,
    effects: [
      ['c-off', 250, [250]],
      ['a-ten', 975, [975]],
    ],
    total: 8775,
  },
  'exclusive before the others stands alone': {
    lines: [line('a', 10_000)],
    offers: [
      offer('alone', percent(500), { policy: 'exclusive', priority: 1 }),
      offer('more', percent(2000)),
      offer('best', percent(3000), { policy: 'best_value' }),
    ],
    subtotal: 10_000,
    effects: [['alone', 500, [500]]],
    total: 9500,
  },
  'exclusive behind another does not apply': {
    lines: [line('a', 10_000)],
    offers: [
      offer('alone', percent(5000), { policy: 'exclusive' }),
      offer('first', percent(1000), { priority: 1 }),
      offer('last', amount(100), { priority: -1 }),
    ],
    subtotal: 10_000,
    effects: [
      ['first', 1000, [1000]],
      ['last', 100, [100]],
    ],
    total: 8900,
  },
  'the best of three, and one that stacks on it': {
    lines: [line('a', 4000), line('b', 1000, 1, 'mugs')],
    offers: [
      offer('fifth', percent(2000), { policy: 'best_value', ...onCategory('beans') }),
      offer('flat', amount(900), { policy: 'best_value' }),
      offer('half-mugs', percent(5000), { policy: 'best_value', ...onCategory('mugs') }),
      offer('members', percent(1000), { priority: -1 }),
    ],
    // 800, 900, 500: flat, 720 and 180; then 10 percent of 3280 + 820.
    subtotal: 5000,
    effects: [
      ['flat', 900, [720, 180]],
      ['members', 410, [328, 82]],
    ],
    total: 3690,
  },
  'of equally good ones the first': {
    lines: [line('a', 2000)],
    offers: [
      offer('x-amount', amount(200), { policy: 'best_value' }),
      offer('b-percent', percent(1000), { policy: 'best_value' }),
    ],
    subtotal: 2000,
    effects: [['b-percent', 200, [200]]],
    total: 1800,
  },
  'a threshold that the subtotal reaches, discounts before it or not': {
    lines: [line('a', 5000)],
    offers: [
      offer('first', percent(1000), { priority: 1 }),
      offer('from-fifty', amount(500), { conditions: [when('cart.subtotalMinor', 'gte', 5000)] }),
    ],
    subtotal: 5000,
    effects: [
      ['first', 500, [500]],
      ['from-fifty', 500, [500]],
    ],
    total: 4000,
  },
  'nothing is left for the second': {
    lines: [line('a', 700), line('b', 300)],
    offers: [offer('all', percent(10_000)), offer('later', amount(100))],
    subtotal: 1000,
    effects: [['all', 1000, [700, 300]]],
    total: 0,
  },
  'the most that can be counted': {
    lines: [line('a', 900_719_925_474, 10_000), line('b', 991, 1)],
    offers: [offer('third', percent(3333))],
    // 9007199254740991 × 0.3333 = 3002099511605172.3; 3333 × 9007199254740000 ÷ 10000 = 3002099511604842 and 330.3.
    subtotal: 9_007_199_254_740_991,
    effects: [['third', 3_002_099_511_605_172, [3_002_099_511_604_842, 330]]],
    total: 6_005_099_743_135_819,
  },
};

test('there are at least twenty', () => {
  expect(Object.keys(carts).length).toBeGreaterThanOrEqual(20);
});

test('the lines of an effect stand in the order of the cart', () => {
  const lines = [line('c', 300), line('a', 100), line('b', 200)];
  const [effect] = evaluate(shop([offer('ten', percent(1000))]), lines).effects;
  expect(effect?.lines.map(({ index, sku, discountMinor }) => [index, sku, discountMinor])).toEqual([
    [0, 'c', 30],
    [1, 'a', 10],
    [2, 'b', 20],
  ]);
});

test.each(Object.entries(carts))('%s', (_name, { lines, offers, subtotal, effects, total }) => {
  const evaluation = evaluate(shop(offers), lines);
  const shares = evaluation.effects.map(({ offerId, discountMinor, lines: matched }) => [
    offerId,
    discountMinor,
    lines.map((_, index) => matched.find((each) => each.index === index)?.discountMinor ?? null),
  ]);
  expect(shares).toEqual(effects);
  expect(evaluation).toMatchObject({ subtotalMinor: subtotal, totalMinor: total });
  expect(evaluation.discountMinor).toBe(subtotal - total);
  expect(evaluation.notApplied.length + effects.length).toBe(offers.length);
});
