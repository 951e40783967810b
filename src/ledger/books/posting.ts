import type { Account, PostingRecord } from '../tables/postings.ts';
import type { ProfileRecord } from '../tables/program-profiles.ts';

/** Largest balance that JSON carries exactly. */
export const MAX_POINTS = Number.MAX_SAFE_INTEGER;

/** An amount of a profile or of a lot, in whole points. */
export type Balance = 'available' | 'pending' | 'reserved';

/** Whether a profile's balances and `points` more would together exceed `MAX_POINTS`. */
export function wouldOverflow(profile: Readonly<Record<Balance, number>>, points: number): boolean {
  return profile.available + profile.pending + profile.reserved + points > MAX_POINTS;
}

/** The two sides of a posting, as reads show them. */
export interface Entry {
  account: Account;
  direction: 'debit' | 'credit';
  points: number;
  lotId: string | null;
}

/**
 * The profile after a posting: a credit to a member account raises its balance, a debit lowers it.
 * @throws RangeError where a balance would be negative or exceed 2^53-1: a command has to refuse before it posts
 */
export function post(profile: ProfileRecord, posting: PostingRecord): ProfileRecord {
  const next = { ...profile };
  add(next, posting.creditAccount, posting.amount);
  add(next, posting.debitAccount, -posting.amount);
  return next;
}

/** The two entries of a posting. */
export function entriesOf(posting: PostingRecord): [Entry, Entry] {
  const { amount: points, lotId } = posting;
  return [
    { account: posting.debitAccount, direction: 'debit', points, lotId },
    { account: posting.creditAccount, direction: 'credit', points, lotId },
  ];
}

function add(profile: ProfileRecord, account: Account, amount: number): void {
  const balance = balanceOf(account);
  if (!balance) return;
  const sum = profile[balance] + amount;
  if (sum < 0 || sum > MAX_POINTS) throw new RangeError(`a posting takes ${account} to ${sum}`);
  profile[balance] = sum;
}

/** The balance of a member account; null for an account of the program. */
export function balanceOf(account: Account): Balance | null {
  switch (account) {
    case 'member.available':
      return 'available';
    case 'member.pending':
      return 'pending';
    case 'member.reserved':
      return 'reserved';
    default:
      return null;
  }
}
