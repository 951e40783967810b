import { roundFraction } from '../../../rules/shared/rounding.ts';

/** An exact non-negative fraction. */
export interface Exact {
  numerator: bigint;
  denominator: bigint;
}

/**
 * Rounds amounts so that they add up (largest remainder method): their exact sum is rounded half up, each amount is
 * rounded down, and the missing units go one by one to the amounts with the largest remainders; of equal ones, to the
 * first.
 */
export function allocate(amounts: readonly Exact[]): bigint[] {
  const total = amounts.reduce(add, { numerator: 0n, denominator: 1n });
  const floors = amounts.map(({ numerator, denominator }) => numerator / denominator);
  const missing =
    roundFraction(total.numerator, total.denominator, 'nearest_half_up') - floors.reduce(plus, 0n);
  const byRemainder = amounts
    .map(({ numerator, denominator }, index) => ({ index, rest: numerator % denominator, denominator }))
    .toSorted((a, b) => compare(b.rest * a.denominator, a.rest * b.denominator) || a.index - b.index);
  for (const { index } of byRemainder.slice(0, Math.max(0, Number(missing))))
    floors[index] = (floors[index] ?? 0n) + 1n;
  return floors;
}

export function exact(numerator: bigint, { numerator: above, denominator }: Fractional): Exact {
  return { numerator: numerator * BigInt(above), denominator: BigInt(denominator) };
}

interface Fractional {
  numerator: number;
  denominator: number;
}

function add(a: Exact, b: Exact): Exact {
  if (a.denominator === b.denominator) return { ...a, numerator: a.numerator + b.numerator };
  const numerator = a.numerator * b.denominator + b.numerator * a.denominator;
  const denominator = a.denominator * b.denominator;
  const divisor = gcd(numerator, denominator);
  return { numerator: numerator / divisor, denominator: denominator / divisor };
}

function gcd(a: bigint, b: bigint): bigint {
  return b === 0n ? a : gcd(b, a % b);
}

function plus(a: bigint, b: bigint): bigint {
  return a + b;
}

function compare(a: bigint, b: bigint): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
