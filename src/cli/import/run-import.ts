import { basename } from 'node:path';
import type { Caller } from '../../commands/shared/caller.ts';
import { CsvFileError, type CsvRow, readCsvRows } from '../../import/csv-rows.ts';
import { type ImportOperation, startImportOperation, summarise } from '../../import/import-operation.ts';
import {
  type FileColumns,
  type ImportKind,
  type ImportProgress,
  ImportStoppedError,
  newProgress,
  type RunOptions,
} from '../../import/import-rows.ts';
import { RejectionReport } from '../../import/rejection-report.ts';
import type { CommandDoor } from '../../ledger/command.ts';
import { openDoor } from '../shell/door.ts';
import { CliFailure, EXIT } from '../shell/failure.ts';
import { hint, print } from '../shell/output.ts';
import { printableLine } from '../shell/printable.ts';
import { showProgress } from '../shell/progress.ts';
import type { Session } from '../shell/session.ts';
import { cannotBeWritten } from '../shell/write-output.ts';

/** The options that every import has. `environment` is a UUID. */
export interface ImportOptions {
  environment: string;
  report?: string;
  inFlight: number;
  actor?: string;
  json?: boolean;
}

/** What an import reads from, what it submits its commands to, and what it counts in. */
export interface Importing<Column extends string> extends RunOptions {
  rows: AsyncIterable<CsvRow<Column>>;
  door: CommandDoor;
  caller: Caller;
  progress: ImportProgress;
}

/** An import of one kind: the file's columns, and what the rows become. */
export interface ImportedKind<Column extends string> {
  kind: ImportKind;
  file: FileColumns<Column>;
  /** The options, for the record of the operation; neither secrets nor personal data. */
  input: object;
  run(importing: Importing<Column>): Promise<void>;
  /** The counts for a person, a line each. */
  describe(progress: ImportProgress): readonly string[];
}

const PROGRESS_EVERY_MS = 1_000;

/**
 * Most commands in a transaction: four times a server's, so that fewer statements and commits are needed, and the rows
 * of a customer that stand next to each other change the balances once. A server beside the import waits for the locks
 * of one customer as long as such a transaction takes, a tenth of a second.
 */
const MOST_IN_BATCH = 512;

/** The counts of an import whose rows move points, for a person. */
export function describePoints(progress: ImportProgress): string[] {
  return [
    `committed  ${progress.committed}, ${progress.committedPoints} points`,
    `replayed   ${progress.replayed}, ${progress.replayedPoints} points: they were there already`,
    `rejected   ${progress.rejected}`,
  ];
}

/**
 * Imports a file: shows the progress, updates the operation's record, prints the summary, and sets the exit code to 1
 * where rows were rejected or not processed.
 * @throws CliFailure for a file or a report that cannot be used, and where the ledger refuses all rows because the
 *   environment is locked or the writer is overloaded
 */
export async function runImport<Column extends string>(
  path: string,
  options: ImportOptions,
  imported: ImportedKind<Column>,
  session: Session,
): Promise<void> {
  const { administrator, interrupted, database, config, pool } = session;
  const { file, kind } = imported;
  const { environment: environmentId } = options;
  // The whole file is read before anything is written: this finds a broken file, and counts the rows for the progress
  // bar.
  const total = await countRows(path, file);
  if (total === 0) hint(`${path}: The file has no rows after its first line.`);
  const report = await openReport(options.report ?? null, file.reference);
  const input = { file: basename(path), ...imported.input };
  const operation = await startImportOperation(pool, administrator, environmentId, kind, total, input);
  const door = openDoor(database, config, MOST_IN_BATCH);
  const progress = newProgress();
  const caller = { environmentId, actor: administrator.actor, requestId: operation.requestId };
  const display = showProgress(total, 'rows');
  const timer = setInterval(() => display.update(progress.done), 100);
  // Updates are written one after the other, so that none overwrites the final counts.
  let recorded: Promise<void> = Promise.resolve();
  const record = setInterval(() => {
    recorded = recorded.then(() => operation.update(progress)).catch(() => undefined);
  }, PROGRESS_EVERY_MS);
  try {
    await imported.run({
      rows: readCsvRows(path, file.columns, file.required),
      door: door.door,
      caller,
      progress,
      maxInFlight: options.inFlight,
      onRejected: (row) => report.add(row),
      signal: interrupted,
    });
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
  const complete = progress.done === total;
  if (complete) await operation.succeed(progress);
  else await operation.fail(progress, 'interrupted', `Stopped after ${progress.done} of ${total} rows.`);
  summariseFor(options, imported, { progress, operation, report, complete });
  if (interrupted.aborted && !complete) hint('Interrupted. Run the same command again to finish.');
  if (!complete || progress.rejected > 0) process.exitCode = EXIT.failure;
}

/** An import that has ended. */
interface EndedImport {
  progress: ImportProgress;
  operation: ImportOperation;
  report: RejectionReport;
  /** Whether every row was processed. */
  complete: boolean;
}

/** Prints the summary, and the first of the rejected rows. */
function summariseFor(
  options: ImportOptions,
  { kind, describe }: Pick<ImportedKind<string>, 'kind' | 'describe'>,
  { progress, operation, report, complete }: EndedImport,
): void {
  const rejectedByCode = Object.fromEntries(report.counts);
  const operationId = operation.requestId;
  print(options.json, { operationId, complete, ...summarise(kind, progress), rejectedByCode }, () =>
    [`${progress.done} rows (${operationId})`, ...describe(progress).map((line) => `  ${line}`)].join('\n'),
  );
  if (options.json) return;
  for (const row of report.first) {
    const named = [`line ${row.line}`, row.reference].join(' ').trimEnd();
    hint(printableLine(`${named}: ${row.code}: ${row.message}`));
  }
  const more = progress.rejected - report.first.length;
  if (more > 0)
    hint(`and ${more} more${options.report ? ` in ${options.report}` : '; see all with --report FILE'}`);
}

async function openReport(path: string | null, referenceColumn: string): Promise<RejectionReport> {
  try {
    return await RejectionReport.open(path, referenceColumn);
  } catch (error) {
    throw cannotBeWritten('--report', path ?? '', error);
  }
}

async function countRows(path: string, { columns, required }: FileColumns<string>): Promise<number> {
  let count = 0;
  try {
    for await (const _row of readCsvRows(path, columns, required)) count += 1;
  } catch (error) {
    if (error instanceof CsvFileError) throw new CliFailure(`${path}: ${error.message}`);
    throw error;
  }
  return count;
}
