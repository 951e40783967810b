import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import type { ProgramDocument } from '../../../src/programs/document/program-document.ts';
import { parseProgram } from '../../../src/programs/parse/parse-program.ts';
import { program } from '../../support/rules/fixtures.ts';

const tenth = { numerator: 1, denominator: 10 };

function problemsOf(overrides: object): string[] {
  const result = parseProgram(JSON.stringify({ ...program(), ...overrides }));
  return result.ok ? [] : result.problems.map(({ path, message }) => `${path} ${message}`);
}

function breakage(policy: object): string[] {
  return problemsOf({ finance: { breakage: { rate: tenth, ...policy } } });
}

test('every section may stand for itself, or be empty', () => {
  const valid: Pick<ProgramDocument, 'finance' | 'journal'>[] = [
    { finance: {} },
    { finance: { valuation: { amountMinor: { numerator: 1, denominator: 3 } } } },
    { finance: { breakage: { rate: { numerator: 0, denominator: 1 } } } },
    { finance: { breakage: { rate: tenth, byAgeMonths: [{ from: 0, rate: tenth }] } } },
    { journal: { accounts: {} } },
    { journal: { accounts: { liability: '2410' } } },
  ];
  for (const sections of valid) expect([sections, problemsOf(sections)]).toEqual([sections, []]);
});

describe('what is wrong is named', () => {
  test('a rate above the whole', () => {
    expect(problemsOf({ finance: { breakage: { rate: { numerator: 3, denominator: 2 } } } })).toEqual([
      'finance.breakage.rate.numerator must be at most the denominator, 2',
    ]);
    const cohort = { rate: { numerator: 11, denominator: 10 } };
    expect(breakage({ byMonthsToExpiry: [{ upTo: 1, ...cohort }] })).toEqual([
      'finance.breakage.byMonthsToExpiry[0].rate.numerator must be at most the denominator, 10',
    ]);
    expect(breakage({ byAgeMonths: [{ from: 1, ...cohort }] })).toEqual([
      'finance.breakage.byAgeMonths[0].rate.numerator must be at most the denominator, 10',
    ]);
  });

  test('cohorts out of order', () => {
    const [three, one] = [
      { upTo: 3, rate: tenth },
      { upTo: 1, rate: tenth },
    ];
    expect(breakage({ byMonthsToExpiry: [three, one] })).toEqual([
      "finance.breakage.byMonthsToExpiry[1].upTo must be above the cohort's before, 3",
    ]);
    expect(breakage({ byMonthsToExpiry: [one, three] })).toEqual([]);
    const twice = [
      { from: 3, rate: tenth },
      { from: 3, rate: tenth },
    ];
    expect(breakage({ byAgeMonths: twice })).toEqual([
      "finance.breakage.byAgeMonths[1].from must be above the cohort's before, 3",
    ]);
  });

  test('two kinds of cohorts at once', () => {
    const both = { byMonthsToExpiry: [{ upTo: 1, rate: tenth }], byAgeMonths: [{ from: 1, rate: tenth }] };
    expect(breakage(both)).toEqual([
      'finance.breakage.byAgeMonths cannot stand beside byMonthsToExpiry: points are in one cohort',
    ]);
  });

  test('an account on both sides of a line', () => {
    expect(problemsOf({ journal: { accounts: { liability: '2410', breakage: '2410' } } })).toEqual([
      'journal.accounts.breakage must be another account than that of the liability',
    ]);
  });

  test('a worth of nothing, and an account that there is not', () => {
    const valuation = { amountMinor: { numerator: 0, denominator: 1 } };
    expect(problemsOf({ finance: { valuation } })).toHaveLength(1);
    expect(problemsOf({ journal: { accounts: { cash: '1000' } } })).toHaveLength(1);
    expect(problemsOf({ journal: { accounts: { liability: ' ' } } })).toHaveLength(1);
  });
});

test('the sections of the demo and of docs/guide/programs.md are in order, and complete', () => {
  const demo = readFileSync(new URL('../../../demo/coffee-club.yaml', import.meta.url), 'utf8');
  const page = readFileSync(new URL('../../../docs/guide/programs.md', import.meta.url), 'utf8');
  const sections = /```yaml\n(finance:.*?)```/s.exec(page)?.[1] ?? '';
  const shown = demo.slice(0, demo.indexOf('\nfinance:') + 1) + sections;
  for (const text of [demo, shown]) {
    const result = parseProgram(text);
    if (!result.ok) throw new Error(JSON.stringify(result.problems));
    expect(Object.keys(result.document.journal?.accounts ?? {})).toHaveLength(6);
    expect(result.document.finance).toHaveProperty('valuation.amountMinor');
  }
});
