import type { ProgramDocument } from '../document/program-document.ts';

/** One immutable published configuration of a program. */
export interface ProgramVersion {
  /** Numbered from 1 within the program. */
  version: number;
  effectiveFrom: Date;
  publishedAt: Date;
  document: ProgramDocument;
}

/** A program with every version ever published, ascending. */
export interface PublishedProgram {
  programId: string;
  versions: ProgramVersion[];
}

/** The version in effect at an instant: of those effective by then, the one with the highest number. */
export function versionAt(program: PublishedProgram, at: Date): ProgramVersion | null {
  return program.versions.findLast((candidate) => candidate.effectiveFrom <= at) ?? null;
}
