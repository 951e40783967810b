import { describe, expect, test } from '@jest/globals';
import type { Books } from '../../../src/queries/reports/ledger-close/read-books.ts';
import {
  type CloseReport,
  closeReport,
  hashEvidence,
  reportIdOf,
} from '../../../src/queries/reports/ledger-close/report.ts';
import { verifyCloseReport } from '../../../src/queries/reports/ledger-close/verify-report.ts';
import { program } from '../../support/rules/fixtures.ts';

const document = program({
  finance: {
    valuation: { amountMinor: { numerator: 1, denominator: 3 } },
    breakage: { rate: { numerator: 1, denominator: 10 } },
  },
  journal: {
    accounts: {
      liability: 'L',
      expense: 'E',
      redemption: 'R',
      breakage: 'B',
      adjustment: 'A',
      clearing: 'C',
    },
  },
});

/** 500 points from before; 300 issued and 200 redeemed in the period. */
function books(): Books {
  const pair = (debitAccount: string, creditAccount: string, opening: bigint, inside: bigint) => ({
    debitAccount,
    creditAccount,
    eventType: null,
    opening,
    inside,
    closing: opening + inside,
    after: 0n,
    postings: inside / 100n,
    transactions: inside / 100n,
  });
  const equal = { expected: 600n, found: 600n, differences: 0 };
  return {
    pairs: [
      pair('program.issuance', 'member.available', 500n, 300n),
      pair('member.available', 'member.reserved', 0n, 200n),
      pair('member.reserved', 'program.redemption', 0n, 200n),
    ],
    balances: { available: 600n, pending: 0n, reserved: 0n },
    members: equal,
    postings: equal,
    lots: equal,
    cohorts: [
      { issueMonth: '2026-08', expiryMonth: '2027-08', points: 350n },
      { issueMonth: '2026-10', expiryMonth: null, points: 250n },
    ],
  };
}

function report(): CloseReport {
  return closeReport({
    programId: 'coffee-club',
    currency: 'USD',
    version: { version: 1, document },
    approvals: [],
    window: { from: new Date('2026-10-01T00:00:00Z'), to: new Date('2026-11-01T00:00:00Z') },
    books: books(),
    snapshots: 1,
  });
}

/** Every way from the root of a JSON value to a leaf of it. */
function leaves(value: unknown, path: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, [...path, key]));
}

function tampered(original: CloseReport, path: (string | number)[]): CloseReport {
  const copy = structuredClone(original);
  const last = path.at(-1) ?? '';
  const holder = path
    .slice(0, -1)
    .reduce((at, key) => at[key] as Record<string, unknown>, copy as unknown as Record<string, unknown>);
  const value = holder[last];
  if (typeof value === 'number') holder[last] = value + 1;
  else if (typeof value === 'boolean') holder[last] = !value;
  else holder[last] = `${value ?? ''}1`;
  return copy;
}

/** Who tampers with the evidence and computes the hash again. */
function resigned(change: (evidence: Evidence) => void): CloseReport {
  const evidence = structuredClone(report().evidence) as unknown as Evidence;
  change(evidence);
  const evidenceHash = hashEvidence(evidence);
  return {
    ...(evidence as unknown as CloseReport),
    evidence: evidence as unknown as Record<string, unknown>,
    evidenceHash,
    reportId: reportIdOf(evidenceHash),
  };
}

type Evidence = Omit<CloseReport, 'evidence'> & { liabilityTotal: { points: string } };

test('a report proves itself, also after a way through JSON, with keys in another order and fields beside', () => {
  const made = report();
  expect(made.status).toBe('provisional');
  expect(verifyCloseReport(made)).toEqual([]);
  const reordered = Object.fromEntries(
    Object.entries(JSON.parse(JSON.stringify(made)) as object).toReversed(),
  );
  expect(verifyCloseReport({ requestId: 'req_1', ...reordered })).toEqual([]);
});

test('an empty period proves itself', () => {
  const nothing = { expected: 0n, found: 0n, differences: 0 };
  const empty = closeReport({
    programId: 'coffee-club',
    currency: 'USD',
    version: null,
    approvals: [],
    window: { from: new Date('2026-10-01T00:00:00Z'), to: new Date('2026-11-01T00:00:00Z') },
    books: {
      pairs: [],
      balances: { available: 0n, pending: 0n, reserved: 0n },
      members: nothing,
      postings: nothing,
      lots: nothing,
      cohorts: [],
    },
    snapshots: 1,
  });
  expect(verifyCloseReport(empty)).toEqual([]);
});

