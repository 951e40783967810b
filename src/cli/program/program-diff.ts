import type { Command } from 'commander';
import { showProgram } from '../../admin/shared/show-program.ts';
import type { ProgramChange } from '../../programs/document/diff-program.ts';
import type { Condition } from '../../programs/document/document-values.ts';
import type { ProgramDocument } from '../../programs/document/program-document.ts';
import { describeCondition } from '../../rules/conditions/conditions.ts';
import {
  jsonOption,
  parsePositiveInteger,
  programOption,
  requiredEnvironmentOption,
} from '../shell/arguments.ts';
import { CliFailure, EXIT, orFail } from '../shell/failure.ts';
import { hint, print, table } from '../shell/output.ts';
import { readProgram } from '../shell/read-program.ts';
import { withSession } from '../shell/session.ts';

interface DiffOptions {
  environment: string;
  program?: string;
  from?: number;
  to?: number;
  json?: boolean;
}

// Characters of a value in the table: enough to recognize it. The whole value is in --json.
const widest = 60;

/** Adds `rewards program diff`. */
export function addProgramDiff(program: Command): void {
  program
    .command('diff')
    .description('show what a document, or a later version, would change of a published program')
    .argument('[file]', 'program document to compare with what is published; - for standard input')
    .addOption(requiredEnvironmentOption())
    .addOption(programOption('the program, where two of its versions are compared'))
    .option('--from <version>', 'version that changed (default: the newest)', parsePositiveInteger)
    .option('--to <version>', 'version that it changed to, instead of a file', parsePositiveInteger)
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Entries are compared by their ids. The order of conditions, of entries and of plain lists says nothing, but for that
of the earn rules. A default that is spelt out counts as added.

Examples:
  $ rewards program diff spring.yaml -e env_01h455vb4pex5vsknk084sn02q
  $ rewards program diff -p coffee-club --from 1 --to 2 -e env_01h455vb4pex5vsknk084sn02q
`,
    )
    .action(async (file: string | undefined, options: DiffOptions) => {
      const compared = file === undefined ? await twoVersions(options) : await withFile(file, options);
      const { diffProgram } = await import('../../programs/document/diff-program.ts');
      const changes = diffProgram(compared.before, compared.after);
      const { programId, from, to } = compared;
      if (!options.json) hint(`${programId}: version ${from} → ${to === null ? file : `version ${to}`}\n`);
      print(options.json, { programId, from, to, changes }, () => describeChanges(changes));
    });
}

interface Compared {
  programId: string;
  from: number;
  /** Null where the later document comes from a file. */
  to: number | null;
  before: ProgramDocument;
  after: ProgramDocument;
}

async function withFile(file: string, { program, from, to, environment }: DiffOptions): Promise<Compared> {
  if (to !== undefined) throw wrongUsage('--to is a version; with a file there is no other to compare.');
  const after = await readProgram(file);
  if (program !== undefined && program !== after.id) {
    throw new CliFailure(`${file} is the document of ${after.id}, not of ${program}.`);
  }
  const before = await withSession({}, async ({ administrator: { prisma } }) =>
    orFail(await showProgram(prisma, environment, after.id, from ?? null)),
  );
  return { programId: after.id, from: before.version, to: null, before: before.document, after };
}

async function twoVersions({ program, from, to, environment }: DiffOptions): Promise<Compared> {
  if (program === undefined || from === undefined) {
    throw wrongUsage('Name a file, or a program with --program and its versions with --from and --to.');
  }
  const [before, after] = await withSession({}, async ({ administrator: { prisma } }) => [
    orFail(await showProgram(prisma, environment, program, from)),
    orFail(await showProgram(prisma, environment, program, to ?? null)),
  ]);
  return {
    programId: program,
    ...{ from: before.version, to: after.version },
    ...{ before: before.document, after: after.document },
  };
}

function describeChanges(changes: readonly ProgramChange[]): string {
  if (changes.length === 0) return 'Nothing differs.';
  return table(
    ['section', 'id', 'change', 'what', 'before', 'after'],
    changes.map(({ section, id, change, path, before, after }) => [
      ...[section, id ?? '', change, path],
      ...[shorten(before), shorten(after)],
    ]),
  );
}

function shorten(value: unknown): string {
  if (value === undefined) return '';
  const text = isCondition(value) ? describeCondition(value) : JSON.stringify(value);
  return text.length > widest ? `${text.slice(0, widest - 1)}…` : text;
}

function isCondition(value: unknown): value is Condition {
  return typeof value === 'object' && value !== null && 'field' in value && 'operator' in value;
}

function wrongUsage(message: string): CliFailure {
  return new CliFailure(message, EXIT.usage);
}
