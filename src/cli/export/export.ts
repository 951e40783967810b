import { type Command, Option } from 'commander';
import { KINDS } from '../../export/kinds/all-kinds.ts';
import type { Kind } from '../../export/kinds/kind.ts';
import { actorOption, jsonOption, parseInstant, requiredEnvironmentOption } from '../shell/arguments.ts';
import { withSession } from '../shell/session.ts';
import type { ExportCommandOptions } from './run-export-command.ts';

const DESCRIPTIONS: Readonly<Record<Kind['name'], string>> = {
  transactions: 'write the transactions of a period to files',
  postings: 'write the postings of a period to files, which reconcile with the ledger close',
  members: 'write the members that were created in a period, as they are now, to files',
  lots: 'write the lots that were granted in a period, as they are now, to files',
  audit: 'write the audit events of a period to files',
};

/** Adds `rewards export …`. */
export function addExportCommands(cli: Command): void {
  const exports = cli.command('export').description('records of an environment, as files for other programs');
  for (const kind of Object.values(KINDS)) addExportCommand(exports, kind);
}

function addExportCommand(exports: Command, kind: Kind): void {
  exports
    .command(kind.name)
    .description(DESCRIPTIONS[kind.name])
    .addOption(requiredEnvironmentOption())
    .requiredOption('--from <instant>', `inclusive, of ${kind.time}`, parseInstant)
    .requiredOption('--to <instant>', 'exclusive; what lies in the future is left out', parseInstant)
    .addOption(
      new Option('--format <name>', 'of the files').choices(['csv', 'jsonl', 'parquet']).default('csv'),
    )
    .requiredOption(
      '--out <file>',
      'folder for a file for each UTC day, or one file with the extension of the format',
    )
    .addOption(actorOption())
    .addOption(jsonOption())
    .addHelpText('after', helpOf(kind))
    .action(async (options: ExportCommandOptions) => {
      const { runExportCommand } = await import('./run-export-command.ts');
      await withSession({ ...options, endsWhenInterrupted: true }, (session) =>
        runExportCommand(kind.name, options, session),
      );
    });
}

function helpOf({ name, columns, isHistory }: Kind): string {
  const width = Math.max(...columns.map((column) => column.name.length));
  const resuming = isHistory
    ? `The days of a folder that are finished stay when an export is interrupted: the same command goes on after them.`
    : `All files come from one snapshot: an export that was interrupted begins anew with the same command.`;
  return `
Columns:
${columns.map((column) => `  ${column.name.padEnd(width)}  ${column.type.padEnd(7)}  ${column.description}`).join('\n')}

A manifest beside the files has rows, sums and SHA-256 of each: see "rewards verify export".
${resuming}
In CSV a text that begins with one of = + - @ ' or a tab has an apostrophe in front, which a reader takes away.

Examples:
  $ rewards export ${name} -e env_01h455vb4pex5vsknk084sn02q --from 2026-10-01 --to 2026-11-01 --out ${name}-october
  $ rewards export ${name} -e env_01h455vb4pex5vsknk084sn02q --from 2026-10-01 --to 2026-11-01 \\
      --format parquet --out october.parquet
`;
}
