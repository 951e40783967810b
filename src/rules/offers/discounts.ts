import type { OfferEffect } from '../../programs/offer-document.ts';
import { roundFraction } from '../rounding.ts';

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
    case 'percent': {
      const worth = BigInt(leftOf(lines)) * BigInt(effect.basisPoints);
      return allocate(Number(roundFraction(worth, 10_000n, 'nearest_half_up')), lines);
    }
    case 'amount':
      return allocate(effect.amountMinor, lines);
    case 'fixed_price':
      return lines.map(({ quantity, leftMinor }) =>
        // Beyond 2^53 the product is not exact, but then it is above anything that can be left.
        Math.max(0, leftMinor - quantity * effect.unitPriceMinor),
      );
    case 'free_item':
      return freeUnits(effect, lines);
  }
}

/** What is left of lines together. */
export function leftOf(lines: readonly DiscountableLine[]): number {
  return lines.reduce((sum, { leftMinor }) => sum + leftMinor, 0);
}

/** Splits an amount over lines in proportion to what is left of them: whole units down, the rest by largest remainder. */
function allocate(amountMinor: number, lines: readonly DiscountableLine[]): number[] {
  const whole = leftOf(lines);
  if (amountMinor >= whole) return lines.map(({ leftMinor }) => leftMinor);
  const [amount, divisor] = [BigInt(amountMinor), BigInt(whole)];
  const exact = lines.map(({ leftMinor }) => amount * BigInt(leftMinor));
  const shares = exact.map((product) => Number(product / divisor));
  const missing = amountMinor - shares.reduce((sum, share) => sum + share, 0);
  const byRemainder = exact
    .map((product, place) => ({ place, remainder: product % divisor }))
    .sort((a, b) => (a.remainder === b.remainder ? a.place - b.place : a.remainder < b.remainder ? 1 : -1));
  for (const { place } of byRemainder.slice(0, missing)) shares[place] = (shares[place] ?? 0) + 1;
  return shares;
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
    .map((line, place) => ({ ...line, place }))
    .sort((a, b) => {
      const [ofA, ofB] = [BigInt(a.leftMinor) * BigInt(b.quantity), BigInt(b.leftMinor) * BigInt(a.quantity)];
      return ofA === ofB ? a.place - b.place : ofA < ofB ? -1 : 1;
    });
  for (const { place, quantity, leftMinor } of cheapestFirst) {
    const given = Math.min(toGive, quantity);
    toGive -= given;
    const worth = BigInt(leftMinor) * BigInt(given);
    shares[place] = Number(roundFraction(worth, BigInt(quantity), 'nearest_half_up'));
    if (toGive === 0) break;
  }
  return shares;
}
