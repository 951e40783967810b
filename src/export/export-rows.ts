import type { Pool } from 'pg';
import type { Administrator } from '../admin/shared/admin-change.ts';
import { writeTrail } from '../admin/shared/write-trail.ts';
import { toTypeId } from '../ids.ts';
import { type OperationOutcome, startOperation } from '../operations/operation.ts';
import { waitForBatches } from '../queries/reports/ledger-close/batches-at.ts';
import { clear, type ExportPaths, lookAt } from './export-place.ts';
import type { FormatName } from './formats/format.ts';
import { KINDS } from './kinds/all-kinds.ts';
import type { KindName } from './kinds/kind.ts';
import {
  type ExportedFile,
  type ExportHead,
  MANIFEST_SCHEMA,
  type Manifest,
  Progress,
  writeManifest,
} from './manifest.ts';
import { runExport } from './run-export.ts';
import { Totals } from './totals.ts';

/** A change of administration is committed long before this time has passed since its audit event. */
const SURELY_WRITTEN_MS = 600_000;

export interface ExportOptions {
  /** UUID. */
  environmentId: string;
  kind: KindName;
  format: FormatName;
  from: Date;
  /** Exclusive. What lies in the future is left out. */
  to: Date;
  paths: ExportPaths;
  /**
   * Gives the pool that the rows are read from, once it shows all that is committed; by default that of the operator.
   */
  readFrom?: () => Promise<Pool>;
  onProgress(done: number, total: number): void;
  signal: AbortSignal;
}

/** What became of an export. */
export type ExportResult =
  /** It is complete. `operationId` is null where it was so before. */
  | { state: 'finished'; manifest: Manifest; operationId: string | null; keptFiles: number }
  /** The signal ended it. The files of its finished days stay. */
  | { state: 'interrupted'; operationId: string };

/** The period has not begun. */
export class EmptyPeriodError extends Error {
  override name = 'EmptyPeriodError';
}

/**
 * Exports rows into files, as an operation with an audit event. An interrupted export goes on after its last finished
 * file, where its rows are history; a finished one stays as it is, unless it reached into what was the future then.
 * @param pool of the operator
 * @throws PlaceError, EmptyPeriodError
 */
export async function exportRows(
  pool: Pool,
  administrator: Administrator,
  options: ExportOptions,
): Promise<ExportResult> {
  const { environmentId, kind, format, from, to, paths } = options;
  const request = {
    schema: MANIFEST_SCHEMA,
    environmentId: toTypeId('env', environmentId),
    kind,
    format,
    requested: { from: from.toISOString(), to: to.toISOString() },
  } as const;
  const existing = await lookAt(paths, request);
  if (existing.state === 'finished' && existing.manifest.periodOver && reachesItsEnd(existing.manifest)) {
    const { manifest } = existing;
    return { state: 'finished', manifest, operationId: null, keptFiles: manifest.files.length };
  }
  let files: readonly ExportedFile[] = [];
  let head: ExportHead;
  if (
    existing.state === 'interrupted' &&
    existing.head.periodOver &&
    paths.isFolder &&
    KINDS[kind].isHistory
  ) {
    ({ head, files } = existing);
  } else {
    head = { ...request, ...(await periodOf(pool, options)) };
    if (existing.state !== 'none') {
      await clear(paths, existing.state === 'finished' ? existing.manifest.files : existing.files);
    }
  }
  const progress = await Progress.start(paths.progress, head, files);
  return asOperation(pool, administrator, options, { head, files, progress });
}

interface Begun {
  head: ExportHead;
  files: readonly ExportedFile[];
  progress: Progress;
}

