import { findEnvironment } from '../../admin/shared/find-environment.ts';
import type { LabelChange, LabelledMembers } from '../../commands/members/label-members.ts';
import { newUuid, toTypeId } from '../../ids.ts';
import { isRefusal } from '../../refusal.ts';
import { CliFailure, orFail } from './failure.ts';
import type { Session } from './session.ts';

/** Changes the labels of at most 1,000 members. */
type Labelled = (externalCustomerIds: readonly string[], change: LabelChange) => Promise<LabelledMembers>;

/**
 * Lets an operator change tags and lists, through the ledger's writer in this process.
 * @param environmentId UUID
 * @throws CliFailure for an unknown environment
 */
export async function withLabelling<T>(
  { administrator, config, database }: Session,
  environmentId: string,
  work: (labelled: Labelled) => Promise<T>,
): Promise<T> {
  orFail(await findEnvironment(administrator.prisma, environmentId));
  // Loaded on demand: help and other commands do not need them.
  const [{ openDoor }, { labelMembers }, { storedReceipt }] = await Promise.all([
    import('./door.ts'),
    import('../../commands/members/label-members.ts'),
    import('../../commands/shared/receipts.ts'),
  ]);
  const caller = { environmentId, actor: administrator.actor, requestId: toTypeId('req', newUuid()) };
  const { door, close } = openDoor(database, config);
  const labelled: Labelled = async (externalCustomerIds, change) => {
    const outcome = await door.submit(labelMembers(externalCustomerIds, change, caller));
    if (isRefusal(outcome)) throw new CliFailure(outcome.message);
    return storedReceipt<LabelledMembers>(outcome.receipt);
  };
  return work(labelled).finally(close);
}
