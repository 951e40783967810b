import type { PrismaClient } from '../../../generated/prisma/client.ts';
import type { CloseApproval } from '../../contract/generated/types.ts';
import type {
  FinanceSection,
  JournalSection,
  ProgramDocument,
} from '../../programs/document/program-document.ts';
import {
  type Approval,
  approvalsOf,
  type ClosePolicy,
  policyOf,
} from '../../queries/reports/ledger-close/policy.ts';
import type { AdministrationCode, Refusal } from '../../refusal.ts';
import { unknownProgram } from '../shared/unknown-program.ts';

/** The sections that finance signs, in the newest version of a program, with their signatures. */
export interface FinanceListing {
  programId: string;
  version: number;
  publishedBy: string;
  finance: FinanceSection | null;
  journal: JournalSection | null;
  /** The policy that the evidence of a close report contains when this version is in effect. */
  policy: ClosePolicy;
  /** The signatures that are valid for these sections, in the format of a close report. */
  approvals: CloseApproval[];
}

/** @param environmentId UUID @returns a refusal where no version of the program is published there */
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
