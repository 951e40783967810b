import type { Command } from 'commander';
import type { PurchaseEarnInput } from '../../contract/generated/types.ts';
import type { ProgramDocument } from '../../programs/document/program-document.ts';
import type { PublishedProgram } from '../../programs/published/published-program.ts';
import { type Detail, isRefusal, type Refusal, refuse } from '../../refusal.ts';
import type { CustomerState, DescribedMember, Trial, TriedPurchase } from '../../what-if/try-purchase.ts';
import { jsonOption, requiredEnvironmentOption } from '../shell/arguments.ts';
import { addCustomerOption, CUSTOMER, customerOf } from '../shell/customer.ts';
import { CliFailure, EXIT, unknownMember } from '../shell/failure.ts';
import { print, table } from '../shell/output.ts';
import { printableLine } from '../shell/printable.ts';
import { readJsonFile } from '../shell/read-json-file.ts';
import { readProgram } from '../shell/read-program.ts';
import { withSession } from '../shell/session.ts';
import { instantOf, type Moment, parseMoment } from './moment.ts';

interface TryOptions {
  purchase: string;
  member?: string;
  environment?: string;
  customer?: string;
  at?: Moment;
  json?: boolean;
}

/** The schema of the file of `--member`: the fields of DescribedMember. */
const MEMBER_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  properties: {
    tier: { type: 'string' },
    qualificationPoints: { type: 'integer', minimum: 0 },
    purchaseCount: { type: 'integer', minimum: 0 },
    purchaseAmountMinor: { type: 'integer', minimum: 0 },
    firstPurchaseAt: { type: 'string', format: 'date-time' },
    lastPurchaseAt: { type: 'string', format: 'date-time' },
    tags: { type: 'array', items: { type: 'string' } },
    lists: { type: 'array', items: { type: 'string' } },
    memberLimitUsed: { type: 'integer', minimum: 0 },
  },
};

