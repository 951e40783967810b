import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { CloseApproval } from '../../../src/contract/generated/types.ts';
import type { BreakagePolicy, JournalSection } from '../../../src/programs/document/program-document.ts';
import { allocate } from '../../../src/queries/reports/ledger-close/allocate.ts';
import { journalOf, missingAccounts } from '../../../src/queries/reports/ledger-close/journal.ts';
import { type CohortSum, liabilityOf } from '../../../src/queries/reports/ledger-close/liability.ts';
import { MOVEMENTS, movementsOf, signed, sum } from '../../../src/queries/reports/ledger-close/movements.ts';
import {
  closePeriod,
  firstOpenDayOf,
  stretchesOf,
} from '../../../src/queries/reports/ledger-close/period.ts';
import type { ClosePolicy } from '../../../src/queries/reports/ledger-close/policy.ts';
import { approvalsOf, policyOf, statusOf } from '../../../src/queries/reports/ledger-close/policy.ts';
import { isRefusal } from '../../../src/refusal.ts';
import { program } from '../../support/rules/fixtures.ts';

const now = new Date('2026-11-21T12:00:00Z');

function period(from: string | null, to: string | null): string {
  const at = (text: string | null): Date | null => (text === null ? null : new Date(text));
  const window = closePeriod(at(from), at(to), now);
  return isRefusal(window) ? window.code : `${window.from.toISOString()} ${window.to.toISOString()}`;
}

describe('the period', () => {
  test.each([
    ['is this month until now', null, null, '2026-11-01T00:00:00.000Z 2026-11-21T12:00:00.000Z'],
    [
      'begins with the month of its end',
      null,
      '2026-10-07T00:00:00Z',
      '2026-10-01T00:00:00.000Z 2026-10-07T00:00:00.000Z',
    ],
    [
      'is the whole month where that is what ends',
      null,
      '2026-11-01T00:00:00Z',
      '2026-10-01T00:00:00.000Z 2026-11-01T00:00:00.000Z',
    ],
    ['ends now', '2026-11-20T00:00:00Z', null, '2026-11-20T00:00:00.000Z 2026-11-21T12:00:00.000Z'],
    [
      'may be 366 days',
      '2025-11-20T00:00:00Z',
      '2026-11-21T00:00:00Z',
      '2025-11-20T00:00:00.000Z 2026-11-21T00:00:00.000Z',
    ],
    ['may not be longer', '2025-11-20T00:00:00Z', '2026-11-21T00:00:00.001Z', 'invalid_window'],
    ['is not empty', '2026-11-20T00:00:00Z', '2026-11-20T00:00:00Z', 'invalid_window'],
    ['is not reversed', '2026-11-20T00:00:00Z', '2026-11-19T00:00:00Z', 'invalid_window'],
    ['has begun', '2026-11-21T12:00:00.001Z', '2026-11-22T00:00:00Z', 'invalid_window'],
  ])('%s', (_name, from, to, expected) => expect(period(from, to)).toBe(expected));
});

describe('the stretches that are read', () => {
  const day = (text: string): Date => new Date(`2026-10-${text}Z`);
  const stretches = (from: string, to: string, closedThrough: string | null) =>
    stretchesOf({ from: day(from), to: day(to) }, closedThrough);

  test('are postings alone where nothing is closed', () => {
    expect(stretches('03T00:00:00', '05T00:00:00', null)).toEqual({
      openingFrom: null,
      closed: null,
      closingFrom: null,
      openSince: null,
    });
  });

  test.each([
    ['whole days', '03T00:00:00', '05T00:00:00', '2026-10-09', '03', ['03', '05'], '05'],
    ['edges within days', '03T06:00:00', '06T06:00:00', '2026-10-09', '03', ['04', '06'], '06'],
    ['one closed day', '03T06:00:00', '03T07:00:00', '2026-10-09', '03', null, '03'],
    ['neighbouring days', '03T06:00:00', '04T07:00:00', '2026-10-09', '03', null, '04'],
    ['an end that is not closed', '03T00:00:00', '09T00:00:00', '2026-10-04', '03', ['03', '05'], '05'],
    ['nothing of it closed', '03T06:00:00', '09T00:00:00', '2026-10-02', '03', null, '03'],
    ['nothing near it closed', '07T00:00:00', '09T00:00:00', '2026-10-02', '03', null, '03'],
  ])('%s', (_name, from, to, closedThrough, opening, closed, closing) => {
    const midnight = (text: string): Date => day(`${text}T00:00:00`);
    expect(stretches(from, to, closedThrough)).toMatchObject({
      openingFrom: midnight(opening),
      closed: closed ? { from: midnight(closed[0] ?? ''), to: midnight(closed[1] ?? '') } : null,
      closingFrom: midnight(closing),
    });
  });
});

