import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import type { ProgramDocument } from '../../programs/document/program-document.ts';
import type { SimulationReport } from '../../what-if/report.ts';
import {
  jsonOption,
  parseInstant,
  parsePositiveInteger,
  requiredEnvironmentOption,
} from '../shell/arguments.ts';
import { CliFailure, EXIT } from '../shell/failure.ts';
import { hint, print } from '../shell/output.ts';
import { type ProgressDisplay, showProgress } from '../shell/progress.ts';
import { readProgram } from '../shell/read-program.ts';
import { withSession } from '../shell/session.ts';
import { describeSimulation } from './simulation-tables.ts';

interface SimulateOptions {
  environment: string;
  from?: Date;
  to?: Date;
  eventTime?: boolean;
  top: number;
  html?: string;
  json?: boolean;
}

/** Adds `rewards program simulate`. */
export function addSimulateCommand(program: Command): void {
  program
    .command('simulate')
    .description('run the real events of a period under a draft, and say what it would have changed')
    .argument('<file>', 'draft of the program document (YAML or JSON); - for standard input')
    .addOption(requiredEnvironmentOption())
    .option('--from <instant>', 'as if the draft held from then on (default: always)', parseInstant)
    .option('--to <instant>', 'up to then (default: now)', parseInstant)
    .option('--event-time', 'take each event at its own time (occurredAt) and not when it was received')
    .option(
      '--top <number>',
      'how many members to name who win most, and who lose most',
      parsePositiveInteger,
      10,
    )
    .option('--html <file>', 'write a page with charts as well')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Nothing is written to the database. With --from, the events before it are gone through under the published versions, for
where each member stood then, and are not counted.

Examples:
  $ rewards program simulate spring.yaml -e env_01h455vb4pex5vsknk084sn02q --from 2027-01-01 --html spring.html
  $ rewards program simulate spring.yaml -e env_01h455vb4pex5vsknk084sn02q --event-time --json
`,
    )
    .action(async (file: string, options: SimulateOptions) => {
      if (options.from && options.to && options.from >= options.to) {
        throw new CliFailure('--from must lie before --to.', EXIT.usage);
      }
      const draft = await readProgram(file);
      const report = await simulate(draft, options);
      const draftName = file === '-' ? 'of standard input' : file;
      if (options.html !== undefined) await writePage(options.html, report, draftName);
      print(options.json, report, () => describeSimulation(report, draftName));
      if (report.purchases + report.engagementEvents === 0) {
        hint('No event of the program lies in this period. --event-time looks at when events happened.');
      }
      if (options.html !== undefined) hint(`The page is in ${options.html}.`);
    });
}

function simulate(draft: ProgramDocument, options: SimulateOptions): Promise<SimulationReport> {
  return withSession({}, async ({ pool }) => {
    const { NotComparable, simulateProgram } = await import('../../what-if/simulate-program.ts');
    const client = await pool.connect();
    let display: ProgressDisplay | null = null;
    try {
      return await simulateProgram(client, {
        environmentId: options.environment,
        draft,
        from: options.from ?? null,
        to: options.to ?? null,
        clock: options.eventTime ? 'event' : 'receipt',
        top: options.top,
        onProgress(done, total) {
          display ??= showProgress(total, 'events');
          display.update(done);
        },
      });
    } catch (error) {
      if (error instanceof NotComparable) throw new CliFailure(error.message);
      throw error;
    } finally {
      (display as ProgressDisplay | null)?.stop();
      client.release();
    }
  });
}

async function writePage(file: string, report: SimulationReport, draftName: string): Promise<void> {
  const { simulationPage } = await import('../../what-if/html-page.ts');
  try {
    await writeFile(file, simulationPage(report, draftName));
  } catch (error) {
    throw new CliFailure(`--html cannot be written: ${(error as Error).message}`);
  }
}
