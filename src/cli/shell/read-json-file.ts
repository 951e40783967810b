import { readFile } from 'node:fs/promises';
import type { Detail } from '../../refusal.ts';
import { CliFailure } from './failure.ts';

/** An object from a JSON file, or the API's message why it is invalid, with file, line and column where they are known. */
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
  const fault = faultOf(bytes.toString('utf8'));
  return {
    ok: false,
    message: fault ? `${parsed.message} ${fault.what}` : parsed.message,
    where: fault?.at ? `${file}:${fault.at}` : file,
  };
}

/** The fault that JSON.parse reports, with line and column where it names them; null where the text is JSON. */
function faultOf(text: string): { what: string; at: string | null } | null {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    const { message } = error as Error;
    const place = /^(.*) in JSON at position \d+ \(line (\d+) column (\d+)\)$/.exec(message);
    if (place) return { what: `${place[1]}.`, at: `${place[2]}:${place[3]}` };
    const cut = message === 'Unexpected end of JSON input';
    return { what: `${message}.`, at: cut ? endOf(text) : null };
  }
}

/** Line and column after the last character. */
function endOf(text: string): string {
  const lines = text.trimEnd().split('\n');
  return `${lines.length}:${(lines.at(-1)?.length ?? 0) + 1}`;
}
