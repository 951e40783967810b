import type { Prisma } from '../../../generated/prisma/client.ts';
import type { EnvironmentLockInput, EnvironmentLockPayload } from '../../contract/generated/types.ts';
import { toTypeId } from '../../ids.ts';
import { type AdministrationCode, isRefusal, type Refusal, refuse } from '../../refusal.ts';
import { type Administrator, type AdminOutcome, changeEnvironment } from '../shared/admin-change.ts';
import { findEnvironment } from '../shared/find-environment.ts';
import { changeOnce, type KeyedReceipt } from '../shared/keyed-change.ts';

/** Whether an environment is locked now, and whether it was not so before. */
interface Lock {
  locked: boolean;
  changed: boolean;
}

/** What is answered for a lock, apart from what says which request it was. */
export type LockReceipt = Omit<EnvironmentLockPayload, 'requestId' | 'idempotent'>;

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
): Promise<Lock | Refusal<AdministrationCode>> {
  const change = (transaction: Prisma.TransactionClient) => setLock(transaction, environmentId, locked);
  // Every command that is decided after `env lock` has returned sees the lock.
  return changeEnvironment<Lock>(administrator, environmentId, change, { alone: true });
}

/**
 * The same, once for each idempotency key. It is never refused because the environment is locked.
 * @returns refusals: `production_required`, and those of `changeOnce`
 */
export async function lockEnvironmentOnce(
  administrator: Administrator,
  environmentId: string,
  locked: boolean,
  input: EnvironmentLockInput,
): Promise<KeyedReceipt<LockReceipt> | Refusal<AdministrationCode>> {
  const operation = locked ? 'lockEnvironment' : 'unlockEnvironment';
  return changeOnce<LockReceipt>(
    administrator,
    { environmentId, operation, input, whileLocked: true, alone: true },
    async (transaction) => {
      const outcome = await setLock(transaction, environmentId, locked);
      if (isRefusal(outcome)) return outcome;
      return { ...outcome, result: { environmentId: toTypeId('env', environmentId), ...outcome.result } };
    },
  );
}

async function setLock(
  transaction: Prisma.TransactionClient,
  environmentId: string,
  locked: boolean,
): Promise<AdminOutcome<Lock> | Refusal<AdministrationCode>> {
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
}
