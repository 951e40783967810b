import { generateKeyPairSync } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { importJWK, type JWK, SignJWT } from 'jose';
import { newUuid } from '../../ids.ts';
import { isRefusal } from '../../refusal.ts';
import { addIssuer } from '../issuers/add-issuer.ts';
import { removeIssuer } from '../issuers/remove-issuer.ts';
import type { Administrator } from '../shared/admin-change.ts';

/** The private key of the demo's issuer, as a JWK. */
export type DemoIssuerKey = JWK & { kid: string };

/** What a token of the demo's issuer is for. */
export interface DemoTokenOptions {
  externalCustomerId: string;
  /** The claim `authorization_reference`; null for a token without it. */
  authorizationReference: string | null;
}

const ISSUER = 'https://login.demo.example';
const AUDIENCE = 'loyalty';
const TOKEN_SECONDS = 3_600;

/** The demo issuer's key in DATA_DIR. It is made at the first call, readable by its owner alone. */
export async function ensureDemoIssuerKey(dataDir: string): Promise<DemoIssuerKey> {
  const existing = await readDemoIssuerKey(dataDir);
  if (existing) return existing;
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key: DemoIssuerKey = { ...(privateKey.export({ format: 'jwk' }) as JWK), kid: newUuid() };
  const unfinished = `${fileIn(dataDir)}.${process.pid}`;
  await writeFile(unfinished, `${JSON.stringify(key)}\n`, { mode: 0o600 });
  await rename(unfinished, fileIn(dataDir));
  return key;
}

/** @returns null where the file is missing or unusable */
export async function readDemoIssuerKey(dataDir: string): Promise<DemoIssuerKey | null> {
  try {
    const read = JSON.parse(await readFile(fileIn(dataDir), 'utf8')) as Partial<DemoIssuerKey>;
    return typeof read.kid === 'string' && typeof read.d === 'string' ? (read as DemoIssuerKey) : null;
  } catch {
    return null;
  }
}

/**
 * Makes an environment of the demo take the tokens of the demo's issuer. One that is there with another key is
 * replaced.
 * @param origins whose pages may read responses, where the issuer is added
 */
export async function ensureDemoIssuer(
  administrator: Administrator,
  environmentId: string,
  { d: _private, ...publicKey }: DemoIssuerKey,
  origins: readonly string[],
): Promise<void> {
  const existing = await administrator.prisma.tokenIssuer.findFirst({
    where: { environmentId, issuer: ISSUER, audience: AUDIENCE, removedAt: null },
  });
  if (existing && JSON.stringify(existing.keys).includes(publicKey.kid)) return;
  if (existing) await removeIssuer(administrator, existing.id);
  const content = Buffer.from(JSON.stringify({ keys: [publicKey] }));
  const added = await addIssuer(
    administrator,
    { environmentId, issuer: ISSUER, audience: AUDIENCE, keys: { kind: 'keys', content }, origins },
    { allowPrivate: false, secrets: null },
  );
  if (isRefusal(added)) throw new Error(added.message);
}

/** A token of a customer, for an hour. */
export async function mintDemoToken(
  key: DemoIssuerKey,
  { externalCustomerId, authorizationReference }: DemoTokenOptions,
): Promise<{ token: string; expiresAt: Date }> {
  const expiresAt = new Date((Math.floor(Date.now() / 1000) + TOKEN_SECONDS) * 1000);
  const claims = authorizationReference === null ? {} : { authorization_reference: authorizationReference };
  const token = await new SignJWT(claims)
    .setProtectedHeader({ alg: 'ES256', kid: key.kid })
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setSubject(externalCustomerId)
    .setIssuedAt()
    .setExpirationTime(expiresAt)
    .sign(await importJWK(key, 'ES256'));
  return { token, expiresAt };
}

function fileIn(dataDir: string): string {
  return join(dataDir, 'demo-issuer.json');
}
