import type { LoadedPoints } from '../state.ts';
import type { Account } from '../tables/postings.ts';
import { type Book, type OpenEntry, transactionId } from './book.ts';
import type { LotAmount } from './lot-amounts.ts';
import { revive } from './lot-expiry.ts';
import { bySpending, spend } from './spend.ts';

/**
 * Takes the points of a credit back. What the credit's own lot does not have any more is taken from the member's other
 * lots, soonest-expiring first. Those lots have then lent it to the credit's lot, which owes it to them (`lent` of a
 * lot). The profile has to be settled before.
 * @param granted the credit's own lot, with its points; no more than the profile has available
 * @param creditAccount the account that the credit's points came from
 * @throws LoadedPointsExceeded where the points lie in lots that were not loaded
 */
export function takeCredit(
  book: Book,
  entry: OpenEntry,
  loaded: LoadedPoints,
  granted: LotAmount,
  creditAccount: Account,
): void {
  const { lotId, amount } = granted;
  const ownAmount = Math.min(amount, book.lot(lotId).available);
  book.move(entry, lotId, 'member.available', creditAccount, ownAmount);
  const lenders = spend(book, entry, loaded, amount - ownAmount, creditAccount);
  for (const lender of lenders) addLent(book, lender.lotId, lender.amount);
  addLent(book, lotId, ownAmount - amount);
}

/**
 * Repays what reversed credits owe with points that have come back to their lots, in a transaction of its own. The lots
 * that are owed get it in the order of spending; the claims of returns on them are paid first.
 * @param lotIds lots that points have just been given back to
 * @param graceEnds the new expiry of a repaid lot that has expired meanwhile; null where it keeps its expiry
 * @returns the ids of the lots that were repaid
 * @throws where not all lots that are owed points are loaded
 */
export function repayLenders(book: Book, lotIds: readonly string[], graceEnds: Date | null): string[] {
  const debtors = [...new Set(lotIds)]
    .map((id) => book.lot(id))
    .filter((lot) => lot.lent < 0 && lot.available > 0);
  if (debtors.length === 0) return [];
  const entry = book.open({ eventType: 'adjustment.reversed' });
  const repaid = new Set<string>();
  for (const { id, lent, available } of debtors) {
    const amount = Math.min(-lent, available);
    book.move(entry, id, 'member.available', 'program.adjustment', amount);
    addLent(book, id, amount);
    for (const lotId of repay(book, entry, amount, graceEnds)) repaid.add(lotId);
  }
  const transaction = book.close(entry);
  book.noteSystem('adjustment.repaid', 'transaction', transactionId(transaction), {
    programId: transaction.programId,
    points: transaction.points,
  });
  return [...repaid];
}

function repay(book: Book, entry: OpenEntry, amount: number, graceEnds: Date | null): string[] {
  const repaid: string[] = [];
  let remaining = amount;
  for (const { id, lent } of book.lendingLots().sort(bySpending)) {
    if (remaining === 0) break;
    const part = Math.min(remaining, lent);
    if (graceEnds) revive(book, id, graceEnds);
    addLent(book, id, -part);
    book.giveBack(entry, id, 'program.adjustment', part);
    repaid.push(id);
    remaining -= part;
  }
  if (remaining > 0) throw new Error(`${remaining} points are owed to lots that are not loaded`);
  return repaid;
}

function addLent(book: Book, lotId: string, points: number): void {
  if (points !== 0) book.setLot(lotId, { lent: book.lot(lotId).lent + points });
}
