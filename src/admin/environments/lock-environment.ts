import { toTypeId } from '../../ids.ts';
import { type AdministrationCode, isRefusal, type Refusal, refuse } from '../../refusal.ts';
import { type Administrator, changeEnvironment } from '../shared/admin-change.ts';
import { findEnvironment } from '../shared/find-environment.ts';

/**
 * Locks a Production environment, or unlocks it. While it is locked, its mutations are refused with 409
 * `production_locked`.
 * @param environmentId UUID
 * @returns `changed` false where it was in that state already; a refusal for a Sandbox or an unknown environment
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
      // The statement has the condition, so that only one of two concurrent calls changes it. The revision stays:
      // servers read documents again where it has changed.
      const { count } = await transaction.environment.updateMany({
        where: { id: environmentId, locked: !locked },
        data: { locked },
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
    // Every command that is decided after `env lock` has returned sees the lock.
    { alone: true },
  );
}
