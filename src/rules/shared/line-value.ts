import { roundFraction } from './rounding.ts';

/** The parts of a purchase's item that its value is computed from. */
export interface PurchaseLine {
  /** Items without one cannot be returned by line; items with the same one are one line. */
  lineReference?: string | null | undefined;
  /** 1 where absent. */
  quantity?: number | null | undefined;
  /** Price of one, in minor currency units. */
  unitPriceMinor?: number | null | undefined;
  /**
   * What it earned, in the smallest loyalty unit. Only the lines of orders that were evaluated under a program that
   * earns by line have them.
   */
  points?: number;
}

/** Quantities by lineReference. */
export type Quantities = ReadonlyMap<string, number>;

/** The quantity that was bought of each line that can be returned by line. */
export function boughtQuantities(lines: readonly PurchaseLine[]): Quantities {
  return addedUp(
    lines.flatMap(({ lineReference, quantity }) =>
      lineReference ? [{ lineReference, quantity: quantity ?? 1 }] : [],
    ),
  );
}

/** Adds up quantities that name the same line. */
export function addedUp(items: readonly { lineReference: string; quantity: number }[]): Quantities {
  const sums = new Map<string, number>();
  for (const { lineReference, quantity } of items) {
    sums.set(lineReference, (sums.get(lineReference) ?? 0) + quantity);
  }
  return sums;
}

/**
 * The value of all returned quantities of an order together: the order's amount in proportion to the lines' values
 * (quantity × unit price), rounded half up. The value of one return is this number less the number before it, so that
 * all lines together are worth exactly the order's amount, in however many returns (decisions, "Returns").
 *
 * An item without a price has no value where another item has a price; where no item has one, every unit has the same
 * value. Units of items with the same lineReference are returned in the order in which the purchase lists the items.
 * @param returned of each line, at most the quantity that was bought
 * @returns minor currency units
 */
export function worthOfLines(
  lines: readonly PurchaseLine[],
  orderMinor: number,
  returned: Quantities,
): number {
  const priced = arePriced(lines);
  let total = 0n;
  let returnedWorth = 0n;
  for (const { line, quantity, goes } of goneOf(lines, returned)) {
    const price = priceOf(line, priced);
    total += BigInt(quantity) * price;
    returnedWorth += BigInt(goes) * price;
  }
  return partOf(orderMinor, returnedWorth, total);
}

/**
 * The value of each line of a purchase, as `worthOfLines` values lines that go back one after the other in this order:
 * their sum is exactly `orderMinor`, or 0 without lines.
 * @returns minor currency units, in the order of the lines
 */
export function valuesOfLines(lines: readonly PurchaseLine[], orderMinor: number): number[] {
  const priced = arePriced(lines);
  const total = pricesOf(lines, priced);
  let before = 0n;
  return lines.map((line) => {
    const after = before + pricesOf([line], priced);
    const value = partOf(orderMinor, after, total) - partOf(orderMinor, before, total);
    before = after;
    return value;
  });
}

/**
 * The part of a purchase's amount that its lines explain: their prices, up to the amount; all of it where no line has a
 * price. The rest is delivery, tips and the like.
 */
export function explainedByLines(lines: readonly PurchaseLine[], amountMinor: number): number {
  if (lines.length === 0) return 0;
  if (!arePriced(lines)) return amountMinor;
  const prices = pricesOf(lines);
  return prices < BigInt(amountMinor) ? Number(prices) : amountMinor;
}

/**
 * The points of all returned quantities of an order together: of each line in proportion to its quantity, rounded half
 * up. All of a line's units together have exactly the line's points.
 */
export function pointsOfLines(lines: readonly PurchaseLine[], returned: Quantities): number {
  let points = 0;
  for (const { line, quantity, goes } of goneOf(lines, returned)) {
    points += partOf(line.points ?? 0, BigInt(goes), BigInt(quantity));
  }
  return points;
}

/** Each line with the units of it that went back. */
function* goneOf(lines: readonly PurchaseLine[], returned: Quantities) {
  const remaining = new Map(returned);
  for (const line of lines) {
    const quantity = line.quantity ?? 1;
    const ofReference = (line.lineReference && remaining.get(line.lineReference)) || 0;
    const goes = Math.min(quantity, ofReference);
    if (line.lineReference) remaining.set(line.lineReference, ofReference - goes);
    yield { line, quantity, goes };
  }
}

function arePriced(lines: readonly PurchaseLine[]): boolean {
  return lines.some(({ unitPriceMinor }) => unitPriceMinor);
}

/** Quantity × unit price of all lines. @param priced whether any line of the purchase has a price */
function pricesOf(lines: readonly PurchaseLine[], priced: boolean = arePriced(lines)): bigint {
  let sum = 0n;
  for (const line of lines) sum += BigInt(line.quantity ?? 1) * priceOf(line, priced);
  return sum;
}

function priceOf({ unitPriceMinor }: PurchaseLine, priced: boolean): bigint {
  return BigInt(priced ? (unitPriceMinor ?? 0) : 1);
}

/** amount × part ÷ whole, rounded half up; 0 of nothing. */
function partOf(amount: number, part: bigint, total: bigint): number {
  return total === 0n ? 0 : Number(roundFraction(BigInt(amount) * part, total, 'nearest_half_up'));
}
