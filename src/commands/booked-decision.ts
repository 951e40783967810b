import type { Book } from '../ledger/book.ts';
import type { Decision, Inserts, Updates } from '../ledger/command.ts';
import type { HoldChanges } from '../ledger/holds.ts';

/** What a command has decided beside what its book has posted and what has ended on the way. */
export interface OwnDecision<Receipt extends object = object>
  extends Pick<Decision<Receipt>, 'receipt' | 'audits' | 'webhookEvents'> {
  inserts?: Omit<Inserts, 'transactions' | 'lots' | 'postings'>;
  updates?: Omit<Updates, 'profiles' | 'lots' | 'orders'>;
}

/** Lays a command's own decision beside what was posted and settled for it. */
export function bookedDecision<Receipt extends object>(
  book: Book,
  settled: HoldChanges,
  own: OwnDecision<Receipt>,
): Decision<Receipt> {
  const { inserts, updates } = book.written();
  return {
    receipt: own.receipt,
    inserts: { ...inserts, ...own.inserts },
    updates: {
      ...updates,
      ...own.updates,
      reservations: [...settled.reservations, ...(own.updates?.reservations ?? [])],
      stocks: [...settled.stocks.values(), ...(own.updates?.stocks ?? [])],
    },
    audits: [...book.audits, ...own.audits],
    webhookEvents: [...book.webhookEvents, ...own.webhookEvents],
  };
}
