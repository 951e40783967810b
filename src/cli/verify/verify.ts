import type { Command } from 'commander';
import { findEnvironment } from '../../admin/find-environment.ts';
import { type Control, verifyLedger } from '../../ledger/controls/verify.ts';
import { environmentOption, jsonOption } from '../shell/arguments.ts';
import { EXIT, orFail } from '../shell/failure.ts';
import { print, table } from '../shell/output.ts';
import { withSession } from '../shell/session.ts';
import { addVerifyAuditCommand } from './verify-audit.ts';
import { addVerifyAwardCommand } from './verify-award.ts';
import { addVerifyCloseCommand } from './verify-close.ts';
import { addVerifyExportCommand } from './verify-export.ts';

/** Adds `rewards verify …`. */
export function addVerifyCommands(cli: Command): void {
  const verify = cli.command('verify').description('checks of what is stored');
  verify
    .command('ledger')
    .description('compute balances, lots, receipts and the roll-forward again from the postings, and compare')
    .addOption(environmentOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Reads one snapshot, so it can run beside a server under load. Ends with 1 if anything differs.

Examples:
  $ rewards verify ledger
  $ rewards verify ledger --environment env_01h455vb4pex5vsknk084sn02q --json
`,
    )
    .action((options: { environment?: string; json?: boolean }) =>
      withSession({}, async ({ administrator, pool }) => {
        const { environment } = options;
        if (environment) orFail(await findEnvironment(administrator.prisma, environment));
        const client = await pool.connect();
        const controls = await verifyLedger(client, environment, showProgress).finally(() =>
          client.release(),
        );
        const passed = controls.every((control) => control.passed);
        print(options.json, { passed, controls }, () => describeControls(controls));
        if (!passed) process.exitCode = EXIT.failure;
      }),
    );
  addVerifyAwardCommand(verify);
  addVerifyCloseCommand(verify);
  addVerifyExportCommand(verify);
  addVerifyAuditCommand(verify);
}

/** One line on a terminal that names the running control: on a large ledger a control can take long. */
function showProgress(done: number, total: number, title: string): void {
  if (!process.stderr.isTTY) return;
  const last = done + 1 === total;
  process.stderr.write(`\r\u001b[K${done + 1}/${total} ${title}${last ? '\n' : ''}`);
}

function describeControls(controls: Control[]): string {
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
