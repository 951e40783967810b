import { issueKey } from '../../auth/api-key.ts';
import type { Scope } from '../../auth/scopes.ts';
import { toTypeId } from '../../ids.ts';
import { type AdministrationCode, isRefusal, type Refusal, refuse } from '../../refusal.ts';
import { type Administrator, changeEnvironment } from '../shared/admin-change.ts';
import { findEnvironment } from '../shared/find-environment.ts';
import { normalizeName, refuseName } from '../shared/name.ts';
import { databaseTime } from '../shared/write-trail.ts';

export interface NewApiKey {
  /** UUID. */
  environmentId: string;
  /**
   * The person or system that will hold the key, stored as normalizeName returns it. Two keys of one principal never
   * approve each other's requests.
   */
  principal: string;
  /** At least one. */
  scopes: readonly Scope[];
  /** Null for a key that lasts until it is revoked. */
  expiresAt: Date | null;
}

/** @property keyId UUID @property key the whole key, which cannot be shown a second time */
export interface ApiKeyWithSecret {
  keyId: string;
  key: string;
}

/**
 * Issues a server key for one environment.
 * @returns a refusal for an unknown environment, a principal that is not a valid name, or an expiry in the past
 */
export async function issueApiKey(
  administrator: Administrator,
  { environmentId, principal: named, scopes, expiresAt }: NewApiKey,
): Promise<ApiKeyWithSecret | Refusal<AdministrationCode>> {
  const principal = normalizeName(named);
  if (principal === null) return refuseName('principal');
  return changeEnvironment(administrator, environmentId, async (transaction) => {
    const environment = await findEnvironment(transaction, environmentId);
    if (isRefusal(environment)) return environment;
    if (expiresAt !== null && expiresAt <= (await databaseTime(transaction))) {
      return refuse(
        'validation_failed',
        `A key that expired at ${expiresAt.toISOString()} would never work.`,
        [{ path: 'expiresAt', message: 'lies in the past' }],
      );
    }
    const { keyId, key, secretHash } = issueKey(environment.kind === 'production' ? 'production' : 'sandbox');
    const uniqueScopes = [...new Set(scopes)];
    await transaction.apiKey.create({
      data: { environmentId, id: keyId, principal, scopes: uniqueScopes, secretHash, expiresAt },
    });
    return {
      result: { keyId, key },
      audit: {
        action: 'api_key.issued',
        targetType: 'api_key',
        targetId: toTypeId('key', keyId),
        changes: { principal, scopes: uniqueScopes, expiresAt: expiresAt?.toISOString() ?? null },
      },
    };
  });
}
