import type { ClientBase } from 'pg';
import type { Prisma } from '../../generated/prisma/client.ts';
import { type Administrator, operatorOf } from '../admin/admin-change.ts';
import { databaseTime, writeTrail } from '../admin/write-trail.ts';
import { newUuid, toTypeId } from '../ids.ts';
import type { ImportProgress } from './purchases.ts';

/** The record of an import, as `GET /operations` shows it. */
export interface ImportOperation {
  /** UUID. */
  operationId: string;
  /** TypeID `op_…`: the request id of everything that the import does. */
  requestId: string;
  update(progress: ImportProgress): Promise<void>;
  succeed(progress: ImportProgress): Promise<void>;
  /** @param code `interrupted` or `internal_error` */
  fail(progress: ImportProgress, code: string, message: string): Promise<void>;
}

/**
 * Opens the operation of an import, running. For as long as its process lives it holds an advisory lock of the
 * operation's id; imports of the environment that say they run and hold none were killed, and are marked so.
 * @param session a connection of the import's own, kept until it ends
 * @param environmentId UUID
 * @param total rows of the file
 * @param input what the import was asked for; neither secrets nor personal data
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

/** Counts as JSON; points as decimal strings, since the sum of many may exceed 2^53. */
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
