import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { CloseApproval, CloseControl, LedgerCloseStatus } from '../../../contract/generated/types.ts';
import type {
  FinanceSection,
  JournalAccount,
  JournalSection,
  ProgramDocument,
} from '../../../programs/document/program-document.ts';
import { missingAccounts } from './journal.ts';

/** A section of a program document that finance approves. */
export type FinanceSectionName = 'finance' | 'journal';

/** An approval of the content of a section. */
export interface Approval {
  section: FinanceSectionName;
  /** SHA-256 of the section's canonical JSON, in hex. */
  sectionHash: string;
  /** The configuration version that was approved. */
  version: number;
  approvedBy: string;
  approvedAt: Date;
}

/** The rules by which a report was valued and booked, as its evidence contains them. */
export interface ClosePolicy {
  /** The version in effect at the end of the period; null where there was none. */
  configurationVersion: number | null;
  finance: (HashedSection & Pick<FinanceSection, 'valuation' | 'breakage'>) | null;
  journal: (HashedSection & JournalSection & { missing: JournalAccount[] }) | null;
}

interface HashedSection {
  sectionHash: string;
}

/** SHA-256 of the canonical JSON (RFC 8785) of a section, in hex. */
export function hashSection(section: FinanceSection | JournalSection): string {
  return createHash('sha256')
    .update(canonicalize(section) ?? '')
    .digest('hex');
}

/** @param version the version in effect at the end of the period; null where there was none */
export function policyOf(version: { version: number; document: ProgramDocument } | null): ClosePolicy {
  const { finance, journal } = version?.document ?? {};
  return {
    configurationVersion: version?.version ?? null,
    finance: finance ? { sectionHash: hashSection(finance), ...finance } : null,
    journal: journal
      ? { sectionHash: hashSection(journal), ...journal, missing: missingAccounts(journal) }
      : null,
  };
}

/** The approvals that apply to a policy, finance first: those whose section hash is that of the policy's section. */
export function approvalsOf(policy: ClosePolicy, approvals: readonly Approval[]): CloseApproval[] {
  return (['finance', 'journal'] as const).flatMap((section) =>
    approvals
      .filter((one) => one.section === section && one.sectionHash === policy[section]?.sectionHash)
      .map((one) => ({
        section,
        sectionHash: one.sectionHash,
        version: one.version,
        approvedBy: one.approvedBy,
        approvedAt: one.approvedAt.toISOString(),
      })),
  );
}

/**
 * The status of a report, by precedence (decisions, "Ledger close").
 * @param approvals the result of `approvalsOf`
 */
export function statusOf(
  controls: readonly { passed: boolean; statusOnFailure: LedgerCloseStatus }[],
  { finance, journal }: Pick<ClosePolicy, 'finance' | 'journal'>,
  approvals: readonly Pick<CloseApproval, 'section' | 'sectionHash'>[],
): LedgerCloseStatus {
  const failed = controls.filter(({ passed }) => !passed);
  if (failed.some(({ statusOnFailure }) => statusOnFailure === 'control_exception'))
    return 'control_exception';
  if (!finance?.valuation) return 'points_only';
  const isApproved = (name: FinanceSectionName, section: HashedSection | null): boolean =>
    approvals.some((one) => one.section === name && one.sectionHash === section?.sectionHash);
  const ready =
    failed.length === 0 &&
    isApproved('finance', finance) &&
    isApproved('journal', journal) &&
    journal?.missing.length === 0;
  return ready ? 'ready_for_external_review' : 'provisional';
}

/** Where a report stands, and what its status says is open. */
interface Standing {
  controls: readonly Pick<
    CloseControl,
    'id' | 'expected' | 'found' | 'differences' | 'passed' | 'statusOnFailure'
  >[];
  policy: ClosePolicy;
  approvals: readonly Pick<CloseApproval, 'section' | 'sectionHash'>[];
  /** When the period ends, as RFC 3339. */
  periodEnd: string;
}

/**
 * Why a report is not ready for the external review: a sentence for each thing that is open, with what to do. None
 * where it is ready. Saved reports contain the sentences, and `verify close` compares them: another wording is another
 * report.
 */
export function reasonsOf({ controls, policy, approvals, periodEnd }: Standing): string[] {
  const { finance, journal } = policy;
  const version = policy.configurationVersion ?? 'none';
  const isApproved = (name: FinanceSectionName, section: HashedSection): boolean =>
    approvals.some((one) => one.section === name && one.sectionHash === section.sectionHash);
  const ofControls = controls
    .filter(({ passed }) => !passed)
    .map(({ id, expected, found, differences }) =>
      id === 'period_over'
        ? `The period ends at ${periodEnd}, and until then postings are added to it. Ask again some seconds after that.`
        : `Control ${id} failed: ${expected} expected, ${found} found, ` +
          `${differences} differences. Run rewards verify ledger.`,
    );
  if (!finance?.valuation) {
    return [
      ...ofControls,
      'The finance section of the version in effect at the end of the period ' +
        `(${version}) values no points: only points are counted.`,
    ];
  }
  const approve = 'Another person than the publisher approves it: rewards finance approve.';
  return [
    ...ofControls,
    ...(isApproved('finance', finance)
      ? []
      : [`The finance section of version ${version} is not approved. ${approve}`]),
    ...(journal ? [] : [`Version ${version} has no journal section: it names no accounts to book to.`]),
    ...(journal && journal.missing.length > 0
      ? [`The journal section of version ${version} has no account for ${journal.missing.join(', ')}.`]
      : []),
    ...(journal && !isApproved('journal', journal)
      ? [`The journal section of version ${version} is not approved. ${approve}`]
      : []),
  ];
}
