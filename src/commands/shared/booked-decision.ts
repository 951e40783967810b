import type { Book } from '../../ledger/books/book.ts';
import type { HoldChanges } from '../../ledger/books/holds.ts';
import type { Decision, Inserts, Updates } from '../../ledger/command.ts';
import { type DecisionPart, mergeDecisions } from '../../ledger/merge-decisions.ts';

/** What a command itself decides, besides what its book has posted and what was settled before. */
export interface OwnDecision<Receipt extends object = object>
  extends Pick<Decision<Receipt>, 'receipt' | 'audits' | 'webhookEvents'> {
  inserts?: Omit<Inserts, 'transactions' | 'lots' | 'postings'>;
  updates?: Omit<Updates, 'profiles' | 'lots' | 'orders'>;
}

/** Merges a command's own decision with what was posted and settled for it. */
export function bookedDecision<Receipt extends object>(
  book: Book,
  settled: HoldChanges,
  own: OwnDecision<Receipt>,
): Decision<Receipt> {
  return { receipt: own.receipt, ...mergeDecisions(...bookedParts(book, settled), own) };
}

/** What was posted in a profile's book, and the holds that were settled for it. */
export function bookedParts(book: Book, { reservations, stocks }: HoldChanges): DecisionPart[] {
  const { audits, webhookEvents } = book;
  return [
    { ...book.written(), audits, webhookEvents },
    { updates: { reservations: [...reservations], stocks: [...stocks.values()] } },
  ];
}
