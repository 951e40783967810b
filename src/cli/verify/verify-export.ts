import type { Command } from 'commander';
import { findEnvironment } from '../../admin/shared/find-environment.ts';
import { readConfig } from '../../config.ts';
import type { Comparison } from '../../export/compare-with-closes.ts';
import type { Manifest } from '../../export/manifest.ts';
import { fromTypeId } from '../../ids.ts';
import type { CloseReport } from '../../queries/reports/ledger-close/report.ts';
import { jsonOption } from '../shell/arguments.ts';
import { CliFailure, EXIT, orFail } from '../shell/failure.ts';
import { hint, print, table } from '../shell/output.ts';
import { type ProgressDisplay, showProgress } from '../shell/progress.ts';
import { readJsonFile } from '../shell/read-json-file.ts';
import { withSession } from '../shell/session.ts';

interface Options {
  close?: string[];
  offline?: boolean;
  json?: boolean;
}

/** Adds `rewards verify export`. */
export function addVerifyExportCommand(verify: Command): void {
  verify
    .command('export')
    .description('read the files of an export again, and compare them with its manifest and the ledger close')
    .argument('<file>', 'folder of the export, or its one file')
    .option(
      '--close <file>',
      'saved close report, in place of the database; several cover the period together',
      (file: string, before: string[] = []) => [...before, file],
    )
    .option('--offline', 'compare with the manifest alone')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Reads every row: size, SHA-256, columns, times and sums of each file have to be those of the manifest. The
sums of postings and transactions are also compared with the close of each program, month by month: from the
database of the settings, or from reports that "rewards close --out" has saved. Where no database can be
reached, they are not, and the output says so. Ends with 1 if anything differs.

Examples:
  $ rewards verify export postings-october
  $ rewards verify export postings-october --close october.json
`,
    )
    .action(async (path: string, options: Options) => {
      if (options.offline && options.close) throw new CliFailure('Give --close or --offline.', EXIT.usage);
      const { manifest, problems } = await verifyFiles(path);
      const comparisons = await compare(manifest, options);
      const isRight = problems.length === 0 && (comparisons ?? []).every((one) => one.problems.length === 0);
      const { kind, format, period, rows, files } = manifest;
      const facts = { kind, format, period, rows, files: files.length };
      print(options.json, { verified: isRight, ...facts, problems, comparisons }, () =>
        describe(path, manifest, problems, comparisons),
      );
      if (!isRight) process.exitCode = EXIT.failure;
    });
}

async function verifyFiles(path: string): Promise<{ manifest: Manifest; problems: string[] }> {
  const { NoExportError, verifyExport } = await import('../../export/verify-export.ts');
  let display: ProgressDisplay | null = null;
  try {
    return await verifyExport(path, (done, total) => {
      display ??= showProgress(total, 'rows');
      display.update(done);
    });
  } catch (error) {
    if (error instanceof NoExportError) throw new CliFailure(error.message);
    throw error;
  } finally {
    (display as ProgressDisplay | null)?.stop();
  }
}

/** @returns null where it was not compared with any close */
async function compare(manifest: Manifest, { close, offline }: Options): Promise<Comparison[] | null> {
  const { compareWithCloses, isInCloses } = await import('../../export/compare-with-closes.ts');
  if (offline || !isInCloses(manifest)) return null;
  if (close) return compareWithCloses(manifest, await readCloses(close));
  const closes = await closesOfDatabase(manifest);
  if (closes === null) hint('No database can be reached to compare with: set DATABASE_URL, or give --close.');
  return closes && compareWithCloses(manifest, closes);
}

async function readCloses(files: readonly string[]): Promise<CloseReport[]> {
  const { verifyCloseReport } = await import('../../queries/reports/ledger-close/verify-report.ts');
  const closes: CloseReport[] = [];
  for (const file of files) {
    const read = await readJsonFile(file);
    const problem = read.ok ? verifyCloseReport(read.value)[0] : read.message;
    if (!read.ok || problem !== undefined)
      throw new CliFailure(`${file} is no close report to trust: ${problem}`);
    // verifyCloseReport has checked its shape.
    closes.push(read.value as unknown as CloseReport);
  }
  return closes;
}

/** @returns null where no database can be reached */
async function closesOfDatabase({ environmentId, period }: Manifest): Promise<CloseReport[] | null> {
  const id = fromTypeId('env', environmentId);
  if (id === null) throw new CliFailure(`${environmentId} is no id of an environment.`);
  const { closesOfPeriod } = await import('../../export/closes-of-period.ts');
  try {
    if (!(await hasDatabase())) return null;
    return await withSession({}, async ({ administrator, pool }) => {
      orFail(await findEnvironment(administrator.prisma, id));
      return closesOfPeriod(pool, id, period);
    });
  } catch (error) {
    if (!UNREACHABLE.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    return null;
  }
}

const UNREACHABLE: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'ETIMEDOUT',
]);

/** An embedded Postgres is not made only to be compared with. */
async function hasDatabase(): Promise<boolean> {
  const { databaseUrl, dataDir } = readConfig();
  if (databaseUrl !== null) return true;
  const { hasHome } = await import('../../db/cluster-home.ts');
  return hasHome(dataDir);
}

function describe(
  path: string,
  { kind, rows, period }: Manifest,
  problems: readonly string[],
  comparisons: readonly Comparison[] | null,
): string {
  const all = [
    ...problems,
    ...(comparisons ?? []).flatMap((one) =>
      one.problems.map((problem) => `${one.programId}, ${one.from} to ${one.to}: ${problem}`),
    ),
  ];
  if (all.length > 0)
    return [`${path} is not what was exported:`, ...all.map((one) => `  ${one}`)].join('\n');
  const head = `${path}: ${rows} rows of ${kind}, ${period.from} to ${period.to}, are as they were exported.`;
  if (comparisons === null) return `${head}\nNot compared with a ledger close.`;
  const figure = ({ figures }: Comparison, name: string): string =>
    figures.find((one) => one.name === name)?.exported ?? '-';
  return [
    head,
    '',
    table(
      ['verdict', 'program', 'from', 'to', 'transactions', 'figures compared'],
      comparisons.map((one) => [
        'ok',
        one.programId,
        one.from,
        one.to,
        figure(one, 'transactions'),
        one.figures.length,
      ]),
    ),
  ].join('\n');
}
