import { roundFraction } from './shared/rounding.ts';

/** The parts of a purchase's item that its value is computed from. */
export interface PurchaseLine {
  /** Items without one cannot be returned by line; items with the same one are one line. */
  lineReference?: string | null;
  /** 1 where absent. */
  quantity?: number | null;
  /** Price of one, in minor currency units. */
  unitPriceMinor?: number | null;
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
  const priced = lines.some(({ unitPriceMinor }) => unitPriceMinor);
  const left = new Map(returned);
  let whole = 0n;
  let gone = 0n;
  for (const { lineReference, quantity, unitPriceMinor } of lines) {
    const bought = quantity ?? 1;
    const price = BigInt(priced ? (unitPriceMinor ?? 0) : 1);
    whole += BigInt(bought) * price;
    if (!lineReference) continue;
    const goes = Math.min(bought, left.get(lineReference) ?? 0);
    gone += BigInt(goes) * price;
    left.set(lineReference, (left.get(lineReference) ?? 0) - goes);
  }
  return whole === 0n ? 0 : Number(roundFraction(BigInt(orderMinor) * gone, whole, 'nearest_half_up'));
}
