import type { Account, LotRecord, PostingRecord, ProfileRecord } from './records.ts';

/** Largest balance that JSON carries exactly. */
export const MAX_POINTS = Number.MAX_SAFE_INTEGER;

/** The two sides of a posting, as reads show them. */
export interface Entry {
  account: Account;
  direction: 'debit' | 'credit';
  points: number;
  lotId: string | null;
}

/** A grant of points before it has become postings. */
export interface Grant {
  transactionId: string;
  lotId: string;
  /** Positive. */
  points: number;
  /** Null where the points are available at once. */
  activatesAt: Date | null;
  expiresAt: Date | null;
  now: Date;
}

/** What a grant changes: the profile as it will be, the new lot, the posting. */
export interface Granted {
  profile: ProfileRecord;
  lot: LotRecord;
  posting: PostingRecord;
}

/**
 * Grants points to a profile in a new lot: `program.issuance` is debited, `member.available` credited, or
 * `member.pending` where the points are yet to become available.
 * @param line number of the posting in its transaction, from 1
 */
export function grantPoints(profile: ProfileRecord, grant: Grant, line: number): Granted {
  const pending = grant.activatesAt !== null && grant.activatesAt > grant.now;
  const posting: PostingRecord = {
    transactionId: grant.transactionId,
    line,
    programId: profile.programId,
    memberId: profile.memberId,
    debitAccount: 'program.issuance',
    creditAccount: pending ? 'member.pending' : 'member.available',
    amount: grant.points,
    lotId: grant.lotId,
    createdAt: grant.now,
  };
  const lot: LotRecord = {
    id: grant.lotId,
    memberId: profile.memberId,
    programId: profile.programId,
    transactionId: grant.transactionId,
    granted: grant.points,
    pending: pending ? grant.points : 0,
    available: pending ? 0 : grant.points,
    reserved: 0,
    activatesAt: grant.activatesAt,
    expiresAt: grant.expiresAt,
    createdAt: grant.now,
  };
  return { profile: post(profile, posting), lot, posting };
}

/**
 * The profile after a posting: the balance of each member account is what was credited to it less what was debited.
 * @throws where a balance would leave 0 to 2^53-1: the command should have refused before
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

function balanceOf(account: Account): 'available' | 'pending' | 'reserved' | null {
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
