import type { Account } from '../tables/postings.ts';
import type { TransactionRecord } from '../tables/transactions.ts';
import type { Book, OpenEntry } from './book.ts';
import type { LotAmount } from './lot-amounts.ts';
import { expireLapsed, expiryOf } from './settle.ts';

const DAY_MS = 86_400_000;

/**
 * Gives spent points back to the very lots that they were taken from, after those have paid what returns have claimed
 * of them, and ends the transaction that says so. Lots keep their dates; what has expired meanwhile lives on for the
 * grace days (decisions, "Redemption"), and where there are none expires again at once. Call it once what is due is
 * settled.
 * @param paidFrom the lots that paid, with what each paid
 * @param debitAccount where the points come from
 */
export function restorePoints(
  book: Book,
  entry: OpenEntry,
  paidFrom: readonly LotAmount[],
  debitAccount: Account,
  graceDays: number,
): TransactionRecord {
  const graceEnds = new Date(book.now.getTime() + graceDays * DAY_MS);
  for (const { lotId, amount } of paidFrom) {
    const expiresAt = expiryOf(book.lot(lotId), book.profile);
    if (expiresAt && expiresAt <= book.now) book.setLot(lotId, { expiresAt: graceEnds });
    book.giveBack(entry, lotId, debitAccount, amount);
  }
  const transaction = book.close(entry);
  expireLapsed(
    book,
    paidFrom.map(({ lotId }) => lotId),
  );
  return transaction;
}
