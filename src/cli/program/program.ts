import type { Command } from 'commander';
import { listPrograms } from '../../admin/programs/list-programs.ts';
import { showProgram } from '../../admin/shared/show-program.ts';
import { toTypeId } from '../../ids.ts';
import {
  actorOption,
  jsonOption,
  parseInstant,
  parsePositiveInteger,
  programOption,
  requiredEnvironmentOption,
} from '../shell/arguments.ts';
import { CliFailure, EXIT, orFail } from '../shell/failure.ts';
import { hint, instant, print, table } from '../shell/output.ts';
import { printableLine } from '../shell/printable.ts';
import { describeProblems } from '../shell/read-document.ts';
import { parseProgramFile, readProgram } from '../shell/read-program.ts';
import { withSession } from '../shell/session.ts';
import { addProgramDiff } from './program-diff.ts';
import { addProgramNew } from './program-new.ts';
import { addSimulateCommand } from './simulate.ts';
import { addTryCommand } from './try.ts';

interface Common {
  actor?: string;
  json?: boolean;
}

interface ShowOptions extends Common {
  environment: string;
  program?: string;
  version?: number;
}

/** Adds `rewards program …`. */
export function addProgramCommands(cli: Command): void {
  const program = cli
    .command('program')
    .description('program documents: rules, tiers and limits of a program');
  addProgramNew(program);
  addValidate(program);
  addPublish(program);
  addList(program);
  addShow(program);
  addProgramDiff(program);
  addSimulateCommand(program);
  addTryCommand(program);
}

function addValidate(program: Command): void {
  program
    .command('validate')
    .description('check a program document (YAML or JSON) without publishing it')
    .argument('<file>', 'program document; - for standard input')
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  $ rewards program validate demo/coffee-club.yaml\n')
    .action(async (file: string, options: Common) => {
      const parsed = await parseProgramFile(file);
      if (!parsed.ok) {
        if (!options.json) throw new CliFailure(describeProblems(file, parsed.problems));
        print(true, { valid: false, problems: parsed.problems }, () => '');
        process.exitCode = EXIT.failure;
        return;
      }
      print(
        options.json,
        { valid: true, programId: parsed.document.id },
        () => `${file} is valid: ${parsed.document.id}`,
      );
    });
}

function addPublish(program: Command): void {
  program
    .command('publish')
    .description('publish a program document as the next version of its program')
    .argument('<file>', 'program document (YAML or JSON); - for standard input')
    .addOption(requiredEnvironmentOption())
    .option('--effective-from <instant>', 'when the version takes effect (default: now)', parseInstant)
    .addOption(programOption('refuse a document of any other program than this'))
    .addOption(actorOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Versions are numbered from 1 and never change. A document that is the newest version already, and is in effect
by the time given, is not published again, which is no failure. One that takes effect later can be published
to take effect sooner. Currency and loyaltyUnitPrecision stay what they were in version 1.

Examples:
  $ rewards program publish demo/coffee-club.yaml -e env_01h455vb4pex5vsknk084sn02q
  $ rewards program publish spring.yaml -e env_01h455vb4pex5vsknk084sn02q --effective-from 2027-03-01
`,
    )
    .action(
      async (
        file: string,
        options: Common & { environment: string; effectiveFrom?: Date; program?: string },
      ) => {
        const document = await readProgram(file);
        if (options.program !== undefined && options.program !== document.id) {
          throw new CliFailure(`${file} is the document of ${document.id}, not of ${options.program}.`);
        }
        const { publishProgram } = await import('../../admin/programs/publish-program.ts');
        const { environment: environmentId, effectiveFrom = null } = options;
        const made = await withSession(options, async ({ administrator }) =>
          orFail(await publishProgram(administrator, { environmentId, document, effectiveFrom })),
        );
        print(options.json, { environmentId: toTypeId('env', environmentId), ...made }, () =>
          made.published
            ? `${made.programId} version ${made.version} is published, effective from ${instant(made.effectiveFrom)}.`
            : `${made.programId} version ${made.version} is this very document, effective from ` +
              `${instant(made.effectiveFrom)}; nothing was published.`,
        );
      },
    );
}

function addList(program: Command): void {
  program
    .command('list')
    .description('list the published programs of an environment, with the version in effect now')
    .addOption(requiredEnvironmentOption())
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  $ rewards program list -e env_01h455vb4pex5vsknk084sn02q\n')
    .action(async ({ environment, json }: Common & { environment: string }) => {
      const { programs } = await withSession({}, async ({ administrator }) =>
        orFail(await listPrograms(administrator.prisma, environment)),
      );
      print(json, { environmentId: toTypeId('env', environment), programs }, () =>
        programs.length === 0
          ? 'No program is published there. Publish one: rewards program publish FILE'
          : table(
              ['program', 'name', 'in effect', 'newest', 'published', 'by'],
              programs.map((one) => [
                one.programId,
                printableLine(one.name),
                one.versionInEffect ?? 'none yet',
                one.newestVersion,
                instant(one.publishedAt),
                one.publishedBy,
              ]),
            ),
      );
    });
}

function addShow(program: Command): void {
  program
    .command('show')
    .description('show the published versions of a program, and the document of one')
    .argument('[program]', 'id of the program, such as coffee-club')
    .addOption(requiredEnvironmentOption())
    .addOption(programOption('the same as the argument'))
    .option('--version <number>', 'which version to show (default: the newest)', parsePositiveInteger)
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
The list goes to standard error and the document to standard output, so that it can be kept:
  $ rewards program show coffee-club -e env_01h455vb4pex5vsknk084sn02q --version 2 > coffee-club-2.yaml
`,
    )
    .action(async (named: string | undefined, options: ShowOptions) => {
      const programId = named ?? options.program;
      if (programId === undefined || (named !== undefined && options.program !== undefined)) {
        throw new CliFailure(
          'Name one program, as argument or with -p. Those there are: rewards program list',
          EXIT.usage,
        );
      }
      const shown = await withSession({}, async ({ administrator }) =>
        orFail(
          await showProgram(administrator.prisma, options.environment, programId, options.version ?? null),
        ),
      );
      const { stringify } = await import('yaml');
      if (!options.json) hint(`${listVersions(shown.versions)}\n`);
      // Texts of several lines are quoted too: a YAML block scalar would lose some spaces and escapes.
      const style = { lineWidth: 110, blockQuote: false };
      print(options.json, shown, () => stringify(shown.document, style).trimEnd());
    });
}

function listVersions(
  versions: { version: number; effectiveFrom: Date; publishedAt: Date; publishedBy: string }[],
): string {
  return table(
    ['version', 'effective from', 'published', 'by'],
    versions.map((one) => [
      one.version,
      instant(one.effectiveFrom),
      instant(one.publishedAt),
      one.publishedBy,
    ]),
  );
}
