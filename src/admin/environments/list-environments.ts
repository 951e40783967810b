import type { PrismaClient } from '../../../generated/prisma/client.ts';
import { type ShownTime, shownTime } from '../../ledger/tables/environments.ts';
import { databaseTime } from '../shared/write-trail.ts';

export interface EnvironmentListing {
  /** UUID, as is `tenantId`. */
  environmentId: string;
  tenantId: string;
  tenantName: string;
  kind: string;
  name: string;
  locked: boolean;
  clock: ShownTime;
  programIds: string[];
  createdAt: Date;
}

/** Every environment with its programs, oldest first. */
export async function listEnvironments(prisma: PrismaClient): Promise<EnvironmentListing[]> {
  const environments = await prisma.environment.findMany({
    include: { tenant: true, programs: { select: { id: true }, orderBy: { id: 'asc' } } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  const realNow = await databaseTime(prisma);
  return environments.map((environment) => ({
    environmentId: environment.id,
    tenantId: environment.tenantId,
    tenantName: environment.tenant.name,
    kind: environment.kind,
    name: environment.name,
    locked: environment.locked,
    clock: shownTime(
      { aheadMs: Number(environment.clockAheadMs), standsAt: environment.clockStandsAt },
      realNow,
    ),
    programIds: environment.programs.map((program) => program.id),
    createdAt: environment.createdAt,
  }));
}
