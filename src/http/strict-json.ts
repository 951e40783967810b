import type { Detail } from '../refusal.ts';

/**
 * A parsed body. `violations` are values that JSON allows and the contract does not (`__proto__`, lone surrogates,
 * NUL, integers beyond 2^53-1, numbers that a double would silently round): each with its path.
 */
export type StrictJson =
  | { ok: true; value: Record<string, unknown>; violations: Detail[] }
  | { ok: false; message: string };

/** Parses a request body: one strict UTF-8 JSON object (decisions, "JSON and HTTP"). */
export function parseStrictJson(_bytes: Uint8Array): StrictJson {
  throw new Error('not written yet');
}
