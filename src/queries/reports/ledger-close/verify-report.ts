import canonicalize from 'canonicalize';
import type {
  AccountTotal,
  CloseApproval,
  CloseControl,
  CloseTotals,
  LiabilityCohort,
  RollForwardLine,
} from '../../../contract/generated/types.ts';
import { ACCOUNTS, CONTROLS, isOfMembers } from './controls.ts';
import { journalOf, missingAccounts } from './journal.ts';
import { liabilityOf } from './liability.ts';
import { MOVEMENTS, sum } from './movements.ts';
import { type ClosePolicy, hashSection, reasonsOf, statusOf } from './policy.ts';
import { type CloseReport, EVIDENCE_SCHEMA, hashEvidence, reportIdOf } from './report.ts';
import { shapeProblems } from './report-shape.ts';

/** The fields of a report that its evidence has to contain with the same values. */
const VISIBLE = [
  'programId',
  'currency',
  'period',
  'controls',
  'totals',
  'rollForward',
  'journal',
  'liability',
] as const satisfies readonly (keyof CloseReport)[];

type Evidence = Pick<CloseReport, (typeof VISIBLE)[number]> & {
  schema: string;
  policy: ClosePolicy;
  liabilityTotal: { points: string; expectedPoints: string | null; amountMinor: string | null };
};

/**
 * Checks a saved close report by itself: that no property is missing or added, that its hash and id are right, that its
 * fields equal those of its evidence, and that its sums, controls, journal, liability and status follow from each
 * other. It works offline, so it cannot prove that the books were as the report says.
 * @param report a whole report, as REST and GraphQL return it
 * @returns the problems, each as a sentence; empty where the report is right
 */
export function verifyCloseReport(report: unknown): string[] {
  try {
    return problemsOf(report as CloseReport);
  } catch (error) {
    // A field is missing or has the wrong type.
    if (error instanceof TypeError || error instanceof SyntaxError || error instanceof RangeError) {
      return [`The file is no ledger-close report: ${error.message}`];
    }
    throw error;
  }
}

function problemsOf(report: CloseReport): string[] {
  const schema = (report as Partial<CloseReport>).evidence?.schema;
  if (schema === undefined) return ['The file is no ledger-close report: it has no evidence.'];
  if (schema !== EVIDENCE_SCHEMA) return [`The evidence is not ${EVIDENCE_SCHEMA}.`];
  const misshapen = shapeProblems(report);
  if (misshapen.length > 0) return misshapen;
  const evidence = report.evidence as unknown as Evidence;
  const hash = hashEvidence(report.evidence);
  return [
    ...unless(
      report.evidenceHash === hash,
      `evidenceHash is ${report.evidenceHash}; the evidence's is ${hash}.`,
    ),
    ...unless(
      report.reportId === reportIdOf(hash, report.approvals),
      `reportId is ${report.reportId}, which is not that of evidence and approvals.`,
    ),
    ...VISIBLE.filter((field) => canonicalize(report[field]) !== canonicalize(evidence[field])).map(
      (field) => `${field} is not what the evidence says.`,
    ),
    ...checkPeriod(evidence),
    ...checkTotals(evidence.totals),
    ...checkRollForward(evidence.rollForward, evidence.totals.accounts),
    ...checkJournal(evidence),
    ...checkLiability(evidence),
    ...checkControls(evidence.controls),
    ...checkPolicy(evidence.policy),
    ...checkApprovals(report.approvals, evidence.policy),
    ...checkStatus(report, evidence),
  ];
}

function checkPeriod({ period }: Evidence): string[] {
  return unless(new Date(period.from) < new Date(period.to), 'The period does not end after it begins.');
}

