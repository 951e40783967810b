import type { OfferEffect } from '../../programs/document/offer-document.ts';

/** All of it, in hundredths of a percent. */
const WHOLE = 10_000;

/** A line that an offer matches. */
export interface DiscountableLine {
  /** Position in the cart. */
  index: number;
  /** At least 1. */
  quantity: number;
  /** What the line still costs after the offers before, in minor currency units. */
  leftMinor: number;
}

/**
 * What an effect takes off each line, in minor currency units: never more than is left of it.
 *
 * A percentage is of what is left of the lines together, rounded half up once. It and an amount are allocated in
 * proportion to what is left of each line, by largest remainder. Sums and products are exact.
 * @param lines the matched ones in the order by which ties go (line-order.ts); their sum is at most 2^53-1
 * @returns the lines' shares, in the order of `lines`
 */
export function discountsOf(effect: OfferEffect, lines: readonly DiscountableLine[]): number[] {
  switch (effect.kind) {
    case 'percent':
    case 'amount':
      return allocate(discountOf(effect, lines), lines);
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
      const { quotient, remainder } = divide(leftOf(lines), effect.basisPoints, WHOLE);
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

/** What is left of lines together. */
export function leftOf(lines: readonly DiscountableLine[]): number {
  let sum = 0;
  for (const { leftMinor } of lines) sum += leftMinor;
  return sum;
}

function aboveFixedPrice(
  { unitPriceMinor }: Extract<OfferEffect, { kind: 'fixed_price' }>,
  { quantity, leftMinor }: DiscountableLine,
): number {
  // Beyond 2^53 the product is not exact, but then it is above anything that can be left.
  return Math.max(0, leftMinor - quantity * unitPriceMinor);
}

/**
 * Splits an amount over lines in proportion to what is left of them: whole units down, the rest by largest remainder.
 * @param amountMinor at most what is left of the lines
 */
function allocate(amountMinor: number, lines: readonly DiscountableLine[]): number[] {
  const whole = leftOf(lines);
  if (amountMinor === whole) return lines.map(({ leftMinor }) => leftMinor);
  let missing = amountMinor;
  const parts = lines.map(({ leftMinor }, place) => {
    const part = { place, ...divide(amountMinor, leftMinor, whole) };
    missing -= part.quotient;
    return part;
  });
  const shares = parts.map(({ quotient }) => quotient);
  if (missing === 0) return shares;
  parts.sort((a, b) => b.remainder - a.remainder || a.place - b.place);
  for (const { place, quotient } of parts.slice(0, missing)) shares[place] = quotient + 1;
  return shares;
}

/** amount × part ÷ whole, exact: in bigint where the product is beyond 2^53. */
function divide(amount: number, part: number, whole: number): { quotient: number; remainder: number } {
  const product = amount * part;
  if (Number.isSafeInteger(product)) {
    const remainder = product % whole;
    return { quotient: (product - remainder) / whole, remainder };
  }
  const [exact, divisor] = [BigInt(amount) * BigInt(part), BigInt(whole)];
  return { quotient: Number(exact / divisor), remainder: Number(exact % divisor) };
}

/** For each `buy` of all matched units, `free` of the cheapest ones; a unit costs its part of what is left of its line. */
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
  for (const place of cheapestFirst) {
    const { quantity, leftMinor } = lines[place] ?? { quantity: 1, leftMinor: 0 };
    const given = Math.min(toGive, quantity);
    toGive -= given;
    const { quotient, remainder } = divide(leftMinor, given, quantity);
    shares[place] = remainder * 2 >= quantity ? quotient + 1 : quotient;
    if (toGive === 0) break;
  }
  return shares;
}

/** By what a unit costs, exactly: fractions are compared crosswise. */
function comparePrices(a: DiscountableLine | undefined, b: DiscountableLine | undefined): number {
  if (!a || !b) return 0;
  const [ofA, ofB] = [a.leftMinor * b.quantity, b.leftMinor * a.quantity];
  if (Number.isSafeInteger(ofA) && Number.isSafeInteger(ofB)) return ofA - ofB;
  const difference = BigInt(a.leftMinor) * BigInt(b.quantity) - BigInt(b.leftMinor) * BigInt(a.quantity);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}