describe('the first day of a period that could be closed and is not', () => {
  test.each([
    ['is its first where nothing is closed', null, '2026-10-20T00:00:00Z', '2026-10-03'],
    ['is its first where only earlier days are', '2026-09-30', '2026-10-20T00:00:00Z', '2026-10-03'],
    ['follows the last closed day', '2026-10-04', '2026-10-20T00:00:00Z', '2026-10-05'],
    ['is none where all are closed', '2026-10-08', '2026-10-20T00:00:00Z', null],
    ['is not the present day', '2026-10-05', '2026-10-06T23:00:00Z', null],
    ['is yesterday where that is missing', '2026-10-04', '2026-10-06T23:00:00Z', '2026-10-05'],
  ])('%s', (_name, closedThrough, now, expected) => {
    const window = { from: new Date('2026-10-03T06:00:00Z'), to: new Date('2026-10-09T00:00:00Z') };
    expect(firstOpenDayOf(window, closedThrough, new Date(now))).toBe(expected);
  });
});

describe('movements', () => {
  const pair = (debitAccount: string, creditAccount: string, eventType: string | null = null) => ({
    debitAccount,
    creditAccount,
    eventType,
    amount: 7n,
  });

  test.each([
    ['program.issuance', 'member.available', null, { points_issued: 7n }],
    ['program.issuance', 'member.pending', null, { points_issued: 7n }],
    ['member.reserved', 'program.issuance', null, { points_clawed_back: -7n }],
    ['member.reserved', 'program.redemption', null, { points_redeemed: -7n }],
    ['program.redemption', 'member.available', null, { redemptions_reversed: 7n }],
    ['program.redemption', 'program.issuance', null, { points_clawed_back: -7n, redemptions_reversed: 7n }],
    ['member.available', 'program.expiry', null, { points_expired: -7n }],
    ['program.expiry', 'member.available', null, { expiries_reversed: 7n }],
    ['program.adjustment', 'member.available', 'adjustment.posted', { adjusted_credit: 7n }],
    ['member.available', 'program.adjustment', 'adjustment.posted', { adjusted_debit: -7n }],
    ['program.adjustment', 'member.available', 'adjustment.reversed', { debit_adjustments_reversed: 7n }],
    ['member.available', 'program.adjustment', 'adjustment.reversed', { credit_adjustments_reversed: -7n }],
    ['program.clearing', 'member.available', 'exchange.settled', { exchanged_in: 7n }],
    ['member.available', 'program.clearing', 'exchange.settled', { exchanged_out: -7n }],
    ['program.clearing', 'member.available', 'exchange.reversed', { exchanges_out_reversed: 7n }],
    ['member.available', 'program.clearing', 'exchange.reversed', { exchanges_in_reversed: -7n }],
    ['member.pending', 'member.available', null, {}],
    ['member.available', 'member.reserved', null, {}],
  ])('%s to %s (%s)', (debit, credit, event, expected) => {
    const moved = movementsOf([pair(debit, credit, event)]).filter(({ points }) => points !== 0n);
    expect(Object.fromEntries(moved.map((one) => [one.kind.name, signed(one)]))).toEqual(expected);
  });

  test('add up to what members gain, for any postings', () => {
    const account = fc.constantFrom(
      'member.available',
      'member.pending',
      'program.issuance',
      'program.redemption',
      'program.expiry',
      'program.adjustment',
      'program.clearing',
    );
    const event = fc.constantFrom('adjustment.posted', 'adjustment.reversed', 'exchange.reversed', null);
    const posting = fc.record({
      debitAccount: account,
      creditAccount: account,
      eventType: event,
      amount: fc.bigInt(1n, 10n ** 15n),
    });
    fc.assert(
      fc.property(fc.array(posting), (postings) => {
        const gained = sum(
          postings.map(
            ({ debitAccount, creditAccount, amount }) =>
              (creditAccount.startsWith('member') ? amount : 0n) -
              (debitAccount.startsWith('member') ? amount : 0n),
          ),
        );
        expect(sum(movementsOf(postings).map(signed))).toBe(gained);
      }),
    );
  });
});

