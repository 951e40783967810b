import type { Prisma } from '../../../generated/prisma/client.ts';
import type { Statement } from '../../db/statement.ts';
import { createPosition, lockPosition, lockSubscribers } from '../../ledger/event-positions.ts';
import {
  beginEpoch,
  type DatabaseIdentity,
  type EpochRow,
  type NewEpoch,
  readEpoch,
} from '../../ledger/feed-epochs.ts';

/**
 * Begins an epoch of an environment's feed in a transaction, after the position that is the last one now, and tells
 * every endpoint.
 * @param identity of the database; null where it is not known: the sequencer notes it
 */
export async function beginEpochNow(
  transaction: Prisma.TransactionClient,
  environmentId: string,
  identity: DatabaseIdentity | null,
): Promise<NewEpoch> {
  const rowsOf = <Row>({ text, values }: Statement): Promise<Row[]> =>
    transaction.$queryRawUnsafe<Row[]>(text, ...values);
  const execute = ({ text, values }: Statement): Promise<number> =>
    transaction.$executeRawUnsafe(text, ...values);
  await execute(createPosition(environmentId));
  // The locks of a step of the sequencer, in its order.
  const [position] = await rowsOf<{ last: bigint }>(lockPosition(environmentId));
  await rowsOf(lockSubscribers(environmentId));
  const [newest] = await rowsOf<EpochRow>(readEpoch(environmentId, false));
  const newEpoch = {
    epoch: (newest?.epoch ?? 1) + 1,
    lastPositionKept: Number(position?.last ?? 0),
    identity,
  };
  for (const statement of beginEpoch(environmentId, newEpoch)) await execute(statement);
  return newEpoch;
}
