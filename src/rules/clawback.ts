import { roundFraction } from './shared/rounding.ts';

/**
 * The points of an order that are due back once so much of its value has been returned, all its returns together:
 * round-half-up(points × returned ÷ value), exact. Each return takes this less what the ones before it did, so that
 * however an order is split, the whole of it takes the whole (decisions, "Returns"). Nothing is due of an order of no
 * value.
 * @param points of the whole award, campaign points included
 * @param returnedMinor in minor currency units; no more than the order's value
 */
export function pointsDue(points: number, orderMinor: number, returnedMinor: number): number {
  if (orderMinor === 0) return 0;
  return Number(roundFraction(BigInt(points) * BigInt(returnedMinor), BigInt(orderMinor), 'nearest_half_up'));
}

/** What of a lot says how much can still be claimed of it. */
export interface ClaimableLot {
  id: string;
  granted: number;
  pending: number;
  available: number;
  reserved: number;
  claimed: number;
}

/**
 * Spreads a claim over an order's lots: first over what is held, which may come back soonest, then over what else is
 * not there. A lot is claimed for no more than it lacks.
 * @param shortfall no more than the lots lack together
 * @returns what each lot is claimed for in all, of those that are claimed for more than before
 */
export function spreadClaim(lots: readonly ClaimableLot[], shortfall: number): Map<string, number> {
  const claims = new Map(lots.map((lot) => [lot.id, lot.claimed]));
  let left = shortfall;
  const claimUpTo = (bound: (lot: ClaimableLot) => number): void => {
    for (const lot of lots) {
      const before = claims.get(lot.id) ?? 0;
      const added = Math.min(left, Math.max(0, bound(lot) - before));
      claims.set(lot.id, before + added);
      left -= added;
    }
  };
  claimUpTo((lot) => lot.reserved);
  claimUpTo((lot) => lot.granted - lot.pending - lot.available);
  if (left > 0) throw new RangeError(`${left} points more are claimed than the order's lots lack`);
  return new Map(
    lots
      .map(({ id, claimed }): [string, number, number] => [id, claimed, claims.get(id) ?? 0])
      .filter(([, before, after]) => after > before)
      .map(([id, , after]) => [id, after]),
  );
}
