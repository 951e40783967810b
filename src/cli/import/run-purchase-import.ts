import { basename } from 'node:path';
import { operatorOf } from '../../admin/admin-change.ts';
import { showProgram } from '../../admin/show-program.ts';
import { validateInput } from '../../graphql/schema/validate-input.ts';
import { CsvFileError, readCsvRows } from '../../import/csv-rows.ts';
import { type ImportOperation, startImportOperation, summarise } from '../../import/import-operation.ts';
import { PURCHASE_COLUMNS, REQUIRED_COLUMNS } from '../../import/purchase-columns.ts';
import type { RowDefaults } from '../../import/purchase-row.ts';
import { type ImportProgress, ImportStoppedError, importPurchases } from '../../import/purchases.ts';
import { RejectionReport } from '../../import/rejection-report.ts';
import { openDoor } from '../shell/door.ts';
import { CliFailure, EXIT, orFail } from '../shell/failure.ts';
import { hint, print } from '../shell/output.ts';
import { printableLine } from '../shell/printable.ts';
import { showProgress } from '../shell/progress.ts';
import type { Session } from '../shell/session.ts';

/** The options of `rewards import purchases`. `environment` is a UUID. */
export interface ImportPurchasesOptions {
  environment: string;
  program: string;
  channel: 'web' | 'store' | 'app';
  currency?: string;
  enroll?: boolean;
  noticeVersion?: string;
  atEventTime?: boolean;
  configurationVersion?: number;
  memberTier?: string;
  report?: string;
  inFlight: number;
  actor?: string;
  json?: boolean;
}

const PROGRESS_EVERY_MS = 1_000;

/**
 * Imports a file of purchases: shows the progress, updates the operation's record, prints the summary, and sets the exit
 * code to 1 where rows were rejected or not processed.
 * @throws CliFailure for a file, program or report that cannot be used, and where the ledger refuses all purchases because
 *   the environment is locked or the writer is overloaded
 */
export async function runPurchaseImport(
  file: string,
  options: ImportPurchasesOptions,
  session: Session,
): Promise<void> {
  const { administrator, interrupted, database, config, pool } = session;
  // The whole file is read before anything is written: this finds a broken file, and counts the rows for the progress bar.
  const total = await countRows(file);
  if (total === 0) hint(`${file}: The file has no rows after its first line.`);
  orFail(await showProgram(administrator.prisma, options.environment, options.program, null));
  const report = await openReport(options.report ?? null);
  const operation = await startImportOperation(
    pool,
    administrator,
    options.environment,
    total,
    describeInput(file, options),
  );
  const door = openDoor(database, config);
  const progress = newProgress();
  const display = showProgress(total, 'rows');
  const timer = setInterval(() => display.update(progress.done), 100);
  // Updates are written one after the other, so that none overwrites the final counts.
  let recorded: Promise<void> = Promise.resolve();
  const record = setInterval(() => {
    recorded = recorded.then(() => operation.update(progress)).catch(() => undefined);
  }, PROGRESS_EVERY_MS);
  try {
    await importPurchases(
      readCsvRows(file, PURCHASE_COLUMNS, REQUIRED_COLUMNS),
      {
        door: door.door,
        caller: {
          environmentId: options.environment,
          actor: operatorOf(administrator),
          requestId: operation.requestId,
        },
        defaults: defaultsOf(options),
        enroll: options.enroll ? { noticeVersion: options.noticeVersion ?? '' } : null,
        maxInFlight: options.inFlight,
        validate: validateInput,
        onRejected: (row) => report.add(row),
        signal: interrupted,
      },
      progress,
    );
  } catch (error) {
    clearInterval(record);
    await recorded;
    const stopped = error instanceof ImportStoppedError;
    await operation
      .fail(progress, stopped ? error.code : 'internal_error', 'The import broke off.')
      .catch(() => undefined);
    if (!stopped) throw error;
    throw new CliFailure(`Stopped after ${progress.done} of ${total} rows: ${error.code}: ${error.message}`);
  } finally {
    clearInterval(timer);
    clearInterval(record);
    display.update(progress.done);
    display.stop();
    await recorded;
    await door.close();
  }
  await report.close();
  await conclude(progress, total, operation, report, options, interrupted.aborted);
}

async function conclude(
  progress: ImportProgress,
  total: number,
  operation: ImportOperation,
  report: RejectionReport,
  options: ImportPurchasesOptions,
  wasInterrupted: boolean,
): Promise<void> {
  const complete = progress.done === total;
  if (complete) await operation.succeed(progress);
  else await operation.fail(progress, 'interrupted', `Stopped after ${progress.done} of ${total} rows.`);
  const rejectedByCode = Object.fromEntries(report.counts);
  print(
    options.json,
    { operationId: operation.requestId, complete, ...summarise(progress), rejectedByCode },
    () => describe(progress, operation),
  );
  if (!options.json) {
    for (const row of report.first)
      hint(
        printableLine(
          `${[`line ${row.line}`, row.sourceReference].join(' ').trimEnd()}: ${row.code}: ${row.message}`,
        ),
      );
    const more = progress.rejected - report.first.length;
    if (more > 0)
      hint(`and ${more} more${options.report ? ` in ${options.report}` : '; see all with --report FILE'}`);
  }
  if (wasInterrupted && !complete) hint('Interrupted. Run the same command again to finish.');
  if (!complete || progress.rejected > 0) process.exitCode = EXIT.failure;
}

function describe(progress: ImportProgress, operation: ImportOperation): string {
  return [
    `${progress.done} rows (${operation.requestId})`,
    `  committed  ${progress.committed}, ${progress.committedPoints} points`,
    `  replayed   ${progress.replayed}, ${progress.replayedPoints} points: they were there already`,
    `  rejected   ${progress.rejected}`,
    `  new members ${progress.membersCreated}`,
  ].join('\n');
}

async function openReport(path: string | null): Promise<RejectionReport> {
  try {
    return await RejectionReport.open(path);
  } catch (error) {
    throw new CliFailure(`--report cannot be written: ${(error as Error).message}`);
  }
}

async function countRows(file: string): Promise<number> {
  let count = 0;
  try {
    for await (const _row of readCsvRows(file, PURCHASE_COLUMNS, REQUIRED_COLUMNS)) count += 1;
  } catch (error) {
    if (error instanceof CsvFileError) throw new CliFailure(`${file}: ${error.message}`);
    throw error;
  }
  return count;
}

function defaultsOf(options: ImportPurchasesOptions): RowDefaults {
  return {
    programId: options.program,
    channel: options.channel,
    currency: options.currency ?? null,
    atEventTime: options.atEventTime
      ? { configurationVersion: options.configurationVersion ?? null, memberTier: options.memberTier ?? null }
      : null,
  };
}

function describeInput(file: string, options: ImportPurchasesOptions) {
  return {
    file: basename(file),
    programId: options.program,
    enroll: options.enroll ?? false,
    noticeVersion: options.noticeVersion ?? null,
    atEventTime: options.atEventTime ?? false,
  };
}

function newProgress(): ImportProgress {
  return {
    done: 0,
    committed: 0,
    replayed: 0,
    rejected: 0,
    committedPoints: 0n,
    replayedPoints: 0n,
    membersCreated: 0,
  };
}
