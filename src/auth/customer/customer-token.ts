import { jwtVerify } from 'jose';
import { parseStrictJson } from '../../http/strict-json.ts';
import type { VerificationKey } from './verification-keys.ts';

/** A customer's token as it is written. Nothing in it is believed before its signature is verified. */
export interface CustomerToken {
  text: string;
  kid: string | null;
  /** The claim `iss`. */
  issuer: string;
  /** The claim `aud`: one or several. */
  audiences: readonly string[];
  /** The claim `sub`: the externalCustomerId. */
  subject: string;
  /** `exp`, `nbf` and `iat`, in seconds since 1970; null for one that is absent. */
  expiresAt: number;
  notBefore: number | null;
  issuedAt: number | null;
  /** The claim `authorization_reference`: the merchant's checkout has authorized the redemption of this reference. */
  authorizationReference: string | null;
}

export const LONGEST_TOKEN = 8_192;
export const LONGEST_LIFETIME_SECONDS = 86_400;
export const LEEWAY_SECONDS = 30;
/** The types of tokens (RFC 8725, 3.11) that are taken: an id token or an access token. */
const TYPES = /^(?:application\/)?(?:jwt|at\+jwt)$/i;
/** What a header could name a key of its own with. */
export const KEYS_OF_ITS_OWN = ['jku', 'jwk', 'x5u', 'x5c', 'crit', 'b64', 'zip', 'enc'];
/** As `newMerchantId` in the contract: a customer who enrolls becomes a member with this id. */
const CUSTOMER_ID = /^(?!\s)[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]{1,200}(?<!\s)$/u;

/**
 * Reads a token strictly: canonical base64url, JSON without repeated names, and every claim of its type.
 * @returns null for anything else
 */
export function readToken(text: string): CustomerToken | null {
  if (text.length > LONGEST_TOKEN) return null;
  const [head = '', body = '', signature = '', ...others] = text.split('.');
  if (others.length > 0 || signature === '' || !bytesOf(signature)) return null;
  const header = readSegment(head);
  const claims = header && readSegment(body);
  if (!claims || KEYS_OF_ITS_OWN.some((name) => Object.hasOwn(header, name))) return null;
  const { typ, kid = null } = header;
  if (typ !== undefined && !isTokenType(typ)) return null;
  if (kid !== null && (typeof kid !== 'string' || kid === '')) return null;
  const { iss, sub, exp, nbf = null, iat = null, authorization_reference: reference = null } = claims;
  const audiences = [claims.aud].flat();
  if (typeof iss !== 'string' || !audiences.every((each) => typeof each === 'string')) return null;
  if (!isCustomerId(sub)) return null;
  if (typeof exp !== 'number' || !isTime(nbf) || !isTime(iat)) return null;
  if (reference !== null && typeof reference !== 'string') return null;
  return {
    ...{ text, kid, audiences },
    ...{ issuer: iss, subject: sub, expiresAt: exp, notBefore: nbf, issuedAt: iat },
    authorizationReference: reference,
  };
}

/**
 * Whether a token is in force: neither expired nor from the future, each with 30 seconds of leeway, and of a lifetime
 * of at most 24 hours, counted from `iat` where it has one, and from now.
 * @param nowMs the time of the database, in milliseconds
 */
export function isInForce({ expiresAt, notBefore, issuedAt }: CustomerToken, nowMs: number): boolean {
  const now = nowMs / 1000;
  const latest = now + LEEWAY_SECONDS;
  return (
    now < expiresAt + LEEWAY_SECONDS &&
    expiresAt <= latest + LONGEST_LIFETIME_SECONDS &&
    (notBefore === null || notBefore <= latest) &&
    (issuedAt === null || (issuedAt <= latest && expiresAt - issuedAt <= LONGEST_LIFETIME_SECONDS))
  );
}

/** Whether the token is one of the issuer, and the key has signed it by the key's own algorithm. */
export async function isSignedBy(
  { text }: CustomerToken,
  { issuer, audience }: { issuer: string; audience: string },
  { key, algorithm }: VerificationKey,
  nowMs: number,
): Promise<boolean> {
  try {
    await jwtVerify(text, key, {
      ...{ algorithms: [algorithm], issuer, audience, requiredClaims: ['exp', 'sub'] },
      ...{ currentDate: new Date(nowMs), clockTolerance: LEEWAY_SECONDS },
    });
    return true;
  } catch {
    return false;
  }
}

/** Whether the `typ` of a header is one that is taken. */
export function isTokenType(typ: unknown): boolean {
  return typeof typ === 'string' && TYPES.test(typ);
}

/** Whether the claim `sub` can be an externalCustomerId. */
export function isCustomerId(sub: unknown): sub is string {
  return typeof sub === 'string' && CUSTOMER_ID.test(sub);
}

/** The JSON object of a segment; null where it is not strict. */
export function readSegment(segment: string): Record<string, unknown> | null {
  const bytes = bytesOf(segment);
  if (!bytes) return null;
  const parsed = parseStrictJson(bytes);
  return parsed.ok && parsed.violations.length === 0 ? parsed.value : null;
}

/** The bytes of a segment; null where its base64url is not the one spelling of them. */
function bytesOf(segment: string): Buffer | null {
  const bytes = Buffer.from(segment, 'base64url');
  return bytes.toString('base64url') === segment ? bytes : null;
}

function isTime(value: unknown): value is number | null {
  return value === null || typeof value === 'number';
}
