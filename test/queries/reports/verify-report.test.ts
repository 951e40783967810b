import { describe, expect, test } from '@jest/globals';
import type { BreakagePolicy, Share } from '../../../src/programs/document/program-document.ts';
import type { Approval } from '../../../src/queries/reports/ledger-close/policy.ts';
import { policyOf } from '../../../src/queries/reports/ledger-close/policy.ts';
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

function report(approvals: readonly Approval[] = [], program = document): CloseReport {
  return closeReport({
    programId: 'coffee-club',
    currency: 'USD',
    version: { version: 1, document: program },
    approvals,
    window: { from: new Date('2026-10-01T00:00:00Z'), to: new Date('2026-11-01T00:00:00Z') },
    isOver: true,
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
  const { schema: _, policy: _policy, liabilityTotal: _total, ...shown } = evidence;
  return {
    ...shown,
    evidence: evidence as unknown as Record<string, unknown>,
    evidenceHash,
    status: report().status,
    approvals: [],
    reportId: reportIdOf(evidenceHash, []),
  };
}

type Evidence = Omit<CloseReport, 'evidence' | 'evidenceHash' | 'reportId' | 'status' | 'approvals'> & {
  schema: string;
  policy: { finance: { sectionHash: string; breakage: object }; journal: { missing: string[] } };
  liabilityTotal: { points: string };
};

/** Signatures under both sections. */
const approvals: Approval[] = (['finance', 'journal'] as const).map((section) => ({
  section,
  sectionHash: policyOf({ version: 1, document })[section]?.sectionHash ?? '',
  version: 1,
  approvedBy: 'grace',
  approvedAt: new Date('2026-11-03T00:00:00Z'),
}));

test('a report proves itself, also after a way through JSON, with keys in another order and a request id', () => {
  const made = report();
  expect(made.status).toBe('provisional');
  expect(verifyCloseReport(made)).toEqual([]);
  const reordered = Object.fromEntries(
    Object.entries(JSON.parse(JSON.stringify(made)) as object).toReversed(),
  );
  expect(verifyCloseReport({ requestId: 'req_1', ...reordered })).toEqual([]);
});

test('months are counted from the last instant of the period, not from the first after it', () => {
  const [whole, none] = [1, 0].map((numerator) => ({ numerator, denominator: 1 })) as [Share, Share];
  const expected = (breakage: BreakagePolicy): unknown[] =>
    report([], program({ finance: { breakage } })).liability.map(({ expectedPoints }) => expectedPoints);
  // At the end of October the points of August are two months old, and have ten months to go.
  const byAge = (from: number) => expected({ rate: none, byAgeMonths: [{ from, rate: whole }] });
  expect({ 2: byAge(2), 3: byAge(3) }).toEqual({ 2: ['0', '250'], 3: ['350', '250'] });
  const byMonthsToExpiry = (upTo: number) =>
    expected({ rate: none, byMonthsToExpiry: [{ upTo, rate: whole }] });
  expect({ 10: byMonthsToExpiry(10), 9: byMonthsToExpiry(9) }).toEqual({
    10: ['0', '250'],
    9: ['350', '250'],
  });
});

test('an empty period proves itself', () => {
  const nothing = { expected: 0n, found: 0n, differences: 0 };
  const empty = closeReport({
    programId: 'coffee-club',
    currency: 'USD',
    version: null,
    approvals: [],
    window: { from: new Date('2026-10-01T00:00:00Z'), to: new Date('2026-11-01T00:00:00Z') },
    isOver: true,
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
    isOver: true,
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
  const made = report(approvals);
  test('it is ready, and proves itself', () => {
    expect(made.status).toBe('ready_for_external_review');
    expect(verifyCloseReport(made)).toEqual([]);
  });
  const paths = leaves(made);
  test('there is a lot of them', () => expect(paths.length).toBeGreaterThan(200));
  test.each(paths.map((path) => [path.join('.'), path] as const))('%s', (_name, path) => {
    expect(verifyCloseReport(tampered(made, path))).not.toEqual([]);
  });
});

describe('who tampers with the evidence and computes the hash again is found by the sums', () => {
  test.each<[string, (evidence: Evidence) => void, RegExp]>([
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
    ['a control that is gone', (e) => void e.controls.splice(3, 1), /controls are not those of a close/],
    [
      'what a control makes of the report',
      (e) => void Object.assign(e.controls[0] ?? {}, { statusOnFailure: 'provisional' }),
      /controls are not those of a close/,
    ],
    [
      'a line of the journal that nothing moved',
      (e) => {
        const nothing = { movement: 'points_expired', account: 'B', points: '0', amountMinor: '0' };
        e.journal.push({ ...nothing, direction: 'debit' }, { ...nothing, direction: 'credit' });
      },
      /not what the policy makes of the roll-forward/,
    ],
    [
      'a cohort of nothing',
      (e) => void e.liability.push({ ...e.liability[0], issueMonth: '2026-11', points: '0' } as never),
      /each pair of months once/,
    ],
    [
      'the breakage',
      (e) => void Object.assign(e.policy.finance.breakage, { rate: { numerator: 0, denominator: 1 } }),
      /sectionHash of the finance policy/,
    ],
    ['what the mapping lacks', (e) => void e.policy.journal.missing.push('expense'), /or what it lacks/],
  ])('%s', (_name, change, problem) => {
    expect(verifyCloseReport(resigned(change)).join('\n')).toMatch(problem);
  });
});

test.each([
  [{}, 'The file is no ledger-close report: it has no evidence.'],
  [{ evidence: null }, 'The file is no ledger-close report: it has no evidence.'],
  [[], 'The file is no ledger-close report: it has no evidence.'],
  [{ evidence: { schema: 'rewards.ledger-close.v1' } }, 'The evidence is not rewards.ledger-close.v2.'],
])('what is no report is none, in one line: %j', (file, line) =>
  expect(verifyCloseReport(file)).toEqual([line]),
);

test('a value of another type is found, with its path and what it has to be', () => {
  const made = report();
  const { rollForward: _, ...without } = made;
  const problems = (change: object): string => verifyCloseReport({ ...made, ...change }).join('\n');
  expect(verifyCloseReport(without).join('\n')).toContain('rollForward is missing.');
  expect(problems({ rollForward: {} })).toContain('rollForward is not a list.');
  expect(problems({ status: 1 })).toContain('status is not a text.');
  expect(problems({ period: [] })).toContain('period is not an object.');
  expect(problems({ totals: { ...made.totals, postings: '1' } })).toContain(
    'totals.postings is not a number.',
  );
  const [first, ...rest] = made.controls;
  expect(problems({ controls: [{ ...first, passed: 'true' }, ...rest] })).toContain(
    'controls[0].passed is not true or false.',
  );
});

test('a status that approvals do not bear out is found', () => {
  const forged = { ...report(), status: 'ready_for_external_review' };
  expect(verifyCloseReport(forged).join()).toMatch(/policy and approvals it is provisional/);
  const made = report(approvals);
  const another = made.approvals.map((one) => ({ ...one, sectionHash: '00' }));
  const signed = { ...made, approvals: another, reportId: reportIdOf(made.evidenceHash, another) };
  expect(verifyCloseReport(signed).join('\n')).toMatch(/is not of a section of the policy/);
});

test('approvals change status and id of a report, and leave its evidence as it was', () => {
  const [before, after] = [report(), report(approvals)];
  expect({ before: before.status, after: after.status }).toEqual({
    before: 'provisional',
    after: 'ready_for_external_review',
  });
  expect(after.reportId).not.toBe(before.reportId);
  expect({ evidence: after.evidence, evidenceHash: after.evidenceHash }).toEqual({
    evidence: before.evidence,
    evidenceHash: before.evidenceHash,
  });
  expect(after.approvals).toMatchObject([
    { section: 'finance', version: 1, approvedBy: 'grace', approvedAt: '2026-11-03T00:00:00.000Z' },
    { section: 'journal', version: 1, approvedBy: 'grace' },
  ]);
});

/** Every object of a JSON value. */
function objects(value: unknown, path: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.entries(value).flatMap(([key, one]) => objects(one, [...path, key]));
  return Array.isArray(value) ? inner : [path, ...inner];
}

describe('what is added to an object of the report is found, also where all hashes are right', () => {
  const made = report(approvals);
  const at = (root: unknown, path: (string | number)[]): Record<string, unknown> =>
    path.reduce((holder, key) => holder[key] as Record<string, unknown>, root as Record<string, unknown>);
  const paths = objects(made);
  test('there are many of them', () => expect(paths.length).toBeGreaterThan(80));
  test.each(paths.map((path) => [path.join('.') || 'the report', path] as const))('%s', (_name, path) => {
    const copy = structuredClone(made);
    at(copy, path).note = 'added';
    const [first] = path;
    const rest = first === 'evidence' ? path.slice(1) : path;
    // To both sides, where a part is hashed and shown.
    if (first === 'evidence' && String(rest[0]) in made) at(copy, rest).note = 'added';
    if (first !== 'evidence' && String(first) in made.evidence) at(copy.evidence, path).note = 'added';
    copy.evidenceHash = hashEvidence(copy.evidence);
    copy.reportId = reportIdOf(copy.evidenceHash, copy.approvals);
    expect(verifyCloseReport(copy).join('\n')).toMatch(/note is no part of a report/);
  });
});

function account(evidence: Evidence, index: number) {
  return evidence.totals.accounts[index] as Evidence['totals']['accounts'][number];
}

function line(evidence: Evidence, name: string) {
  return evidence.rollForward.find((one) => one.line === name) as Evidence['rollForward'][number];
}