describe('amounts that add up', () => {
  test.each([
    ['thirds', [1, 1, 1].map((n) => [n, 3]), [1n, 0n, 0n]],
    ['halves: the sum is rounded, not each', [1, 1, 1].map((n) => [n, 2]), [1n, 1n, 0n]],
    ['one half goes up', [[1, 2]], [1n]],
    [
      'the largest remainder first',
      [
        [1, 10],
        [9, 10],
        [5, 10],
      ],
      [0n, 1n, 1n],
    ],
    [
      'denominators of their own',
      [
        [1, 3],
        [2, 3],
        [7, 2],
      ],
      [0n, 1n, 4n],
    ],
    ['nothing', [], []],
  ])('%s', (_name, amounts, expected) => {
    const exact = amounts.map(([n = 0, d = 1]) => ({ numerator: BigInt(n), denominator: BigInt(d) }));
    expect(allocate(exact)).toEqual(expected);
  });

  test('are each within one of the exact amount, and together the rounded sum', () => {
    const fraction = fc.record({ numerator: fc.bigInt(0n, 10n ** 18n), denominator: fc.bigInt(1n, 997n) });
    fc.assert(
      fc.property(fc.array(fraction, { maxLength: 20 }), (amounts) => {
        const allocated = allocate(amounts);
        allocated.forEach((amount, index) => {
          const { numerator, denominator } = amounts[index] as (typeof amounts)[number];
          expect(amount >= numerator / denominator && amount <= numerator / denominator + 1n).toBe(true);
        });
        const common = amounts.reduce((product, { denominator }) => product * denominator, 1n);
        const exact = sum(amounts.map(({ numerator, denominator }) => (numerator * common) / denominator));
        expect(sum(allocated)).toBe((2n * exact + common) / (2n * common));
      }),
    );
  });
});

