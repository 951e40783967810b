import type { PrismaClient } from '../../../generated/prisma/client.ts';
import { diffProgram, type ProgramChange } from '../../programs/document/diff-program.ts';
import type { ProgramDocument } from '../../programs/document/program-document.ts';
import type { PositionedProblem } from '../../programs/parse/parse-document.ts';
import { parseProgram } from '../../programs/parse/parse-program.ts';
import { newestVersion, refuseDocument } from './publish-program.ts';

/** What would become of a document if it was published now. */
export interface CheckedProgram {
  /** None where it can be published. */
  problems: PositionedProblem[];
  /** What differs from the newest version; none for the first one, or where there are problems of its form. */
  changes: ProgramChange[];
}

/** A document as its text says it, or what is wrong with it. */
export type ReadProgram =
  | { ok: true; document: ProgramDocument }
  | { ok: false; problems: PositionedProblem[] };

/**
 * Reads a document that is to be a version of a program.
 * @param source YAML or JSON
 */
export function readProgramSource(source: string, programId: string): ReadProgram {
  const parsed = parseProgram(source);
  if (!parsed.ok || parsed.document.id === programId) return parsed;
  const message = `is the document of ${parsed.document.id}, not of ${programId}`;
  return { ok: false, problems: [problemOf('id', message)] };
}

/**
 * Checks a document as its publication would, and compares it with the newest version. Nothing is changed.
 * @param environmentId UUID
 */
export async function checkProgram(
  prisma: PrismaClient,
  environmentId: string,
  programId: string,
  source: string,
): Promise<CheckedProgram> {
  const read = readProgramSource(source, programId);
  if (!read.ok) return { problems: read.problems, changes: [] };
  const { document } = read;
  return prisma.$transaction(async (transaction) => {
    const newest = await newestVersion(transaction, environmentId, programId);
    const before = newest ? (newest.document as unknown as ProgramDocument) : null;
    const refusal = await refuseDocument(transaction, environmentId, document, before);
    return {
      problems: refusal ? [problemOf('', refusal.message)] : [],
      changes: before ? diffProgram(before, document) : [],
    };
  });
}

function problemOf(path: string, message: string): PositionedProblem {
  return { path, line: 1, column: 1, message };
}
