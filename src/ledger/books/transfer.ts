import type { Book, OpenEntry } from './book.ts';

/**
 * Moves all that a lot has to another member of the same program: its points, the claims of returns on it, and what it
 * has lent or owes. The lot that it becomes there keeps its dates and the transaction that granted it. The two
 * transactions move the same points out of the one profile and into the other, through `program.transfer`. Both
 * profiles have to be settled before, and the lot holds nothing for a reservation.
 * @param out the transaction in the book of the member that gives
 * @param into the transaction in the book of the member that receives
 */
export function transferLot(
  giver: { book: Book; out: OpenEntry },
  receiver: { book: Book; into: OpenEntry },
  lotId: string,
): void {
  const { available, pending, claimed, lent, expiresAt } = giver.book.lot(lotId);
  for (const [account, amount] of [
    ['member.available', available],
    ['member.pending', pending],
  ] as const) {
    giver.book.move(giver.out, lotId, account, 'program.transfer', amount);
    receiver.book.move(receiver.into, lotId, 'program.transfer', account, amount);
  }
  giver.book.setLot(lotId, { claimed: 0, lent: 0 });
  const received = receiver.book.lot(lotId);
  receiver.book.setLot(lotId, {
    claimed: received.claimed + claimed,
    lent: received.lent + lent,
    expiresAt,
  });
}
