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
  // Between two accounts of one person: within a program it takes in what it gives out.
  'program.transfer',
] as const;

/** The sums of the postings of one account. Balances are credits less debits. */
export interface AccountBook {
  account: string;
  opening: bigint;
  debits: bigint;
  credits: bigint;
  /** The opening balance plus the movements. */
  closing: bigint;
  /**
   * The closing balance, computed in another way: for an account of members from the balances of the profiles, for an
   * account of the program as one sum of its postings.
   */
  found: bigint;
}

/** Adds up every account, also those without any posting. */
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

/** The controls of a close, in the order of the report. */
export const CONTROLS = [
  control('debits-equal-credits', 'Debits of the period equal its credits'),
  control(
    'member-accounts-roll-forward',
    "Opening and movements of each account of members equal the members' balances, less what came later",
  ),
  control(
    'program-accounts-roll-forward',
    'Opening and movements of each account of the program equal its closing balance',
  ),
  control(
    'roll-forward',
    'What was issued, redeemed, expired, adjusted and exchanged adds up to the closing',
  ),
  control(
    'members-roll-forward',
    'Opening and movements of each member with movement equal its balances, less what came later',
  ),
  control('balances-equal-postings', "Every member's balances equal the postings, both less what came later"),
  control('lots-equal-balances', "Every member's lots equal the balances, both less what came later"),
  control('liability-equals-balances', "The lots' points at the end of the period equal the closing"),
  control('one-snapshot', 'Both sides of every control were read in one snapshot'),
  control('period_over', 'The period has ended, and nothing more is written into it', 'provisional'),
] as const;

type ControlId = (typeof CONTROLS)[number]['id'];

/**
 * Compares, for each control, one figure that was computed in two ways. The figures are those at the end of the period.
 * @param isOver whether the period has ended, and nothing more is written into it
 * @param snapshots the number of distinct snapshots that the report's statements saw
 */
export function controlsOf(
  books: Books,
  accounts: readonly AccountBook[],
  movements: readonly Movement[],
  isOver: boolean,
  snapshots: number,
): CloseControl[] {
  const members = accounts.filter(isOfMembers);
  const programs = accounts.filter((account) => !isOfMembers(account));
  // Members are compared by their balances now. What was posted after the period is subtracted from both sides, so that
  // the report shows nothing of it.
  const later = sum(Object.values(books.balances)) - sum(members.map(({ found }) => found));
  const atTheEnd = ({ expected, found, differences }: Compared): Compared => ({
    expected: expected - later,
    found: found - later,
    differences,
  });
  const compared: Record<ControlId, Compared> = {
    'debits-equal-credits': compare(
      sum(accounts.map(({ debits }) => debits)),
      sum(accounts.map(({ credits }) => credits)),
    ),
    'member-accounts-roll-forward': compareAccounts(members),
    'program-accounts-roll-forward': compareAccounts(programs),
    'roll-forward': compare(
      sum(members.map(({ opening }) => opening)) + sum(movements.map(signed)),
      -sum(programs.map(({ found }) => found)),
    ),
    'members-roll-forward': books.members,
    'balances-equal-postings': atTheEnd(books.postings),
    'lots-equal-balances': atTheEnd(books.lots),
    'liability-equals-balances': compare(
      sum(members.map(({ closing }) => closing)),
      sum(books.cohorts.map(({ points }) => points)),
    ),
    'one-snapshot': compare(1n, BigInt(snapshots)),
    period_over: compare(1n, isOver ? 1n : 0n),
  };
  return CONTROLS.map(({ id, title, statusOnFailure }) => {
    const { expected, found, differences } = compared[id];
    const passed = differences === 0;
    return {
      id,
      title,
      expected: String(expected),
      found: String(found),
      differences,
      passed,
      statusOnFailure,
    };
  });
}

function compare(expected: bigint, found: bigint): Compared {
  return { expected, found, differences: expected === found ? 0 : 1 };
}

function compareAccounts(accounts: readonly AccountBook[]): Compared {
  return {
    expected: sum(accounts.map(({ closing }) => closing)),
    found: sum(accounts.map(({ found }) => found)),
    differences: accounts.filter(({ closing, found }) => closing !== found).length,
  };
}

function control<Id extends string>(
  id: Id,
  title: string,
  statusOnFailure: CloseControl['statusOnFailure'] = 'control_exception',
): Pick<CloseControl, 'title' | 'statusOnFailure'> & { id: Id } {
  return { id, title, statusOnFailure };
}
