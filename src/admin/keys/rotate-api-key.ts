import { issueKey } from '../../auth/api-key.ts';
import { toTypeId } from '../../ids.ts';
import { type AdministrationCode, isRefusal, type Refusal, refuse } from '../../refusal.ts';
import { type Administrator, changeEnvironment } from '../shared/admin-change.ts';
import { databaseTime } from '../shared/write-trail.ts';
import { findApiKey } from './find-api-key.ts';
import type { ApiKeyWithSecret } from './issue-api-key.ts';

/** @property previousValidUntil when the old secret stops working; null where it stopped at once */
export interface RotatedApiKey extends ApiKeyWithSecret {
  previousValidUntil: Date | null;
}

/**
 * Gives a key a new secret. The old secret keeps working during the overlap, so that the principal can change over
 * without a gap. A secret from before an earlier rotation stops working at once. Scopes, principal and expiry do not
 * change.
 * @param keyId UUID
 * @param overlapSeconds 0 makes the old secret stop working at once
 * @returns a refusal for an unknown key, and for one that is revoked or expired
 */
export async function rotateApiKey(
  administrator: Administrator,
  keyId: string,
  overlapSeconds: number,
): Promise<RotatedApiKey | Refusal<AdministrationCode>> {
  const apiKey = await findApiKey(administrator.prisma, keyId);
  if (isRefusal(apiKey)) return apiKey;
  const { environmentId } = apiKey;
  return changeEnvironment<RotatedApiKey>(administrator, environmentId, async (transaction) => {
    // Read again under a lock: of two concurrent rotations, the second must keep the first one's secret as the previous
    // one.
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
    const fresh = issueKey(apiKey.environment.kind === 'production' ? 'production' : 'sandbox', keyId);
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
