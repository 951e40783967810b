import {
  type CustomerToken,
  isCustomerId,
  isInForce,
  isSignedBy,
  isTokenType,
  KEYS_OF_ITS_OWN,
  LEEWAY_SECONDS,
  LONGEST_LIFETIME_SECONDS,
  LONGEST_TOKEN,
  readSegment,
  readToken,
} from './customer-token.ts';
import type { Issuer } from './issuer-directory.ts';
import type { VerificationKey } from './verification-keys.ts';

/** What one part of a token is for an issuer. */
export interface TokenFinding {
  /** The name of a claim or of a part of the header; `form` and `signature` for the token as a whole. */
  part: string;
  /** True where the part is as it has to be. */
  ok: boolean;
  /** What it has to be, or what it is. */
  message: string;
}

/** What the keys of an issuer are, as they were found for the token's `kid`. */
export interface TokenKey {
  key: VerificationKey | null;
  /** The `kid` of all keys of the issuer; null for one that has none. */
  kids: readonly (string | null)[];
  /** Why the keys could not be read; null where they could. */
  problem: string | null;
}

/**
 * Says which parts of a token the service takes, and why not the others: for the one who runs the service, and never
 * for who sends the token. The token is taken where every finding is ok.
 * @param nowMs the time of the database, in milliseconds
 */
export async function explainToken(
  text: string,
  issuer: Issuer,
  nowMs: number,
  findKey: (kid: string | null) => Promise<TokenKey>,
): Promise<TokenFinding[]> {
  const [head = '', body = ''] = text.split('.');
  const [header, claims] = [readSegment(head), readSegment(body)];
  if (text.length > LONGEST_TOKEN || !header || !claims) return [broken(text)];
  const findings = [...headerFindings(header), ...claimFindings(claims, issuer, nowMs / 1000)];
  const token = readToken(text);
  if (token) return [...findings, ...(await signatureFindings(token, nowMs, findKey))];
  // Something that no finding is about, such as a signature that is no base64url.
  return findings.every(({ ok }) => ok) ? [...findings, broken(text)] : findings;
}

function broken(text: string): TokenFinding {
  const message =
    text.length > LONGEST_TOKEN
      ? `has more than ${LONGEST_TOKEN} characters`
      : 'must be a signed JWT: three parts of base64url with points between them, ' +
        'header and claims of JSON without names that come twice';
  return { part: 'form', ok: false, message };
}

function headerFindings(header: Readonly<Record<string, unknown>>): TokenFinding[] {
  const ownKeys = KEYS_OF_ITS_OWN.filter((name) => Object.hasOwn(header, name));
  const { typ, kid = null } = header;
  return [
    {
      part: 'header',
      ok: ownKeys.length === 0,
      message: ownKeys.length === 0 ? 'names no key of its own' : `must not have ${ownKeys.join(', ')}`,
    },
    finding('typ', typ === undefined || isTokenType(typ), typ, 'must be JWT or at+jwt, or absent'),
    finding('kid', kid === null || (typeof kid === 'string' && kid !== ''), kid, 'must be a text, or absent'),
  ];
}

function claimFindings(
  claims: Readonly<Record<string, unknown>>,
  { issuer, audience }: Issuer,
  now: number,
): TokenFinding[] {
  const { iss, sub, exp, nbf = null, iat = null, authorization_reference: reference = null } = claims;
  const audiences = [claims.aud].flat();
  return [
    finding('iss', iss === issuer, iss, `must be ${issuer}, letter by letter`),
    finding(
      'aud',
      audiences.includes(audience) && audiences.every((each) => typeof each === 'string'),
      claims.aud,
      `must be or contain ${audience}`,
    ),
    finding('sub', isCustomerId(sub), sub, "must be the customer's id: 1 to 200 visible characters"),
    expiryFinding(exp, now),
    startFinding('nbf', nbf, now),
    issueFinding(iat, exp, now),
    ...(reference === null
      ? []
      : [
          finding(
            'authorization_reference',
            typeof reference === 'string',
            reference,
            'must be a text, or absent',
          ),
        ]),
  ];
}

