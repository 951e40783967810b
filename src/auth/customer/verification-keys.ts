import { createPublicKey, createSecretKey, type JsonWebKey, type KeyObject } from 'node:crypto';

/** The algorithms of tokens that are taken. */
export type TokenAlgorithm = 'RS256' | 'ES256' | 'EdDSA' | 'HS256';

/** A key that verifies tokens. The algorithm belongs to the key: what a token says about it decides nothing. */
export interface VerificationKey {
  /** Null for a key without an id: it is only used where it is the issuer's one key. */
  kid: string | null;
  algorithm: TokenAlgorithm;
  key: KeyObject;
}

/** A public key as it is stored: a JWK with nothing but what verifies. */
export type StoredKey = JsonWebKey & { kid?: string };

const LEAST_RSA_BITS = 2_048;
/** So many keys of a set are looked at. Reading one is work for the event loop, and 23,000 fit into an answer. */
const MOST_KEYS = 100;
/** RFC 7518, 3.2: a key of HS256 has at least as many bits as the hash. */
export const LEAST_SECRET_BYTES = 32;

/** Whether a value is a JSON Web Key Set (RFC 7517), with or without keys that verify tokens. */
export function isKeySet(value: unknown): value is { keys: unknown[] } {
  return isObject(value) && Array.isArray(value.keys);
}

/**
 * The keys that verify tokens, of the first 100 of a JWKS. Others are left out, as a JWKS may serve other purposes too:
 * symmetric ones (`oct`), private ones, those for encryption, and those of other algorithms or curves.
 */
export function keysOfSet(value: unknown): VerificationKey[] {
  if (!isKeySet(value)) return [];
  return value.keys.slice(0, MOST_KEYS).flatMap((jwk: unknown) => {
    const key = isObject(jwk) ? keyOf(jwk) : null;
    return key ? [key] : [];
  });
}

/** The one public key of a PEM file. @returns null for anything else, a private key included */
export function keyOfPem(text: string): VerificationKey | null {
  if (/PRIVATE KEY/.test(text) || text.match(/-----BEGIN /g)?.length !== 1) return null;
  try {
    return verifying(createPublicKey(text), null);
  } catch {
    return null;
  }
}

/** The key of an HS256 secret. */
export function keyOfSecret(secret: string): VerificationKey {
  return { kid: null, algorithm: 'HS256', key: createSecretKey(secret, 'utf8') };
}

/** A public key in the form in which it is stored. */
export function storedKey({ kid, key }: VerificationKey): StoredKey {
  return { ...key.export({ format: 'jwk' }), ...(kid !== null && { kid }) };
}

/** The key that a token names by its `kid`; without a `kid`, the only key there is. */
export function pickKey(keys: readonly VerificationKey[], kid: string | null): VerificationKey | null {
  if (kid === null) return keys.length === 1 ? (keys[0] ?? null) : null;
  return keys.find((key) => key.kid === kid) ?? null;
}

function keyOf(jwk: Record<string, unknown>): VerificationKey | null {
  const { kty, kid, use, alg, key_ops: operations } = jwk;
  // A private key that somebody has published signs for anybody.
  if (kty === 'oct' || 'd' in jwk || (use !== undefined && use !== 'sig')) return null;
  if (operations !== undefined && !(Array.isArray(operations) && operations.includes('verify'))) return null;
  if (kid !== undefined && typeof kid !== 'string') return null;
  try {
    const key = verifying(createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' }), kid ?? null);
    return key && (alg === undefined || alg === key.algorithm) ? key : null;
  } catch {
    return null;
  }
}

function verifying(key: KeyObject, kid: string | null): VerificationKey | null {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key;
  if (type === 'rsa' && (details?.modulusLength ?? 0) >= LEAST_RSA_BITS) {
    return { kid, algorithm: 'RS256', key };
  }
  if (type === 'ec' && details?.namedCurve === 'prime256v1') return { kid, algorithm: 'ES256', key };
  return type === 'ed25519' ? { kid, algorithm: 'EdDSA', key } : null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
