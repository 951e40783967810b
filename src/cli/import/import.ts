import { type Command, Option } from 'commander';
import {
  actorOption,
  jsonOption,
  parsePositiveInteger,
  programOption,
  requiredEnvironmentOption,
} from '../shell/arguments.ts';
import { CliFailure, EXIT } from '../shell/failure.ts';
import { withSession } from '../shell/session.ts';
import type { ImportPurchasesOptions } from './run-purchase-import.ts';

/** Adds `rewards import …`. */
export function addImportCommands(cli: Command): void {
  const imports = cli.command('import').description('records of other systems, from files');
  imports
    .command('purchases')
    .description('award points for the purchases of a CSV file')
    .argument('<file>', 'CSV in UTF-8 with a header')
    .addOption(requiredEnvironmentOption())
    .addOption(programOption('program that the purchases earn in').makeOptionMandatory())
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
    .option('--in-flight <n>', 'most rows on their way at once', parsePositiveInteger, 2000)
    .addOption(actorOption())
    .addOption(jsonOption())
    .addHelpText('after', HELP)
    .action(async (file: string, options: ImportPurchasesOptions) => {
      checkCombination(options);
      const { runPurchaseImport } = await import('./run-purchase-import.ts');
      await withSession({ ...options, endsWhenInterrupted: true }, (session) =>
        runPurchaseImport(file, options, session),
      );
    });
}

/** Refuses options that are valid only together with others. */
function checkCombination(options: ImportPurchasesOptions): void {
  const { enroll, noticeVersion, atEventTime, configurationVersion, memberTier } = options;
  if (Boolean(enroll) !== Boolean(noticeVersion)) {
    throw new CliFailure(
      '--enroll and --notice-version go together: customers are enrolled on the notice that they consented to.',
      EXIT.usage,
    );
  }
  if (!atEventTime && (configurationVersion !== undefined || memberTier !== undefined)) {
    throw new CliFailure('--configuration-version and --member-tier need --at-event-time.', EXIT.usage);
  }
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
