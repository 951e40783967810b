import { type PurchaseLine, pointsOfLines, type Quantities, worthOfLines } from './shared/line-value.ts';
import { roundFraction } from './shared/rounding.ts';

/**
 * The points of an order that are due back for all its returns together: round-half-up(points × returned ÷ value),
 * computed exactly. Each return claws back this number less the number before it, so that returning the whole order
 * claws back the whole award, in however many returns (decisions, "Returns"). An order of no value has no share of it:
 * its points are due when all of its lines went back.
 * @param points of the whole award, campaign points included
 * @param order its value and what of it was returned, in minor currency units, this return included, and its state then
 */
export function pointsDue(points: number, { amountMinor, returnedMinor, state }: ReturnedOrder): number {
  if (amountMinor === 0) return state === 'returned' ? points : 0;
  return Number(
    roundFraction(BigInt(points) * BigInt(returnedMinor), BigInt(amountMinor), 'nearest_half_up'),
  );
}

/**
 * The points that are due back of an order whose lines have points, for all its returns together: those of the lines
 * that went back; and of the other points, as many as the returns by amount are of the other value, rounded half up.
 * Returns by amount alone so take back what `pointsDue` says, returns by line alone just the points of their lines, and
 * the whole order its whole award.
 * @param lines of the order, each with its points
 * @param returned the quantities that returns by line took back, by lineReference
 */
export function pointsDueByLine(
  points: number,
  { amountMinor, returnedMinor, state }: ReturnedOrder,
  lines: readonly PurchaseLine[],
  returned: Quantities,
): number {
  if (state === 'returned') return points;
  const worth = worthOfLines(lines, amountMinor, returned);
  const ofLines = pointsOfLines(lines, returned);
  const byAmount = returnedMinor - worth;
  if (byAmount === 0) return ofLines;
  const ofAmount = BigInt(points - ofLines) * BigInt(byAmount);
  return ofLines + Number(roundFraction(ofAmount, BigInt(amountMinor - worth), 'nearest_half_up'));
}

/** How much of an order was returned. */
export interface ReturnedOrder {
  amountMinor: number;
  /** At most `amountMinor`. */
  returnedMinor: number;
  state: 'active' | 'partially_returned' | 'returned';
}

/** A lot, as far as it says how many points can still be claimed of it. */
export interface ClaimableLot {
  id: string;
  granted: number;
  pending: number;
  available: number;
  reserved: number;
  claimed: number;
}

/**
 * Spreads a claim over an order's lots: first over reserved points, which may come back soonest, then over points that
 * have left the lot. No lot is claimed for more points than it lacks (granted less pending and available).
 * @param shortfall no more than the lots lack together
 * @returns the total claim on each lot, for the lots whose claim has grown
 */
export function spreadClaim(lots: readonly ClaimableLot[], shortfall: number): Map<string, number> {
  const claims = new Map(lots.map((lot) => [lot.id, lot.claimed]));
  let remaining = shortfall;
  const claimUpTo = (bound: (lot: ClaimableLot) => number): void => {
    for (const lot of lots) {
      const before = claims.get(lot.id) ?? 0;
      const added = Math.min(remaining, Math.max(0, bound(lot) - before));
      claims.set(lot.id, before + added);
      remaining -= added;
    }
  };
  claimUpTo((lot) => lot.reserved);
  claimUpTo((lot) => lot.granted - lot.pending - lot.available);
  if (remaining > 0) throw new RangeError(`${remaining} points more are claimed than the order's lots lack`);
  return new Map(
    lots
      .map(({ id, claimed }): [string, number, number] => [id, claimed, claims.get(id) ?? 0])
      .filter(([, before, after]) => after > before)
      .map(([id, , after]) => [id, after]),
  );
}
