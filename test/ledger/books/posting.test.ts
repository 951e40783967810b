import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { entriesOf, MAX_POINTS, post } from '../../../src/ledger/books/posting.ts';
import type { Account, PostingRecord } from '../../../src/ledger/tables/postings.ts';
import type { ProfileRecord } from '../../../src/ledger/tables/program-profiles.ts';
import { noon } from '../../support/rules/fixtures.ts';

const ACCOUNTS: readonly Account[] = [
  'member.available',
  'member.pending',
  'member.reserved',
  'program.issuance',
  'program.redemption',
  'program.expiry',
  'program.adjustment',
  'program.clearing',
];

function profile(overrides: Partial<ProfileRecord> = {}): ProfileRecord {
  return {
    memberId: 'm',
    programId: 'p',
    enrolled: true,
    tier: 'bronze',
    qualificationPoints: 0,
    qualificationSince: null,
    qualificationDays: null,
    requalifyAt: null,
    available: 0,
    pending: 0,
    reserved: 0,
    enrolledAt: noon,
    unenrolledAt: null,
    nextDueAt: null,
    lastActivityAt: null,
    purchaseCount: 0,
    purchaseAmountMinor: 0,
    firstPurchaseAt: null,
    lastPurchaseAt: null,
    referralCode: null,
    referredBy: null,
    referralCount: 0,
    version: 1,
    ...overrides,
  };
}

function posting(overrides: Partial<PostingRecord> = {}): PostingRecord {
  return {
    transactionId: 't',
    line: 1,
    programId: 'p',
    memberId: 'm',
    debitAccount: 'program.issuance',
    creditAccount: 'member.available',
    amount: 1,
    lotId: 'l',
    createdAt: noon,
    ...overrides,
  };
}

const total = (row: ProfileRecord): number => row.available + row.pending + row.reserved;
const isMember = (account: Account): number => (account.startsWith('member.') ? 1 : 0);

describe('a posting', () => {
  const moves = fc
    .record({
      accounts: fc.shuffledSubarray([...ACCOUNTS], { minLength: 2, maxLength: 2 }),
      amount: fc.integer({ min: 1, max: 1_000 }),
    })
    .map(({ accounts, amount }) =>
      posting({ debitAccount: accounts[0] as Account, creditAccount: accounts[1] as Account, amount }),
    );

  test('between two accounts of a member keeps the sum, and else changes it by its amount', () => {
    fc.assert(
      fc.property(moves, (move) => {
        const before = profile({ available: 5_000, pending: 5_000, reserved: 5_000 });
        const after = post(before, move);
        const change = isMember(move.creditAccount) - isMember(move.debitAccount);
        expect(total(after) - total(before)).toBe(change * move.amount);
        expect(before).toEqual(profile({ available: 5_000, pending: 5_000, reserved: 5_000 }));
      }),
    );
  });

  test('and the one back leave the profile as it was', () => {
    fc.assert(
      fc.property(moves, (move) => {
        const before = profile({ available: 5_000, pending: 5_000, reserved: 5_000 });
        const back = { ...move, debitAccount: move.creditAccount, creditAccount: move.debitAccount };
        expect(post(post(before, move), back)).toEqual(before);
      }),
    );
  });

  test('has two entries that balance', () => {
    fc.assert(
      fc.property(moves, (move) => {
        const [debit, credit] = entriesOf(move);
        expect(debit).toEqual({
          account: move.debitAccount,
          direction: 'debit',
          points: move.amount,
          lotId: 'l',
        });
        expect(credit).toEqual({ ...debit, account: move.creditAccount, direction: 'credit' });
      }),
    );
  });

  test.each([
    ['below nothing', profile(), posting({ debitAccount: 'member.pending' })],
    ['beyond 2^53-1', profile({ available: MAX_POINTS }), posting()],
  ])('throws where it takes a balance %s', (_what, before, move) => {
    expect(() => post(before, move)).toThrow(RangeError);
  });
});
