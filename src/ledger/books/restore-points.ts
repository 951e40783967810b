import type { Account } from '../tables/postings.ts';
import type { TransactionRecord } from '../tables/transactions.ts';
import type { Book, OpenEntry } from './book.ts';
import { repayLenders } from './lent-points.ts';
import type { LotAmount } from './lot-amounts.ts';
import { revive } from './lot-expiry.ts';
import { expireLapsed } from './settle.ts';

const DAY_MS = 86_400_000;

/**
 * Gives spent points back to the lots that they were taken from, and closes the transaction. The claims of returns are
 * paid first, and what the lot of a reversed credit owes is passed on to the lots that lent it. Lots keep their dates,
 * except that a lot that has expired since then lives on for the grace days (decisions, "Redemption"); with 0 grace
 * days it expires again at once. The profile has to be settled before.
 * @param paidFrom the lots that the points were taken from, with the amount of each
 * @param debitAccount the account that the points come from
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
    revive(book, lotId, graceEnds);
    book.giveBack(entry, lotId, debitAccount, amount);
  }
  const transaction = book.close(entry);
  const lotIds = paidFrom.map(({ lotId }) => lotId);
  const repaid = repayLenders(book, lotIds, graceEnds);
  expireLapsed(book, [...new Set([...lotIds, ...repaid])]);
  return transaction;
}