describe('the journal', () => {
  const journal: JournalSection = {
    accounts: {
      liability: 'L',
      expense: 'E',
      redemption: 'R',
      breakage: 'B',
      adjustment: 'A',
      clearing: 'C',
    },
  };
  const movements = MOVEMENTS.map((kind, index) => ({ kind, points: BigInt(index + 1) }));
  const lines = (
    section: JournalSection | undefined,
    amountMinor?: { numerator: number; denominator: number },
  ) =>
    journalOf(movements, section, amountMinor && { amountMinor }).map((line) =>
      [line.movement, line.direction, line.account, line.points, line.amountMinor].join(' '),
    );

  test('books every kind of movement between two accounts', () => {
    expect(lines(journal)).toEqual([
      'points_issued debit E 1 ',
      'points_issued credit L 1 ',
      'points_clawed_back debit L 2 ',
      'points_clawed_back credit E 2 ',
      'points_redeemed debit L 3 ',
      'points_redeemed credit R 3 ',
      'redemptions_reversed debit R 4 ',
      'redemptions_reversed credit L 4 ',
      'points_expired debit L 5 ',
      'points_expired credit B 5 ',
      'expiries_reversed debit B 6 ',
      'expiries_reversed credit L 6 ',
      'adjusted_credit debit A 7 ',
      'adjusted_credit credit L 7 ',
      'adjusted_debit debit L 8 ',
      'adjusted_debit credit A 8 ',
      'credit_adjustments_reversed debit L 9 ',
      'credit_adjustments_reversed credit A 9 ',
      'debit_adjustments_reversed debit A 10 ',
      'debit_adjustments_reversed credit L 10 ',
      'exchanged_in debit C 11 ',
      'exchanged_in credit L 11 ',
      'exchanged_out debit L 12 ',
      'exchanged_out credit C 12 ',
      'exchanges_in_reversed debit L 13 ',
      'exchanges_in_reversed credit C 13 ',
      'exchanges_out_reversed debit C 14 ',
      'exchanges_out_reversed credit L 14 ',
    ]);
  });

  test('has the worth of all that moved', () => {
    // 105 points in all, at a third: 35.
    const worth = journalOf(movements, journal, { amountMinor: { numerator: 1, denominator: 3 } });
    const of = (direction: string): bigint =>
      sum(worth.filter((line) => line.direction === direction).map((line) => BigInt(line.amountMinor ?? 0)));
    expect({ debit: of('debit'), credit: of('credit') }).toEqual({ debit: 35n, credit: 35n });
  });

  test('leaves out what has no account, and is empty without a mapping', () => {
    const { breakage: _, ...others } = journal.accounts;
    expect(lines({ accounts: others }).filter((line) => /expir/.test(line))).toEqual([]);
    expect(lines({ accounts: others })).toHaveLength(24);
    expect(lines({ accounts: { expense: 'E' } })).toEqual([]);
    expect(lines(undefined)).toEqual([]);
    expect(missingAccounts({ accounts: others })).toEqual(['breakage']);
    expect(missingAccounts(undefined)).toHaveLength(6);
    expect(missingAccounts(journal)).toEqual([]);
  });
});

describe('the liability', () => {
  const at = new Date('2026-10-31T23:59:59.999Z');
  const share = (numerator: number) => ({ numerator, denominator: 100 });
  const cohort = (issueMonth: string, expiryMonth: string | null): CohortSum => ({
    issueMonth,
    expiryMonth,
    points: 1000n,
  });
  const expected = (breakage: BreakagePolicy, ...cohorts: CohortSum[]) =>
    liabilityOf(cohorts, { breakage }, at).map(({ expectedPoints }) => expectedPoints);

  test('has one rate by default', () => {
    expect(expected({ rate: share(20) }, cohort('2026-10', null))).toEqual(['800']);
    expect(expected({ rate: share(0) }, cohort('2026-10', null))).toEqual(['1000']);
    expect(expected({ rate: share(100) }, cohort('2026-10', null))).toEqual(['0']);
  });

  test('takes the first cohort that the months to expiry do not exceed', () => {
    const byMonthsToExpiry = [
      { upTo: 1, rate: share(50) },
      { upTo: 3, rate: share(30) },
    ];
    const cohorts = ['2026-09', '2026-10', '2026-11', '2026-12', '2027-01', '2027-02'].map((month) =>
      cohort('2026-01', month),
    );
    expect(expected({ rate: share(10), byMonthsToExpiry }, ...cohorts, cohort('2026-01', null))).toEqual([
      '500',
      '500',
      '500',
      '700',
      '700',
      '900',
      '900',
    ]);
  });

  test('takes the last cohort whose age is reached', () => {
    const byAgeMonths = [
      { from: 6, rate: share(30) },
      { from: 12, rate: share(50) },
    ];
    const cohorts = ['2026-10', '2026-05', '2026-04', '2025-11', '2025-10'].map((month) =>
      cohort(month, null),
    );
    expect(expected({ rate: share(10), byAgeMonths }, ...cohorts)).toEqual([
      '900',
      '900',
      '700',
      '700',
      '500',
    ]);
  });

  test('adds up to the rounded worth of all expected points', () => {
    const cohorts = ['2026-08', '2026-09', '2026-10'].map((month) => ({
      ...cohort(month, null),
      points: 10n,
    }));
    const valuation = { amountMinor: { numerator: 1, denominator: 3 } };
    const valued = liabilityOf(cohorts, { valuation, breakage: { rate: share(5) } }, at);
    // 28.5 points, rounded to 29; worth 9.67, rounded to 10.
    expect(valued.map(({ expectedPoints, amountMinor }) => [expectedPoints, amountMinor])).toEqual([
      ['10', '4'],
      ['10', '3'],
      ['9', '3'],
    ]);
  });

  test('is not valued without a policy', () => {
    expect(liabilityOf([cohort('2026-10', null)], undefined, at)).toEqual([
      { issueMonth: '2026-10', expiryMonth: null, points: '1000', expectedPoints: null, amountMinor: null },
    ]);
    const [counted] = liabilityOf([cohort('2026-10', null)], { breakage: { rate: share(0) } }, at);
    expect(counted).toMatchObject({ expectedPoints: '1000', amountMinor: null });
  });
});

