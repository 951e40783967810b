import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { LedgerCloseStatus } from '../../../contract/generated/types.ts';
import type {
  FinanceSection,
  JournalAccount,
  JournalSection,
  ProgramDocument,
} from '../../../programs/document/program-document.ts';
import { missingAccounts } from './journal.ts';

/** A section of a program document that finance signs off. */
export type FinanceSectionName = 'finance' | 'journal';

/** A signature under the content of a section. */
export interface Approval {
  section: FinanceSectionName;
  /** SHA-256 of the section's canonical JSON, in hex. */
  sectionHash: string;
  approvedBy: string;
  approvedAt: Date;
}

/** What a report was valued and booked by, as its evidence says it. */
export interface ClosePolicy {
  configurationVersion: number | null;
  finance: (SignedSection & Pick<FinanceSection, 'valuation' | 'breakage'>) | null;
  journal: (SignedSection & JournalSection & { missing: JournalAccount[] }) | null;
}

interface SignedSection {
  sectionHash: string;
  approved: { by: string; at: string } | null;
}

/** SHA-256 of the canonical JSON (RFC 8785) of a section, in hex. */
export function hashSection(section: FinanceSection | JournalSection): string {
  return createHash('sha256')
    .update(canonicalize(section) ?? '')
    .digest('hex');
}

/** @param version the configuration in force, or null */
export function policyOf(
  version: { version: number; document: ProgramDocument } | null,
  approvals: readonly Approval[],
): ClosePolicy {
  const sign = (name: FinanceSectionName, section: FinanceSection | JournalSection): SignedSection => {
    const sectionHash = hashSection(section);
    const approval = approvals.find((one) => one.section === name && one.sectionHash === sectionHash);
    return {
      sectionHash,
      approved: approval ? { by: approval.approvedBy, at: approval.approvedAt.toISOString() } : null,
    };
  };
  const { finance, journal } = version?.document ?? {};
  return {
    configurationVersion: version?.version ?? null,
    finance: finance ? { ...sign('finance', finance), ...finance } : null,
    journal: journal ? { ...sign('journal', journal), ...journal, missing: missingAccounts(journal) } : null,
  };
}

/** The status, by precedence (decisions, "Ledger close"). */
export function statusOf(
  controls: readonly { passed: boolean }[],
  { finance, journal }: Pick<ClosePolicy, 'finance' | 'journal'>,
): LedgerCloseStatus {
  if (controls.some(({ passed }) => !passed)) return 'control_exception';
  if (!finance?.valuation) return 'points_only';
  const approved = finance.approved && journal?.approved && journal.missing.length === 0;
  return approved ? 'ready_for_external_review' : 'provisional';
}