async function asOperation(
  pool: Pool,
  administrator: Administrator,
  { environmentId, paths, readFrom = async () => pool, onProgress, signal }: ExportOptions,
  { head, files, progress }: Begun,
): Promise<ExportResult> {
  const { kind, format, period } = head;
  const input = { kind, format, ...period };
  const operation = await startOperation(pool, { environmentId, type: 'export', total: null, input });
  const operationId = operation.requestId;
  let [done, total] = [0, 0];
  // One after the other, so that none overwrites the final figures.
  let recorded: Promise<void> = Promise.resolve();
  const record = (): Promise<void> => {
    recorded = recorded.then(() => operation.update(done, total)).catch(() => undefined);
    return recorded;
  };
  const recording = setInterval(record, 1_000);
  const finish = async (outcome: Pick<OperationOutcome, 'result' | 'error'>): Promise<void> => {
    clearInterval(recording);
    await record();
    await administrator.prisma.$transaction(async (transaction) => {
      await operation.finish({ done, ...outcome }, ({ text, values }) =>
        transaction.$executeRawUnsafe(text, ...values),
      );
      const audit = {
        action: outcome.error ? 'export.failed' : 'export.completed',
        targetType: 'operation',
        targetId: operationId,
        changes: { ...input, ...outcome.result },
      };
      const by = { environmentId, actor: administrator.actor, requestId: operationId };
      await writeTrail(transaction, by, { audit, webhookEvents: [] });
    });
  };
  try {
    const written = await runExport(await readFrom(), {
      environmentId,
      head,
      paths,
      progress,
      files,
      signal,
      onProgress(rows, all) {
        [done, total] = [rows, all];
        onProgress(rows, all);
      },
    });
    if (written === null) {
      await progress.close();
      const message = `Stopped after ${done} of ${total} rows.`;
      await finish({ result: { rows: done }, error: { code: 'interrupted', message } });
      return { state: 'interrupted', operationId };
    }
    const manifest = manifestOf(head, operationId, written);
    await writeManifest(paths.manifest, manifest);
    await finish({ result: { rows: manifest.rows, files: written.length }, error: null });
    await progress.remove();
    return { state: 'finished', manifest, operationId, keptFiles: files.length };
  } catch (error) {
    const failure = { code: 'internal_error', message: 'The export broke off.' };
    await finish({ result: { rows: done }, error: failure }).catch(() => undefined);
    await progress.close().catch(() => undefined);
    throw error;
  } finally {
    clearInterval(recording);
  }
}

/** The part of the requested period that has passed, once no batch that runs can still write into it. */
async function periodOf(
  pool: Pool,
  { environmentId, kind, from, to }: ExportOptions,
): Promise<Pick<ExportHead, 'period' | 'periodOver'>> {
  let { now, isOver } = await waitForBatches(pool, environmentId, to);
  const end = to < now ? to : now;
  if (from >= end) throw new EmptyPeriodError('--from must lie before --to, and not in the future.');
  if (to > now) ({ isOver } = await waitForBatches(pool, environmentId, end));
  // Administration writes audit events without a batch.
  if (kind === 'audit' && now.getTime() - end.getTime() < SURELY_WRITTEN_MS)
    isOver &&= await isSettled(pool, environmentId, end);
  return { period: { from: from.toISOString(), to: end.toISOString() }, periodOver: isOver };
}

/** Whether all audit events from before an instant are sealed: none will be added then. */
async function isSettled(pool: Pool, environmentId: string, at: Date): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'audit_settled',
    text: `select from audit_heads where environment_id = $1::uuid and settled_until >= $2::timestamptz`,
    values: [environmentId, at],
  });
  return rowCount === 1;
}

function reachesItsEnd({ requested, period }: ExportHead): boolean {
  return requested.to === period.to;
}

function manifestOf(head: ExportHead, operationId: string, files: readonly ExportedFile[]): Manifest {
  const { columns, totals: definition } = KINDS[head.kind];
  const totals = new Totals(definition, columns);
  for (const file of files) totals.addTotals(file.totals, file.rows);
  return {
    ...head,
    operationId,
    // The oldest snapshot: what later ones have of later events does no harm.
    feed: files[0]?.feed ?? null,
    columns: columns.map(({ name, type }) => ({ name, type })),
    rows: totals.rows,
    totals: totals.list(),
    files: [...files],
  };
}
