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
import type { ImportMembersOptions } from './import-members.ts';
import type { ImportPointsOptions } from './import-points.ts';
import type { ImportPurchasesOptions } from './import-purchases.ts';

/** Adds `rewards import …`. */
export function addImportCommands(cli: Command): void {
  const imports = cli.command('import').description('records of other systems, from files');
  addMembers(imports);
  addBalances(imports);
  addPurchases(imports);
  addExchange(imports);
}

/** Adds an import command, with what all of them have. @param reference the column that names a rejected row */
function addImport(imports: Command, name: string, description: string, reference: string): Command {
  return imports
    .command(name)
    .description(description)
    .argument('<file>', 'CSV in UTF-8 with a header')
    .addOption(requiredEnvironmentOption())
    .option('--report <file>', `write rejected rows to this CSV file: line, ${reference}, code, message`)
    .option('--in-flight <n>', 'most rows on their way at once', parsePositiveInteger, 2000)
    .addOption(actorOption())
    .addOption(jsonOption());
}

function addMembers(imports: Command): void {
  addImport(imports, 'members', 'create the members of a CSV file, and enroll them', 'external_customer_id')
    .addOption(programOption('program of rows that name none (default: these enroll in no program)'))
    .addHelpText('after', MEMBERS_HELP)
    .action(async (file: string, options: ImportMembersOptions) => {
      const { runMemberImport } = await import('./import-members.ts');
      await withSession({ ...options, endsWhenInterrupted: true }, (session) =>
        runMemberImport(file, options, session),
      );
    });
}

function addBalances(imports: Command): void {
  addImport(imports, 'balances', 'post the opening balances of a CSV file', 'reference')
    .addOption(programOption('program that the points are of').makeOptionMandatory())
    .addHelpText('after', BALANCES_HELP)
    .action(async (file: string, options: ImportPointsOptions) => {
      const { runBalanceImport } = await import('./import-points.ts');
      await withSession({ ...options, endsWhenInterrupted: true }, (session) =>
        runBalanceImport(file, options, session),
      );
    });
}

function addExchange(imports: Command): void {
  addImport(
    imports,
    'exchange',
    'settle the exchanges of points with partners of a CSV file',
    'settlement_reference',
  )
    .addOption(programOption('program whose points are exchanged').makeOptionMandatory())
    .addHelpText('after', EXCHANGE_HELP)
    .action(async (file: string, options: ImportPointsOptions) => {
      const { runExchangeImport } = await import('./import-points.ts');
      await withSession({ ...options, endsWhenInterrupted: true }, (session) =>
        runExchangeImport(file, options, session),
      );
    });
}

function addPurchases(imports: Command): void {
  addImport(imports, 'purchases', 'award points for the purchases of a CSV file', 'source_reference')
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
    .addHelpText('after', PURCHASES_HELP)
    .action(async (file: string, options: ImportPurchasesOptions) => {
      checkCombination(options);
      const { runPurchaseImport } = await import('./import-purchases.ts');
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

const AGAIN = `Rows of one customer are applied in the order of the file. Idempotency keys follow from the references: a second run
of the same file doubles nothing, and finishes what was interrupted. Rejected rows do not stop the import; the exit
code is then 1.`;

const MEMBERS_HELP = `
Columns, in any order; the first three are required:
  external_customer_id   the merchant's own customer id
  consent_status         opted_in or opted_out
  notice_version         version of the notice that the customer answered
  display_name
  tags                   separated by semicolons: press;vip
  program_id             program to enroll the member in, on the same notice; --program where it is empty
  tier                   tier to begin in, of that program; the first one where it is empty

Members who are there already are counted as replayed and stay as they are: a row only enrolls them, if they never
were in the program. Nobody is enrolled who has left it or withdrawn consent. Rejected rows do not stop the import; the
exit code is then 1. A second run of the same file doubles nothing, and finishes what was interrupted.

Examples:
  $ rewards import members members.csv -e env_01h455vb4pex5vsknk084sn02q
  $ rewards import members members.csv -e env_01h455vb4pex5vsknk084sn02q -p coffee-club --report rejected.csv
`;

const BALANCES_HELP = `
Columns, in any order; all are required:
  external_customer_id   of a member who is enrolled in the program
  points                 integer in the smallest loyalty unit
  reference              names this balance, once in the environment
  expires_at             date, instant such as 2027-01-31T12:00:00Z, never, or empty for the program's expiration policy

${AGAIN}

Example:
  $ rewards import balances balances.csv -e env_01h455vb4pex5vsknk084sn02q -p coffee-club --report rejected.csv
`;

const EXCHANGE_HELP = `
Columns, in any order; all but reverses are required:
  settlement_reference   names this settlement, or this reversal, once in the environment
  partner_id             of the partner
  direction              in: the member gets points for the partner's; out: the member gives points
  external_customer_id   of a member who is enrolled in the program
  points                 integer in the smallest loyalty unit
  reverses               settlement_reference of the settlement that this row undoes as a whole; partner_id, direction and
                         points may then be empty

${AGAIN}

Example:
  $ rewards import exchange settlements.csv -e env_01h455vb4pex5vsknk084sn02q -p coffee-club --report rejected.csv
`;

const PURCHASES_HELP = `
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

${AGAIN}

Examples:
  $ rewards import purchases orders.csv -e env_01h455vb4pex5vsknk084sn02q -p coffee-club --report rejected.csv
  $ rewards import purchases history.csv -e env_01h455vb4pex5vsknk084sn02q -p coffee-club \\
      --enroll --notice-version 2027-01 --at-event-time --configuration-version 1 --member-tier bronze
`;
