import type { ProgramDocument } from '../../../src/programs/document/program-document.ts';
import { parseProgram } from '../../../src/programs/parse/parse-program.ts';

/** The program of the demo. */
export const PROGRAM_FILE = new URL('../../../demo/coffee-club.yaml', import.meta.url);

/** @throws where the text is no program */
export function parsedProgram(yaml: string): ProgramDocument {
  const parsed = parseProgram(yaml);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed));
  return parsed.document;
}
