import type { LotAmount } from '../../ledger/books/lot-amounts.ts';
import type { ReservationRecord } from '../../ledger/tables/redemption-reservations.ts';
import { type Refusal, refuse } from '../../refusal.ts';
import { pointsGivenBack } from '../../rules/pay-with-points.ts';

/** The part of a committed redemption that a reversal gives back. */
export interface ReversedPart {
  /** 0 where the part of the discount is worth less than half a point. */
  points: number;
  /** Of the discount, in minor currency units; null where the reward has a fixed price. */
  amountMinor: number | null;
  /** Whether nothing is left of the redemption after it. */
  isLast: boolean;
}

/**
 * Refuses to reverse an amount that the redemption does not have.
 * @param amountMinor of the discount; null for all that is left
 */
export function refusePart(
  { terms: { discount }, reversedMinor }: ReservationRecord,
  amountMinor: number | null,
): Refusal<'reversal_form_invalid' | 'reversal_exceeds_remaining'> | null {
  if (amountMinor === null) return null;
  if (!discount) {
    return refuse(
      'reversal_form_invalid',
      'The reward has a fixed price: it can only be reversed as a whole.',
      [{ path: 'amountMinor', message: 'is not for a reward of a fixed price' }],
    );
  }
  const remaining = discount.amountMinor - reversedMinor;
  if (amountMinor <= remaining) return null;
  return refuse(
    'reversal_exceeds_remaining',
    `${amountMinor} of the discount are to be reversed, and ${remaining} remain of it.`,
  );
}

/**
 * What a reversal gives back. Parts of a discount are rounded together with the parts before them, so that all parts
 * give back just the points that were spent.
 * @param amountMinor of the discount, as `refusePart` admits it; null for all that is left
 */
export function reversedPart(
  { points, terms: { discount }, reversedMinor, reversedPoints }: ReservationRecord,
  amountMinor: number | null,
): ReversedPart {
  if (!discount) return { points, amountMinor: null, isLast: true };
  const remaining = discount.amountMinor - reversedMinor;
  const reversed = amountMinor ?? remaining;
  const due = pointsGivenBack({ points, discountMinor: discount.amountMinor }, reversedMinor + reversed);
  return { points: due - reversedPoints, amountMinor: reversed, isLast: reversed === remaining };
}

/**
 * The lots that get the points of a part back. What was taken last goes back first: then the redemption has spent the
 * lots that fewer points would have been taken from.
 * @param spent from each lot, in the order of spending
 * @param before the points that earlier parts gave back
 * @returns in the order of spending; their amounts add up to `points`
 */
export function lotsOfPart(spent: readonly LotAmount[], before: number, points: number): LotAmount[] {
  let [skip, remaining] = [before, points];
  const parts: LotAmount[] = [];
  for (const { lotId, amount } of spent.toReversed()) {
    const there = Math.max(0, amount - skip);
    skip -= amount - there;
    const part = Math.min(there, remaining);
    remaining -= part;
    if (part > 0) parts.push({ lotId, amount: part });
  }
  if (remaining > 0) throw new RangeError(`${remaining} points more are to be given back than were spent`);
  return parts.toReversed();
}
