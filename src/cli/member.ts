import type { Command } from 'commander';
import { findEnvironment } from '../admin/shared/find-environment.ts';
import type { LabelChange } from '../commands/members/label-members.ts';
import type { SettableStatus, StatusReceipt } from '../commands/members/set-member-status.ts';
import { newUuid, toTypeId } from '../ids.ts';
import type { MemberView } from '../queries/shared/member-view.ts';
import { isRefusal } from '../refusal.ts';
import { addMemberExportCommand } from './export/member-export.ts';
import { addEraseCommand } from './member-erase.ts';
import { addMemberListCommand } from './member-list.ts';
import { actorOption, jsonOption, parseLabel, requiredEnvironmentOption } from './shell/arguments.ts';
import { CUSTOMER, customerOf } from './shell/customer.ts';
import { CliFailure, orFail, unknownMember } from './shell/failure.ts';
import { withLabelling } from './shell/labelling.ts';
import { print, table } from './shell/output.ts';
import { type Session, withSession } from './shell/session.ts';

interface Options {
  environment: string;
  actor?: string;
  json?: boolean;
}

/** Adds `rewards member …`. */
export function addMemberCommands(cli: Command): void {
  const member = cli
    .command('member')
    .description(
      'members: what they have, their tags, their suspension and erasure, and all that is held about one',
    );
  addTagging(member, 'tag', true);
  addTagging(member, 'untag', false);
  addMemberListCommand(member);
  addShow(member);
  addStatus(member, 'suspend', 'suspended');
  addStatus(member, 'resume', 'active');
  addMemberExportCommand(member);
  addEraseCommand(member);
}

function addTagging(member: Command, name: 'tag' | 'untag', adds: boolean): void {
  member
    .command(name)
    .description(adds ? 'put tags on a member; audiences look at them' : 'take tags off a member')
    .argument('<customer>', CUSTOMER)
    .argument('<tags...>', 'tags of 1 to 100 characters; a member has 50 at most', collect)
    .addOption(requiredEnvironmentOption())
    .addOption(actorOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `\nExample:\n  $ rewards member ${name} customer-ada press vip -e env_01h455vb4pex5vsknk084sn02q\n`,
    )
    .action(async (nameOrId: string, tags: string[], options: Options) => {
      const change: LabelChange = { kind: 'tags', labels: tags, adds };
      const { customer, done } = await withSession(options, async (session) => {
        const customer = await customerOf(session, options.environment, nameOrId);
        const done = await withLabelling(session, options.environment, (labelled) =>
          labelled([customer], change),
        );
        return { customer, done };
      });
      if (done.unknown.length > 0) throw unknownMember(customer);
      if (done.full.length > 0)
        throw new CliFailure(`${customer} would have more than 50 tags; nothing changed.`);
      const changed = done.changed > 0;
      print(options.json, { externalCustomerId: customer, tags, changed }, () =>
        changed
          ? `${customer} is ${adds ? 'tagged' : 'untagged'}: ${tags.join(', ')}`
          : `${customer} has ${adds ? 'these tags already' : 'none of these tags'}; nothing changed.`,
      );
    });
}

function addShow(member: Command): void {
  member
    .command('show')
    .description('show a member as of now: programs, tiers and balances, tags and lists')
    .argument('<customer>', CUSTOMER)
    .addOption(requiredEnvironmentOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      '\nExample:\n  $ rewards member show customer-ada -e env_01h455vb4pex5vsknk084sn02q\n',
    )
    .action(async (customer: string, { environment, json }: Options) => {
      const view = await withSession({}, async ({ administrator, pool }) => {
        orFail(await findEnvironment(administrator.prisma, environment));
        const { createQueries } = await import('../queries/queries.ts');
        return createQueries(pool).member(environment, await customerOf({ pool }, environment, customer));
      });
      if (!view) throw unknownMember(customer);
      const shown = shownMember(view);
      print(json, shown, () => describe(shown));
    });
}

