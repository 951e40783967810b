import type { OfferEffect } from '../../programs/document/offer-document.ts';
import { divideExactly, largestRemainder } from '../shared/largest-remainder.ts';

/** 100 percent in basis points (hundredths of a percent). */
const WHOLE = 10_000;

/** A line that an offer matches. */
export interface DiscountableLine {
  /** Position in the cart. */
  index: number;
  /** At least 1. */
  quantity: number;
  /** Price of the line after the offers that applied before, in minor currency units. */
  leftMinor: number;
}

/**
 * The discount of an effect on each line, in minor currency units: never more than is left of the line.
 *
 * A percentage is taken of what is left of all lines together, and rounded half up once. A percentage or an amount is
 * then allocated in proportion to what is left of each line, by largest remainder. Sums and products are exact.
 * @param lines the matched lines, in the order that breaks ties (../shared/line-order.ts); their sum is at most 2^53-1
 * @returns the lines' shares, in the order of `lines`
 */
export function discountsOf(effect: OfferEffect, lines: readonly DiscountableLine[]): number[] {
  switch (effect.kind) {
    case 'percent':
    case 'amount':
      return largestRemainder(
        discountOf(effect, lines),
        lines.map(({ leftMinor }) => leftMinor),
      );
    case 'fixed_price':
      return lines.map((line) => aboveFixedPrice(effect, line));
    case 'free_item':
      return freeUnits(effect, lines);
  }
}

/** The sum of the shares that `discountsOf` gives. */
export function discountOf(effect: OfferEffect, lines: readonly DiscountableLine[]): number {
  switch (effect.kind) {
    case 'percent': {
      const { quotient, remainder } = divideExactly(leftOf(lines), effect.basisPoints, WHOLE);
      return remainder * 2 >= WHOLE ? quotient + 1 : quotient;
    }
    case 'amount':
      return Math.min(effect.amountMinor, leftOf(lines));
    case 'fixed_price':
      return lines.reduce((sum, line) => sum + aboveFixedPrice(effect, line), 0);
    case 'free_item':
      return freeUnits(effect, lines).reduce((sum, share) => sum + share, 0);
  }
}

/** The sum of what is left of the lines. */
export function leftOf(lines: readonly DiscountableLine[]): number {
  let sum = 0;
  for (const { leftMinor } of lines) sum += leftMinor;
  return sum;
}

function aboveFixedPrice(
  { unitPriceMinor }: Extract<OfferEffect, { kind: 'fixed_price' }>,
  { quantity, leftMinor }: DiscountableLine,
): number {
  // A product above 2^53 is not exact, but it is more than can be left of a line.
  return Math.max(0, leftMinor - quantity * unitPriceMinor);
}

/**
 * For every `buy` matched units, the `free` cheapest ones are free. The price of a unit is what is left of its line ÷
 * its quantity.
 */
function freeUnits(
  { buy, free }: Extract<OfferEffect, { kind: 'free_item' }>,
  lines: readonly DiscountableLine[],
): number[] {
  const units = lines.reduce((sum, { quantity }) => sum + quantity, 0);
  let toGive = Math.floor(units / buy) * Math.min(free, buy);
  const shares = lines.map(() => 0);
  const cheapestFirst = lines
    .map((_, place) => place)
    .sort((a, b) => comparePrices(lines[a], lines[b]) || a - b);
  for (const index of cheapestFirst) {
    const { quantity, leftMinor } = lines[index] ?? { quantity: 1, leftMinor: 0 };
    const freeCount = Math.min(toGive, quantity);
    toGive -= freeCount;
    const { quotient, remainder } = divideExactly(leftMinor, freeCount, quantity);
    shares[index] = remainder * 2 >= quantity ? quotient + 1 : quotient;
    if (toGive === 0) break;
  }
  return shares;
}

/** Compares the prices of a unit exactly: two fractions that are close are multiplied crosswise. */
export function comparePrices(a: DiscountableLine | undefined, b: DiscountableLine | undefined): number {
  if (!a || !b) return 0;
  const [priceOfA, priceOfB] = [a.leftMinor / a.quantity, b.leftMinor / b.quantity];
  // Each quotient is wrong by at most half of a unit in its last place: prices further apart are in this order.
  if (Math.abs(priceOfA - priceOfB) > 4 * Number.EPSILON * Math.max(priceOfA, priceOfB)) {
    return priceOfA - priceOfB;
  }
  const [ofA, ofB] = [a.leftMinor * b.quantity, b.leftMinor * a.quantity];
  if (Number.isSafeInteger(ofA) && Number.isSafeInteger(ofB)) return ofA - ofB;
  const difference = BigInt(a.leftMinor) * BigInt(b.quantity) - BigInt(b.leftMinor) * BigInt(a.quantity);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}
