import type { PrismaClient } from '../../../generated/prisma/client.ts';
import { isRefusal, type Refusal } from '../../refusal.ts';
import { findEnvironment } from '../shared/find-environment.ts';
import { environmentNow } from '../shared/write-trail.ts';

export interface ProgramSummary {
  programId: string;
  /** The name in the newest version. */
  name: string;
  /** Number of the newest version. */
  newestVersion: number;
  /** Number of the version that new purchases are evaluated by now; null where no version is in effect yet. */
  versionInEffect: number | null;
  publishedAt: Date;
  publishedBy: string;
}

/**
 * The published programs of an environment, sorted by id.
 * @param environmentId UUID
 * @returns a refusal for an unknown environment
 */
export async function listPrograms(
  prisma: PrismaClient,
  environmentId: string,
): Promise<{ programs: ProgramSummary[] } | Refusal<'environment_not_found'>> {
  const environment = await findEnvironment(prisma, environmentId);
  if (isRefusal(environment)) return environment;
  const now = await environmentNow(prisma, environmentId);
  // Only the name of each document is read: the documents of all versions of all programs are megabytes.
  const programs = await prisma.$queryRaw<ProgramSummary[]>`
    select distinct on (program_id)
      program_id as "programId",
      document ->> 'name' as name,
      version as "newestVersion",
      max(version) filter (where effective_from <= ${now}) over (partition by program_id) as "versionInEffect",
      published_at as "publishedAt",
      published_by as "publishedBy"
    from program_versions
    where environment_id = ${environmentId}::uuid
    order by program_id, version desc`;
  return { programs };
}
