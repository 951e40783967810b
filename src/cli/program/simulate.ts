import type { Command } from 'commander';
import { findEnvironment } from '../../admin/shared/find-environment.ts';
import type { Pool } from '../../db/pool.ts';
import type { RunningOperation } from '../../operations/operation.ts';
import type { ProgramDocument } from '../../programs/document/program-document.ts';
import type { SimulationReport } from '../../what-if/report.ts';
import { verdict } from '../../what-if/words.ts';
import {
  jsonOption,
  parseInstant,
  parsePositiveInteger,
  requiredEnvironmentOption,
} from '../shell/arguments.ts';
import { CliFailure, EXIT, orFail } from '../shell/failure.ts';
import { hint, print } from '../shell/output.ts';
import { type ProgressDisplay, showProgress } from '../shell/progress.ts';
import { readProgram } from '../shell/read-program.ts';
import { withSession } from '../shell/session.ts';
import { writeOutput } from '../shell/write-output.ts';
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
Nothing is written to the database but the record of the operation. With --from, the events before it are gone
through under the published versions, for where each member stood then, and are not counted.

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
      print(options.json, { verdict: verdict(report), ...report }, () =>
        describeSimulation(report, draftName),
      );
      if (report.purchases + report.engagementEvents === 0) {
        hint('No event of the program lies in this period. --event-time looks at when events happened.');
      }
      if (options.html !== undefined) hint(`The page is in ${options.html}.`);
    });
}

function simulate(draft: ProgramDocument, options: SimulateOptions): Promise<SimulationReport> {
  const { environment: environmentId } = options;
  return withSession({}, async ({ administrator, pool, reports }) => {
    orFail(await findEnvironment(administrator.prisma, environmentId));
    const { startOperation } = await import('../../operations/operation.ts');
    const input = { programId: draft.id };
    const operation = await startOperation(pool, { environmentId, type: 'simulation', total: null, input });
    const progress = new SimulationProgress(operation);
    try {
      const report = await runSimulation(await reports.pool(), draft, options, progress);
      const { purchases, engagementEvents } = report;
      await progress.stop();
      await operation.finish({ done: null, result: { purchases, engagementEvents }, error: null });
      return report;
    } catch (error) {
      await progress.stop();
      const [code, message] =
        error instanceof CliFailure
          ? ['not_comparable', error.message]
          : ['internal_error', 'The simulation broke off.'];
      await operation.finish({ done: progress.done, result: null, error: { code, message } });
      throw error;
    }
  });
}

/** @throws CliFailure where the draft cannot be compared with what is published */
async function runSimulation(
  pool: Pool,
  draft: ProgramDocument,
  options: SimulateOptions,
  progress: SimulationProgress,
): Promise<SimulationReport> {
  const { NotComparable, simulateProgram } = await import('../../what-if/simulate-program.ts');
  const client = await pool.connect();
  try {
    return await simulateProgram(client, {
      environmentId: options.environment,
      draft,
      from: options.from ?? null,
      to: options.to ?? null,
      clock: options.eventTime ? 'event' : 'receipt',
      top: options.top,
      onProgress: (done, total) => progress.note(done, total),
    });
  } catch (error) {
    if (error instanceof NotComparable) throw new CliFailure(error.message);
    throw error;
  } finally {
    client.release();
  }
}

const RECORD_EVERY_MS = 1_000;

/** Shows the progress of a simulation, and records it with its operation once a second. */
class SimulationProgress {
  done = 0;
  readonly #operation: RunningOperation;
  #display: ProgressDisplay | null = null;
  #recordedAt = -Infinity;
  // Updates are written one after the other, so that none overwrites the end of the operation.
  #recorded: Promise<void> = Promise.resolve();

  constructor(operation: RunningOperation) {
    this.#operation = operation;
  }

  note(done: number, total: number): void {
    this.done = done;
    this.#display ??= showProgress(total, 'events');
    this.#display.update(done);
    if (performance.now() - this.#recordedAt < RECORD_EVERY_MS) return;
    this.#recordedAt = performance.now();
    this.#recorded = this.#recorded.then(() => this.#operation.update(done, total)).catch(() => undefined);
  }

  async stop(): Promise<void> {
    this.#display?.stop();
    await this.#recorded;
  }
}

async function writePage(file: string, report: SimulationReport, draftName: string): Promise<void> {
  const { simulationPage } = await import('../../what-if/html-page.ts');
  await writeOutput('--html', file, simulationPage(report, draftName));
}
