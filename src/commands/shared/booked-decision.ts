import type { Book } from '../../ledger/books/book.ts';
import type { HoldChanges } from '../../ledger/books/holds.ts';
import type { Decision, Inserts, Updates } from '../../ledger/command.ts';
import { type DecisionPart, mergeDecisions } from '../../ledger/merge-decisions.ts';

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
  return { receipt: own.receipt, ...mergeDecisions(...bookedParts(book, settled), own) };
}

/** What was posted on a profile's page, and what was settled for it. */
export function bookedParts(book: Book, { reservations, stocks }: HoldChanges): DecisionPart[] {
  const { audits, webhookEvents } = book;
  return [
    { ...book.written(), audits, webhookEvents },
    { updates: { reservations: [...reservations], stocks: [...stocks.values()] } },
  ];
}
