import type { PrismaClient } from '../../generated/prisma/client.ts';

export interface EnvironmentListing {
  /** UUID, as is `tenantId`. */
  environmentId: string;
  tenantId: string;
  tenantName: string;
  kind: string;
  name: string;
  locked: boolean;
  programIds: string[];
  createdAt: Date;
}

/** Every environment with its programs, oldest first. */
export async function listEnvironments(prisma: PrismaClient): Promise<EnvironmentListing[]> {
  const environments = await prisma.environment.findMany({
    include: { tenant: true, programs: { select: { id: true }, orderBy: { id: 'asc' } } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  return environments.map((environment) => ({
    environmentId: environment.id,
    tenantId: environment.tenantId,
    tenantName: environment.tenant.name,
    kind: environment.kind,
    name: environment.name,
    locked: environment.locked,
    programIds: environment.programs.map((program) => program.id),
    createdAt: environment.createdAt,
  }));
}
