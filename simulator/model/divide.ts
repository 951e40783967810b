import type { Rounding } from '../../src/programs/document/document-values.ts';

/** Divides whole numbers with rounding. Neither may be negative; the divisor may not be zero. */
export function divide(dividend: bigint, divisor: bigint, rounding: Rounding): bigint {
  const whole = dividend / divisor;
  const twice = (dividend % divisor) * 2n;
  switch (rounding) {
    case 'floor':
      return whole;
    case 'ceil':
      return twice > 0n ? whole + 1n : whole;
    case 'nearest_half_up':
      return twice >= divisor ? whole + 1n : whole;
    case 'nearest_half_even':
      return twice > divisor || (twice === divisor && whole % 2n === 1n) ? whole + 1n : whole;
  }
}
