import type { Command } from 'commander';
import { findEnvironment } from '../admin/shared/find-environment.ts';
import { newUuid, toTypeId } from '../ids.ts';
import type { CloseReport } from '../queries/reports/ledger-close/report.ts';
import {
  environmentOption,
  jsonOption,
  parseInstant,
  programOption,
  requiredEnvironmentOption,
} from './shell/arguments.ts';
import { EXIT, orFail } from './shell/failure.ts';
import { hint, print, table } from './shell/output.ts';
import { withSession } from './shell/session.ts';
import { writeOutput } from './shell/write-output.ts';

/** Adds `rewards close` and `rewards rollup`. */
export function addCloseCommands(cli: Command): void {
  addClose(cli);
  addRollUp(cli);
}

function addClose(cli: Command): void {
  cli
    .command('close')
    .description('the close report of a program over a period, as GET /reports/ledger-close gives it')
    .addOption(requiredEnvironmentOption())
    .addOption(programOption().makeOptionMandatory())
    .option(
      '--from <instant>',
      'inclusive (default: the first day of the UTC month of the end)',
      parseInstant,
    )
    .option('--to <instant>', 'exclusive (default: now)', parseInstant)
    .option('--out <file>', 'write the whole report there, as JSON, for `rewards verify close`')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Ends with 1 where a control fails.

Example:
  $ rewards close -e env_01h455vb4pex5vsknk084sn02q -p coffee-club --from 2026-10-01 --to 2026-11-01 --out october.json
  $ rewards verify close october.json
`,
    )
    .action(
      async (options: {
        environment: string;
        program: string;
        from?: Date;
        to?: Date;
        out?: string;
        json?: boolean;
      }) => {
        const { findLedgerClose } = await import('../queries/reports/ledger-close/find-ledger-close.ts');
        const { environment, program: programId, from = null, to = null, out } = options;
        const closeReport = await withSession({}, async ({ pool, reports }) =>
          orFail(await findLedgerClose(pool, environment, { programId, from, to }, reports.read)),
        );
        const report = { requestId: toTypeId('req', newUuid()), ...closeReport };
        if (out !== undefined) {
          await writeOutput('--out', out, `${JSON.stringify(report, null, 2)}\n`);
          hint(`The report is in ${out}.`);
        }
        print(options.json, report, () => describeClose(closeReport));
        if (closeReport.status === 'control_exception') process.exitCode = EXIT.failure;
      },
    );
}

function addRollUp(cli: Command): void {
  cli
    .command('rollup')
    .description('close the days that have ended: sums of their postings, which close reports begin from')
    .addOption(environmentOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
A server does it by itself. Every environment where none is given; again it does nothing. \`rewards verify ledger\`
compares closed days with the postings.

Example:
  $ rewards rollup --environment env_01h455vb4pex5vsknk084sn02q
`,
    )
    .action(async (options: { environment?: string; json?: boolean }) => {
      const [{ rollUpEnvironments }, { rollUp }] = await Promise.all([
        import('../jobs/roll-up.ts'),
        import('../ledger/closed-days/roll-up.ts'),
      ]);
      const { environment } = options;
      const done = await withSession({}, async ({ pool, administrator }) => {
        if (!environment) return rollUpEnvironments(pool);
        orFail(await findEnvironment(administrator.prisma, environment));
        return [{ environmentId: environment, ...(await rollUp(pool, environment)) }];
      });
      const environments = done.map((one) => ({ ...one, environmentId: toTypeId('env', one.environmentId) }));
      print(options.json, { environments }, () =>
        table(
          ['environment', 'closed through', 'days closed now'],
          environments.map((one) => [
            one.environmentId,
            one.closedThrough,
            one.busy ? `${one.days}; another process is at it` : one.days,
          ]),
        ),
      );
    });
}

function describeClose(report: CloseReport): string {
  const { period, statusReasons, controls, totals, rollForward, journal, liability, approvals } = report;
  const blocks = [
    [
      `${report.programId}, ${period.from} to ${period.to}: ${report.status}`,
      ...statusReasons.map((why) => `  ${why}`),
    ].join('\n'),
    table(
      ['verdict', 'control', 'expected', 'found', 'differences'],
      controls.map((one) => [verdictOf(one), one.id, one.expected, one.found, one.differences]),
    ),
    table(
      ['account', 'opening', 'debits', 'credits', 'closing'],
      totals.accounts.map((one) => [one.account, one.opening, one.debits, one.credits, one.closing]),
    ),
    table(
      ['roll-forward', 'points'],
      rollForward.filter(({ points }) => points !== '0').map(({ line, points }) => [line, points]),
    ),
    table(
      ['journal', 'account', 'side', 'points', `minor ${report.currency}`],
      journal.map((one) => [one.movement, one.account, one.direction, one.points, one.amountMinor ?? '-']),
    ),
    table(
      ['issued', 'expires', 'points', 'expected', `minor ${report.currency}`],
      liability.map((one) => [
        one.issueMonth,
        one.expiryMonth ?? 'never',
        one.points,
        one.expectedPoints ?? '-',
        one.amountMinor ?? '-',
      ]),
    ),
    ...(approvals.length > 0
      ? [
          table(
            ['approved', 'version', 'hash', 'by', 'at'],
            approvals.map((one) => [
              one.section,
              one.version,
              one.sectionHash.slice(0, 12),
              one.approvedBy,
              one.approvedAt,
            ]),
          ),
        ]
      : []),
    `${report.reportId} ${report.evidenceHash}`,
  ];
  return blocks.join('\n\n');
}

function verdictOf({ passed, statusOnFailure }: CloseReport['controls'][number]): string {
  if (passed) return 'ok';
  return statusOnFailure === 'control_exception' ? 'FAILED' : 'not yet';
}