function addStatus(member: Command, name: 'suspend' | 'resume', status: SettableStatus): void {
  const suspends = status === 'suspended';
  member
    .command(name)
    .description(suspends ? 'suspend a member: it earns and redeems nothing' : "end a member's suspension")
    .argument('<customer>', CUSTOMER)
    .addOption(requiredEnvironmentOption())
    .addOption(actorOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
${
  suspends
    ? `The member keeps its points, its enrollments and its holds: holds can be committed or released, orders can be returned,
and points expire as ever. It also works while the environment is locked.`
    : 'A member whose consent is withdrawn stays inactive until PATCH /members/{id} gives it again.'
}

Example:
  $ rewards member ${name} customer-ada -e env_01h455vb4pex5vsknk084sn02q
`,
    )
    .action(async (nameOrId: string, options: Options) => {
      const { customer, done } = await withSession(options, async (session) => {
        const customer = await customerOf(session, options.environment, nameOrId);
        return { customer, done: await setStatus(session, options.environment, customer, status) };
      });
      if (!done) throw unknownMember(customer);
      print(options.json, { externalCustomerId: customer, ...done }, () =>
        done.changed
          ? `${customer} is ${suspends ? 'suspended' : 'no longer suspended'}.`
          : `${customer} is ${suspends ? 'suspended already' : 'not suspended'}; nothing changed.`,
      );
    });
}

/** @returns null where there is no such member */
async function setStatus(
  { administrator, config, database }: Session,
  environmentId: string,
  customer: string,
  status: SettableStatus,
): Promise<StatusReceipt | null> {
  // Loaded on demand: help and other commands do not need them.
  const [{ openDoor }, { setMemberStatus }, { storedReceipt }] = await Promise.all([
    import('./shell/door.ts'),
    import('../commands/members/set-member-status.ts'),
    import('../commands/shared/receipts.ts'),
  ]);
  orFail(await findEnvironment(administrator.prisma, environmentId));
  const caller = { environmentId, actor: administrator.actor, requestId: toTypeId('req', newUuid()) };
  const { door, close } = openDoor(database, config);
  const outcome = await door.submit(setMemberStatus(customer, status, caller)).finally(close);
  return isRefusal(outcome) ? null : storedReceipt<StatusReceipt>(outcome.receipt);
}

function collect(text: string, before: string[] = []): string[] {
  return [...before, parseLabel(text)];
}

/** The member without name and email: output of a terminal ends up in logs. */
function shownMember({ member, profiles }: MemberView) {
  return {
    memberId: toTypeId('mem', member.id),
    externalCustomerId: member.externalCustomerId,
    status: member.status,
    consentStatus: member.consentStatus,
    tags: member.tags,
    lists: member.lists,
    programs: profiles.map((profile) => ({
      programId: profile.programId,
      status: profile.enrolled ? 'enrolled' : 'unenrolled',
      tier: profile.tier,
      qualificationPoints: profile.qualificationPoints,
      requalifyAt: profile.requalifyAt,
      available: profile.available,
      pending: profile.pending,
      reserved: profile.reserved,
      purchases: profile.purchaseCount,
      referralCode: profile.referralCode,
    })),
  };
}

function describe(member: ReturnType<typeof shownMember>): string {
  const head = [
    `${member.externalCustomerId} (${member.memberId}), ${member.status}, consent ${member.consentStatus}`,
    `tags: ${member.tags.join(', ') || '-'}`,
    `lists: ${member.lists.join(', ') || '-'}`,
  ];
  if (member.programs.length === 0) return [...head, 'In no program.'].join('\n');
  const headings = [
    'program',
    'status',
    'tier',
    'qualification points',
    'until',
    'available',
    'pending',
    'held',
  ];
  const rows = member.programs.map((program) => [
    program.programId,
    program.status,
    program.tier,
    program.qualificationPoints,
    program.requalifyAt?.toISOString().slice(0, 10) ?? '-',
    program.available,
    program.pending,
    program.reserved,
  ]);
  return [...head, '', table(headings, rows)].join('\n');
}
