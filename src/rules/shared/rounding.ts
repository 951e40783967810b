import type { Rounding } from '../../programs/document/document-values.ts';

/**
 * Rounds the exact fraction numerator ÷ denominator to an integer.
 * @param numerator not negative
 * @param denominator positive
 */
export function roundFraction(numerator: bigint, denominator: bigint, rounding: Rounding): bigint {
  const quotient = numerator / denominator;
  const remainder = numerator % denominator;
  if (remainder === 0n) return quotient;
  switch (rounding) {
    case 'floor':
      return quotient;
    case 'ceil':
      return quotient + 1n;
    case 'nearest_half_up':
      return 2n * remainder >= denominator ? quotient + 1n : quotient;
    case 'nearest_half_even': {
      const twice = 2n * remainder;
      if (twice === denominator) return quotient % 2n === 0n ? quotient : quotient + 1n;
      return twice > denominator ? quotient + 1n : quotient;
    }
  }
}