describe('the status, by precedence', () => {
  const valuation = { amountMinor: { numerator: 1, denominator: 1 } };
  const accounts = {
    liability: 'L',
    expense: 'E',
    redemption: 'R',
    breakage: 'B',
    adjustment: 'A',
    clearing: 'C',
  };
  const { adjustment: _, ...incomplete } = accounts;
  const exception = { passed: false, statusOnFailure: 'control_exception' } as const;
  const notYet = { passed: false, statusOnFailure: 'provisional' } as const;
  /** With signatures under these sections of version 3. */
  const status = (
    document: object,
    sections: readonly ('finance' | 'journal')[],
    control: Parameters<typeof statusOf>[0][number] = { ...exception, passed: true },
  ): string => {
    const policy = policyOf({ version: 3, document: program(document) });
    return statusOf([{ ...exception, passed: true }, control], policy, signed(policy, sections));
  };
  const signed = (policy: ClosePolicy, sections: readonly ('finance' | 'journal')[]): CloseApproval[] =>
    approvalsOf(
      policy,
      sections.map((section) => ({
        section,
        sectionHash: policy[section]?.sectionHash ?? '',
        version: 3,
        approvedBy: 'grace',
        approvedAt: now,
      })),
    );
  const both: ('finance' | 'journal')[] = ['finance', 'journal'];
  const whole = { finance: { valuation }, journal: { accounts } };

  test.each([
    ['a control fails', whole, both, exception, 'control_exception'],
    ['a control fails, without a policy', {}, [], exception, 'control_exception'],
    ['a control may pass later', whole, both, notYet, 'provisional'],
    ['a control may pass later, without a policy', {}, [], notYet, 'points_only'],
    ['no finance section', { journal: { accounts } }, both.slice(1), undefined, 'points_only'],
    ['no valuation', { ...whole, finance: {} }, both, undefined, 'points_only'],
    ['nothing approved', whole, [], undefined, 'provisional'],
    ['finance alone approved', whole, both.slice(0, 1), undefined, 'provisional'],
    ['journal alone approved', whole, both.slice(1), undefined, 'provisional'],
    ['no journal', { finance: { valuation } }, both.slice(0, 1), undefined, 'provisional'],
    [
      'an incomplete mapping',
      { ...whole, journal: { accounts: incomplete } },
      both,
      undefined,
      'provisional',
    ],
    ['all there and approved', whole, both, undefined, 'ready_for_external_review'],
  ])('%s', (_name, document, sections, control, expected) => {
    expect(status(document, sections, control)).toBe(expected);
  });

  test('an approval holds for its content alone', () => {
    const other = { ...whole, finance: { valuation: { amountMinor: { numerator: 2, denominator: 1 } } } };
    const [same, changed] = [whole, other].map((document) =>
      policyOf({ version: 2, document: program(document) }),
    ) as [ClosePolicy, ClosePolicy];
    const approvals = signed(policyOf({ version: 1, document: program(whole) }), both).map((one) => ({
      ...one,
      section: one.section as 'finance' | 'journal',
      approvedAt: now,
    }));
    expect(statusOf([], same, approvalsOf(same, approvals))).toBe('ready_for_external_review');
    expect(statusOf([], changed, approvalsOf(changed, approvals))).toBe('provisional');
    expect(approvalsOf(changed, approvals).map(({ section }) => section)).toEqual(['journal']);
  });
});
