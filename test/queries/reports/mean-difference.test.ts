import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { meanDifference, type Sample } from '../../../src/queries/reports/mean-difference.ts';

/** The mean and variance of values, as the database computes them. */
function sample(values: readonly number[]): Sample {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { members: values.length, mean, variance: values.length > 1 ? squares / (values.length - 1) : 0 };
}

test('the interval is that of a textbook', () => {
  // Two drugs against sleeplessness, ten patients each (Student 1908): Welch gives -1.58, from -3.3655 to 0.2055.
  const one = sample([0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2]);
  const other = sample([1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]);
  const { difference, low, high } = meanDifference(one, other);
  expect(difference).toBeCloseTo(-1.58, 10);
  expect(low).toBeCloseTo(-3.3654832, 6);
  expect(high).toBeCloseTo(0.2054832, 6);
});

test('of many members it is that of the normal distribution', () => {
  const group = (mean: number): Sample => ({ members: 1_000_000, mean, variance: 100 });
  const { low, high } = meanDifference(group(5), group(4));
  expect(low).toBeCloseTo(1 - 1.959964 * Math.sqrt(2e-4), 6);
  expect(high).toBeCloseTo(1 + 1.959964 * Math.sqrt(2e-4), 6);
});

test.each<[what: string, one: number[], other: number[], low: number | null]>([
  ['one member', [1], [1, 2], null],
  ['nobody', [1, 2], [], null],
  ['members who are all alike', [3, 3], [1, 1], 2],
])('there is an interval only where something varies: %s', (_what, one, other, low) => {
  const of = (values: number[]): Sample =>
    values.length === 0 ? { members: 0, mean: 0, variance: 0 } : sample(values);
  expect(meanDifference(of(one), of(other)).low).toBe(low);
});

test('the difference lies in the middle of its interval, and the groups can be exchanged', () => {
  const values = fc.array(fc.integer({ min: 0, max: 1_000 }), { minLength: 2, maxLength: 50 });
  fc.assert(
    fc.property(values, values, (one, other) => {
      const { difference, low, high } = meanDifference(sample(one), sample(other));
      expect(((low ?? 0) + (high ?? 0)) / 2).toBeCloseTo(difference, 6);
      const exchanged = meanDifference(sample(other), sample(one));
      expect(exchanged.low).toBeCloseTo(-(high ?? 0), 6);
    }),
  );
});