/** Adds `rewards program try`. */
export function addTryCommand(program: Command): void {
  const command = program
    .command('try')
    .description('say what one purchase would earn under a draft, and why')
    .argument('<file>', 'draft of the program document (YAML or JSON); - for standard input')
    .requiredOption('--purchase <file>', 'the purchase: a JSON body of POST /events')
    .option('--member <file>', 'who buys: JSON with tier, history and tags (default: a newcomer)')
    .addOption(requiredEnvironmentOption().makeOptionMandatory(false));
  addCustomerOption(command, `with --environment: who buys, as the ledger knows ${CUSTOMER} now`, 'member')
    .option(
      '--at <moment>',
      "when it is bought, such as 2027-05-04T10:00 or 2027-05-04 on the program's clock (default: now)",
      parseMoment,
    )
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
In the purchase, amountMinor and channel are needed; ids may be left out. In the member, all may: tier,
qualificationPoints, purchaseCount, purchaseAmountMinor, firstPurchaseAt, lastPurchaseAt, tags, lists, memberLimitUsed.
Nothing is written. Ends with 1 where the purchase would be refused.

Examples:
  $ rewards program try spring.yaml --purchase purchase.json --member gold.json
  $ rewards program try spring.yaml --purchase purchase.json --at 2027-05-04T10:00
  $ rewards program try spring.yaml --purchase purchase.json -e env_01h455vb4pex5vsknk084sn02q --customer customer-1
`,
    )
    .action(async (file: string, options: TryOptions, command: Command) => {
      // REWARDS_ENVIRONMENT is ignored without --customer: it may be set for other commands.
      const unasked = command.getOptionValueSource('environment') === 'env' && options.customer === undefined;
      if (unasked) delete options.environment;
      if ((options.environment === undefined) !== (options.customer === undefined)) {
        throw new CliFailure('--environment and --customer belong together.', EXIT.usage);
      }
      const draft = await readProgram(file);
      const purchase = await readPurchase(options.purchase, draft, options.customer);
      const outcome = isRefusal(purchase) ? purchase : await tryIt(file, draft, purchase, options);
      if (isRefusal(outcome)) return tellRefusal(outcome, options);
      print(options.json, outcome, () => describe(outcome));
    });
}

async function tryIt(
  file: string,
  draft: ProgramDocument,
  purchase: PurchaseEarnInput,
  options: TryOptions,
): Promise<TriedPurchase | Refusal> {
  const [{ tryPurchase }, { withDraft }] = await Promise.all([
    import('../../what-if/try-purchase.ts'),
    import('../../what-if/simulated-program.ts'),
  ]);
  const unpublished: PublishedProgram = { programId: draft.id, versions: [] };
  const trial = (buyer: Trial['buyer'], now: Date) => ({
    program: withDraft(unpublished, draft, null, 'receipt'),
    draftName: file === '-' ? 'of standard input' : file,
    purchase,
    buyer,
    now,
  });
  const { environment, customer } = options;
  const at = options.at ? momentOf(options.at, draft) : null;
  if (environment !== undefined && customer !== undefined) {
    const { known, now } = await findCustomer(environment, draft.id, customer);
    return tryPurchase(trial({ known }, at ?? now));
  }
  // Without an environment there is no database whose clock could tell the time.
  return tryPurchase(trial({ described: await readMember(options.member, draft) }, at ?? new Date()));
}

function momentOf(moment: Moment, { timeZone = 'UTC' }: ProgramDocument): Date {
  const instant = instantOf(moment, timeZone);
  const skipped = 'day' in moment ? 'day' : 'time of day';
  if (!instant) throw new CliFailure(`The clock of ${timeZone} skips that ${skipped}.`, EXIT.usage);
  return instant;
}

/** @returns the customer, and the environment's time, by which a purchase would be evaluated */
function findCustomer(
  environmentId: string,
  programId: string,
  customer: string,
): Promise<{ known: CustomerState; now: Date }> {
  return withSession({}, async ({ pool }) => {
    const [{ readCustomer }, { readTime }] = await Promise.all([
      import('../../what-if/read-customer.ts'),
      import('../../db/environment-time.ts'),
    ]);
    const known = await readCustomer(
      pool,
      environmentId,
      programId,
      await customerOf({ pool }, environmentId, customer),
    );
    if (!known) throw unknownMember(customer);
    return { known, now: await readTime(pool, environmentId) };
  });
}

/** @returns the refusal that the API would give where the file is not a valid purchase */
async function readPurchase(
  file: string,
  draft: ProgramDocument,
  customer: string | undefined,
): Promise<PurchaseEarnInput | Refusal> {
  const [parsed, { validateInput }] = await Promise.all([
    readJsonFile(file),
    import('../../graphql/schema/validate-input.ts'),
  ]);
  if (!parsed.ok) return refuse('invalid_json', `${parsed.where}: ${parsed.message}`);
  const { type, ...purchaseFields } = parsed.value;
  const input = {
    idempotencyKey: 'try',
    programId: draft.id,
    externalCustomerId: 'customer',
    sourceReference: 'order',
    ...purchaseFields,
    ...(customer === undefined ? {} : { externalCustomerId: customer }),
  };
  const details = joined(parsed.violations, validateInput('PurchaseEarnInput', input));
  if (type !== undefined && type !== 'purchase.completed') {
    details.unshift({ path: 'type', message: 'must be purchase.completed' });
  }
  const [first] = details;
  if (first) {
    const message = `The request violates the contract: ${first.path} ${first.message}.`;
    return refuse('invalid_event', message, details);
  }
  if (input.programId !== draft.id) {
    throw new CliFailure(`${file} is a purchase of ${input.programId}; the draft is of ${draft.id}.`);
  }
  return input as unknown as PurchaseEarnInput;
}

async function readMember(file: string | undefined, draft: ProgramDocument): Promise<DescribedMember> {
  if (file === undefined) return {};
  const json = await readJsonFile(file);
  if (!json.ok) throw new CliFailure(`${json.where}: ${json.message.replace('The body', 'It')}`);
  const { compileSchema } = await import('../../graphql/schema/validate-input.ts');
  const details = joined(json.violations, compileSchema(MEMBER_SCHEMA)(json.value));
  if (details.length > 0) throw new CliFailure(linesOf(file, details));
  const member = json.value as DescribedMember;
  if (member.tier !== undefined && !draft.tiers.some(({ id }) => id === member.tier)) {
    throw new CliFailure(
      `${file}: tier is none of the draft's: ${draft.tiers.map(({ id }) => id).join(', ')}.`,
    );
  }
  return member;
}

/** What is wrong with a file. Of one value, what its schema says counts: it knows which bounds hold for a number. */
function joined(violations: readonly Detail[], details: readonly Detail[]): Detail[] {
  const paths = new Set(details.map(({ path }) => path));
  return [...violations.filter(({ path }) => !paths.has(path)), ...details];
}

function linesOf(file: string, details: readonly Detail[]): string {
  return details.map(({ path, message }) => `${file}: ${path} ${message}`).join('\n');
}

function tellRefusal({ code, message, details = [] }: Refusal, { purchase, json }: TryOptions): void {
  if (!json) {
    const why = details.length > 0 ? `\n${linesOf(purchase, details)}` : '';
    throw new CliFailure(`It would be refused: ${code}: ${printableLine(message)}${why}`);
  }
  print(true, { refused: { code, message, details } }, () => '');
  process.exitCode = EXIT.failure;
}

function describe(tried: TriedPurchase): string {
  const { circumstances, steps, ruleDecisions, tier, activatesAt, expiresAt } = tried;
  const rows = ruleDecisions.map(({ kind, id, matched, points, reason }) => [
    kind.replaceAll('_', ' '),
    printableLine(id),
    matched ? 'yes' : 'no',
    points,
    printableLine(reason ?? ''),
  ]);
  const since = activatesAt === null ? 'at once' : `from ${activatesAt}`;
  const until = expiresAt === null ? '' : `, until ${expiresAt}`;
  return [
    ...circumstances.map(printableLine),
    '',
    ...steps.map((step, index) => `${String(index + 1).padStart(2)}. ${printableLine(step)}`),
    '',
    table(['considered', 'id', 'applies', 'points', 'why'], rows),
    '',
    tried.award.points > 0 ? `The points can be spent ${since}${until}.` : 'No points.',
    `After the purchase the member is in tier ${tier}.`,
  ].join('\n');
}
