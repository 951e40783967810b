import { createHmac, createSign, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { addIssuer, type IssuerKeys } from '../../../src/admin/issuers/add-issuer.ts';
import { SecretBox } from '../../../src/auth/secret-box.ts';
import { isRefusal } from '../../../src/refusal.ts';
import type { Sent } from './client.ts';
import type { TestEnvironment, World } from './world.ts';

export const ISSUER = 'https://login.shop.example';
export const AUDIENCE = 'loyalty';

export type Algorithm = 'RS256' | 'ES256' | 'EdDSA' | 'HS256';
/** Signs the first two segments of a token. @returns base64url */
export type Signer = (signed: string) => string;

/** A key pair of an issuer. */
export interface IssuerKey {
  algorithm: Algorithm;
  kid: string;
  publicKey: KeyObject;
  privateKey: KeyObject;
  sign: Signer;
  /** The public key with its kid. */
  jwk: object;
}

/** Makes a key pair. */
export function makeKey(algorithm: Exclude<Algorithm, 'HS256'>, kid: string): IssuerKey {
  const { publicKey, privateKey } =
    algorithm === 'RS256'
      ? generateKeyPairSync('rsa', { modulusLength: 2048 })
      : algorithm === 'ES256'
        ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
        : generateKeyPairSync('ed25519');
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid };
  return { algorithm, kid, publicKey, privateKey, jwk, sign: signerOf(algorithm, privateKey) };
}

export function signerOf(algorithm: Algorithm, key: KeyObject | string): Signer {
  return (signed) => {
    switch (algorithm) {
      case 'RS256':
        return createSign('RSA-SHA256').update(signed).sign(key, 'base64url');
      case 'ES256': {
        const options = { key: key as KeyObject, dsaEncoding: 'ieee-p1363' } as const;
        return sign('sha256', Buffer.from(signed), options).toString('base64url');
      }
      case 'EdDSA':
        return sign(null, Buffer.from(signed), key).toString('base64url');
      case 'HS256':
        return createHmac('sha256', key).update(signed).digest('base64url');
    }
  };
}

/** The claims of a token that is taken: of customer `ada` by default, for ten minutes. */
export function claimsOf(changed: object = {}): Record<string, unknown> {
  const now = Math.floor(Date.now() / 1000);
  return { iss: ISSUER, aud: AUDIENCE, sub: 'ada', iat: now, exp: now + 600, ...changed };
}

/** A token of any header and claims, as objects or as the text of their JSON. */
export function tokenOf(header: object | string, claims: object | string, signer: Signer): string {
  const [head, body] = [header, claims].map((part) =>
    Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url'),
  );
  const signed = `${head}.${body}`;
  return `${signed}.${signer(signed)}`;
}

/** A token of a customer, signed as its issuer does. */
export function customerToken(key: IssuerKey, externalCustomerId: string, changed: object = {}): string {
  const header = { alg: key.algorithm, kid: key.kid };
  return tokenOf(header, claimsOf({ sub: externalCustomerId, ...changed }), key.sign);
}

/** Lets an environment take tokens of `ISSUER` for `AUDIENCE`. @returns the UUID of the issuer */
export async function addTestIssuer(
  { administrator }: World,
  environmentId: string,
  keys: IssuerKeys | readonly IssuerKey[],
  changed: { issuer?: string; audience?: string; origins?: readonly string[] } = {},
): Promise<string> {
  const issuerKeys =
    'kind' in keys
      ? keys
      : ({
          kind: 'keys',
          content: Buffer.from(JSON.stringify({ keys: keys.map(({ jwk }) => jwk) })),
        } as const);
  const added = await addIssuer(
    administrator,
    { environmentId, issuer: ISSUER, audience: AUDIENCE, keys: issuerKeys, origins: [], ...changed },
    // As the test server has it.
    { allowPrivate: true, secrets: new SecretBox([Buffer.alloc(32, 7)]) },
  );
  if (isRefusal(added)) throw new Error(added.message);
  return added.issuerId;
}

/** A request of a customer. @param path below /loyalty/v1 */
export function loyalty(
  { environmentId }: Pick<TestEnvironment, 'environmentId'>,
  token: string,
  method: string,
  path: string,
  body?: object,
  idempotencyKey?: string,
): Sent {
  return {
    method,
    path: `/loyalty/v1${path}`,
    headers: {
      authorization: `Bearer ${token}`,
      'x-environment': environmentId,
      ...(body && { 'content-type': 'application/json' }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    },
    ...(body && { body: JSON.stringify(body) }),
  };
}
