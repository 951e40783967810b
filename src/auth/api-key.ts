import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import { fromTypeId, newUuid, toTypeId } from '../ids.ts';

/** The parts of a key's text: `svc_test_<id>_<secret>` in Sandbox, `svc_live_<id>_<secret>` in Production. */
export interface ParsedKey {
  environmentKind: 'sandbox' | 'production';
  /** UUID of the key. */
  keyId: string;
  secret: string;
}

/** A newly issued key. */
export interface IssuedKey {
  /** UUID of the key; callers see its TypeID, `key_…`. */
  keyId: string;
  /** The whole key with its secret: it is shown once and never stored. */
  key: string;
  /** SHA-256 of the secret; the only form in which it is stored. */
  secretHash: Buffer<ArrayBuffer>;
}

// Letters and digits only: `_` separates the parts of a key, and a double click selects the whole secret.
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
// 43 characters out of 62 are 256.03 bits.
const SECRET_LENGTH = 43;
const KEY = /^svc_(test|live)_([0-9a-z]{26})_([0-9A-Za-z]{43})$/;
const NO_HASH = Buffer.alloc(32);

/**
 * Makes a key with a new secret.
 * @param keyId UUID of the key: that of an existing key at a rotation. Default: a new one
 */
export function issueKey(environmentKind: 'sandbox' | 'production', keyId: string = newUuid()): IssuedKey {
  let secret = '';
  for (let i = 0; i < SECRET_LENGTH; i++) secret += BASE62[randomInt(BASE62.length)];
  const kind = environmentKind === 'production' ? 'live' : 'test';
  const id = toTypeId('key', keyId).slice('key_'.length);
  return { keyId, key: `svc_${kind}_${id}_${secret}`, secretHash: hashSecret(secret) };
}

/** Parses the text of a key. @returns null where the text does not have the format of a key */
export function parseKey(text: string): ParsedKey | null {
  const match = KEY.exec(text);
  if (match === null) return null;
  const [, kind = '', id = '', secret = ''] = match;
  const keyId = fromTypeId('key', `key_${id}`);
  if (keyId === null) return null;
  return { environmentKind: kind === 'live' ? 'production' : 'sandbox', keyId, secret };
}

/**
 * SHA-256 of a secret. The secret has 256 random bits and cannot be guessed as a password can, so a slow password hash
 * would cost time and add no security.
 */
export function hashSecret(secret: string): Buffer<ArrayBuffer> {
  return createHash('sha256').update(secret).digest();
}

/**
 * Whether a secret is the key's present one, or the one before the last rotation while that is still valid. Both hashes
 * are always compared, so that the time taken does not depend on which of them matches.
 * @param previousValidUntil the first instant at which the previous secret is no longer valid
 */
export function secretMatches(
  hash: Uint8Array,
  previousHash: Uint8Array | null,
  previousValidUntil: Date | null,
  now: Date,
  secret: string,
): boolean {
  const secretHash = hashSecret(secret);
  const isPresent = timingSafeEqual(secretHash, hash);
  const isPrevious = timingSafeEqual(secretHash, previousHash ?? NO_HASH);
  const previousIsValid = previousHash !== null && previousValidUntil !== null && now < previousValidUntil;
  return isPresent || (isPrevious && previousIsValid);
}