function checkTotals({ accounts, debits, credits }: CloseTotals): string[] {
  const of = (field: keyof AccountTotal): bigint => total(accounts, (account) => account[field] as string);
  return [
    ...unless(
      canonicalize(accounts.map(({ account }) => account)) === canonicalize(ACCOUNTS),
      'The totals do not list the accounts of the ledger.',
    ),
    ...unless(debits === credits, `Debits are ${debits}, credits ${credits}.`),
    ...unless(of('debits') === BigInt(debits), 'The debits of the accounts do not add up to their total.'),
    ...unless(of('credits') === BigInt(credits), 'The credits of the accounts do not add up to their total.'),
    ...unless(of('opening') === 0n, 'The opening balances of all accounts do not add up to 0.'),
    ...unless(of('closing') === 0n, 'The closing balances of all accounts do not add up to 0.'),
    ...accounts.flatMap((one) =>
      unless(
        BigInt(one.opening) + BigInt(one.credits) - BigInt(one.debits) === BigInt(one.closing),
        `${one.account}: opening and movements are not its closing.`,
      ),
    ),
  ];
}

function checkRollForward(lines: readonly RollForwardLine[], accounts: readonly AccountTotal[]): string[] {
  const members = accounts.filter(isOfMembers);
  const names = ['opening', ...MOVEMENTS.map(({ name }) => name), 'closing'];
  const [opening, closing] = [lines.at(0)?.points ?? '', lines.at(-1)?.points ?? ''];
  return [
    ...unless(
      canonicalize(lines.map(({ line }) => line)) === canonicalize(names),
      'The roll-forward does not list every kind of movement.',
    ),
    ...unless(
      total(lines.slice(0, -1), ({ points }) => points) === BigInt(closing),
      'The roll-forward does not add up to its closing.',
    ),
    ...unless(
      total(members, (account) => account.opening) === BigInt(opening),
      "The roll-forward's opening is not that of the members' accounts.",
    ),
    ...unless(
      total(members, (account) => account.closing) === BigInt(closing),
      "The roll-forward's closing is not that of the members' accounts.",
    ),
  ];
}

function checkJournal({ journal, rollForward, policy }: Evidence): string[] {
  const unbalanced = [...new Set(journal.map(({ movement }) => movement))].flatMap((movement) => {
    const lines = journal.filter((line) => line.movement === movement);
    const side = (direction: string, field: 'points' | 'amountMinor'): bigint =>
      total(
        lines.filter((line) => line.direction === direction),
        (line) => line[field] ?? '0',
      );
    const forward = rollForward.find(({ line }) => line === movement)?.points ?? '';
    const balanced = (['points', 'amountMinor'] as const).every(
      (field) => side('debit', field) === side('credit', field),
    );
    return [
      ...unless(balanced, `The journal's ${movement} does not balance.`),
      ...unless(
        side('debit', 'points') === BigInt(forward.replace('-', '')),
        `The journal's ${movement} is not that of the roll-forward.`,
      ),
    ];
  });
  if (unbalanced.length > 0) return unbalanced;
  const movements = MOVEMENTS.map((kind) => {
    const points = rollForward.find(({ line }) => line === kind.name)?.points ?? '0';
    return { kind, points: BigInt(points) * (kind.gain ? 1n : -1n) };
  });
  return unless(
    canonicalize(journal) ===
      canonicalize(journalOf(movements, policy.journal ?? undefined, policy.finance?.valuation)),
    'The journal is not what the policy makes of the roll-forward.',
  );
}

