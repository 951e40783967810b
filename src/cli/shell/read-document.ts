import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { linesBeforeFault } from '../../import/check-utf8.ts';
import type { PositionedProblem } from '../../programs/parse/parse-document.ts';
import { CliFailure } from './failure.ts';

/**
 * Reads the text of a document.
 * @param file `-` for standard input
 * @throws CliFailure where it cannot be read, or is not UTF-8
 */
export async function readText(file: string): Promise<string> {
  let bytes: Buffer;
  try {
    bytes = await readFile(file === '-' ? '/dev/stdin' : file);
  } catch (error) {
    throw new CliFailure(`${file} cannot be read: ${(error as Error).message}`);
  }
  // A decoder would replace invalid bytes, and the document would be published with altered names.
  if (!isUtf8(bytes)) {
    const line = linesBeforeFault(bytes) + 1;
    throw new CliFailure(`${file}:${line}:1 is not UTF-8; save the file in that encoding`);
  }
  return bytes.toString('utf8');
}

/** One line for each problem, in the form of compiler messages. */
export function describeProblems(file: string, problems: readonly PositionedProblem[]): string {
  return problems
    .map(({ line, column, path, message }) => `${file}:${line}:${column} ${path ? `${path} ` : ''}${message}`)
    .join('\n');
}
