import { issueKey } from '../auth/api-key.ts';
import { toTypeId } from '../ids.ts';
import { type AdministrationCode, isRefusal, type Refusal, refuse } from '../refusal.ts';
import { type Administrator, changeEnvironment } from './admin-change.ts';
import { findApiKey } from './find-api-key.ts';
import type { ApiKeyWithSecret } from './issue-api-key.ts';
import { databaseTime } from './write-trail.ts';

/** @property previousValidUntil when the secret so far stops to work; null where it already has */
export interface RotatedApiKey extends ApiKeyWithSecret {
  previousValidUntil: Date | null;
}

/**
 * Gives a key a new secret. The one before it works on for the overlap, so that the holder can change over without a
 * gap; one from before an earlier rotation stops at once. Scopes, principal and expiry stay.
 * @param keyId UUID
 * @param overlapSeconds 0 makes the old secret stop at once
 */
export async function rotateApiKey(
  administrator: Administrator,
  keyId: string,
  overlapSeconds: number,
): Promise<RotatedApiKey | Refusal<AdministrationCode>> {
  const found = await findApiKey(administrator.prisma, keyId);
  if (isRefusal(found)) return found;
  const { environmentId } = found;
  return changeEnvironment<RotatedApiKey>(administrator, environmentId, async (transaction) => {
    // Read again under a lock: of two rotations at once, the second must keep the first's secret as the previous one.
    await transaction.$executeRaw`
      select from api_keys where environment_id = ${environmentId}::uuid and id = ${keyId}::uuid for update`;
    const present = await transaction.apiKey.findUniqueOrThrow({
      where: { environmentId_id: { environmentId, id: keyId } },
    });
    const now = await databaseTime(transaction);
    if (present.revokedAt || (present.expiresAt && present.expiresAt <= now)) {
      const what = present.revokedAt ? 'revoked' : 'expired';
      return refuse(
        'invalid_key_state',
        `${toTypeId('key', keyId)} is ${what}. Issue another: rewards key issue`,
      );
    }
    const fresh = issueKey(found.environment.kind === 'production' ? 'production' : 'sandbox', keyId);
    const previousValidUntil = overlapSeconds > 0 ? new Date(now.getTime() + overlapSeconds * 1000) : null;
    await transaction.apiKey.update({
      where: { environmentId_id: { environmentId, id: keyId } },
      data: {
        secretHash: fresh.secretHash,
        previousSecretHash: previousValidUntil ? present.secretHash : null,
        previousValidUntil,
      },
    });
    return {
      result: { keyId, key: fresh.key, previousValidUntil },
      audit: {
        action: 'api_key.rotated',
        targetType: 'api_key',
        targetId: toTypeId('key', keyId),
        changes: { previousValidUntil: previousValidUntil?.toISOString() ?? null },
      },
    };
  });
}
