import { findEnvironment } from '../../admin/shared/find-environment.ts';
import { ExportPathError, exportPathsOf } from '../../export/export-place.ts';
import { EmptyPeriodError, type ExportResult, exportRows } from '../../export/export-rows.ts';
import type { FormatName } from '../../export/formats/format.ts';
import type { KindName } from '../../export/kinds/kind.ts';
import type { Manifest } from '../../export/manifest.ts';
import type { Total } from '../../export/totals.ts';
import { CliFailure, EXIT, orFail } from '../shell/failure.ts';
import { hint, print, table } from '../shell/output.ts';
import { type ProgressDisplay, showProgress } from '../shell/progress.ts';
import type { Session } from '../shell/session.ts';

/** The options of `rewards export …`. `environment` is a UUID. */
export interface ExportCommandOptions {
  environment: string;
  from: Date;
  to: Date;
  format: FormatName;
  out: string;
  actor?: string;
  json?: boolean;
}

/**
 * Runs an export with a progress bar, and prints what was written. The exit code is 1 where it was interrupted.
 * @throws CliFailure for an empty period, and for a path that cannot be used
 */
export async function runExportCommand(
  kind: KindName,
  options: ExportCommandOptions,
  { administrator, pool, reports, interrupted }: Session,
): Promise<void> {
  const { environment: environmentId, from, to, format, out } = options;
  orFail(await findEnvironment(administrator.prisma, environmentId));
  let display: ProgressDisplay | null = null;
  let before: number | null = null;
  let result: ExportResult;
  try {
    result = await exportRows(pool, administrator, {
      environmentId,
      kind,
      format,
      from,
      to,
      paths: exportPathsOf(out, kind, format),
      readFrom: () => reports.pool(),
      signal: interrupted,
      onProgress(done, total) {
        // Rows of an earlier run took no time now.
        before ??= done;
        display ??= showProgress(total - before, 'rows');
        display.update(done - before);
      },
    });
  } catch (error) {
    if (error instanceof ExportPathError || error instanceof EmptyPeriodError)
      throw new CliFailure(error.message, EXIT.usage);
    throw error;
  } finally {
    (display as ProgressDisplay | null)?.stop();
  }
  if (result.state === 'interrupted') {
    throw new CliFailure(`Interrupted (${result.operationId}). Run the same command again to finish.`);
  }
  report(out, result, options.json);
}

function report(
  out: string,
  { manifest, operationId, keptFiles }: Extract<ExportResult, { state: 'finished' }>,
  json: boolean | undefined,
): void {
  const { kind, format, requested, period, periodOver, rows, totals, files } = manifest;
  const summary = {
    operationId,
    out,
    kind,
    format,
    period,
    periodOver,
    rows,
    files: files.length,
    keptFiles,
    totals,
  };
  print(json, summary, () => describe(out, manifest, operationId));
  if (operationId === null) hint('It was complete already; nothing was written.');
  else if (keptFiles > 0) hint(`${keptFiles} of the files were there from an earlier run.`);
  if (requested.to !== period.to)
    hint(`The files reach to ${period.to}: the rest of the period lay in the future when the export began.`);
  if (!periodOver) hint(whatMayBeMissing(kind, period.to));
}

/** The audit trail is known to be whole a minute later, by its next seal; a server seals it every 15 seconds. */
const SEALED_AFTER_MS = 90_000;

function whatMayBeMissing(kind: string, to: string): string {
  if (kind !== 'audit')
    return 'Something that was still being written may be missing at the end of the period.';
  const from = new Date(Date.parse(to) + SEALED_AFTER_MS).toISOString();
  return (
    'Entries that were still being written may be missing at the end of the period: the trail is not sealed up to there yet. ' +
    `While a server runs, the same command with --to ${to} is whole from ${from} on.`
  );
}

function describe(
  out: string,
  { kind, period, rows, totals, files }: Manifest,
  operationId: string | null,
): string {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const head = `${kind}, ${period.from} to ${period.to}: ${rows} rows, ${bytes} bytes in ${out} (${files.length} ${files.length === 1 ? 'file' : 'files'}${
    operationId === null ? '' : `, ${operationId}`
  })`;
  return totals.length === 0 ? head : `${head}\n\n${describeTotals(totals)}`;
}

function describeTotals(totals: readonly Total[]): string {
  return table(
    Object.keys(totals[0] ?? {}).map((name) => name.replaceAll('_', ' ')),
    totals.map((total) => Object.values(total)),
  );
}
