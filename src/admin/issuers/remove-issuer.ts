import type { Prisma, TokenIssuer } from '../../../generated/prisma/client.ts';
import { toTypeId } from '../../ids.ts';
import { type AdministrationCode, isRefusal, issuerNotFound, type Refusal, refuse } from '../../refusal.ts';
import { type Administrator, type AdminOutcome, changeEnvironment } from '../shared/admin-change.ts';
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
  const issuer = await administrator.prisma.tokenIssuer.findFirst({ where: { id: issuerId } });
  if (!issuer) {
    return refuse(
      'issuer_not_found',
      `There is no issuer ${toTypeId('iss', issuerId)}. The issuers of an ` +
        'environment: rewards issuer list -e ENVIRONMENT',
    );
  }
  const { environmentId } = issuer;
  const removed = await changeEnvironment(
    administrator,
    environmentId,
    removingIssuer(environmentId, issuerId),
  );
  if (isRefusal(removed)) return removed;
  const { removedAt, changed } = removed;
  return { removedAt, changed };
}

/** An issuer that was removed, now or before. */
export interface RemovedIssuer {
  row: TokenIssuer;
  removedAt: Date;
  changed: boolean;
}

/** The change that removes an issuer (see `removeIssuer`); `issuer_not_found` where the environment has none such. */
export function removingIssuer(
  environmentId: string,
  issuerId: string,
): (
  transaction: Prisma.TransactionClient,
) => Promise<AdminOutcome<RemovedIssuer> | Refusal<AdministrationCode>> {
  return async (transaction) => {
    const now = await databaseTime(transaction);
    const { count } = await transaction.tokenIssuer.updateMany({
      where: { environmentId, id: issuerId, removedAt: null },
      data: { removedAt: now },
    });
    const row = await transaction.tokenIssuer.findUnique({
      where: { environmentId_id: { environmentId, id: issuerId } },
    });
    if (!row) return issuerNotFound;
    const removedAt = row.removedAt ?? now;
    if (count === 0) return { result: { row, removedAt, changed: false }, audit: null };
    return {
      result: { row, removedAt, changed: true },
      audit: {
        action: 'token_issuer.removed',
        targetType: 'token_issuer',
        targetId: toTypeId('iss', issuerId),
        changes: { removedAt: now.toISOString() },
      },
    };
  };
}
