import { type Command, Option } from 'commander';
import { findEnvironment } from '../admin/shared/find-environment.ts';
import type { ListedMember, MemberFilter, MemberStatus } from '../contract/generated/types.ts';
import {
  jsonOption,
  parseLabel,
  parsePositiveInteger,
  requiredEnvironmentOption,
} from './shell/arguments.ts';
import { orFail } from './shell/failure.ts';
import { hint, print, table } from './shell/output.ts';
import { readPages } from './shell/read-pages.ts';
import { type Session, withSession } from './shell/session.ts';

interface Options {
  /** UUID. */
  environment: string;
  idPrefix?: string;
  namePrefix?: string;
  tag?: string;
  list?: string;
  program?: string;
  tier?: string;
  status?: MemberStatus;
  limit: number;
  json?: boolean;
}

const STATUSES = Object.keys({
  active: true,
  suspended: true,
  erased: true,
} satisfies Record<MemberStatus, true>);

/** Adds `rewards member list`. */
export function addMemberListCommand(member: Command): void {
  member
    .command('list')
    .description('list members, newest first, or by what a prefix is of')
    .addOption(requiredEnvironmentOption())
    .option('--id-prefix <text>', 'whose externalCustomerId begins with it')
    .option('--name-prefix <text>', 'whose name begins with it, in either case')
    .option('--tag <tag>', 'that have this tag', parseLabel)
    .option('--list <name>', 'on this list', parseLabel)
    .option('-p, --program <id>', 'enrolled in this program at present')
    .option('--tier <id>', 'in this tier of the program')
    .addOption(new Option('--status <name>', 'of this status alone').choices(STATUSES))
    .option('--limit <number>', 'most members to print', parsePositiveInteger, 50)
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Names are not printed: output of a terminal ends up in logs.

Examples:
  $ rewards member list -e env_01h455vb4pex5vsknk084sn02q --id-prefix customer-a
  $ rewards member list -e env_01h455vb4pex5vsknk084sn02q -p coffee-club --tier gold --tag press
`,
    )
    .action((options: Options) =>
      withSession({}, async (session) => {
        const members = (await readMembers(session, options)).map(withoutName);
        if (members.length === 0 && !options.json) hint('There is no such member.');
        else print(options.json, { members }, () => describe(members));
      }),
    );
}

async function readMembers({ administrator, pool }: Session, options: Options): Promise<ListedMember[]> {
  const { environment, idPrefix, namePrefix, tag, list, program, tier, status, limit } = options;
  orFail(await findEnvironment(administrator.prisma, environment));
  const { createQueries } = await import('../queries/queries.ts');
  const queries = createQueries(pool);
  const filter: MemberFilter = {
    externalCustomerIdPrefix: idPrefix ?? null,
    displayNamePrefix: namePrefix ?? null,
    tag: tag ?? null,
    list: list ?? null,
    programId: program ?? null,
    tier: tier ?? null,
    status: status ?? null,
  };
  return readPages(limit, (most, cursor) => queries.members(environment, filter, { limit: most, cursor }));
}

function withoutName({ displayName: _, ...member }: ListedMember): Omit<ListedMember, 'displayName'> {
  return member;
}

function describe(members: readonly Omit<ListedMember, 'displayName'>[]): string {
  return table(
    ['customer', 'member', 'status', 'consent', 'programs', 'tags', 'lists'],
    members.map((each) => [
      each.externalCustomerId,
      each.id,
      each.status,
      each.consentStatus,
      each.programs
        .map(({ programId, tier, status }) => `${programId} (${status === 'enrolled' ? tier : status})`)
        .join(', ') || '-',
      each.tags.join(', ') || '-',
      each.lists.join(', ') || '-',
    ]),
  );
}
