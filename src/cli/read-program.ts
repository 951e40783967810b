import { readFile } from 'node:fs/promises';
import type { ParsedProgram } from '../programs/parse-program.ts';
import type { ProgramDocument } from '../programs/program-document.ts';
import { CliFailure } from './failure.ts';

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

/** Parses a file. The parser and its schemas are loaded here alone: they take longer than most commands. */
export async function parseProgramFile(file: string): Promise<ParsedProgram> {
  const text = await readText(file);
  const { parseProgram } = await import('../programs/parse-program.ts');
  return parseProgram(text);
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file === '-' ? '/dev/stdin' : file, 'utf8');
  } catch (error) {
    throw new CliFailure(`${file} cannot be read: ${(error as Error).message}`);
  }
}

/** One line each, as compilers write them. */
export function describeProblems(
  file: string,
  problems: Extract<ParsedProgram, { ok: false }>['problems'],
): string {
  return problems
    .map(({ line, column, path, message }) => `${file}:${line}:${column} ${path ? `${path} ` : ''}${message}`)
    .join('\n');
}
