import type { DocumentPath, DocumentProblem } from '../document/document-problem.ts';
import type { BreakagePolicy, JournalSection, ProgramDocument } from '../document/program-document.ts';
import { checkShare } from './check-share.ts';

/** Checks what the JSON Schema cannot say of the sections `finance` and `journal`. Paths begin at the document. */
export function checkFinance({ finance, journal }: ProgramDocument): DocumentProblem[] {
  return [
    ...(finance?.breakage ? checkBreakage(finance.breakage, ['finance', 'breakage']) : []),
    ...(journal ? checkJournal(journal) : []),
  ];
}

function checkBreakage(
  { rate, byMonthsToExpiry, byAgeMonths }: BreakagePolicy,
  path: DocumentPath,
): DocumentProblem[] {
  const problems = checkShare(rate, [...path, 'rate']);
  if (byMonthsToExpiry && byAgeMonths) {
    problems.push({
      path: [...path, 'byAgeMonths'],
      message: 'cannot stand beside byMonthsToExpiry: points are in one cohort',
    });
  }
  byMonthsToExpiry?.forEach((cohort, index, all) => {
    const at = [...path, 'byMonthsToExpiry', index];
    problems.push(...checkAscending(all[index - 1]?.upTo, cohort.upTo, [...at, 'upTo']));
    problems.push(...checkShare(cohort.rate, [...at, 'rate']));
  });
  byAgeMonths?.forEach((cohort, index, all) => {
    const at = [...path, 'byAgeMonths', index];
    problems.push(...checkAscending(all[index - 1]?.from, cohort.from, [...at, 'from']));
    problems.push(...checkShare(cohort.rate, [...at, 'rate']));
  });
  return problems;
}

function checkAscending(before: number | undefined, value: number, path: DocumentPath): DocumentProblem[] {
  if (before === undefined || value > before) return [];
  return [{ path, message: `must be above the cohort's before, ${before}` }];
}

/** No other account may be the liability account: an entry between an account and itself books nothing. */
function checkJournal({ accounts }: JournalSection): DocumentProblem[] {
  const { liability, ...others } = accounts;
  if (liability === undefined) return [];
  return Object.entries(others)
    .filter(([, account]) => account === liability)
    .map(([name]) => ({
      path: ['journal', 'accounts', name],
      message: 'must be another account than that of the liability',
    }));
}
