import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { linesBeforeFault } from '../../import/check-utf8.ts';
import type { ProgramDocument } from '../../programs/document/program-document.ts';
import type { ParsedProgram } from '../../programs/parse/parse-program.ts';
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

/** Parses a file. The parser and its schemas are loaded on demand: loading them takes longer than most commands. */
export async function parseProgramFile(file: string): Promise<ParsedProgram> {
  const text = await readText(file);
  const { parseProgram } = await import('../../programs/parse/parse-program.ts');
  return parseProgram(text);
}

async function readText(file: string): Promise<string> {
  let bytes: Buffer;
  try {
    bytes = await readFile(file === '-' ? '/dev/stdin' : file);
  } catch (error) {
    throw new CliFailure(`${file} cannot be read: ${(error as Error).message}`);
  }
  // A decoder would replace invalid bytes, and the program would be published with altered names.
  if (!isUtf8(bytes)) {
    const line = linesBeforeFault(bytes) + 1;
    throw new CliFailure(`${file}:${line}:1 is not UTF-8; save the file in that encoding`);
  }
  return bytes.toString('utf8');
}

/** One line for each problem, in the form of compiler messages. */
export function describeProblems(
  file: string,
  problems: Extract<ParsedProgram, { ok: false }>['problems'],
): string {
  return problems
    .map(({ line, column, path, message }) => `${file}:${line}:${column} ${path ? `${path} ` : ''}${message}`)
    .join('\n');
}
