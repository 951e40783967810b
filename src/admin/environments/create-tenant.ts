import { newUuid } from '../../ids.ts';
import type { Administrator } from '../shared/admin-change.ts';
import { NAME_RULE, normalizeName } from '../shared/name.ts';

/**
 * Creates a tenant: a merchant with environments of its own. It has no audit event, since the audit trail belongs to
 * environments; the audit event of its first environment names it.
 * @param named stored as normalizeName returns it
 * @returns the tenant's UUID
 * @throws RangeError for an invalid name; callers validate what people type with normalizeName first
 */
export async function createTenant(
  administrator: Administrator,
  named: string,
): Promise<{ tenantId: string }> {
  const name = normalizeName(named);
  if (name === null) throw new RangeError(`The name of a tenant must be ${NAME_RULE}.`);
  const tenantId = newUuid();
  await administrator.prisma.tenant.create({ data: { id: tenantId, name } });
  return { tenantId };
}
