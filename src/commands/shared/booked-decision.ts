import type { Book } from '../../ledger/books/book.ts';
import type { HoldChanges } from '../../ledger/books/holds.ts';
import type { Decision, Inserts, Updates } from '../../ledger/command.ts';
import { type DecisionPart, mergeDecisions } from '../../ledger/merge-decisions.ts';

/** What a command decides itself, besides the postings of its book and what was settled before. */
export interface OwnDecision<Receipt extends object = object>
  extends Pick<Decision<Receipt>, 'receipt' | 'audits' | 'webhookEvents'> {
  inserts?: Omit<Inserts, 'transactions' | 'lots' | 'postings'>;
  updates?: Omit<Updates, 'profiles' | 'lots' | 'orders'>;
}

/** Merges a command's own decision with what was posted and settled for it. */
export function bookedDecision<Receipt extends object>(
  book: Book,
  settled: HoldChanges,
  ownPart: OwnDecision<Receipt>,
): Decision<Receipt> {
  return { receipt: ownPart.receipt, ...mergeDecisions(...bookedParts(book, settled), ownPart) };
}

/** The postings of a profile's book, and the hold changes from settling it. */
export function bookedParts(book: Book, { reservations, stocks }: HoldChanges): DecisionPart[] {
  const { audits, webhookEvents } = book;
  return [
    { ...book.changes(), audits, webhookEvents },
    { updates: { reservations: [...reservations], stocks: [...stocks.values()] } },
  ];
}
