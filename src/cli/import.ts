import { basename } from 'node:path';
import { type Command, Option } from 'commander';
import { validateInput } from '../graphql/validate-input.ts';
import { CsvFileError, readCsvRows } from '../import/csv-rows.ts';
import { type ImportOperation, startImportOperation, summarise } from '../import/import-operation.ts';
import { PURCHASE_COLUMNS, REQUIRED_COLUMNS, type RowDefaults } from '../import/purchase-row.ts';
import { type ImportProgress, importPurchases } from '../import/purchases.ts';
import { RejectionReport } from '../import/rejection-report.ts';
import { actorOption, environmentOption, jsonOption, parsePositiveInteger } from './arguments.ts';
import { openDoor } from './door.ts';
import { CliFailure, EXIT } from './failure.ts';
import { hint, print } from './output.ts';
import { showProgress } from './progress.ts';
import { type Session, withSession } from './session.ts';

interface ImportPurchasesOptions {
  environment: string;
  program: string;
  channel: 'web' | 'store' | 'app';
  currency?: string;
  enroll?: boolean;
  noticeVersion?: string;
  atEventTime?: boolean;
  configurationVersion?: number;
  memberTier?: string;
  report?: string;
  inFlight: number;
  actor?: string;
  json?: boolean;
}

const PROGRESS_EVERY_MS = 1_000;

/** Adds `rewards import …`. */
export function addImportCommands(cli: Command): void {
  const imports = cli.command('import').description('records of other systems, from files');
  imports
    .command('purchases')
    .description('award points for the purchases of a CSV file')
    .argument('<file>', 'CSV in UTF-8 with a header')
    .addOption(environmentOption().makeOptionMandatory())
    .requiredOption('-p, --program <id>', 'program that the purchases earn in')
    .addOption(
      new Option('--channel <channel>', 'channel of rows without one')
        .choices(['web', 'store', 'app'])
        .default('store'),
    )
    .option('--currency <code>', "currency of rows without one (default: the program's)")
    .option('--enroll', 'create and enroll customers who are not there; needs --notice-version')
    .option('--notice-version <text>', 'version of the notice that those customers consented to')
    .option(
      '--at-event-time',
      'evaluate each purchase as of its occurred_at (event_time_pinned_configuration)',
    )
    .option(
      '--configuration-version <n>',
      'version for rows without one, with --at-event-time',
      parsePositiveInteger,
    )
    .option('--member-tier <id>', 'tier for rows without one, with --at-event-time')
    .option('--report <file>', 'write rejected rows to this CSV file: line, source_reference, code, message')
    .option('--in-flight <n>', 'most rows on their way at once', parsePositiveInteger, 512)
    .addOption(actorOption())
    .addOption(jsonOption())
    .addHelpText('after', HELP)
    .action((file: string, options: ImportPurchasesOptions) => {
      if (options.enroll && !options.noticeVersion) {
        throw new CliFailure(
          '--enroll needs --notice-version: the notice that the customers consented to.',
          EXIT.usage,
        );
      }
      return withSession({ ...options, endsWhenInterrupted: true }, (session) => run(file, options, session));
    });
}

const HELP = `
Columns, in any order; the first three are required:
  external_customer_id   the merchant's own customer id
  source_reference       order reference, unique in the environment
  amount_minor           integer in minor currency units: 1177 for 11.77
  occurred_at            instant such as 2027-01-31T12:00:00Z, or a date
  channel                web, store or app
  currency               ISO 4217 code
  coupon_code
  items                  JSON array of {lineReference, sku, category, quantity, unitPriceMinor}
  configuration_version  with --at-event-time
  member_tier            with --at-event-time

Rows of one customer are applied in the order of the file. Idempotency keys follow from the references: a second run
of the same file doubles nothing, and finishes what was interrupted. Rejected rows do not stop the import; the exit
code is then 1.

Examples:
  $ rewards import purchases orders.csv -e env_01h455vb4pex5vsknk084sn02q -p coffee-club --report rejected.csv
  $ rewards import purchases history.csv -e env_01h455vb4pex5vsknk084sn02q -p coffee-club \\
      --enroll --notice-version 2027-01 --at-event-time --configuration-version 1 --member-tier bronze
`;

