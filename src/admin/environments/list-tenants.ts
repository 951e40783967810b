import type { PrismaClient } from '../../../generated/prisma/client.ts';

export interface TenantListing {
  /** UUID. */
  tenantId: string;
  name: string;
  /** UUIDs of its environments, oldest first. */
  environmentIds: string[];
  createdAt: Date;
}

/** Every tenant, including those without environments, oldest first. */
export async function listTenants(prisma: PrismaClient): Promise<TenantListing[]> {
  const tenants = await prisma.tenant.findMany({
    include: { environments: { select: { id: true }, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  return tenants.map(({ id, name, environments, createdAt }) => ({
    tenantId: id,
    name,
    environmentIds: environments.map((environment) => environment.id),
    createdAt,
  }));
}
