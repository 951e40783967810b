import type { JournalLine } from '../../../contract/generated/types.ts';
import type {
  FinanceSection,
  JournalAccount,
  JournalSection,
} from '../../../programs/document/program-document.ts';
import { allocate, exact } from './allocate.ts';
import type { Movement } from './movements.ts';

/** Every account that a movement can be booked to. */
const ACCOUNTS: readonly JournalAccount[] = [
  'liability',
  'expense',
  'redemption',
  'breakage',
  'adjustment',
  'clearing',
];

/** The accounts that a mapping lacks: none where it is complete. */
export function missingAccounts(journal: JournalSection | undefined): JournalAccount[] {
  return ACCOUNTS.filter((account) => journal?.accounts[account] === undefined);
}

/**
 * Books each movement that is not 0: a debit and a credit line of the same amounts. A movement is left out where the
 * mapping lacks one of its accounts. An amount is points × the value of a point. The sum of the amounts is rounded half
 * up and allocated by largest remainder, so that the journal adds up to the value of everything that moved.
 */
export function journalOf(
  movements: readonly Movement[],
  journal: JournalSection | undefined,
  valuation: FinanceSection['valuation'],
): JournalLine[] {
  const booked = movements.flatMap(({ kind, points }) => {
    const { liability, [kind.booked]: other } = journal?.accounts ?? {};
    if (points === 0n || liability === undefined || other === undefined) return [];
    const [debit, credit] = kind.gain ? [other, liability] : [liability, other];
    return [{ name: kind.name, points, debit, credit }];
  });
  const worth = valuation ? allocate(booked.map(({ points }) => exact(points, valuation.amountMinor))) : [];
  return booked.flatMap(({ name, points, debit, credit }, index): JournalLine[] => {
    const amounts = { points: String(points), amountMinor: worth[index]?.toString() ?? null };
    return [
      { movement: name, account: debit, direction: 'debit', ...amounts },
      { movement: name, account: credit, direction: 'credit', ...amounts },
    ];
  });
}