function checkLiability({ liability, liabilityTotal, totals, controls, policy, period }: Evidence): string[] {
  const of = (field: keyof LiabilityCohort): bigint =>
    total(liability, (cohort) => (cohort[field] as string) ?? '0');
  const closing = total(totals.accounts.filter(isOfMembers), (account) => account.closing);
  const control = controls.find(({ id }) => id === 'liability-equals-balances');
  return [
    ...(['points', 'expectedPoints', 'amountMinor'] as const).flatMap((field) =>
      unless(
        of(field) === BigInt(liabilityTotal[field] ?? '0'),
        `The liability's ${field} do not add up to their total.`,
      ),
    ),
    ...unless(
      (of('points') === closing) === (control?.passed ?? false),
      'The control liability-equals-balances does not say what the figures do.',
    ),
    ...unless(
      liability.every(
        (cohort, index) =>
          cohort.points !== '0' && (index === 0 || monthsOf(liability[index - 1]) < monthsOf(cohort)),
      ),
      'The liability does not list each pair of months once, in order.',
    ),
    ...unless(
      canonicalize(liability) === canonicalize(valuedAgain(liability, policy, period)),
      'The liability is not what the policy makes of its points.',
    ),
  ];
}

function monthsOf(cohort: LiabilityCohort | undefined): string {
  return `${cohort?.issueMonth} ${cohort?.expiryMonth ?? 'never'}`;
}

function valuedAgain(
  liability: readonly LiabilityCohort[],
  { finance }: ClosePolicy,
  { to }: Evidence['period'],
): LiabilityCohort[] {
  const cohorts = liability.map(({ issueMonth, expiryMonth, points }) => ({
    issueMonth,
    expiryMonth: expiryMonth ?? null,
    points: BigInt(points),
  }));
  return liabilityOf(cohorts, finance ?? undefined, new Date(Date.parse(to) - 1));
}

function checkControls(controls: readonly CloseControl[]): string[] {
  const reportedControls = controls.map(({ id, title, statusOnFailure }) => ({ id, title, statusOnFailure }));
  return [
    ...unless(
      canonicalize(reportedControls) === canonicalize(CONTROLS),
      'The controls are not those of a close.',
    ),
    ...controls.flatMap(({ id, passed, differences, expected, found }) =>
      unless(
        passed === (differences === 0) && (differences > 0 || expected === found),
        `The control ${id} does not say what its figures do.`,
      ),
    ),
  ];
}

function checkPolicy({ finance, journal }: ClosePolicy): string[] {
  const hashOf = ({ sectionHash: _, ...section }: { sectionHash: string }): string => hashSection(section);
  const { missing, ...mapping } = journal ?? { missing: [], sectionHash: '' };
  return [
    ...unless(
      finance === null || hashOf(finance) === finance.sectionHash,
      'The sectionHash of the finance policy is not that of its content.',
    ),
    ...unless(
      journal === null ||
        (hashOf(mapping) === journal.sectionHash &&
          canonicalize(missing) === canonicalize(missingAccounts(journal))),
      'The sectionHash of the journal mapping, or what it lacks, is not that of its content.',
    ),
  ];
}

function checkApprovals(approvals: readonly CloseApproval[], policy: ClosePolicy): string[] {
  return approvals.flatMap(({ section, sectionHash }) =>
    unless(
      (section === 'finance' || section === 'journal') && policy[section]?.sectionHash === sectionHash,
      `The approval of ${section} ${sectionHash} is not of a section of the policy.`,
    ),
  );
}

function checkStatus(
  { status, statusReasons, approvals }: CloseReport,
  { controls, policy, period }: Evidence,
): string[] {
  const expected = statusOf(controls, policy, approvals);
  const reasons = reasonsOf({ controls, policy, approvals, periodEnd: period.to });
  // Reports that were saved before reports had reasons have none.
  const reportedReasons = (statusReasons as string[] | undefined) ?? reasons;
  return [
    ...unless(
      status === expected,
      `The status is ${status}; by controls, policy and approvals it is ${expected}.`,
    ),
    ...unless(
      canonicalize(reportedReasons) === canonicalize(reasons),
      'The reasons of the status are not those of controls, policy and approvals.',
    ),
  ];
}

function total<T>(items: readonly T[], amountOf: (item: T) => string): bigint {
  return sum(items.map((item) => BigInt(amountOf(item))));
}

function unless(holds: boolean, problem: string): string[] {
  return holds ? [] : [problem];
}
