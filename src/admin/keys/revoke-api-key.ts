import { toTypeId } from '../../ids.ts';
import { type AdministrationCode, isRefusal, type Refusal } from '../../refusal.ts';
import { type Administrator, changeEnvironment } from '../shared/admin-change.ts';
import { databaseTime } from '../shared/write-trail.ts';
import { findApiKey } from './find-api-key.ts';

/**
 * Revokes a key for good: neither its secret nor the one from before the last rotation works any more.
 * @param keyId UUID
 * @returns when the key was revoked, with `changed` false where it was revoked before; a refusal for an unknown key
 */
export async function revokeApiKey(
  administrator: Administrator,
  keyId: string,
): Promise<{ revokedAt: Date; changed: boolean } | Refusal<AdministrationCode>> {
  const apiKey = await findApiKey(administrator.prisma, keyId);
  if (isRefusal(apiKey)) return apiKey;
  const { environmentId } = apiKey;
  return changeEnvironment<{ revokedAt: Date; changed: boolean }>(
    administrator,
    environmentId,
    async (transaction) => {
      const now = await databaseTime(transaction);
      const { count } = await transaction.apiKey.updateMany({
        where: { environmentId, id: keyId, revokedAt: null },
        data: { revokedAt: now },
      });
      if (count === 0) {
        const { revokedAt } = await transaction.apiKey.findUniqueOrThrow({
          where: { environmentId_id: { environmentId, id: keyId } },
        });
        return { result: { revokedAt: revokedAt ?? now, changed: false }, audit: null };
      }
      return {
        result: { revokedAt: now, changed: true },
        audit: {
          action: 'api_key.revoked',
          targetType: 'api_key',
          targetId: toTypeId('key', keyId),
          changes: { revokedAt: now.toISOString() },
        },
      };
    },
  );
}
