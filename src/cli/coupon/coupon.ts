import { type Command, InvalidArgumentError } from 'commander';
import { type CodePattern, PATTERN_RULE, readPattern } from '../../admin/coupons/code-pattern.ts';
import {
  actorOption,
  jsonOption,
  parsePositiveInteger,
  programOption,
  requiredEnvironmentOption,
} from '../shell/arguments.ts';
import { CUSTOMER, customerOf } from '../shell/customer.ts';
import { withSession } from '../shell/session.ts';
import type { CouponOptions, GenerateOptions } from './coupon-options.ts';

const EXAMPLE_ENVIRONMENT = 'env_01h455vb4pex5vsknk084sn02q';

/** Adds `rewards coupon …`. */
export function addCouponCommands(cli: Command): void {
  const coupon = cli
    .command('coupon')
    .description('codes of coupons that are pools: make them, import them, assign and disable them');
  addGenerate(coupon);
  addImport(coupon);
  addList(coupon);
  addShow(coupon);
  addAssign(coupon);
  addDisable(coupon);
}

/** A command on codes, with the options that all have. */
function command(coupon: Command, name: string, description: string, { changes }: { changes: boolean }) {
  const added = coupon
    .command(name)
    .description(description)
    .addOption(requiredEnvironmentOption())
    .addOption(programOption().makeOptionMandatory());
  return changes ? added.addOption(actorOption()).addOption(jsonOption()) : added.addOption(jsonOption());
}

function addGenerate(coupon: Command): void {
  command(coupon, 'generate', 'make codes for a pool, and write them to a file', { changes: true })
    .requiredOption('--pool <code>', 'the coupon of the document whose pool it is')
    .requiredOption('--count <number>', 'how many', parsePositiveInteger)
    .requiredOption('--pattern <pattern>', PATTERN_RULE, parsePattern)
    .requiredOption('--file <file>', 'the codes, one in a line; must not exist')
    .addHelpText(
      'after',
      `
The file is the only place where the codes stand: the database has their hashes, and nobody can export them again. It is
readable by its owner alone (mode 0600). Either all codes are made, or none: until then the file is called FILE.part.

Example:
  $ rewards coupon generate -e ${EXAMPLE_ENVIRONMENT} -p coffee-club --pool SUMMER --count 1000000 \\
      --pattern SUMMER-######## --file summer.txt
`,
    )
    .action(async (options: GenerateOptions) => {
      const { runGenerate } = await import('./run-generate.ts');
      await withSession({ ...options, endsWhenInterrupted: true }, (session) =>
        runGenerate(options, session),
      );
    });
}

function addImport(coupon: Command): void {
  command(coupon, 'import', 'add codes that exist already to a pool', { changes: true })
    .argument('<file>', 'codes, one in a line, in UTF-8; - for standard input')
    .requiredOption('--pool <code>', 'the coupon of the document whose pool it is')
    .addHelpText(
      'after',
      `
Codes have 6 to 100 letters and digits; hyphens, blanks and case do not count. Run again after an interruption: what is
done stays done. Exit code 1 if there was a line that could not be imported.

Example:
  $ rewards coupon import codes.txt -e ${EXAMPLE_ENVIRONMENT} -p coffee-club --pool SUMMER
`,
    )
    .action(async (file: string, options: CouponOptions & { pool: string }) => {
      const { runCodeImport } = await import('./run-import.ts');
      await withSession({ ...options, endsWhenInterrupted: true }, (session) =>
        runCodeImport(file, options, session),
      );
    });
}

function addList(coupon: Command): void {
  command(coupon, 'list', 'count the codes of each pool, or list the codes that begin so', { changes: false })
    .option('--pool <code>', 'the codes of this pool, by their beginnings')
    .option('--prefix <text>', 'with --pool: only those that begin so')
    .option('--limit <number>', 'the most codes to list', parsePositiveInteger, 100)
    .addHelpText(
      'after',
      `
Example:
  $ rewards coupon list -e ${EXAMPLE_ENVIRONMENT} -p coffee-club --pool SUMMER --prefix SUMMER-7
`,
    )
    .action(async (options: CouponOptions & { pool?: string; prefix?: string; limit: number }) => {
      const { runList } = await import('./run-read.ts');
      await withSession({}, (session) => runList(options, session));
    });
}

function addShow(coupon: Command): void {
  command(
    coupon,
    'show',
    'show a code: its pool, its uses, whose it is, and the purchases that redeemed it',
    {
      changes: false,
    },
  )
    .argument('<code>', 'the whole code')
    .addHelpText(
      'after',
      `\nExample:\n  $ rewards coupon show SUMMER-7KQ3M9TX -e ${EXAMPLE_ENVIRONMENT} -p coffee-club\n`,
    )
    .action(async (code: string, options: CouponOptions) => {
      const { runShow } = await import('./run-read.ts');
      await withSession({}, (session) => runShow(code, options, session));
    });
}

function addAssign(coupon: Command): void {
  command(coupon, 'assign', 'give a code to a member: nobody else can redeem it then', { changes: true })
    .argument('<code>', 'the whole code')
    .argument('<customer>', CUSTOMER)
    .addHelpText(
      'after',
      `\nExample:\n  $ rewards coupon assign SUMMER-7KQ3M9TX customer-ada -e ${EXAMPLE_ENVIRONMENT} -p coffee-club\n`,
    )
    .action(async (code: string, nameOrId: string, options: CouponOptions) => {
      const { runAssign } = await import('./run-change.ts');
      await withSession(options, async (session) => {
        const customer = await customerOf(session, options.environment, nameOrId);
        await runAssign(code, customer, options, session);
      });
    });
}

function addDisable(coupon: Command): void {
  command(coupon, 'disable', 'disable a code for good: nobody can redeem it any more', { changes: true })
    .argument('<code>', 'the whole code')
    .addHelpText(
      'after',
      `\nExample:\n  $ rewards coupon disable SUMMER-7KQ3M9TX -e ${EXAMPLE_ENVIRONMENT} -p coffee-club\n`,
    )
    .action(async (code: string, options: CouponOptions) => {
      const { runDisable } = await import('./run-change.ts');
      await withSession(options, (session) => runDisable(code, options, session));
    });
}

function parsePattern(text: string): CodePattern {
  const pattern = readPattern(text);
  if (pattern === null) throw new InvalidArgumentError(`It must have ${PATTERN_RULE}.`);
  return pattern;
}
