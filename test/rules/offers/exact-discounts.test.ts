import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { OfferEffect } from '../../../src/programs/document/offer-document.ts';
import {
  comparePrices,
  type DiscountableLine,
  discountOf,
  discountsOf,
} from '../../../src/rules/offers/discounts.ts';
import { amount, fixedPrice, freeItem, percent } from '../../support/rules/offer-fixtures.ts';

/** numerator ÷ denominator, a half up. */
const halfUp = (numerator: bigint, denominator: bigint): bigint =>
  (2n * numerator + denominator) / (2n * denominator);

const compare = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);

/** By largest remainder; of equal ones the first line. */
function shared(total: bigint, lefts: readonly bigint[]): bigint[] {
  const whole = lefts.reduce((sum, left) => sum + left, 0n);
  if (whole === 0n) return lefts.map(() => 0n);
  const shares = lefts.map((left) => (total * left) / whole);
  const missing = total - shares.reduce((sum, share) => sum + share, 0n);
  const places = lefts.map((_, place) => place);
  const remainder = (place: number): bigint => (total * (lefts[place] ?? 0n)) % whole;
  places.sort((a, b) => compare(remainder(b), remainder(a)) || a - b);
  for (const place of places.slice(0, Number(missing))) shares[place] = (shares[place] ?? 0n) + 1n;
  return shares;
}

/** Unit by unit: the cheapest units are free, and the free units of a line are rounded together. */
function given(buy: number, free: number, lines: readonly DiscountableLine[]): bigint[] {
  const units = lines.flatMap(({ quantity, leftMinor }, place) =>
    Array.from({ length: quantity }, () => ({ place, price: BigInt(leftMinor), of: BigInt(quantity) })),
  );
  units.sort((a, b) => compare(a.price * b.of, b.price * a.of) || a.place - b.place);
  const free_ = units.slice(0, Math.floor(units.length / buy) * free);
  return lines.map(({ quantity, leftMinor }, place) => {
    const count = BigInt(free_.filter((unit) => unit.place === place).length);
    return halfUp(BigInt(leftMinor) * count, BigInt(quantity));
  });
}

/** The expected discounts, computed in another way and with integers of any size. */
function expected(effect: OfferEffect, lines: readonly DiscountableLine[]): bigint[] {
  const lefts = lines.map(({ leftMinor }) => BigInt(leftMinor));
  const whole = lefts.reduce((sum, left) => sum + left, 0n);
  switch (effect.kind) {
    case 'percent':
      return shared(halfUp(whole * BigInt(effect.basisPoints), 10_000n), lefts);
    case 'amount': {
      const asked = BigInt(effect.amountMinor);
      return shared(asked < whole ? asked : whole, lefts);
    }
    case 'fixed_price':
      return lines.map(({ quantity, leftMinor }) => {
        const above = BigInt(leftMinor) - BigInt(quantity) * BigInt(effect.unitPriceMinor);
        return above > 0n ? above : 0n;
      });
    case 'free_item':
      return given(effect.buy, effect.free, lines);
  }
}

const effects = fc.oneof(
  fc.integer({ min: 1, max: 10_000 }).map(percent),
  fc.integer({ min: 1, max: 10 ** 12 }).map(amount),
  fc.integer({ min: 1, max: 200 }).map(amount),
  fc.integer({ min: 0, max: 300 }).map(fixedPrice),
  fc.integer({ min: 0, max: 10 ** 12 }).map(fixedPrice),
  fc
    .tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 4 }))
    .map(([more, free]) => freeItem(free + more, free)),
);

const lines = fc.oneof(
  ...[200, 10 ** 9, 10 ** 15].map((max) =>
    fc.array(
      fc.record({ quantity: fc.integer({ min: 1, max: 7 }), leftMinor: fc.integer({ min: 0, max }) }),
      {
        minLength: 1,
        maxLength: 6,
      },
    ),
  ),
);

test('law: every share is what exact arithmetic gives, however large', () => {
  fc.assert(
    fc.property(effects, lines, (effect, given) => {
      const of = given.map((line, index) => ({ ...line, index }));
      const shares = expected(effect, of);
      expect(discountsOf(effect, of).map(BigInt)).toEqual(shares);
      expect(BigInt(discountOf(effect, of))).toBe(shares.reduce((sum, share) => sum + share, 0n));
    }),
    { numRuns: 2_000 },
  );
});

test.each<[string, OfferEffect, [quantity: number, leftMinor: number][], number[]]>([
  // 3 × 10^9 of 9 × 10^9 + 3: products beyond 2^53, where a double would lose the remainders.
  [
    'an amount',
    amount(3_000_000_000),
    [
      [1, 3_000_000_001],
      [1, 6_000_000_002],
    ],
    [1_000_000_000, 2_000_000_000],
  ],
  // 10^15 ÷ 10^6 against (10^15 + 1) ÷ (10^6 - 1): the second is dearer by a thousand.
  [
    'a free unit',
    freeItem(2, 1),
    [
      [999_999, 1_000_000_000_000_001],
      [1_000_000, 1_000_000_000_000_000],
    ],
    [0, 999_999_000_000_000],
  ],
])('%s of lines in the billions', (_what, effect, of, shares) => {
  const asked = of.map(([quantity, leftMinor], index) => ({ index, quantity, leftMinor }));
  expect(discountsOf(effect, asked)).toEqual(shares);
});

test('law: prices of a unit are ordered as their fractions, also where doubles cannot tell them apart', () => {
  const line = fc.record({
    index: fc.constant(0),
    quantity: fc.integer({ min: 1, max: 1_000_000 }),
    leftMinor: fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
  });
  const close = line.chain((a) =>
    fc.integer({ min: -2, max: 2 }).map((off): [DiscountableLine, DiscountableLine] => {
      const leftMinor = Math.min(Math.max(a.leftMinor + off, 0), Number.MAX_SAFE_INTEGER);
      return [a, { ...a, leftMinor }];
    }),
  );
  fc.assert(
    fc.property(fc.oneof(fc.tuple(line, line), close), ([a, b]) => {
      const exact = compare(
        BigInt(a.leftMinor) * BigInt(b.quantity),
        BigInt(b.leftMinor) * BigInt(a.quantity),
      );
      expect(Math.sign(comparePrices(a, b))).toBe(exact);
    }),
    { numRuns: 2_000 },
  );
});
