import type { Prisma, TokenIssuer } from '../../../generated/prisma/client.ts';
import { keyOfPem, keysOfSet, LEAST_SECRET_BYTES, storedKey } from '../../auth/customer/verification-keys.ts';
import type { SecretBox } from '../../auth/secret-box.ts';
import { isOrigin } from '../../http/origin.ts';
import { urlFault } from '../../http/public-address.ts';
import { parseStrictJson } from '../../http/strict-json.ts';
import { newUuid, toTypeId } from '../../ids.ts';
import { type AdministrationCode, isRefusal, type Refusal, refuse } from '../../refusal.ts';
import { type Administrator, type AdminOutcome, changeEnvironment } from '../shared/admin-change.ts';
import { findEnvironment, lockEnvironmentRow } from '../shared/find-environment.ts';
import { COMMAND_LINE_NAMES, type IssuerNames } from './issuer-names.ts';

/** Where the keys of an issuer come from. */
export type IssuerKeys =
  | { kind: 'jwks'; url: string }
  /** A JWKS, or one public key in PEM. */
  | { kind: 'keys'; content: Buffer }
  /** The secret of HS256, in UTF-8. */
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
  /** What the texts of refusals call each part. Default: as the command line does. */
  names?: IssuerNames;
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
  added: NewIssuer,
  policy: IssuerPolicy,
): Promise<{ issuerId: string } | Refusal<AdministrationCode>> {
  const { environmentId } = added;
  const made = await changeEnvironment(administrator, environmentId, addingIssuer(added, policy));
  return isRefusal(made) ? made : { issuerId: made.id };
}

/** The change that adds an issuer (see `addIssuer`). Its result is the row. */
export function addingIssuer(
  { environmentId, issuer, audience, keys, origins }: NewIssuer,
  policy: IssuerPolicy,
): (
  transaction: Prisma.TransactionClient,
) => Promise<AdminOutcome<TokenIssuer> | Refusal<AdministrationCode>> {
  const { names = COMMAND_LINE_NAMES } = policy;
  return async (transaction) => {
    const fault =
      claimFault(names.issuer, issuer) ??
      claimFault(names.audience, audience) ??
      originFault(names.origins, origins);
    if (fault) return fault;
    const environment = await findEnvironment(transaction, environmentId);
    if (isRefusal(environment)) return environment;
    const issuerId = newUuid();
    const stored = storedKeys(keys, issuerId, environment.kind === 'sandbox', { ...policy, names });
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
    const result = await transaction.tokenIssuer.create({
      data: {
        ...{ environmentId, id: issuerId, issuer, audience, origins: [...origins] },
        ...others,
        ...(jwks && { keys: jwks }),
      },
    });
    return {
      result,
      audit: {
        action: 'token_issuer.added',
        targetType: 'token_issuer',
        targetId: toTypeId('iss', issuerId),
        changes: { issuer, audience, keys: keys.kind, jwksUrl: stored.jwksUrl, origins },
      },
    };
  };
}

function storedKeys(
  keys: IssuerKeys,
  issuerId: string,
  sandbox: boolean,
  { allowPrivate, secrets, names }: IssuerPolicy & { names: IssuerNames },
): StoredKeys | Refusal<'validation_failed' | 'url_not_public'> {
  const nothing = { jwksUrl: null, keys: null, sealedSecret: null };
  switch (keys.kind) {
    case 'jwks': {
      const fault = urlRefusal(keys.url, allowPrivate && sandbox, sandbox, names);
      return fault ?? { ...nothing, jwksUrl: keys.url };
    }
    case 'keys': {
      const fileKeys = keysOfFile(keys.content);
      return fileKeys.length > 0 ? { ...nothing, keys: fileKeys } : invalid(names.keys, NO_KEYS);
    }
    case 'hs256': {
      const secret = keys.content.toString('utf8');
      if (Buffer.byteLength(secret) < LEAST_SECRET_BYTES || secret.includes('\uFFFD')) {
        return invalid(names.secret, `must be a secret of at least ${LEAST_SECRET_BYTES} bytes, in UTF-8`);
      }
      if (!secrets)
        return invalid(names.secret, 'cannot be kept without SECRETS_KEY: set it as for the server');
      return { ...nothing, sealedSecret: Buffer.from(secrets.seal(secret, issuerId)) };
    }
  }
}

function urlRefusal(
  url: string,
  allowPrivate: boolean,
  sandbox: boolean,
  names: IssuerNames,
): Refusal<'url_not_public'> | null {
  if (!/\s|\p{Cc}/u.test(url) && urlFault(url, allowPrivate) === null) return null;
  // What to do about an address that is not public.
  const remedy = sandbox
    ? `. For this Sandbox, start the service with WEBHOOK_ALLOW_PRIVATE=true, or ${names.withoutUrl}`
    : `: ${names.withoutUrl}`;
  const isPrivate = urlFault(url, true) === null;
  const message = `must be a public https URL without a user name and a password${isPrivate ? remedy : ''}`;
  return refuse('url_not_public', `${names.jwksUrl} ${message}.`, [{ path: pathOf(names.jwksUrl), message }]);
}

const NO_KEYS =
  'must be a JWKS or one public key in PEM, with a key of RS256 (2,048 bits or more), ES256 or EdDSA (Ed25519)';

function keysOfFile(content: Buffer): object[] {
  const pem = keyOfPem(content.toString('utf8'));
  if (pem) return [storedKey(pem)];
  const parsed = parseStrictJson(content);
  return parsed.ok ? keysOfSet(parsed.value).map(storedKey) : [];
}

function claimFault(name: string, text: string): Refusal<'validation_failed'> | null {
  const valid = text.length > 0 && text.length <= MOST_CHARACTERS && !/\p{Cc}/u.test(text);
  return valid ? null : invalid(name, `must be 1 to ${MOST_CHARACTERS} characters, none a control character`);
}

/** Browsers send an origin in one spelling only, so another one would never match. */
function originFault(name: string, origins: readonly string[]): Refusal<'validation_failed'> | null {
  if (origins.length > MOST_ORIGINS) return invalid(name, `must be given at most ${MOST_ORIGINS} times`);
  const wrong = origins.find((origin) => !isOrigin(origin));
  return wrong === undefined
    ? null
    : invalid(name, `must be an origin as browsers send it, such as https://shop.example: ${wrong} is none`);
}

function invalid(name: string, message: string): Refusal<'validation_failed'> {
  return refuse('validation_failed', `${name} ${message}.`, [{ path: pathOf(name), message }]);
}

function pathOf(name: string): string {
  return name.replace(/^--/, '');
}
