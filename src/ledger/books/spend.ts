import { LoadedPointsExceeded } from '../command.ts';
import type { LoadedPoints } from '../state.ts';
import type { LotRecord } from '../tables/lot-rows.ts';
import type { Account } from '../tables/postings.ts';
import type { Book, OpenEntry } from './book.ts';
import type { LotAmount } from './lot-amounts.ts';

/**
 * Takes available points from a profile's lots, soonest-expiring first. The profile has to be settled before.
 * @param points no more than the profile has available
 * @returns what was taken from each lot
 * @throws LoadedPointsExceeded where the points lie in lots that were not loaded
 */
export function spend(
  book: Book,
  entry: OpenEntry,
  loaded: LoadedPoints,
  points: number,
  creditAccount: Account,
): LotAmount[] {
  const takenFrom: LotAmount[] = [];
  let remaining = points;
  for (const { id } of openLots(book, loaded)) {
    if (remaining === 0) break;
    const amount = Math.min(remaining, book.lot(id).available);
    book.move(entry, id, 'member.available', creditAccount, amount);
    takenFrom.push({ lotId: id, amount });
    remaining -= amount;
  }
  if (remaining > 0)
    throw new LoadedPointsExceeded(`${remaining} of ${points} points lie in lots that were not loaded`);
  return takenFrom;
}

/**
 * The lots with available points, in the order of spending. Lots behind `limit` are left out: a lot that was not loaded
 * may come before them.
 */
function openLots(book: Book, { lots, limit }: LoadedPoints): LotRecord[] {
  return lots
    .map(({ id }) => book.lot(id))
    .filter((lot) => lot.available > 0 && (limit === null || bySpending(lot, limit) <= 0))
    .sort(bySpending);
}

/** The order in which lots are spent: soonest-expiring first; of those that expire together, the oldest first. */
export function bySpending(a: LotRecord, b: LotRecord): number {
  const [atA, atB] = [expiry(a), expiry(b)];
  if (atA !== atB) return atA < atB ? -1 : 1;
  if (a.id === b.id) return 0;
  return a.id < b.id ? -1 : 1;
}

function expiry(lot: LotRecord): number {
  return lot.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY;
}
