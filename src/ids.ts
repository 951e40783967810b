import { randomFillSync } from 'node:crypto';
import { toUUID } from 'typeid-js';
import { v7 } from 'uuid';
import { databaseNowMs, isDatabaseTimeKnown } from './database-clock.ts';

/** The prefix of an id as callers see it, which says what the id names. In the database ids are plain UUIDs. */
export type IdPrefix =
  | 'ten'
  | 'env'
  | 'key'
  | 'mem'
  | 'txn'
  | 'lot'
  | 'con'
  | 'aud'
  | 'op'
  | 'we'
  | 'msg'
  | 'req'
  | 'quo'
  | 'rsv'
  | 'dsp'
  | 'adj'
  | 'evt'
  | 'cgr'
  | 'whe'
  | 'chc'
  | 'rpt'
  | 'iss'
  | 'act'
  | 'wdg'
  | 'mrg'
  | 'prs'
  | 'ses';

// 26 characters of Crockford's base32 are 130 bits, two more than a UUID has. The first character is at most 7, so that
// each UUID has only one spelling.
const SUFFIX = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** Crockford's base32 in lower case, as TypeIDs have it. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
/** The two characters of each ten bits. */
const PAIRS = Array.from(
  { length: 1024 },
  (_, bits) => ALPHABET.charAt(bits >> 5) + ALPHABET.charAt(bits & 31),
);
const HYPHEN = 0x2d;
const NINE = 0x39;

// A call of the kernel's random generator costs more than the rest of an id, so one call serves 256 ids.
const random = new Uint8Array(16 * 256);
let randomUsed = random.length;
let lastMs = 0;
/** Whether `lastMs` is a time of the database's clock. */
let isLastOfDatabase = false;
let sequence = 0;

/**
 * A new UUID, version 7, with the time of the database's clock: ids of several processes come in the order of their
 * times, also where the clock of a machine is wrong. Each sorts after the previous one of this process, even within a
 * millisecond and when the clock has gone back, but for the first one after the database has told its time.
 */
export function newUuid(): string {
  if (randomUsed === random.length) {
    randomFillSync(random);
    randomUsed = 0;
  }
  const bytes = random.subarray(randomUsed, randomUsed + 16);
  randomUsed += 16;
  const nowMs = databaseNowMs();
  // What was made before the first reading may be days ahead. Such ids name nothing that is stored.
  const isFirstOfDatabase = !isLastOfDatabase && isDatabaseTimeKnown();
  if (nowMs > lastMs || isFirstOfDatabase) {
    isLastOfDatabase ||= isFirstOfDatabase;
    lastMs = nowMs;
    // Starts at 31 random bits of a 32-bit counter, which leaves room to count up within the millisecond. Bytes 6 to 9
    // are used for nothing else.
    sequence =
      (((bytes[6] ?? 0) & 0x7f) << 24) | ((bytes[7] ?? 0) << 16) | ((bytes[8] ?? 0) << 8) | (bytes[9] ?? 0);
  } else {
    sequence++;
  }
  return v7({ random: bytes, msecs: lastMs, seq: sequence });
}

/**
 * An id as callers see it, such as `mem_01hy73n39wf8y9mf4d7hx3s6hw`. A purchase makes six: typeid-js takes 0.6 µs for
 * one, this takes 0.1.
 * @param uuid in the canonical form that Postgres prints; anything else gives a meaningless id
 */
export function toTypeId(prefix: IdPrefix, uuid: string): string {
  let id = `${prefix}_`;
  let bits = 0;
  // Two zero bits come before the 128 of the UUID.
  let count = 2;
  for (let at = 0; at < uuid.length; at++) {
    const code = uuid.charCodeAt(at);
    if (code === HYPHEN) continue;
    bits = (bits << 4) | (code <= NINE ? code - 0x30 : (code | 0x20) - 0x57);
    count += 4;
    if (count >= 10) {
      count -= 10;
      id += PAIRS[(bits >> count) & 0x3ff];
    }
  }
  return id;
}

/**
 * The UUID of an id that a caller sent.
 * @returns null where the prefix, the length or the alphabet (lower case only) is wrong, or the bits are more than 128
 *   or not a UUID of any version
 */
export function fromTypeId(prefix: IdPrefix, text: string): string | null {
  const suffixStart = prefix.length + 1;
  if (!text.startsWith(prefix) || text[prefix.length] !== '_') return null;
  if (!SUFFIX.test(text.slice(suffixStart))) return null;
  try {
    return toUUID(text as Parameters<typeof toUUID>[0]);
  } catch {
    // The format is right, but the library throws where version or variant are not those of a UUID.
    return null;
  }
}
