import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import { fromTypeId, newUuid, toTypeId } from '../ids.ts';

/** What stands in the text of a key: `svc_test_<id>_<secret>` in Sandbox, `svc_live_<id>_<secret>` in Production. */
export interface ParsedKey {
  environmentKind: 'sandbox' | 'production';
  /** UUID of the key. */
  keyId: string;
  secret: string;
}

/** A key fresh from the press. */
export interface IssuedKey {
  /** UUID of the key; outside it is called by its TypeID `key_…`. */
  keyId: string;
  /** The whole key with its secret: to be shown once and kept nowhere. */
  key: string;
  /** SHA-256 of the secret: all that is stored of it. */
  secretHash: Buffer<ArrayBuffer>;
}

// No `_`, which separates the parts, and nothing that breaks a word: the whole secret is taken by a double click.
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
// 43 characters out of 62 are 256.03 bits.
const SECRET_LENGTH = 43;
const KEY = /^svc_(test|live)_([0-9a-z]{26})_([0-9A-Za-z]{43})$/;
const NO_HASH = Buffer.alloc(32);

/**
 * Makes a key with a new secret.
 * @param keyId UUID of the key: given at a rotation, where the key stays itself, and new otherwise
 */
export function issueKey(environmentKind: 'sandbox' | 'production', keyId: string = newUuid()): IssuedKey {
  let secret = '';
  for (let i = 0; i < SECRET_LENGTH; i++) secret += BASE62[randomInt(BASE62.length)];
  const kind = environmentKind === 'production' ? 'live' : 'test';
  const id = toTypeId('key', keyId).slice('key_'.length);
  return { keyId, key: `svc_${kind}_${id}_${secret}`, secretHash: hashSecret(secret) };
}

/** Takes the text of a key apart. @returns null for anything that no key of ours can look like */
export function parseKey(text: string): ParsedKey | null {
  const match = KEY.exec(text);
  if (match === null) return null;
  const [, kind = '', id = '', secret = ''] = match;
  const keyId = fromTypeId('key', `key_${id}`);
  if (keyId === null) return null;
  return { environmentKind: kind === 'live' ? 'production' : 'sandbox', keyId, secret };
}

/**
 * SHA-256 of a secret. A plain hash is enough, and a slow one only costs: the secret is 256 random bits, not a
 * password that could be guessed.
 */
export function hashSecret(secret: string): Buffer<ArrayBuffer> {
  return createHash('sha256').update(secret).digest();
}

/**
 * Whether a secret is the key's, or the one before the last rotation while that is still valid. Both hashes are
 * compared whatever comes of the first, so that the time tells nothing.
 * @param previousValidUntil the first instant at which the previous secret is no longer good
 */
export function secretMatches(
  hash: Uint8Array,
  previousHash: Uint8Array | null,
  previousValidUntil: Date | null,
  now: Date,
  secret: string,
): boolean {
  const given = hashSecret(secret);
  const isPresent = timingSafeEqual(given, hash);
  const isPrevious = timingSafeEqual(given, previousHash ?? NO_HASH);
  const previousIsValid = previousHash !== null && previousValidUntil !== null && now < previousValidUntil;
  return isPresent || (isPrevious && previousIsValid);
}
