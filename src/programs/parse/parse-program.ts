import { checkDocument } from '../checks/check-document.ts';
import type { ProgramDocument } from '../document/program-document.ts';
import { programValidator } from '../document/program-schema.ts';
import { type DocumentKind, type ParsedDocument, parseDocumentText } from './parse-document.ts';

export type ParsedProgram = ParsedDocument<ProgramDocument>;

/** Largest text of a program document, in bytes of UTF-8. */
export const programLimitBytes = 256 * 1024;

const program: DocumentKind<ProgramDocument> = {
  limitBytes: programLimitBytes,
  validator: programValidator,
  check: checkDocument,
};

/** Parses and checks a program document, as `parseDocumentText` says. */
export function parseProgram(text: string): ParsedProgram {
  return parseDocumentText(text, program);
}
