import { readFile } from 'node:fs/promises';
import type { Detail } from '../../refusal.ts';
import { CliFailure } from './failure.ts';

/**
 * An object from a JSON file, or the API's message why it is invalid, with file, line and column where they are known.
 */
export type JsonFile =
  | { ok: true; value: Record<string, unknown>; violations: Detail[] }
  | { ok: false; message: string; where: string };

/**
 * Reads a file as strictly as a request body.
 * @param file `-` for standard input
 * @throws CliFailure where it cannot be read
 */
export async function readJsonFile(file: string): Promise<JsonFile> {
  const { parseStrictJson } = await import('../../http/strict-json.ts');
  let bytes: Buffer;
  try {
    bytes = await readFile(file === '-' ? '/dev/stdin' : file);
  } catch (error) {
    throw new CliFailure(`${file} cannot be read: ${(error as Error).message}`);
  }
  const parsed = parseStrictJson(bytes);
  if (parsed.ok) return parsed;
  const { message, position } = parsed;
  return { ok: false, message, where: position ? `${file}:${position.line}:${position.column}` : file };
}
