import { randomFillSync } from 'node:crypto';
import { fromUUID, toUUID } from 'typeid-js';
import { v7 } from 'uuid';

/**
 * What an id names, as its prefix says it on the outside. In the database ids are plain UUIDs.
 */
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
  | 'chc'
  | 'rpt';

// 26 characters of Crockford's base32 hold 130 bits: with a first character above 7 the same UUID would have a second
// spelling.
const SUFFIX = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;

// One call into the kernel's generator costs more than the rest of an id, so it is made for 256 ids at once.
const random = new Uint8Array(16 * 256);
let randomUsed = random.length;
let lastMs = 0;
let sequence = 0;

/**
 * A new UUID, version 7: each sorts after the one that this process made before it, also within a millisecond and
 * when the clock has gone back.
 */
export function newUuid(): string {
  if (randomUsed === random.length) {
    randomFillSync(random);
    randomUsed = 0;
  }
  const bytes = random.subarray(randomUsed, randomUsed + 16);
  randomUsed += 16;
  const nowMs = Date.now();
  if (nowMs > lastMs) {
    lastMs = nowMs;
    // 31 bits, so that the counter has room above it in its millisecond. Bytes 6 to 9 are used for nothing else.
    sequence =
      (((bytes[6] ?? 0) & 0x7f) << 24) | ((bytes[7] ?? 0) << 16) | ((bytes[8] ?? 0) << 8) | (bytes[9] ?? 0);
  } else {
    sequence++;
  }
  return v7({ random: bytes, msecs: lastMs, seq: sequence });
}

/**
 * The outer form of an id: `mem_01hy73n39wf8y9mf4d7hx3s6hw`.
 * @param uuid in the canonical form that Postgres prints; anything else gives a meaningless id
 */
export function toTypeId(prefix: IdPrefix, uuid: string): string {
  return fromUUID(uuid, prefix);
}

/**
 * The UUID of an id that came from outside.
 * @returns null for another prefix, another length, another alphabet (capital letters too), more than 128 bits, and
 *   bits that are no UUID of any version
 */
export function fromTypeId(prefix: IdPrefix, text: string): string | null {
  const suffixStart = prefix.length + 1;
  if (!text.startsWith(prefix) || text[prefix.length] !== '_') return null;
  if (!SUFFIX.test(text.slice(suffixStart))) return null;
  try {
    return toUUID(text as Parameters<typeof toUUID>[0]);
  } catch {
    // Well spelt, and yet the id of nothing: the library throws where version or variant are not those of a UUID.
    return null;
  }
}
