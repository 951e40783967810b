import { type Command, Option } from 'commander';
import { findEnvironment } from '../admin/shared/find-environment.ts';
import type { Operation, OperationStatus, OperationType } from '../contract/generated/types.ts';
import { toTypeId } from '../ids.ts';
import {
  environmentOption,
  jsonOption,
  parseOperationId,
  parsePositiveInteger,
  requiredEnvironmentOption,
} from './shell/arguments.ts';
import { CliFailure, orFail } from './shell/failure.ts';
import { hint, print, table } from './shell/output.ts';
import { readPages } from './shell/read-pages.ts';
import { type Session, withSession } from './shell/session.ts';

interface ListOptions {
  /** UUID. */
  environment: string;
  type?: OperationType;
  status?: OperationStatus;
  limit: number;
  json?: boolean;
}

const TYPES = Object.keys({
  import: true,
  export: true,
  expiry_run: true,
  tier_run: true,
  exchange_settlement: true,
  simulation: true,
  webhook_replay: true,
  erasure: true,
} satisfies Record<OperationType, true>);
const STATUSES = Object.keys({
  queued: true,
  running: true,
  succeeded: true,
  failed: true,
} satisfies Record<OperationStatus, true>);

/** Adds `rewards operation list` and `rewards operation show`. */
export function addOperationCommands(cli: Command): void {
  const operation = cli
    .command('operation')
    .description('what takes long: imports, exports, replays, erasures, sweeps, simulations');
  addListCommand(operation);
  addShowCommand(operation);
}

function addListCommand(operation: Command): void {
  operation
    .command('list')
    .description('list the operations of an environment, newest first')
    .addOption(requiredEnvironmentOption())
    .addOption(new Option('--type <name>', 'of this type alone').choices(TYPES))
    .addOption(new Option('--status <name>', 'of this status alone').choices(STATUSES))
    .option('--limit <number>', 'most operations to print', parsePositiveInteger, 50)
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Examples:
  $ rewards operation list -e env_01h455vb4pex5vsknk084sn02q --status failed
  $ rewards operation list -e env_01h455vb4pex5vsknk084sn02q --type import --limit 1 --json
`,
    )
    .action((options: ListOptions) =>
      withSession({}, async (session) => {
        const operations = await readOperations(session, options);
        if (operations.length === 0 && !options.json) hint('There is no such operation.');
        else print(options.json, { operations }, () => describeAll(operations));
      }),
    );
}

function addShowCommand(operation: Command): void {
  operation
    .command('show')
    .description('print an operation: its progress, its result, or why it failed')
    .argument('<id>', 'op_…, as commands and the list print it', parseOperationId)
    .addOption(environmentOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Example:
  $ rewards operation show op_01h455vb4pex5vsknk084sn02q
`,
    )
    .action((uuid: string, { environment, json }: { environment?: string; json?: boolean }) =>
      withSession({}, async ({ administrator, pool }) => {
        if (environment) orFail(await findEnvironment(administrator.prisma, environment));
        // An id says which operation it is, whatever the environment.
        const of = await administrator.prisma.operation.findFirst({
          where: { id: uuid, ...(environment && { environmentId: environment }) },
          select: { environmentId: true },
        });
        const id = toTypeId('op', uuid);
        const { readOperation } = await import('../queries/operations.ts');
        const operation = of && (await readOperation(pool, of.environmentId, id));
        if (!operation) {
          const where = environment ? 'This environment has' : 'There is';
          throw new CliFailure(`${where} no operation ${id}. rewards operation list -e ENVIRONMENT`);
        }
        print(json, operation, () => describe(operation));
      }),
    );
}

async function readOperations(
  { administrator, pool }: Session,
  { environment, type, status, limit }: ListOptions,
): Promise<Operation[]> {
  orFail(await findEnvironment(administrator.prisma, environment));
  const [{ listOfOperations }, { Cursors }, { ReadPool }] = await Promise.all([
    import('../queries/operations.ts'),
    import('../queries/shared/cursors.ts'),
    import('../queries/shared/read-pool.ts'),
  ]);
  const reads = new ReadPool(pool);
  const access = {
    connections: reads.of(environment),
    cursors: new Cursors(reads),
    environmentId: environment,
  };
  const filter = { type: type ?? null, status: status ?? null };
  return readPages(limit, (most, cursor) => listOfOperations(access, filter, { limit: most, cursor }));
}

function describeAll(operations: readonly Operation[]): string {
  return table(
    ['operation', 'type', 'status', 'progress', 'created', 'finished'],
    operations.map((each) => [
      each.id,
      each.type,
      each.error ? `${each.status} (${each.error.code})` : each.status,
      progressOf(each),
      each.createdAt,
      each.finishedAt ?? '-',
    ]),
  );
}

function describe(operation: Operation): string {
  const { id, type, status, createdAt, startedAt, finishedAt, result, error } = operation;
  const lines = [
    ['type', type],
    ['status', status],
    ['progress', progressOf(operation)],
    ['created', createdAt],
    ['started', startedAt ?? '-'],
    ['finished', finishedAt ?? '-'],
    ...(result ? [['result', JSON.stringify(result)]] : []),
    ...(error ? [['error', `${error.code}: ${error.message}`]] : []),
  ];
  return [id, ...lines.map(([name = '', value]) => `  ${name.padEnd(10)}${value}`)].join('\n');
}

function progressOf({ progress: { done, total } }: Operation): string {
  return total === null || total === undefined ? String(done) : `${done} of ${total}`;
}
