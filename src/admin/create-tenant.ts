import { newUuid } from '../ids.ts';
import type { Administrator } from './admin-change.ts';

/**
 * Makes a tenant: a merchant with environments of its own. It has no audit event, since the audit trail belongs to
 * environments; that of its first environment names it.
 * @returns the tenant's UUID
 */
export async function createTenant(
  administrator: Administrator,
  name: string,
): Promise<{ tenantId: string }> {
  const tenantId = newUuid();
  await administrator.prisma.tenant.create({ data: { id: tenantId, name } });
  return { tenantId };
}
