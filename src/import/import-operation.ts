import type { Pool } from 'pg';
import type { Administrator } from '../admin/shared/admin-change.ts';
import { writeTrail } from '../admin/shared/write-trail.ts';
import { type OperationOutcome, startOperation } from '../operations/operation.ts';
import type { ImportKind, ImportProgress } from './import-rows.ts';

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
 * Creates the operation of an import in the status `running`.
 * @param pool of the operator
 * @param environmentId UUID
 * @param total the number of rows of the file
 * @param input the options of the import; neither secrets nor personal data
 */
export async function startImportOperation(
  pool: Pick<Pool, 'query'>,
  administrator: Administrator,
  environmentId: string,
  kind: ImportKind,
  total: number,
  input: object,
): Promise<ImportOperation> {
  const operation = await startOperation(pool, {
    environmentId,
    type: 'import',
    total,
    input: { kind, ...input },
  });
  const { operationId, requestId } = operation;
  const finish = async (progress: ImportProgress, error: OperationOutcome['error']): Promise<void> => {
    const result = summarise(kind, progress);
    const completed = error === null;
    await administrator.prisma.$transaction(async (transaction) => {
      await operation.finish({ done: progress.done, result, error }, ({ text, values }) =>
        transaction.$executeRawUnsafe(text, ...values),
      );
      const by = { environmentId, actor: administrator.actor, requestId };
      const audit = {
        action: completed ? 'import.completed' : 'import.failed',
        targetType: 'operation',
        targetId: requestId,
        changes: result,
      };
      const completion = { type: 'import.completed' as const, data: { operationId: requestId, ...result } };
      await writeTrail(transaction, by, {
        audit,
        webhookEvents: completed ? [completion] : [],
      });
    });
  };
  return {
    operationId,
    requestId,
    update: ({ done }) => operation.update(done),
    succeed: (progress) => finish(progress, null),
    fail: (progress, code, message) => finish(progress, { code, message }),
  };
}

/** The counts of an import as JSON; points as decimal strings, because a sum may exceed 2^53. */
export function summarise(kind: ImportKind, progress: ImportProgress) {
  return {
    kind,
    rows: progress.done,
    committed: progress.committed,
    replayed: progress.replayed,
    rejected: progress.rejected,
    membersCreated: progress.membersCreated,
    committedPoints: progress.committedPoints.toString(),
    replayedPoints: progress.replayedPoints.toString(),
  };
}
