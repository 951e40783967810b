import { type Command, Option } from 'commander';
import { findEnvironment } from '../admin/shared/find-environment.ts';
import type { AdjustmentState } from '../contract/generated/types.ts';
import { toTypeId } from '../ids.ts';
import type { ListedAdjustment } from '../queries/adjustments.ts';
import { jsonOption, parsePositiveInteger, requiredEnvironmentOption } from './shell/arguments.ts';
import { addCustomerOption, CUSTOMER, customerOf } from './shell/customer.ts';
import { orFail } from './shell/failure.ts';
import { hint, print, table } from './shell/output.ts';
import { readPages } from './shell/read-pages.ts';
import { type Session, withSession } from './shell/session.ts';

interface Options {
  /** UUID. */
  environment: string;
  state?: AdjustmentState;
  customer?: string;
  program?: string;
  limit: number;
  json?: boolean;
}

const STATES = Object.keys({
  requested: true,
  posted: true,
  rejected: true,
  reversed: true,
  expired: true,
} satisfies Record<AdjustmentState, true>);

/** Adds `rewards adjustment list`. */
export function addAdjustmentCommands(cli: Command): void {
  const list = cli
    .command('adjustment')
    .description('corrections of points, which one person requests and another one decides on')
    .command('list')
    .description('list adjustments, newest first, without their evidence')
    .addOption(requiredEnvironmentOption())
    .addOption(new Option('--state <name>', 'in this state; requested is what waits').choices(STATES));
  addCustomerOption(list, `of this member: ${CUSTOMER}`)
    .option('-p, --program <id>', 'of this program')
    .option('--limit <number>', 'most adjustments to print', parsePositiveInteger, 50)
    .addOption(jsonOption())
    .addHelpText(
      'after',
      '\nExample:\n  $ rewards adjustment list -e env_01h455vb4pex5vsknk084sn02q --state requested\n',
    )
    .action((options: Options) =>
      withSession({}, async (session) => {
        const adjustments = (await readAdjustments(session, options)).map(shown);
        if (adjustments.length === 0 && !options.json) hint('There is no such adjustment.');
        else print(options.json, { adjustments }, () => describe(adjustments));
      }),
    );
}

async function readAdjustments(
  { administrator, pool }: Session,
  { environment, state, customer, program, limit }: Options,
): Promise<ListedAdjustment[]> {
  orFail(await findEnvironment(administrator.prisma, environment));
  const { createQueries } = await import('../queries/queries.ts');
  const queries = createQueries(pool);
  const filter = {
    state: state ?? null,
    externalCustomerId: customer === undefined ? null : await customerOf({ pool }, environment, customer),
    programId: program ?? null,
  };
  return readPages(limit, (pageLimit, cursor) =>
    queries.adjustments(environment, filter, { limit: pageLimit, cursor }),
  );
}

/** The adjustment without evidence: output of a terminal ends up in logs. */
function shown({ adjustment, externalCustomerId }: ListedAdjustment) {
  const { id, state, programId, direction, points, reason, requestedBy, requestedAt, expiresAt, decidedBy } =
    adjustment;
  return {
    adjustmentId: toTypeId('adj', id),
    state,
    externalCustomerId,
    programId,
    direction,
    points,
    reason,
    requestedBy,
    requestedAt,
    expiresAt,
    decidedBy,
  };
}

function describe(adjustments: readonly ReturnType<typeof shown>[]): string {
  return table(
    ['adjustment', 'state', 'customer', 'program', 'points', 'requested by', 'at', 'reason'],
    adjustments.map((each) => [
      each.adjustmentId,
      each.state,
      each.externalCustomerId,
      each.programId,
      each.direction === 'credit' ? each.points : -each.points,
      each.requestedBy,
      each.requestedAt.toISOString(),
      each.reason,
    ]),
  );
}
