import type { Command } from 'commander';
import { findEnvironment } from '../admin/shared/find-environment.ts';
import type { AuditEvent, AuditEventFilter } from '../contract/generated/types.ts';
import type { Pool } from '../db/pool.ts';
import { toTypeId } from '../ids.ts';
import {
  jsonOption,
  parseInstant,
  parsePositiveInteger,
  requiredEnvironmentOption,
} from './shell/arguments.ts';
import { orFail } from './shell/failure.ts';
import { hint, print, table } from './shell/output.ts';
import { readPages } from './shell/read-pages.ts';
import { withSession } from './shell/session.ts';

interface ShowOptions {
  environment: string;
  action?: string;
  targetType?: string;
  target?: string;
  by?: string;
  from?: Date;
  to?: Date;
  limit: number;
  json?: boolean;
}

/** Adds `rewards audit head` and `rewards audit show`. */
export function addAuditCommands(cli: Command): void {
  const audit = cli.command('audit').description('the audit trail of an environment');
  addHeadCommand(audit);
  addShowCommand(audit);
}

function addHeadCommand(audit: Command): void {
  audit
    .command('head')
    .description('print position and hash of the last sealed event, to be noted down elsewhere')
    .addOption(requiredEnvironmentOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
A server seals audit events every 15 seconds. "rewards verify audit --noted POSITION:HASH" checks that the chain still
leads through a head that was noted down.

Example:
  $ rewards audit head -e env_01h455vb4pex5vsknk084sn02q
`,
    )
    .action(({ environment, json }: { environment: string; json?: boolean }) =>
      withSession({}, async ({ administrator, pool }) => {
        orFail(await findEnvironment(administrator.prisma, environment));
        const { readAuditHead } = await import('../queries/audit/verify-audit.ts');
        const client = await pool.connect();
        const head = await readAuditHead(client, environment).finally(() => client.release());
        print(json, head, () => `${head.position}:${head.hash}`);
      }),
    );
}

function addShowCommand(audit: Command): void {
  audit
    .command('show')
    .description('list who changed what, newest first')
    .addOption(requiredEnvironmentOption())
    .option('--action <name>', 'such as member.created')
    .option('--target-type <name>', 'such as member')
    .option('--target <id>', 'what was changed: an id such as mem_…, or the externalCustomerId of a member')
    .option('--by <actor>', 'principal of an API key, or name of an operator')
    .option('--from <instant>', 'at this instant or later', parseInstant)
    .option('--to <instant>', 'before this instant', parseInstant)
    .option('--limit <number>', 'most events to print', parsePositiveInteger, 50)
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Examples:
  $ rewards audit show -e env_01h455vb4pex5vsknk084sn02q --action member.suspended
  $ rewards audit show -e env_01h455vb4pex5vsknk084sn02q --target customer-ada
  $ rewards audit show -e env_01h455vb4pex5vsknk084sn02q --by ada --from 2027-01-01 --json
`,
    )
    .action((options: ShowOptions) =>
      withSession({}, async ({ administrator, pool }) => {
        orFail(await findEnvironment(administrator.prisma, options.environment));
        const target = options.target && (await targetOf(pool, options.environment, options.target));
        const events = await readEvents(pool, { ...options, ...(target && { target }) });
        if (events.length === 0 && !options.json) hint('There is no such event.');
        else print(options.json, { events }, () => describe(events));
      }),
    );
}

/**
 * The id of the member whom the trail names where an externalCustomerId is given; other targets are as they are named.
 */
async function targetOf(pool: Pool, environmentId: string, named: string): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(
    'select id from members where environment_id = $1::uuid and external_customer_id = $2::text',
    [environmentId, named],
  );
  return rows[0] ? toTypeId('mem', rows[0].id) : named;
}

async function readEvents(pool: Pool, options: ShowOptions): Promise<AuditEvent[]> {
  const [{ listOfAuditEvents }, { Cursors }, { ReadPool }] = await Promise.all([
    import('../queries/audit/audit-events.ts'),
    import('../queries/shared/cursors.ts'),
    import('../queries/shared/read-pool.ts'),
  ]);
  const { environment, limit } = options;
  const filter: AuditEventFilter = {
    action: options.action ?? null,
    targetType: options.targetType ?? null,
    targetId: options.target ?? null,
    actorId: options.by ?? null,
    from: options.from?.toISOString() ?? null,
    to: options.to?.toISOString() ?? null,
  };
  const reads = new ReadPool(pool);
  const access = {
    connections: reads.of(environment),
    cursors: new Cursors(reads),
    environmentId: environment,
  };
  return readPages(limit, (most, cursor) => listOfAuditEvents(access, filter, { limit: most, cursor }));
}

function describe(events: readonly AuditEvent[]): string {
  return table(
    ['at', 'actor', 'action', 'target', 'request', 'changes', 'seal'],
    events.map(({ at, actor, action, targetId, requestId, changes, seal }) => [
      at,
      `${actor.type} ${actor.id}`,
      action,
      targetId,
      requestId,
      shortened(JSON.stringify(changes)),
      seal?.position ?? '-',
    ]),
  );
}

const LONGEST_CELL = 80;

/** For the table alone: --json has all of it. */
function shortened(text: string): string {
  return text.length <= LONGEST_CELL ? text : `${text.slice(0, LONGEST_CELL - 1)}…`;
}
