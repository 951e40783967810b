import type { Book, OpenEntry } from './book.ts';
import type { LotAmount } from './lot-amounts.ts';
import type { Account } from './records.ts';
import { expiryOf } from './settle.ts';

const DAY_MS = 86_400_000;

/**
 * Gives spent points back to the very lots that they were taken from, after those have paid what returns have claimed
 * of them. Lots keep their dates; what has expired meanwhile lives on for the program's grace days (decisions,
 * "Redemption"). Call it once what is due is settled.
 * @param paidFrom the lots that paid, with what each paid
 * @param debitAccount where the points come from
 */
export function restorePoints(
  book: Book,
  entry: OpenEntry,
  paidFrom: readonly LotAmount[],
  debitAccount: Account,
  graceDays: number,
): void {
  for (const { lotId, amount } of paidFrom) {
    const { expiresAt } = book.lot(lotId);
    // Of a lot without points nobody has asked when it expires under an inactivity policy.
    const livesUntil = expiryOf(book.lot(lotId), book.profile);
    const revived =
      livesUntil && livesUntil <= book.now ? new Date(book.now.getTime() + graceDays * DAY_MS) : livesUntil;
    if (revived && revived.getTime() !== expiresAt?.getTime()) book.setLot(lotId, { expiresAt: revived });
    book.giveBack(entry, lotId, debitAccount, amount);
  }
}
