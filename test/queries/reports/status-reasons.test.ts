import { describe, expect, test } from '@jest/globals';
import { type ClosePolicy, reasonsOf, statusOf } from '../../../src/queries/reports/ledger-close/policy.ts';

const valuation = { amountMinor: { numerator: 1, denominator: 10 } };
const finance = { sectionHash: 'f', valuation };
const journal = { sectionHash: 'j', missing: [] } as unknown as ClosePolicy['journal'];
const policy: ClosePolicy = { configurationVersion: 3, finance, journal };
const approvals = [
  { section: 'finance', sectionHash: 'f' },
  { section: 'journal', sectionHash: 'j' },
];
const control = (id: string, passed: boolean, statusOnFailure: 'control_exception' | 'provisional') => ({
  ...{ id, passed, statusOnFailure, expected: '7', found: '5', differences: passed ? 0 : 2 },
});
const periodEnd = '2026-12-01T00:00:00.000Z';
const reasons = (change: object): string[] =>
  reasonsOf({ controls: [], policy, approvals, periodEnd, ...change });

describe('why a close is not ready', () => {
  test('nothing is said of one that is', () => {
    expect(reasons({})).toEqual([]);
    expect(statusOf([], policy, approvals)).toBe('ready_for_external_review');
  });

  test.each<[string, object, RegExp]>([
    [
      'the period',
      { controls: [control('period_over', false, 'provisional')] },
      /ends at 2026-12-01T00:00:00\.000Z/,
    ],
    [
      'a control',
      { controls: [control('roll-forward', false, 'control_exception')] },
      /^Control roll-forward failed: 7 expected, 5 found, 2 differences\./,
    ],
    ['finance', { approvals: approvals.slice(1) }, /finance section of version 3 is not approved/],
    [
      'another finance',
      { policy: { ...policy, finance: { ...finance, sectionHash: 'g' } } },
      /finance section/,
    ],
    ['the journal', { approvals: approvals.slice(0, 1) }, /journal section of version 3 is not approved/],
    ['no journal', { policy: { ...policy, journal: null } }, /Version 3 has no journal section/],
    [
      'accounts',
      { policy: { ...policy, journal: { ...journal, missing: ['issued'] } } },
      /no account for issued/,
    ],
    ['no valuation', { policy: { ...policy, finance: null } }, /values no points/],
  ])('%s', (_what, change, expected) => {
    const said = reasons(change);
    expect(said).toEqual([expect.stringMatching(expected)]);
  });

  test('several things are said one by one', () => {
    const controls = [
      control('period_over', false, 'provisional'),
      control('lots', true, 'control_exception'),
    ];
    expect(reasons({ controls, approvals: [] })).toHaveLength(3);
  });
});
