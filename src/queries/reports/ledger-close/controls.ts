import type { AccountTotal, CloseControl } from '../../../contract/generated/types.ts';
import type { Compared } from './compared.ts';
import { type Movement, signed, sum } from './movements.ts';
import type { Books } from './read-books.ts';

/** The accounts of the ledger, in the order of the report. */
export const ACCOUNTS = [
  'member.available',
  'member.pending',
  'member.reserved',
  'program.issuance',
  'program.redemption',
  'program.expiry',
  'program.adjustment',
  'program.clearing',
] as const;

/** One account: sums of its postings, credits less debits where it is a balance. */
export interface AccountBook {
  account: string;
  opening: bigint;
  debits: bigint;
  credits: bigint;
  /** Opening and movements. */
  closing: bigint;
  /** The closing balance, by another way: of members from their profiles, of the program in one sum. */
  found: bigint;
}

/** Adds up each account: all of them, also those without any posting. */
export function accountBooks({ pairs, balances }: Books): AccountBook[] {
  return ACCOUNTS.map((account) => {
    const debited = pairs.filter((pair) => pair.debitAccount === account);
    const credited = pairs.filter((pair) => pair.creditAccount === account);
    const net = (part: 'opening' | 'closing' | 'after'): bigint =>
      sum(credited.map((pair) => pair[part])) - sum(debited.map((pair) => pair[part]));
    const debits = sum(debited.map((pair) => pair.inside));
    const credits = sum(credited.map((pair) => pair.inside));
    const opening = net('opening');
    const balance = account.startsWith('member.')
      ? balances[account.slice(7) as keyof typeof balances]
      : null;
    const found = balance === null ? net('closing') : balance - net('after');
    return { account, opening, debits, credits, closing: opening + credits - debits, found };
  });
}

export function accountTotals(books: readonly AccountBook[]): AccountTotal[] {
  return books.map(({ account, opening, debits, credits, closing }) => ({
    account,
    opening: String(opening),
    debits: String(debits),
    credits: String(credits),
    closing: String(closing),
  }));
}

/** Whether an account holds points of members. */
export function isOfMembers({ account }: { account: string }): boolean {
  return account.startsWith('member.');
}

/**
 * The controls of a close. Each compares two ways to one figure.
 * @param snapshots the distinct snapshots that the report's statements saw
 */
export function controlsOf(
  books: Books,
  accounts: readonly AccountBook[],
  movements: readonly Movement[],
  snapshots: number,
): CloseControl[] {
  const members = accounts.filter(isOfMembers);
  const programs = accounts.filter((account) => !isOfMembers(account));
  const closing = sum(members.map((account) => account.closing));
  return [
    control('debits-equal-credits', 'Debits of the period equal its credits', {
      expected: sum(accounts.map(({ debits }) => debits)),
      found: sum(accounts.map(({ credits }) => credits)),
    }),
    control(
      'member-accounts-roll-forward',
      "Opening and movements of each account of members equal the members' balances, less what came later",
      compareAccounts(members),
    ),
    control(
      'program-accounts-roll-forward',
      'Opening and movements of each account of the program equal its closing balance',
      compareAccounts(programs),
    ),
    control(
      'roll-forward',
      'What was issued, redeemed, expired, adjusted and exchanged adds up to the closing',
      {
        expected: sum(members.map(({ opening }) => opening)) + sum(movements.map(signed)),
        found: -sum(programs.map(({ found }) => found)),
      },
    ),
    control(
      'members-roll-forward',
      'Opening and movements of each member with movement equal its balances, less what came later',
      books.members,
    ),
    control('balances-equal-postings', "Every member's balances equal the postings, now", books.postings),
    control('lots-equal-balances', "Every member's lots equal the balances, now", books.lots),
    control('liability-equals-balances', "The lots' points at the end of the period equal the closing", {
      expected: closing,
      found: sum(books.cohorts.map(({ points }) => points)),
    }),
    control('one-snapshot', 'Both sides of every control were read in one snapshot', {
      expected: 1n,
      found: BigInt(snapshots),
    }),
  ];
}

function compareAccounts(accounts: readonly AccountBook[]): Compared {
  return {
    expected: sum(accounts.map(({ closing }) => closing)),
    found: sum(accounts.map(({ found }) => found)),
    differences: accounts.filter(({ closing, found }) => closing !== found).length,
  };
}

function control(
  id: string,
  title: string,
  { expected, found, differences }: Omit<Compared, 'differences'> & { differences?: number },
): CloseControl {
  const differing = differences ?? (expected === found ? 0 : 1);
  return {
    id,
    title,
    expected: String(expected),
    found: String(found),
    differences: differing,
    passed: differing === 0,
  };
}
