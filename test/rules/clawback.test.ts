import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type ClaimableLot, pointsDue, type ReturnedOrder, spreadClaim } from '../../src/rules/clawback.ts';

const MAX_MINOR = 10 ** 12;

function due(points: number, amountMinor: number, returnedMinor: number): number {
  const state = returnedMinor === amountMinor ? 'returned' : 'partially_returned';
  return pointsDue(points, { amountMinor, returnedMinor, state });
}

describe('points due of an order', () => {
  test.each([
    // points, value, returned so far, due so far
    [8, 300, 0, 0],
    [8, 300, 100, 3],
    [8, 300, 200, 5],
    [8, 300, 300, 8],
    // A half is rounded up: 1 × 1/2.
    [1, 2, 1, 1],
    [1, 3, 1, 0],
    [3, 2, 1, 2],
    [0, 100, 50, 0],
    // points × returned is far beyond 2^53.
    [Number.MAX_SAFE_INTEGER, MAX_MINOR, MAX_MINOR, Number.MAX_SAFE_INTEGER],
    [Number.MAX_SAFE_INTEGER, MAX_MINOR, MAX_MINOR - 1, 9_007_199_254_731_984],
    [Number.MAX_SAFE_INTEGER, 2, 1, 4_503_599_627_370_496],
  ])('%i points of an order of %i, of which %i went back: %i', (points, value, returned, expected) => {
    expect(due(points, value, returned)).toBe(expected);
  });

  test.each<[ReturnedOrder['state'], number]>([
    ['active', 0],
    ['partially_returned', 0],
    ['returned', 10],
  ])('10 points of an order of no value, %s: %i', (state, expected) => {
    expect(pointsDue(10, { amountMinor: 0, returnedMinor: 0, state })).toBe(expected);
  });

  test('8 points in three equal returns are 3, 2 and 3', () => {
    const steps = [100, 200, 300].map((returned) => due(8, 300, returned));
    expect(steps.map((step, index) => step - (steps[index - 1] ?? 0))).toEqual([3, 2, 3]);
  });

  const points = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
  const returns = fc.array(fc.integer({ min: 1, max: 10 ** 9 }), { minLength: 1, maxLength: 20 });

  test('law: any split of an order takes no less than nothing each time, and the whole in the end', () => {
    fc.assert(
      fc.property(points, returns, (granted, parts) => {
        const value = parts.reduce((sum, part) => sum + part, 0);
        let returned = 0;
        let taken = 0;
        for (const part of parts) {
          returned += part;
          const now = due(granted, value, returned) - taken;
          expect(now).toBeGreaterThanOrEqual(0);
          taken += now;
        }
        expect(taken).toBe(granted);
      }),
    );
  });

  test('law: what is due is no further than half a point from its share', () => {
    fc.assert(
      fc.property(points, fc.integer({ min: 1, max: MAX_MINOR }), fc.nat(), (granted, value, seed) => {
        const returned = seed % (value + 1);
        const off =
          2n * (BigInt(due(granted, value, returned)) * BigInt(value) - BigInt(granted) * BigInt(returned));
        expect(off > -BigInt(value) && off <= BigInt(value)).toBe(true);
      }),
    );
  });
});

describe('a claim on the lots of an order', () => {
  const lot = (id: string, granted: number, changes: Partial<ClaimableLot> = {}): ClaimableLot => ({
    id,
    granted,
    pending: 0,
    available: 0,
    reserved: 0,
    claimed: 0,
    ...changes,
  });

  test.each<[what: string, lots: ClaimableLot[], shortfall: number, claimed: [string, number][]]>([
    ['lies on the one lot', [lot('a', 10)], 4, [['a', 4]]],
    ['adds to an earlier claim', [lot('a', 10, { claimed: 3 })], 4, [['a', 7]]],
    ['goes to what is held first', [lot('a', 10), lot('b', 10, { reserved: 3 })], 3, [['b', 3]]],
    [
      'then to what else is not there',
      [lot('a', 10), lot('b', 10, { reserved: 3 })],
      5,
      [
        ['a', 2],
        ['b', 3],
      ],
    ],
    [
      'leaves alone what is there',
      [lot('a', 10, { available: 9 }), lot('b', 10)],
      5,
      [
        ['a', 1],
        ['b', 4],
      ],
    ],
    ['of nothing is none', [lot('a', 10)], 0, []],
  ])('%s', (_what, lots, shortfall, claimed) => {
    expect([...spreadClaim(lots, shortfall)]).toEqual(claimed);
  });

  test('is never more than the lots lack', () => {
    expect(() => spreadClaim([lot('a', 10, { pending: 4, available: 4, claimed: 1 })], 2)).toThrow(
      RangeError,
    );
  });

  test('law: it is spread whole, and no lot is claimed for more than it lacks', () => {
    const amounts = fc.record({
      pending: fc.nat(20),
      available: fc.nat(20),
      reserved: fc.nat(20),
      spent: fc.nat(20),
      claimed: fc.nat(20),
    });
    fc.assert(
      fc.property(fc.array(amounts, { minLength: 1, maxLength: 4 }), fc.nat(), (drawn, seed) => {
        const lots = drawn.map(({ spent, claimed, ...held }, index) => {
          const lacks = held.reserved + spent;
          const granted = lacks + held.pending + held.available;
          return lot(String(index), granted, { ...held, claimed: Math.min(claimed, lacks) });
        });
        const lacks = lots.map((row) => row.granted - row.pending - row.available - row.claimed);
        const shortfall = seed % (lacks.reduce((sum, part) => sum + part, 0) + 1);
        const claims = spreadClaim(lots, shortfall);
        const added = lots.map((row) => (claims.get(row.id) ?? row.claimed) - row.claimed);
        expect(added.reduce((sum, part) => sum + part, 0)).toBe(shortfall);
        expect(added.every((part, index) => part >= 0 && part <= (lacks[index] ?? 0))).toBe(true);
      }),
    );
  });
});
