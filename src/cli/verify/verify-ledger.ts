import type { Command } from 'commander';
import type { Pool } from 'pg';
import { findEnvironment } from '../../admin/shared/find-environment.ts';
import { toTypeId } from '../../ids.ts';
import { forgetVerified, keepVerified } from '../../ledger/closed-days/verified-days.ts';
import type { UnverifiedDays } from '../../ledger/controls/verified-days.ts';
import { type Control, examineLedger, LEFT_OUT, type Verdict } from '../../ledger/controls/verify.ts';
import { environmentOption, jsonOption, parseDay } from '../shell/arguments.ts';
import { CliFailure, EXIT, orFail } from '../shell/failure.ts';
import { hint, print, table } from '../shell/output.ts';
import { withSession } from '../shell/session.ts';
import { showControls } from './show-controls.ts';

/** SQLSTATE of a write to a database that only reads, such as a standby. */
const READ_ONLY = '25006';

interface Options {
  environment?: string;
  since?: string;
  progress?: boolean;
  json?: boolean;
}

/** Adds `rewards verify ledger`. */
export function addVerifyLedgerCommand(verify: Command): void {
  verify
    .command('ledger')
    .description('compute balances, lots, receipts and the roll-forward again from the postings, and compare')
    .addOption(environmentOption())
    .option(
      '--since <day>',
      'only what is newer than a closed day that was verified before, with balances carried forward from it',
      parseDay,
    )
    .option('--progress', 'name each control on standard error, also where that is no terminal')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Reads one snapshot, so it can run beside a server under load. Ends with 1 if anything differs.
A run without --since that finds nothing notes which days it has verified; one that finds something takes the note back.

Examples:
  $ rewards verify ledger
  $ rewards verify ledger --since 2026-10-31
  $ rewards verify ledger --environment env_01h455vb4pex5vsknk084sn02q --json
`,
    )
    .action((options: Options) =>
      withSession({}, async ({ administrator, pool }) => {
        const { environment, since, json } = options;
        if (environment) orFail(await findEnvironment(administrator.prisma, environment));
        const verdict = await examine(pool, options);
        const { controls, closed } = verdict;
        const passed = controls.every((control) => control.passed);
        const noted = since === undefined && (await note(pool, verdict, passed));
        const verified = noted ? closed : [];
        print(json, { passed, ...scopeFacts(since, verified), controls }, () =>
          [describeControls(controls), ...describeScope(since, verified)].join('\n'),
        );
        if (!passed) process.exitCode = EXIT.failure;
      }),
    );
}

async function examine(pool: Pool, { environment, since, progress = false }: Options): Promise<Verdict> {
  const client = await pool.connect();
  const display = showControls(process.stderr, progress);
  const { onProgress } = display;
  try {
    const verdict = await examineLedger(client, { environmentId: environment, since, onProgress });
    if ('unverified' in verdict) throw new CliFailure(describeUnverified(since ?? '', verdict.unverified));
    return verdict;
  } finally {
    display.stop();
    client.release();
  }
}

/**
 * Notes which days were verified, or, where something differs, that none was.
 * @returns whether days are noted as verified: not where the database only reads
 */
async function note(pool: Pool, { closed }: Verdict, passed: boolean): Promise<boolean> {
  try {
    if (passed) await keepVerified(pool, closed);
    else await forgetVerified(pool, closed);
    return passed;
  } catch (error) {
    if ((error as { code?: string }).code !== READ_ONLY) throw error;
    hint('This database only reads: which days were verified is not noted.');
    return false;
  }
}

function describeUnverified(since: string, unverified: readonly UnverifiedDays[]): string {
  const lines = unverified.map(({ environmentId, verifiedThrough }) => {
    const environment = toTypeId('env', environmentId);
    return verifiedThrough === null
      ? `  ${environment} has no verified day`
      : `  ${environment} was verified through ${verifiedThrough}`;
  });
  return [
    `What was posted until ${since} has not been verified:`,
    ...lines,
    'Verify all days first: rewards verify ledger, without --since. It notes the days that are closed by then.',
  ].join('\n');
}

/** What the run has looked at, for programs. */
function scopeFacts(since: string | undefined, verified: Verdict['closed']): object {
  if (since !== undefined) return { since, notLookedAt: LEFT_OUT };
  const days = verified.map(({ environmentId, through }) => ({
    environmentId: toTypeId('env', environmentId),
    through,
  }));
  return { since: null, verified: days };
}

function describeScope(since: string | undefined, verified: Verdict['closed']): string[] {
  if (since !== undefined) {
    const rows = LEFT_OUT.map(({ id, reason }) => [id, reason]);
    return [
      `\nNot looked at: what was posted until ${since}, and these controls:`,
      table(['control', 'why not'], rows),
    ];
  }
  const [first] = verified.map(({ through }) => through).sort();
  if (first === undefined) return [];
  return [`Verified through ${first}. What is newer: rewards verify ledger --since ${first}`];
}

function describeControls(controls: readonly Control[]): string {
  const rows = controls.map((control) => [
    control.passed ? 'ok' : 'FAILED',
    control.id,
    control.checked,
    control.expected,
    control.found,
    control.differences,
  ]);
  const failed = controls.filter((control) => !control.passed);
  const examples = failed.flatMap((control) => [
    `\n${control.id}: ${control.title}. It does not:`,
    ...control.examples.map(
      ({ subject, expected, found }) =>
        `  ${subject}: expected ${expected ?? 'none'}, found ${found ?? 'none'}`,
    ),
    ...(control.differences > control.examples.length
      ? [`  and ${control.differences - control.examples.length} more`]
      : []),
  ]);
  return [
    table(['verdict', 'control', 'checked', 'expected', 'found', 'differences'], rows),
    ...examples,
    failed.length === 0
      ? `\nAll ${controls.length} controls passed.`
      : `\n${failed.length} of ${controls.length} controls failed.`,
  ].join('\n');
}
