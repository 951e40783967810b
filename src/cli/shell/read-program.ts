import type { ProgramDocument } from '../../programs/document/program-document.ts';
import type { ParsedProgram } from '../../programs/parse/parse-program.ts';
import { CliFailure } from './failure.ts';
import { describeProblems, readText } from './read-document.ts';

/**
 * Reads the program document in a file.
 * @param file `-` for standard input
 * @throws CliFailure that names every problem with file, line and column
 */
export async function readProgram(file: string): Promise<ProgramDocument> {
  const parsed = await parseProgramFile(file);
  if (!parsed.ok) throw new CliFailure(describeProblems(file, parsed.problems));
  return parsed.document;
}

/** Parses a file. The parser and its schemas are loaded on demand: loading them takes longer than most commands. */
export async function parseProgramFile(file: string): Promise<ParsedProgram> {
  const text = await readText(file);
  const { parseProgram } = await import('../../programs/parse/parse-program.ts');
  return parseProgram(text);
}
