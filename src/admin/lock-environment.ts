import { toTypeId } from '../ids.ts';
import { type AdministrationCode, isRefusal, type Refusal, refuse } from '../refusal.ts';
import { type Administrator, changeEnvironment } from './admin-change.ts';
import { findEnvironment } from './find-environment.ts';

/**
 * Locks a Production environment, or unlocks it: while locked, its mutations answer 409 `production_locked`.
 * @param environmentId UUID
 * @returns `changed` false where it was so already; a refusal for a Sandbox and an unknown environment
 */
export async function lockEnvironment(
  administrator: Administrator,
  environmentId: string,
  locked: boolean,
): Promise<{ locked: boolean; changed: boolean } | Refusal<AdministrationCode>> {
  return changeEnvironment<{ locked: boolean; changed: boolean }>(
    administrator,
    environmentId,
    async (transaction) => {
      const environment = await findEnvironment(transaction, environmentId);
      if (isRefusal(environment)) return environment;
      if (environment.kind !== 'production') {
        return refuse(
          'production_required',
          `Only Production can be locked, and ${toTypeId('env', environmentId)} is a Sandbox.`,
        );
      }
      // Waits for the batches that are under way (each has entered the environment) and keeps new ones waiting until
      // this is committed: what answers after `env lock` has answered has seen the lock.
      await transaction.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${environmentId}, 0))`;
      // The condition stands in the statement, so that of two at once one alone counts the revision up.
      const { count } = await transaction.environment.updateMany({
        where: { id: environmentId, locked: !locked },
        data: { locked, revision: { increment: 1 } },
      });
      if (count === 0) return { result: { locked, changed: false }, audit: null };
      return {
        result: { locked, changed: true },
        audit: {
          action: locked ? 'environment.locked' : 'environment.unlocked',
          targetType: 'environment',
          targetId: toTypeId('env', environmentId),
          changes: { locked: { from: !locked, to: locked } },
        },
      };
    },
  );
}
