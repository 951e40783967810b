import type { PrismaClient } from '../../generated/prisma/client.ts';
import { toTypeId } from '../ids.ts';
import { type DatabaseIdentity, type NewEpoch, readIdentity } from '../ledger/feed-epochs.ts';
import { type AdministrationCode, isRefusal, type Refusal } from '../refusal.ts';
import { type ApiKeyListing, listApiKeys } from './keys/list-api-keys.ts';
import { type Administrator, changeEnvironment } from './shared/admin-change.ts';
import { beginEpochNow } from './shared/begin-epoch-now.ts';
import { findEnvironment } from './shared/find-environment.ts';
import { databaseTime } from './shared/write-trail.ts';

/** How far back a fork looks for keys that were changed, which the state that was restored may not have. */
const LOOKS_BACK_MS = 30 * 86_400_000;

export interface Fork {
  epoch: number;
  lastPositionKept: number;
  /** The keys that were made, rotated or revoked in the last 30 days, as this database has them. */
  changedKeys: ApiKeyListing[];
}

/**
 * Begins an epoch of an environment's feed by hand: after a database has gone on from an older state of which neither
 * its timeline nor its system identifier tells, such as from a snapshot of a disk, and where those can't be read.
 * @param environmentId UUID
 * @returns refusal: `environment_not_found`
 */
export async function forkEnvironment(
  administrator: Administrator,
  environmentId: string,
): Promise<Fork | Refusal<AdministrationCode>> {
  const identity = await identityOf(administrator.prisma);
  const listed = await listApiKeys(administrator.prisma, environmentId);
  if (isRefusal(listed)) return listed;
  const since = new Date((await databaseTime(administrator.prisma)).getTime() - LOOKS_BACK_MS);
  const changedKeys = listed.keys.filter(({ createdAt, revokedAt, previousValidUntil }) =>
    [createdAt, revokedAt, previousValidUntil].some((at) => at !== null && at >= since),
  );
  return changeEnvironment<Fork>(administrator, environmentId, async (transaction) => {
    const environment = await findEnvironment(transaction, environmentId);
    if (isRefusal(environment)) return environment;
    const { epoch, lastPositionKept }: NewEpoch = await beginEpochNow(transaction, environmentId, identity);
    return {
      result: { epoch, lastPositionKept, changedKeys },
      audit: {
        action: 'environment.forked',
        targetType: 'environment',
        targetId: toTypeId('env', environmentId),
        changes: { epoch: { from: epoch - 1, to: epoch }, lastPositionKept },
      },
    };
  });
}

async function identityOf(prisma: PrismaClient): Promise<DatabaseIdentity | null> {
  try {
    const { text } = readIdentity();
    return (await prisma.$queryRawUnsafe<DatabaseIdentity[]>(text))[0] ?? null;
  } catch {
    // A hosted database may not let it be read; the sequencer then can't either.
    return null;
  }
}
