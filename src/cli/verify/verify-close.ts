import type { Command } from 'commander';
import { jsonOption } from '../shell/arguments.ts';
import { CliFailure, EXIT } from '../shell/failure.ts';
import { print } from '../shell/output.ts';
import { readJsonFile } from '../shell/read-json-file.ts';

/** Adds `rewards verify close`. */
export function addVerifyCloseCommand(verify: Command): void {
  verify
    .command('close')
    .description('prove a saved close report by itself: its hash, sums, controls, journal and status')
    .argument('<file>', 'the report as JSON, whole, as `rewards close --out` or the API gave it')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Needs no database. Ends with 1 if anything differs.

Example:
  $ rewards verify close october.json
`,
    )
    .action(async (file: string, options: { json?: boolean }) => {
      const report = await readReport(file);
      const { verifyCloseReport } = await import('../../queries/reports/ledger-close/verify-report.ts');
      const problems = verifyCloseReport(report);
      const { evidenceHash, status } = report as { evidenceHash?: unknown; status?: unknown };
      print(options.json, { proved: problems.length === 0, problems }, () =>
        problems.length === 0
          ? `${file} is what was made: ${status}, evidence ${evidenceHash}.`
          : `${file} is not what was made:\n${problems.map((problem) => `  ${problem}`).join('\n')}`,
      );
      if (problems.length > 0) process.exitCode = EXIT.failure;
    });
}

async function readReport(file: string): Promise<object> {
  const read = await readJsonFile(file);
  if (!read.ok) {
    const why = read.message.replace('The body', 'it');
    throw new CliFailure(`${file} is no JSON object that can be trusted: ${why}`);
  }
  const [violation] = read.violations;
  if (violation) throw new CliFailure(`${file}: ${violation.path} ${violation.message}.`);
  return read.value;
}
