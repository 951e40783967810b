import type { PrismaClient } from '../../generated/prisma/client.ts';
import type { CloseApproval } from '../contract/generated/types.ts';
import type {
  FinanceSection,
  JournalSection,
  ProgramDocument,
} from '../programs/document/program-document.ts';
import {
  type Approval,
  approvalsOf,
  type ClosePolicy,
  policyOf,
} from '../queries/reports/ledger-close/policy.ts';
import type { AdministrationCode, Refusal } from '../refusal.ts';
import { unknownProgram } from './unknown-program.ts';

/** The sections of the newest version of a program that finance signs off, with the signatures under them. */
export interface FinanceListing {
  programId: string;
  version: number;
  publishedBy: string;
  finance: FinanceSection | null;
  journal: JournalSection | null;
  /** As a close report's evidence says it. */
  policy: ClosePolicy;
  /** Those that hold for the sections, as a close report says them. */
  approvals: CloseApproval[];
}

/** @param environmentId UUID */
export async function showFinance(
  prisma: PrismaClient,
  environmentId: string,
  programId: string,
): Promise<FinanceListing | Refusal<AdministrationCode>> {
  const row = await prisma.programVersion.findFirst({
    where: { environmentId, programId },
    orderBy: { version: 'desc' },
  });
  if (!row) return unknownProgram(programId);
  const approvals = await prisma.$queryRaw<Approval[]>`
    select section, encode(section_hash, 'hex') as "sectionHash", version, approved_by as "approvedBy",
      approved_at as "approvedAt"
    from finance_approvals where environment_id = ${environmentId}::uuid and program_id = ${programId}`;
  const document = row.document as unknown as ProgramDocument;
  const policy = policyOf({ version: row.version, document });
  return {
    programId,
    version: row.version,
    publishedBy: row.publishedBy,
    finance: document.finance ?? null,
    journal: document.journal ?? null,
    policy,
    approvals: approvalsOf(policy, approvals),
  };
}