function expiryFinding(exp: unknown, now: number): TokenFinding {
  if (typeof exp !== 'number') return finding('exp', false, exp, 'must be seconds since 1970');
  if (now >= exp + LEEWAY_SECONDS) return timeFinding('exp', exp, `it is over since ${duration(now - exp)}`);
  if (exp > now + LEEWAY_SECONDS + LONGEST_LIFETIME_SECONDS)
    return timeFinding('exp', exp, `it must end within 24 hours, and ends in ${duration(exp - now)}`);
  return { part: 'exp', ok: true, message: `${instantOf(exp)}: in ${duration(exp - now)}` };
}

function startFinding(part: 'nbf' | 'iat', from: unknown, now: number): TokenFinding {
  if (from === null) return { part, ok: true, message: 'absent' };
  if (typeof from !== 'number') return finding(part, false, from, 'must be seconds since 1970, or absent');
  if (from > now + LEEWAY_SECONDS)
    return timeFinding(part, from, `it lies ${duration(from - now)} in the future: compare the clocks`);
  return { part, ok: true, message: instantOf(from) };
}

function issueFinding(iat: unknown, exp: unknown, now: number): TokenFinding {
  const start = startFinding('iat', iat, now);
  if (!start.ok || typeof iat !== 'number' || typeof exp !== 'number') return start;
  if (exp - iat <= LONGEST_LIFETIME_SECONDS) return start;
  return timeFinding('iat', iat, `exp lies ${duration(exp - iat)} after it; 24 hours are the most`);
}

async function signatureFindings(
  token: CustomerToken,
  nowMs: number,
  findKey: (kid: string | null) => Promise<TokenKey>,
): Promise<TokenFinding[]> {
  const { key, kids, problem } = await findKey(token.kid);
  if (!key) return [{ part: 'key', ok: false, message: problem ?? noKey(token.kid, kids) }];
  const finding = {
    part: 'key',
    ok: true,
    message: `${key.algorithm}${key.kid === null ? '' : `, kid ${key.kid}`}`,
  };
  // The library looks at issuer, audience and times too: those have findings of their own, so they are the token's
  // here.
  const issuerAndAudience = { issuer: token.issuer, audience: token.audiences[0] ?? '' };
  const at = isInForce(token, nowMs) ? nowMs : (token.notBefore ?? token.issuedAt ?? token.expiresAt) * 1_000;
  const signed = await isSignedBy(token, issuerAndAudience, key, at);
  const message = signed
    ? 'is made by this key'
    : `is not made by this key with ${key.algorithm}: another key, another algorithm, or a token that was changed`;
  return [finding, { part: 'signature', ok: signed, message }];
}

function noKey(kid: string | null, kids: readonly (string | null)[]): string {
  if (kids.length === 0)
    return 'the issuer has no key that can verify tokens: RS256, ES256 or EdDSA, or its secret';
  if (kid === null)
    return `the token has no kid, and the issuer ${kids.length} keys: it must name one of ${listed(kids)}`;
  return `no key of the issuer has the kid ${shown(kid)}; there are ${listed(kids)}`;
}

function listed(kids: readonly (string | null)[]): string {
  return kids.map((kid) => (kid === null ? 'one without a kid' : kid)).join(', ');
}

function timeFinding(part: string, seconds: number, reason: string): TokenFinding {
  return { part, ok: false, message: `is ${instantOf(seconds)}: ${reason}` };
}

function finding(part: string, ok: boolean, value: unknown, rule: string): TokenFinding {
  return { part, ok, message: ok ? shown(value ?? 'absent') : `is ${shown(value ?? 'absent')}: it ${rule}` };
}

/** A value of the token as a short text. */
function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 100 ? `${text.slice(0, 99)}…` : text;
}

const LATEST_MS = 8.64e15;

function instantOf(seconds: number): string {
  const ms = seconds * 1_000;
  return Math.abs(ms) <= LATEST_MS ? new Date(ms).toISOString() : `${seconds} seconds`;
}

function duration(seconds: number): string {
  const wholeSeconds = Math.abs(Math.round(seconds));
  if (wholeSeconds < 120) return `${wholeSeconds} s`;
  return wholeSeconds < 7_200
    ? `${Math.round(wholeSeconds / 60)} minutes`
    : `${Math.round(wholeSeconds / 3_600)} hours`;
}
