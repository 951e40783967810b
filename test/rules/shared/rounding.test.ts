import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Rounding } from '../../../src/programs/document/document-values.ts';
import { roundFraction } from '../../../src/rules/shared/rounding.ts';

const all: Rounding[] = ['floor', 'ceil', 'nearest_half_up', 'nearest_half_even'];

describe('each rounding of the same fraction', () => {
  //     numerator, denominator, floor, ceil, half up, half even
  test.each([
    [0n, 1n, 0n, 0n, 0n, 0n],
    [6n, 3n, 2n, 2n, 2n, 2n],
    [1n, 3n, 0n, 1n, 0n, 0n],
    [2n, 3n, 0n, 1n, 1n, 1n],
    [1n, 2n, 0n, 1n, 1n, 0n],
    [3n, 2n, 1n, 2n, 2n, 2n],
    [5n, 2n, 2n, 3n, 3n, 2n],
    [7n, 2n, 3n, 4n, 4n, 4n],
    [249n, 100n, 2n, 3n, 2n, 2n],
    [251n, 100n, 2n, 3n, 3n, 3n],
    [3n, 7n, 0n, 1n, 0n, 0n],
    [4n, 7n, 0n, 1n, 1n, 1n],
    // Beyond what a double holds: the half is exact.
    [
      18_014_398_509_481_985n,
      2n,
      9_007_199_254_740_992n,
      9_007_199_254_740_993n,
      9_007_199_254_740_993n,
      9_007_199_254_740_992n,
    ],
  ])('%p / %p', (numerator, denominator, ...expected) => {
    expect(all.map((rounding) => roundFraction(numerator, denominator, rounding))).toEqual(expected);
  });
});

test('law: the result is a neighbour, and the nearest ones are no further off than half', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 10n ** 24n }),
      fc.bigInt({ min: 1n, max: 10n ** 12n }),
      fc.constantFrom(...all),
      (numerator, denominator, rounding) => {
        const off = roundFraction(numerator, denominator, rounding) * denominator - numerator;
        const distance = off < 0n ? -off : off;
        expect(distance < denominator).toBe(true);
        if (rounding === 'floor') expect(off <= 0n).toBe(true);
        if (rounding === 'ceil') expect(off >= 0n).toBe(true);
        if (rounding.startsWith('nearest')) expect(2n * distance <= denominator).toBe(true);
      },
    ),
  );
});