async function run(file: string, options: ImportPurchasesOptions, session: Session): Promise<void> {
  const { administrator, interrupted, database, config } = session;
  // The whole file is read once before anything is written: a broken one is found out, and the bar knows its end.
  const total = await countRows(file);
  const operation = await startImportOperation(
    administrator.prisma,
    options.environment,
    administrator.operatorId,
    total,
    describeInput(file, options),
  );
  const report = new RejectionReport(options.report ?? null);
  const door = openDoor(database, config);
  const progress = newProgress();
  const display = showProgress(total, 'rows');
  const timer = setInterval(() => display.update(progress.done), 100);
  const record = setInterval(() => void operation.update(progress).catch(() => undefined), PROGRESS_EVERY_MS);
  try {
    await importPurchases(
      readCsvRows(file, PURCHASE_COLUMNS, REQUIRED_COLUMNS),
      {
        door: door.door,
        caller: {
          environmentId: options.environment,
          actor: { type: 'operator', id: administrator.operatorId },
          requestId: operation.requestId,
        },
        defaults: defaultsOf(options),
        enroll: options.enroll ? { noticeVersion: options.noticeVersion ?? '' } : null,
        maxInFlight: options.inFlight,
        validate: validateInput,
        onRejected: (row) => report.add(row),
        signal: interrupted,
      },
      progress,
    );
  } catch (error) {
    await operation.fail(progress, 'internal_error', 'The import broke off.').catch(() => undefined);
    throw error;
  } finally {
    clearInterval(timer);
    clearInterval(record);
    display.update(progress.done);
    display.stop();
    await door.close();
  }
  await report.close();
  await conclude(progress, total, operation, report, options, interrupted.aborted);
}

async function conclude(
  progress: ImportProgress,
  total: number,
  operation: ImportOperation,
  report: RejectionReport,
  options: ImportPurchasesOptions,
  wasInterrupted: boolean,
): Promise<void> {
  const complete = progress.done === total;
  if (complete) await operation.succeed(progress);
  else await operation.fail(progress, 'interrupted', `Stopped after ${progress.done} of ${total} rows.`);
  const rejectedByCode = Object.fromEntries(report.counts);
  print(
    options.json,
    { operationId: operation.requestId, complete, ...summarise(progress), rejectedByCode },
    () => describe(progress, operation),
  );
  if (!options.json) {
    for (const row of report.first)
      hint(`line ${row.line} ${row.sourceReference}: ${row.code}: ${row.message}`);
    const more = progress.rejected - report.first.length;
    if (more > 0)
      hint(`and ${more} more${options.report ? ` in ${options.report}` : '; see all with --report FILE'}`);
  }
  if (wasInterrupted && !complete) hint('Interrupted. Run the same command again to finish.');
  if (!complete || progress.rejected > 0) process.exitCode = EXIT.failure;
}

function describe(progress: ImportProgress, operation: ImportOperation): string {
  return [
    `${progress.done} rows (${operation.requestId})`,
    `  committed  ${progress.committed}, ${progress.committedPoints} points`,
    `  replayed   ${progress.replayed}, ${progress.replayedPoints} points: they were there already`,
    `  rejected   ${progress.rejected}`,
    `  new members ${progress.membersCreated}`,
  ].join('\n');
}

async function countRows(file: string): Promise<number> {
  let count = 0;
  try {
    for await (const _row of readCsvRows(file, PURCHASE_COLUMNS, REQUIRED_COLUMNS)) count += 1;
  } catch (error) {
    if (error instanceof CsvFileError) throw new CliFailure(`${file}: ${error.message}`);
    throw error;
  }
  return count;
}

function defaultsOf(options: ImportPurchasesOptions): RowDefaults {
  return {
    programId: options.program,
    channel: options.channel,
    currency: options.currency ?? null,
    atEventTime: options.atEventTime
      ? { configurationVersion: options.configurationVersion ?? null, memberTier: options.memberTier ?? null }
      : null,
  };
}

function describeInput(file: string, options: ImportPurchasesOptions) {
  return {
    file: basename(file),
    programId: options.program,
    enroll: options.enroll ?? false,
    noticeVersion: options.noticeVersion ?? null,
    atEventTime: options.atEventTime ?? false,
  };
}

function newProgress(): ImportProgress {
  return {
    done: 0,
    committed: 0,
    replayed: 0,
    rejected: 0,
    committedPoints: 0n,
    replayedPoints: 0n,
    membersCreated: 0,
  };
}
