import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  addedUp,
  boughtQuantities,
  type PurchaseLine,
  worthOfLines,
} from '../../../src/rules/shared/line-value.ts';

const line = (lineReference: string | null, quantity: number, unitPriceMinor?: number): PurchaseLine => ({
  lineReference,
  quantity,
  ...(unitPriceMinor === undefined ? {} : { unitPriceMinor }),
});
const back = (quantities: Record<string, number>): Map<string, number> => new Map(Object.entries(quantities));

describe('what returned lines are worth', () => {
  const beans = [line('beans', 2, 1000), line('mug', 1, 2000)];

  test.each<
    [what: string, lines: PurchaseLine[], order: number, returned: Record<string, number>, worth: number]
  >([
    ['one piece at its price', beans, 4000, { beans: 1 }, 1000],
    ['the whole line', beans, 4000, { beans: 2 }, 2000],
    ['all lines: the whole order', beans, 4000, { beans: 2, mug: 1 }, 4000],
    ['an order below its prices: in proportion', beans, 3000, { mug: 1 }, 1500],
    ['an order above its prices (postage): in proportion', beans, 5000, { mug: 1 }, 2500],
    ['a half goes up', [line('a', 2, 1)], 1, { a: 1 }, 1],
    ['a line without a price beside priced ones: nothing', [...beans, line('gift', 1)], 4000, { gift: 1 }, 0],
    ['no prices at all: by the piece', [line('a', 3), line('b', 1)], 1000, { a: 1 }, 250],
    ['a quantity that is not given is 1', [{ lineReference: 'a' }, line('b', 1)], 1000, { a: 1 }, 500],
    [
      'an item without a reference counts in the whole',
      [line('a', 1, 500), line(null, 1, 1500)],
      1000,
      { a: 1 },
      250,
    ],
    ['one reference, two prices: in their order', [line('a', 1, 300), line('a', 2, 100)], 500, { a: 1 }, 300],
    [
      'one reference, two prices: on to the second',
      [line('a', 1, 300), line('a', 2, 100)],
      500,
      { a: 2 },
      400,
    ],
    ['an order of no value: nothing', beans, 0, { beans: 2, mug: 1 }, 0],
    ['no lines at all: nothing', [], 1000, {}, 0],
    [
      'names of the language are no lines',
      [line('__proto__', 1, 1), line('constructor', 1, 3)],
      400,
      { constructor: 1 },
      300,
    ],
    [
      'sums beyond what a double holds',
      [line('a', 1_000_000, 10 ** 12), line('b', 1_000_000, 10 ** 12 - 1)],
      10 ** 12,
      { a: 1_000_000 },
      500_000_000_000,
    ],
  ])('%s', (_what, lines, order, returned, worth) => {
    expect(worthOfLines(lines, order, back(returned))).toBe(worth);
  });

  test('three equal pieces of 100 are 33, 34 and 33', () => {
    const lines = [line('a', 3, 40)];
    const so = [1, 2, 3].map((count) => worthOfLines(lines, 100, back({ a: count })));
    expect(so).toEqual([33, 67, 100]);
  });
});

test('of a line whose quantity is not given one piece was bought', () => {
  expect(boughtQuantities([{ lineReference: 'a' }, { lineReference: 'b', quantity: null }])).toEqual(
    back({ a: 1, b: 1 }),
  );
});

test('quantities of one reference are added up; items without one are not to be returned', () => {
  expect(boughtQuantities([line('a', 2, 5), line(null, 7), line('b', 1), line('a', 3)])).toEqual(
    back({ a: 5, b: 1 }),
  );
  expect(
    addedUp([
      { lineReference: '__proto__', quantity: 1 },
      { lineReference: '__proto__', quantity: 2 },
    ]),
  ).toEqual(new Map([['__proto__', 3]]));
});

test('law: in whatever order pieces go back, no return is worth less than nothing, all of them the whole order', () => {
  const lines = fc.array(
    fc.record({
      lineReference: fc.constantFrom('a', 'b', 'c', 'd'),
      quantity: fc.integer({ min: 1, max: 5 }),
      unitPriceMinor: fc.option(fc.integer({ min: 1, max: 10 ** 12 }), { nil: null }),
    }),
    { minLength: 1, maxLength: 6 },
  );
  const pieces = lines.chain((bought) =>
    fc.record({
      bought: fc.constant(bought),
      order: fc.shuffledSubarray(
        bought.flatMap(({ lineReference, quantity }) => Array<string>(quantity).fill(lineReference)),
        { minLength: bought.reduce((sum, { quantity }) => sum + quantity, 0) },
      ),
    }),
  );
  fc.assert(
    fc.property(pieces, fc.integer({ min: 0, max: 10 ** 12 }), ({ bought, order }, amountMinor) => {
      const returned = new Map<string, number>();
      let worth = 0;
      for (const reference of order) {
        returned.set(reference, (returned.get(reference) ?? 0) + 1);
        const now = worthOfLines(bought, amountMinor, returned);
        expect(now).toBeGreaterThanOrEqual(worth);
        worth = now;
      }
      expect(worth).toBe(amountMinor);
    }),
  );
});
