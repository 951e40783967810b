import { newUuid, toTypeId } from '../../ids.ts';
import { type AdministrationCode, type Refusal, refuse } from '../../refusal.ts';
import { type Administrator, changeEnvironment } from '../shared/admin-change.ts';
import { normalizeName, refuseName } from '../shared/name.ts';

export interface NewEnvironment {
  /** UUID. */
  tenantId: string;
  kind: 'sandbox' | 'production';
  name: string;
}

/**
 * Creates an environment of a tenant, unlocked and empty.
 * @returns its UUID; a refusal for an unknown tenant or an invalid name
 */
export async function createEnvironment(
  administrator: Administrator,
  { tenantId, kind, name: named }: NewEnvironment,
): Promise<{ environmentId: string } | Refusal<AdministrationCode>> {
  const name = normalizeName(named);
  if (name === null) return refuseName('name');
  const environmentId = newUuid();
  return changeEnvironment(administrator, environmentId, async (transaction) => {
    const tenant = await transaction.tenant.findUnique({ where: { id: tenantId } });
    if (!tenant) {
      return refuse(
        'tenant_not_found',
        `There is no tenant ${toTypeId('ten', tenantId)}. Make one: rewards tenant create NAME`,
      );
    }
    await transaction.environment.create({ data: { id: environmentId, tenantId, kind, name } });
    return {
      result: { environmentId },
      audit: {
        action: 'environment.created',
        targetType: 'environment',
        targetId: toTypeId('env', environmentId),
        changes: { tenantId: toTypeId('ten', tenantId), kind, name },
      },
    };
  });
}
