import type { PlainLines } from '../programs/lines.ts';
import type { PurchasedItem } from './purchase-input.ts';

/** A line of a purchase; or, with index null, the part of its amount that no line explains. */
export interface Part {
  index: number | null;
  item: PurchasedItem | null;
  /** Minor units. */
  worth: number;
  /** Points of the earn rules, after the tier. */
  base: number;
  /** Points in all. */
  points: number;
}

/** The parts of a purchase: its lines by price, quantity, reference and category, and what they do not explain. */
export function partsOf(items: readonly PurchasedItem[], amountMinor: number): Part[] {
  const lines = items.map((item, index) => ({ item, index }));
  lines.sort(({ item: a }, { item: b }) => {
    const prices = (a.unitPriceMinor ?? 0) - (b.unitPriceMinor ?? 0);
    const quantities = (a.quantity ?? 1) - (b.quantity ?? 1);
    return prices || quantities || (a.lineReference < b.lineReference ? -1 : 1);
  });
  const free = items.every(({ unitPriceMinor = 0 }) => unitPriceMinor === 0);
  const priceOf = ({ quantity = 1, unitPriceMinor = 0 }: PurchasedItem): number =>
    quantity * (free ? 1 : unitPriceMinor);
  const whole = items.reduce((sum, item) => sum + priceOf(item), 0);
  const explained = items.length === 0 ? 0 : free ? amountMinor : Math.min(whole, amountMinor);
  let reached = 0;
  let given = 0;
  const parts = lines.map(({ item, index }): Part => {
    reached += priceOf(item);
    const upTo = halfUp(explained, reached, whole);
    const worth = upTo - given;
    given = upTo;
    return { index, item, worth, base: 0, points: 0 };
  });
  return [...parts, { index: null, item: null, worth: amountMinor - explained, base: 0, points: 0 }];
}

/** The parts that a rule or a campaign is for. */
export function meantBy(lines: PlainLines, parts: readonly Part[]): Part[] {
  if (lines === 'none') return parts.filter(({ item, worth }) => item === null && worth > 0);
  return parts.filter(
    ({ item }) =>
      item !== null &&
      (lines.categories === null || lines.categories.includes(item.category)) &&
      (lines.leastPrice === null || (item.unitPriceMinor ?? -1) >= lines.leastPrice),
  );
}

/**
 * Hands points out over parts in proportion to what `by` says, or to the pieces where that is nothing; the points that
 * are left over go to the largest fractions, first to the first.
 */
export function handOut(points: number, parts: readonly Part[], by: (part: Part) => number): number[] {
  const shares = parts.map(() => 0);
  if (points === 0) return shares;
  const weighed = parts.some((part) => by(part) > 0);
  const weights = parts.map((part) => BigInt(weighed ? by(part) : piecesOf(part, parts)));
  const whole = weights.reduce((sum, weight) => sum + weight, 0n);
  let over = points;
  const fractions = weights.map((weight, place) => {
    const product = BigInt(points) * weight;
    shares[place] = Number(product / whole);
    over -= shares[place];
    return { place, fraction: product % whole };
  });
  fractions.sort((a, b) =>
    a.fraction === b.fraction ? a.place - b.place : a.fraction > b.fraction ? -1 : 1,
  );
  for (const { place } of fractions.slice(0, over)) shares[place] = (shares[place] ?? 0) + 1;
  return shares;
}

/** What a receipt shows of parts: in the order of the purchase, without a remainder of nothing. */
export function shown(parts: readonly Part[]) {
  return parts
    .filter(({ index, worth, points }) => index !== null || worth + points > 0)
    .sort((a, b) => (a.index ?? 1e9) - (b.index ?? 1e9))
    .map(({ index, item, worth, points }) => ({
      index,
      lineReference: item?.lineReference ?? null,
      valueMinor: worth,
      points,
    }));
}

function piecesOf({ item }: Part, parts: readonly Part[]): number {
  if (item) return item.quantity ?? 1;
  return parts.length === 1 ? 1 : 0;
}

function halfUp(amount: number, part: number, whole: number): number {
  const divisor = 2n * BigInt(whole);
  return Number((2n * BigInt(amount) * BigInt(part) + BigInt(whole)) / divisor);
}
