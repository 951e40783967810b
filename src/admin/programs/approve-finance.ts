import type { Prisma, ProgramVersion } from '../../../generated/prisma/client.ts';
import { newUuid, toTypeId } from '../../ids.ts';
import type { ProgramDocument } from '../../programs/document/program-document.ts';
import { type FinanceSectionName, hashSection } from '../../queries/reports/ledger-close/policy.ts';
import { type AdministrationCode, isRefusal, type Refusal, refuse } from '../../refusal.ts';
import { type Administrator, type AdminOutcome, changeEnvironment } from '../shared/admin-change.ts';
import { lockEnvironmentRow } from '../shared/find-environment.ts';
import { unknownProgram } from '../shared/unknown-program.ts';
import { environmentNow } from '../shared/write-trail.ts';

/** Which sections of which version an administrator signs. */
export interface FinanceSignature {
  /** UUID. */
  environmentId: string;
  programId: string;
  /** Null for the newest version. */
  version: number | null;
  /** The document must contain every section that is named here. */
  sections: readonly FinanceSectionName[];
}

/** The outcome for one section: it is signed now, or was signed before. */
export interface FinanceApproval {
  section: FinanceSectionName;
  /** The version of the program whose section was signed. */
  version: number;
  /** SHA-256 of the section's canonical JSON, in hex. */
  sectionHash: string;
  approvedBy: string;
  approvedAt: Date;
  /** False where the section was approved already: nothing has changed. */
  approved: boolean;
}

/**
 * Signs sections of a version of a program, in the name of the administrator. A signature is valid for every version
 * that has the section with the same content. A person who has published that content in any version may therefore not
 * sign it.
 * @returns a refusal for an unknown environment, program or version, for a missing section, and for a section that the
 *   administrator has published
 */
export async function approveFinance(
  administrator: Administrator,
  signature: FinanceSignature,
): Promise<{ approvals: FinanceApproval[] } | Refusal<AdministrationCode>> {
  return changeEnvironment(administrator, signature.environmentId, signing(administrator, signature));
}

/** What sections were signed, and of which version. */
export interface Signing {
  version: number;
  approvals: FinanceApproval[];
}

/** The change that `approveFinance` makes, for a transaction that does more. */
export function signing(
  administrator: Administrator,
  { environmentId, programId, version, sections }: FinanceSignature,
): (transaction: Prisma.TransactionClient) => Promise<AdminOutcome<Signing> | Refusal<AdministrationCode>> {
  return async (transaction) => {
    // A publication takes the same lock: no newer version can be published until this transaction ends.
    const unknown = await lockEnvironmentRow(transaction, environmentId);
    if (unknown) return unknown;
    const rows = await transaction.programVersion.findMany({
      where: { environmentId, programId },
      orderBy: { version: 'desc' },
    });
    const versions = rows.map((row) => ({ ...row, document: row.document as unknown as ProgramDocument }));
    const newest = versions[0];
    if (!newest) return unknownProgram(programId);
    const signed = version === null ? newest : versions.find((one) => one.version === version);
    if (!signed) {
      return refuse(
        'version_not_found',
        `${programId} has no version ${version}: the newest is ${newest.version}.`,
      );
    }
    const approvedBy = administrator.actor.id;
    // All sections are checked before the first signature is written, so that a refusal leaves nothing behind.
    const signable: Signable[] = [];
    for (const section of new Set(sections)) {
      const checked = checkSection(section, signed, versions, approvedBy);
      if (isRefusal(checked)) return checked;
      signable.push(checked);
    }
    const approvals: FinanceApproval[] = [];
    for (const one of signable) approvals.push(await sign(transaction, signed, one, approvedBy));
    const approvedSections = approvals.filter(({ approved }) => approved);
    return {
      result: { version: signed.version, approvals },
      audit:
        approvedSections.length === 0
          ? null
          : {
              action: 'finance.approved',
              targetType: 'program',
              targetId: programId,
              changes: {
                environmentId: toTypeId('env', environmentId),
                sections: approvedSections.map(({ section, version: of, sectionHash }) => ({
                  section,
                  version: of,
                  sectionHash,
                })),
              },
            },
    };
  };
}

/** The fields of a published version that signing reads. */
interface StoredVersion {
  programId: string;
  version: number;
  publishedBy: string;
  document: ProgramDocument;
}

/** A section that may be signed. */
type Signable = Pick<FinanceApproval, 'section' | 'sectionHash'>;

/** Refuses a section that the version lacks, and a section whose content the signer has published in any version. */
function checkSection(
  section: FinanceSectionName,
  signed: StoredVersion,
  versions: readonly StoredVersion[],
  approvedBy: string,
): Signable | Refusal<AdministrationCode> {
  const sectionHash = hashOf(signed.document, section);
  if (sectionHash === null) {
    return refuse(
      'section_not_found',
      `${signed.programId} version ${signed.version} has no section ${section} to approve.`,
    );
  }
  const author = versions.find(
    (one) => one.publishedBy === approvedBy && hashOf(one.document, section) === sectionHash,
  );
  if (author) {
    return refuse(
      'self_approval_forbidden',
      `${approvedBy} published this section ${section} in version ${author.version}: another person has to approve it.`,
    );
  }
  return { section, sectionHash };
}

/** Writes a signature, unless the same content of the section has one already: then it is that one. */
async function sign(
  transaction: Prisma.TransactionClient,
  { environmentId, programId, version, publishedBy }: Omit<ProgramVersion, 'document'>,
  { section, sectionHash }: Signable,
  approvedBy: string,
): Promise<FinanceApproval> {
  const hash = Buffer.from(sectionHash, 'hex');
  const written = await transaction.$executeRaw`
    insert into finance_approvals (environment_id, id, program_id, version, section, section_hash,
      published_by, approved_by, approved_at)
    values (${environmentId}::uuid, ${newUuid()}::uuid, ${programId}, ${version}, ${section},
      ${hash}, ${publishedBy}, ${approvedBy}, ${await environmentNow(transaction, environmentId)})
    on conflict (environment_id, program_id, section, section_hash) do nothing`;
  const [stands] = await transaction.$queryRaw<[{ version: number; approvedBy: string; approvedAt: Date }]>`
    select version, approved_by as "approvedBy", approved_at as "approvedAt" from finance_approvals
    where environment_id = ${environmentId}::uuid and program_id = ${programId} and section = ${section}
      and section_hash = ${hash}`;
  return { section, sectionHash, ...stands, approved: written === 1 };
}

/** The hash of a section's content; null where the document lacks the section. */
function hashOf(document: ProgramDocument, section: FinanceSectionName): string | null {
  const content = document[section];
  return content ? hashSection(content) : null;
}
