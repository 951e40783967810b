import { isUtf8 } from 'node:buffer';
import type { Detail } from '../refusal.ts';
import { findJsonFault, type JsonFault, positionAt } from './json-fault.ts';
import { findViolations } from './json-violations.ts';

/**
 * A parsed body. `violations` are values that JSON allows and the contract does not (`__proto__`, lone surrogates,
 * NUL, integers beyond 2^53-1, numbers that a double would silently round): each with its path.
 */
export type StrictJson = { ok: true; value: Record<string, unknown>; violations: Detail[] } | Unparsed;

/** Why a body is not taken; with line and column, counted from 1, where the text stops being strict JSON. */
interface Unparsed {
  ok: false;
  message: string;
  position?: { line: number; column: number };
}

/** The most levels of objects and arrays; the root is the first. */
const MAX_DEPTH = 32;

const QUOTE = 0x22;
const COLON = 0x3a;
const BACKSLASH = 0x5c;

const noViolations: Detail[] = [];

/**
 * Parses a request body: one strict UTF-8 JSON object (decisions, "JSON and HTTP").
 *
 * JSON.parse makes the value, because it is several times faster than any parser written in JavaScript. It accepts more
 * than is allowed here, so the text is also scanned once, before anything recurses. The scan limits the nesting, counts
 * the members, and marks a text that needs a closer check (for some escapes, fractions, exponents and long numbers). If
 * the value has fewer members than the text, a key occurs twice. `findViolations` reads the text again only if it is
 * marked or has a key `__proto__`.
 */
export function parseStrictJson(bytes: Uint8Array): StrictJson {
  if (!isUtf8(bytes)) {
    return { ok: false, message: `The body is not UTF-8 from byte ${firstWrongByte(bytes)} on.` };
  }
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  if (text.charCodeAt(0) === 0xfeff) return { ok: false, message: 'The body begins with a byte order mark.' };
  const scan = scanText(text);
  if (scan === tooDeep)
    return { ok: false, message: `The body is nested more than ${MAX_DEPTH} levels deep.` };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return explain(text);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { ok: false, message: 'The body is not a JSON object.' };
  }
  const counted = countMembers(value);
  if (counted.members !== scan.members) return explain(text);
  const violations = scan.marked || counted.hasProto ? findViolations(text) : noViolations;
  // Such a body is refused. The schemas that say why know bounds of finite numbers only.
  if (violations.length > 0) value = JSON.parse(text, finite);
  return { ok: true, value: value as Record<string, unknown>, violations };
}

function finite(_key: string, value: unknown): unknown {
  if (value === Number.POSITIVE_INFINITY) return Number.MAX_VALUE;
  return value === Number.NEGATIVE_INFINITY ? -Number.MAX_VALUE : value;
}

/** What is wrong with a text that is not one JSON value, or has a key twice in one object, and where. */
function explain(text: string): Unparsed {
  const fault = findJsonFault(text);
  if (fault === null) return { ok: false, message: 'The body is not JSON.' };
  if (fault.kind === 'empty') return { ok: false, message: 'The body is empty: send one JSON object.' };
  const position = positionAt(text, fault.at);
  return {
    ok: false,
    message: `${faultIn(text, fault)}, at line ${position.line}, column ${position.column}.`,
    position,
  };
}

function faultIn(text: string, { kind, at }: JsonFault): string {
  if (kind === 'doubled key') return 'The body has a key twice in one object';
  if (kind === 'end') return 'The body is not JSON: it ends too early';
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
  return `The body is not JSON: ${JSON.stringify(character)} does not fit`;
}

/** The position, counted from 1, of the first byte that changes when the bytes are decoded and encoded again. */
function firstWrongByte(bytes: Uint8Array): number {
  const again = Buffer.from(Buffer.from(bytes).toString('utf8'));
  return bytes.findIndex((byte, index) => byte !== again[index]) + 1;
}

interface Scan {
  /** Members of all objects in the text, duplicates included: colons outside strings. */
  members: number;
  /** Whether a value in the text may violate the contract. */
  marked: boolean;
}

const tooDeep = null;

/**
 * NUL, or half of a surrogate pair, written as an escape. The backslash can itself be escaped: the text is then marked
 * without need, which is harmless.
 */
const dangerousEscape = /\\u(?:0000|[dD][89a-fA-F])/;

/** Scans a text. The result is correct for JSON. For any other text it does not matter: JSON.parse refuses the text. */
function scanText(text: string): Scan | typeof tooDeep {
  const escapes = text.includes('\\');
  let depth = 0;
  let members = 0;
  let marked = escapes && dangerousEscape.test(text);
  let digits = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= 0x30 && code <= 0x39) {
      digits += 1;
      if (digits > 15) marked = true;
      continue;
    }
    digits = 0;
    switch (code) {
      case QUOTE: {
        const end = escapes ? endOfString(text, at + 1) : text.indexOf('"', at + 1);
        if (end === -1) return { members, marked };
        at = end;
        break;
      }
      case COLON:
        members += 1;
        break;
      case 0x7b:
      case 0x5b:
        depth += 1;
        if (depth > MAX_DEPTH) return tooDeep;
        break;
      case 0x7d:
      case 0x5d:
        depth -= 1;
        break;
      case 0x2e:
      case 0x45:
        marked = true;
        break;
      case 0x65:
        // An exponent; the e of true and false follows a letter.
        if (!isLetter(text.charCodeAt(at - 1))) marked = true;
        break;
    }
  }
  return { members, marked };
}

function isLetter(code: number): boolean {
  return code >= 0x61 && code <= 0x7a;
}

/** Index of the quote that ends the string whose content begins at `from`; -1 if there is none. */
function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at !== -1; at = text.indexOf('"', at + 1)) {
    let before = at - 1;
    while (text.charCodeAt(before) === BACKSLASH) before -= 1;
    // After an odd number of backslashes the quote is part of the string.
    if ((at - before) % 2 === 1) return at;
  }
  return -1;
}

interface Count {
  members: number;
  hasProto: boolean;
}

/** Counts the members of all objects of a value that is at most MAX_DEPTH deep. */
function countMembers(value: object): Count {
  const count = { members: 0, hasProto: false };
  addMembers(value, count);
  return count;
}

function addMembers(value: object, count: Count): void {
  if (Array.isArray(value)) {
    for (const item of value as unknown[]) {
      if (typeof item === 'object' && item !== null) addMembers(item, count);
    }
    return;
  }
  const record = value as Record<string, unknown>;
  for (const key in record) {
    count.members += 1;
    if (key === '__proto__') count.hasProto = true;
    const member = record[key];
    if (typeof member === 'object' && member !== null) addMembers(member, count);
  }
}