test('a report with an exception is proved too: it says what it says', () => {
  const wrong = { ...books(), lots: { expected: 599n, found: 600n, differences: 1 } };
  const exception = closeReport({
    programId: 'coffee-club',
    currency: 'USD',
    version: null,
    approvals: [],
    window: { from: new Date('2026-10-01T00:00:00Z'), to: new Date('2026-11-01T00:00:00Z') },
    books: wrong,
    snapshots: 2,
  });
  expect(exception.status).toBe('control_exception');
  expect(exception.controls.filter(({ passed }) => !passed).map(({ id }) => id)).toEqual([
    'lots-equal-balances',
    'one-snapshot',
  ]);
  expect(verifyCloseReport(exception)).toEqual([]);
});

describe('tampering with any value of the file is found', () => {
  const made = report();
  const paths = leaves(made);
  test('there is a lot of them', () => expect(paths.length).toBeGreaterThan(200));
  test.each(paths.map((path) => [path.join('.'), path] as const))('%s', (_name, path) => {
    expect(verifyCloseReport(tampered(made, path))).not.toEqual([]);
  });
});

describe('who tampers with the evidence and computes the hash again is found by the sums', () => {
  test.each<[string, (evidence: Evidence) => void, RegExp]>([
    [
      'a status',
      (e) => void Object.assign(e, { status: 'ready_for_external_review' }),
      /by controls and policy it is provisional/,
    ],
    [
      'the period',
      (e) => void Object.assign(e.period, { to: e.period.from }),
      /does not end after it begins/,
    ],
    ['the schema', (e) => void Object.assign(e, { schema: 'x' }), /The evidence is not/],
    ['debits', (e) => void Object.assign(e.totals, { debits: '701' }), /Debits are 701, credits 700/],
    [
      'an opening',
      (e) => void Object.assign(account(e, 0), { opening: '501' }),
      /opening balances of all accounts/,
    ],
    [
      'a closing',
      (e) => void Object.assign(account(e, 0), { closing: '601' }),
      /member.available: opening and movements/,
    ],
    [
      'debits of an account',
      (e) => void Object.assign(account(e, 0), { debits: '201' }),
      /debits of the accounts/,
    ],
    [
      'credits of an account',
      (e) => void Object.assign(account(e, 0), { credits: '301' }),
      /credits of the accounts/,
    ],
    ['an account', (e) => void Object.assign(account(e, 0), { account: 'x' }), /do not list the accounts/],
    [
      'a line',
      (e) => void Object.assign(line(e, 'points_issued'), { points: '301' }),
      /does not add up to its closing/,
    ],
    ['a line that is gone', (e) => void e.rollForward.splice(5, 1), /does not list every kind/],
    [
      'the opening line',
      (e) => void Object.assign(line(e, 'opening'), { points: '501' }),
      /opening is not that of the members/,
    ],
    [
      'the closing line',
      (e) => void Object.assign(line(e, 'closing'), { points: '601' }),
      /closing is not that of the members/,
    ],
    [
      'one side of the journal',
      (e) => void Object.assign(e.journal[0] ?? {}, { points: '301' }),
      /does not balance/,
    ],
    [
      'amounts of the journal',
      (e) => void Object.assign(e.journal[0] ?? {}, { amountMinor: '999' }),
      /points_issued does not balance/,
    ],
    [
      'both sides of the journal',
      (e) => {
        for (const one of e.journal.slice(0, 2)) one.points = '301';
      },
      /is not that of the roll-forward/,
    ],
    ['a cohort', (e) => void Object.assign(e.liability[0] ?? {}, { points: '351' }), /points do not add up/],
    [
      'a cohort and its total',
      (e) => {
        Object.assign(e.liability[0] ?? {}, { points: '351' });
        e.liabilityTotal.points = '601';
      },
      /liability-equals-balances does not say/,
    ],
    [
      'the worth',
      (e) => void Object.assign(e.liability[0] ?? {}, { amountMinor: '1' }),
      /amountMinor do not add up/,
    ],
    [
      'a control',
      (e) => void Object.assign(e.controls[0] ?? {}, { found: '1' }),
      /debits-equal-credits does not say/,
    ],
    [
      'a control that fails',
      (e) => void Object.assign(e.controls[0] ?? {}, { passed: false }),
      /it is control_exception/,
    ],
  ])('%s', (_name, change, problem) => {
    expect(verifyCloseReport(resigned(change)).join('\n')).toMatch(problem);
  });
});

test.each([[{}], [{ evidence: null }], [[]], [{ evidence: { schema: 'rewards.ledger-close.v1' } }]])(
  'what is no report is none: %j',
  (file) =>
    expect(verifyCloseReport(file).join()).toMatch(
      /is no ledger-close report|is not rewards.ledger-close.v1/,
    ),
);

function account(evidence: Evidence, index: number) {
  return evidence.totals.accounts[index] as Evidence['totals']['accounts'][number];
}

function line(evidence: Evidence, name: string) {
  return evidence.rollForward.find((one) => one.line === name) as Evidence['rollForward'][number];
}
