import { issueKey } from '../auth/api-key.ts';
import type { Scope } from '../auth/scopes.ts';
import { toTypeId } from '../ids.ts';
import { type Administrator, type AdminRefusal, changeEnvironment, refuseAdmin } from './admin-change.ts';
import { databaseTime } from './database-time.ts';
import { NAME_RULE, normalizeName } from './name.ts';
import { unknownEnvironment } from './unknown-environment.ts';

export interface NewApiKey {
  /** UUID. */
  environmentId: string;
  /**
   * The person or system that will hold the key, kept as normalizeName writes it. Two keys of one principal never
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
 * Issues a server key for one environment. A refusal for an unknown environment, a principal that is no name, or an
 * expiry that has passed.
 */
export async function issueApiKey(
  administrator: Administrator,
  { environmentId, principal: named, scopes, expiresAt }: NewApiKey,
): Promise<ApiKeyWithSecret | AdminRefusal> {
  const principal = normalizeName(named);
  if (principal === null) return refuseAdmin(`The principal must be ${NAME_RULE}.`);
  return changeEnvironment(administrator, environmentId, async (transaction) => {
    const environment = await transaction.environment.findUnique({ where: { id: environmentId } });
    if (!environment) return unknownEnvironment(environmentId);
    if (expiresAt !== null && expiresAt <= (await databaseTime(transaction))) {
      return refuseAdmin(`A key that expired at ${expiresAt.toISOString()} would never work.`);
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
