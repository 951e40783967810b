import type { Prisma } from '../../../generated/prisma/client.ts';
import type { ProgramDocument } from '../../programs/document/program-document.ts';
import { type AdministrationCode, type Refusal, refuse } from '../../refusal.ts';
import { unknownProgram } from './unknown-program.ts';

/** A program with its published versions, ascending, and the document of one of them. */
export interface ProgramListing {
  programId: string;
  versions: {
    version: number;
    effectiveFrom: Date;
    publishedAt: Date;
    publishedBy: string;
    /** SHA-256 of the canonical document, as hex. */
    documentHash: string;
  }[];
  /** The document of the version that was asked for. */
  document: ProgramDocument;
  /** Number of that version. */
  version: number;
}

/**
 * A published program.
 * @param environmentId UUID
 * @param version null for the newest
 */
export async function showProgram(
  prisma: Prisma.TransactionClient,
  environmentId: string,
  programId: string,
  version: number | null,
): Promise<ProgramListing | Refusal<AdministrationCode>> {
  const rows = await prisma.programVersion.findMany({
    where: { environmentId, programId },
    orderBy: { version: 'asc' },
  });
  const newest = rows.at(-1);
  if (!newest) return unknownProgram(programId);
  const shown = version === null ? newest : rows.find((row) => row.version === version);
  if (!shown) {
    return refuse(
      'version_not_found',
      `${programId} has no version ${version}; its versions are 1 to ${newest.version}.`,
    );
  }
  return {
    programId,
    versions: rows.map((row) => ({
      version: row.version,
      effectiveFrom: row.effectiveFrom,
      publishedAt: row.publishedAt,
      publishedBy: row.publishedBy,
      documentHash: Buffer.from(row.documentHash).toString('hex'),
    })),
    document: shown.document as unknown as ProgramDocument,
    version: shown.version,
  };
}
