import type { ClientBase } from 'pg';
import type { Prisma } from '../../generated/prisma/client.ts';
import { type Administrator, operatorOf } from '../admin/admin-change.ts';
import { databaseTime, writeTrail } from '../admin/write-trail.ts';
import { newUuid, toTypeId } from '../ids.ts';
import type { ImportProgress } from './purchases.ts';

/** The long-running operation of an import, as `GET /operations` shows it. */
export interface ImportOperation {
  /** UUID. */
  operationId: string;
  /** TypeID `op_…`: the request id of all commands of the import. */
  requestId: string;
  update(progress: ImportProgress): Promise<void>;
  succeed(progress: ImportProgress): Promise<void>;
  /**
   * @param progress what was done until then; it stays done
   * @param code `interrupted` or `internal_error`
   * @param message for the operator: what happened and what to do
   */
  fail(progress: ImportProgress, code: string, message: string): Promise<void>;
}

/**
 * Creates the operation of an import in the status `running`. The session holds an advisory lock on the operation's id
 * as long as the process lives. Imports of the environment that are `running` without such a lock were killed: they are
 * marked as failed.
 * @param session a connection that only this import uses, open until the import ends
 * @param environmentId UUID
 * @param total the number of rows of the file
 * @param input the options of the import; neither secrets nor personal data
 */
export async function startImportOperation(
  session: ClientBase,
  administrator: Administrator,
  environmentId: string,
  total: number,
  input: Prisma.InputJsonObject,
): Promise<ImportOperation> {
  const { prisma } = administrator;
  const operationId = newUuid();
  const requestId = toTypeId('op', operationId);
  await session.query('select pg_advisory_lock(hashtextextended($1::text, 0))', [operationId]);
  await session.query(
    `update operations set status = 'failed', finished_at = now(),
       error = '{"code":"interrupted","message":"The import was killed."}'
     where environment_id = $1::uuid and type = 'import' and status = 'running'
       and pg_try_advisory_xact_lock(hashtextextended(id::text, 0))`,
    [environmentId],
  );
  const where = { environmentId_id: { environmentId, id: operationId } };
  await prisma.operation.create({
    data: {
      environmentId,
      id: operationId,
      type: 'import',
      status: 'running',
      progressTotal: total,
      input,
      startedAt: await databaseTime(prisma),
    },
  });
  const finish = async (
    progress: ImportProgress,
    outcome: { status: string; error?: Prisma.InputJsonObject },
  ): Promise<void> => {
    const result = summarise(progress);
    const completed = outcome.status === 'succeeded';
    await prisma.$transaction(async (transaction) => {
      const finishedAt = await databaseTime(transaction);
      await transaction.operation.update({
        where,
        data: { ...outcome, progressDone: progress.done, result, finishedAt },
      });
      const by = { environmentId, actor: operatorOf(administrator), requestId };
      const audit = {
        action: completed ? 'import.completed' : 'import.failed',
        targetType: 'operation',
        targetId: requestId,
        changes: result,
      };
      const completion = { type: 'import.completed', data: { operationId: requestId, ...result } };
      await writeTrail(transaction, by, {
        audit,
        webhookEvents: completed ? [completion] : [],
        at: finishedAt,
      });
    });
  };
  return {
    operationId,
    requestId,
    async update({ done }) {
      await prisma.operation.update({ where, data: { progressDone: done } });
    },
    succeed: (progress) => finish(progress, { status: 'succeeded' }),
    fail: (progress, code, message) => finish(progress, { status: 'failed', error: { code, message } }),
  };
}

/** The counts of an import as JSON; points as decimal strings, because a sum may exceed 2^53. */
export function summarise(progress: ImportProgress) {
  return {
    rows: progress.done,
    committed: progress.committed,
    replayed: progress.replayed,
    rejected: progress.rejected,
    membersCreated: progress.membersCreated,
    committedPoints: progress.committedPoints.toString(),
    replayedPoints: progress.replayedPoints.toString(),
  };
}
