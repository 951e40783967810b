import { keyOfPem, keysOfSet, LEAST_SECRET_BYTES, storedKey } from '../../auth/customer/verification-keys.ts';
import type { SecretBox } from '../../auth/secret-box.ts';
import { isOrigin } from '../../http/origin.ts';
import { urlFault } from '../../http/public-address.ts';
import { parseStrictJson } from '../../http/strict-json.ts';
import { newUuid, toTypeId } from '../../ids.ts';
import { type AdministrationCode, isRefusal, type Refusal, refuse } from '../../refusal.ts';
import { type Administrator, changeEnvironment } from '../shared/admin-change.ts';
import { findEnvironment, lockEnvironmentRow } from '../shared/find-environment.ts';

/** Where the keys of an issuer come from. */
export type IssuerKeys =
  | { kind: 'jwks'; url: string }
  /** The content of a file: a JWKS, or one public key in PEM. */
  | { kind: 'keys'; content: Buffer }
  /** The content of a file: the secret of HS256. One line break at its end is not part of it. */
  | { kind: 'hs256'; content: Buffer };

export interface NewIssuer {
  /** UUID. */
  environmentId: string;
  /** The claim `iss` of its tokens. */
  issuer: string;
  /** One of the claim `aud`. */
  audience: string;
  keys: IssuerKeys;
  /** The origins whose pages may read responses, such as `https://shop.example`. */
  origins: readonly string[];
}

export interface IssuerPolicy {
  /** Whether a Sandbox may have http and private addresses. */
  allowPrivate: boolean;
  /** Encrypts secrets; null where there is no key for that. */
  secrets: SecretBox | null;
}

/** What is stored of the keys: exactly one of the three is not null. */
interface StoredKeys {
  jwksUrl: string | null;
  keys: object[] | null;
  sealedSecret: Buffer<ArrayBuffer> | null;
}

const MOST_CHARACTERS = 2_000;
const MOST_ORIGINS = 50;

/**
 * Makes an environment take the tokens of an issuer.
 * @returns the issuer's UUID; a refusal for an unknown environment, keys that verify nothing, an origin that is none,
 *   or an issuer that is there already
 */
export async function addIssuer(
  administrator: Administrator,
  { environmentId, issuer, audience, keys, origins }: NewIssuer,
  policy: IssuerPolicy,
): Promise<{ issuerId: string } | Refusal<AdministrationCode>> {
  const fault = claimFault('issuer', issuer) ?? claimFault('audience', audience) ?? originFault(origins);
  if (fault) return fault;
  return changeEnvironment(administrator, environmentId, async (transaction) => {
    const environment = await findEnvironment(transaction, environmentId);
    if (isRefusal(environment)) return environment;
    const issuerId = newUuid();
    const stored = storedKeys(keys, issuerId, environment.kind === 'sandbox', policy);
    if (isRefusal(stored)) return stored;
    // Of two that add the same issuer at once, the second one sees the first.
    await lockEnvironmentRow(transaction, environmentId);
    const existing = await transaction.tokenIssuer.findFirst({
      where: { environmentId, issuer, audience, removedAt: null },
    });
    if (existing) {
      return refuse(
        'issuer_exists',
        `${toTypeId('iss', existing.id)} has this issuer and audience. To replace it, remove it first.`,
      );
    }
    const { keys: jwks, ...others } = stored;
    await transaction.tokenIssuer.create({
      data: {
        ...{ environmentId, id: issuerId, issuer, audience, origins: [...origins] },
        ...others,
        ...(jwks && { keys: jwks }),
      },
    });
    return {
      result: { issuerId },
      audit: {
        action: 'token_issuer.added',
        targetType: 'token_issuer',
        targetId: toTypeId('iss', issuerId),
        changes: { issuer, audience, keys: keys.kind, jwksUrl: stored.jwksUrl, origins },
      },
    };
  });
}

function storedKeys(
  keys: IssuerKeys,
  issuerId: string,
  sandbox: boolean,
  { allowPrivate, secrets }: IssuerPolicy,
): StoredKeys | Refusal<'validation_failed'> {
  const nothing = { jwksUrl: null, keys: null, sealedSecret: null };
  switch (keys.kind) {
    case 'jwks': {
      const fault = /\s|\p{Cc}/u.test(keys.url) || urlFault(keys.url, allowPrivate && sandbox) !== null;
      if (fault) {
        const isPrivate = urlFault(keys.url, true) === null;
        return invalid(
          'jwks',
          `must be a public https URL without a user name and a password${isPrivate ? adviceFor(sandbox) : ''}`,
        );
      }
      return { ...nothing, jwksUrl: keys.url };
    }
    case 'keys': {
      const found = keysOfFile(keys.content);
      return found.length > 0 ? { ...nothing, keys: found } : invalid('keys', NO_KEYS);
    }
    case 'hs256': {
      const secret = keys.content.toString('utf8').replace(/\r?\n$/, '');
      if (Buffer.byteLength(secret) < LEAST_SECRET_BYTES || secret.includes('\uFFFD')) {
        return invalid('hs256', `must be a secret of at least ${LEAST_SECRET_BYTES} bytes, in UTF-8`);
      }
      if (!secrets) return invalid('hs256', 'cannot be kept without SECRETS_KEY: set it as for the server');
      return { ...nothing, sealedSecret: Buffer.from(secrets.seal(secret, issuerId)) };
    }
  }
}

/** What to do about an address that is not public. */
function adviceFor(sandbox: boolean): string {
  const file = 'save the set to a file and give it with --keys FILE';
  return sandbox
    ? `. For this Sandbox, start the service with WEBHOOK_ALLOW_PRIVATE=true, or ${file}`
    : `: ${file}`;
}

const NO_KEYS =
  'must be a JWKS or one public key in PEM, with a key of RS256 (2,048 bits or more), ES256 or EdDSA (Ed25519)';

function keysOfFile(content: Buffer): object[] {
  const pem = keyOfPem(content.toString('utf8'));
  if (pem) return [storedKey(pem)];
  const parsed = parseStrictJson(content);
  return parsed.ok ? keysOfSet(parsed.value).map(storedKey) : [];
}

function claimFault(path: 'issuer' | 'audience', text: string): Refusal<'validation_failed'> | null {
  const valid = text.length > 0 && text.length <= MOST_CHARACTERS && !/\p{Cc}/u.test(text);
  return valid ? null : invalid(path, `must be 1 to ${MOST_CHARACTERS} characters, none a control character`);
}

/** Browsers send an origin in one spelling only, so another one would never match. */
function originFault(origins: readonly string[]): Refusal<'validation_failed'> | null {
  if (origins.length > MOST_ORIGINS) return invalid('origin', `must be given at most ${MOST_ORIGINS} times`);
  const wrong = origins.find((origin) => !isOrigin(origin));
  return wrong === undefined
    ? null
    : invalid(
        'origin',
        `must be an origin as browsers send it, such as https://shop.example: ${wrong} is none`,
      );
}

function invalid(path: string, message: string): Refusal<'validation_failed'> {
  return refuse('validation_failed', `--${path} ${message}.`, [{ path, message }]);
}
