import { toTypeId } from '../../ids.ts';
import { type AdministrationCode, type Refusal, refuse } from '../../refusal.ts';
import { type Administrator, changeEnvironment } from '../shared/admin-change.ts';
import { databaseTime } from '../shared/write-trail.ts';

/**
 * Makes the tokens of an issuer be refused, for good.
 * @param issuerId UUID
 * @returns when the issuer was removed, with `changed` false where it was removed before; a refusal for an unknown one
 */
export async function removeIssuer(
  administrator: Administrator,
  issuerId: string,
): Promise<{ removedAt: Date; changed: boolean } | Refusal<AdministrationCode>> {
  const found = await administrator.prisma.tokenIssuer.findFirst({ where: { id: issuerId } });
  if (!found) {
    return refuse(
      'issuer_not_found',
      `There is no issuer ${toTypeId('iss', issuerId)}. The issuers of an ` +
        'environment: rewards issuer list -e ENVIRONMENT',
    );
  }
  const { environmentId } = found;
  return changeEnvironment<{ removedAt: Date; changed: boolean }>(
    administrator,
    environmentId,
    async (transaction) => {
      const now = await databaseTime(transaction);
      const { count } = await transaction.tokenIssuer.updateMany({
        where: { environmentId, id: issuerId, removedAt: null },
        data: { removedAt: now },
      });
      if (count === 0) {
        const { removedAt } = await transaction.tokenIssuer.findUniqueOrThrow({
          where: { environmentId_id: { environmentId, id: issuerId } },
        });
        return { result: { removedAt: removedAt ?? now, changed: false }, audit: null };
      }
      return {
        result: { removedAt: now, changed: true },
        audit: {
          action: 'token_issuer.removed',
          targetType: 'token_issuer',
          targetId: toTypeId('iss', issuerId),
          changes: { removedAt: now.toISOString() },
        },
      };
    },
  );
}
