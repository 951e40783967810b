import type { Command } from 'commander';
import { findEnvironment } from '../admin/find-environment.ts';
import { type LabelledMembers, labelMembers } from '../admin/label-members.ts';
import { toTypeId } from '../ids.ts';
import type { MemberView } from '../queries/shared/member-view.ts';
import { actorOption, jsonOption, parseLabel, requiredEnvironmentOption } from './shell/arguments.ts';
import { CliFailure, orFail } from './shell/failure.ts';
import { print, table } from './shell/output.ts';
import { withSession } from './shell/session.ts';

interface Options {
  environment: string;
  actor?: string;
  json?: boolean;
}

/** Adds `rewards member …`. */
export function addMemberCommands(cli: Command): void {
  const member = cli.command('member').description('members: what they have, and their tags');
  addTagging(member, 'tag', true);
  addTagging(member, 'untag', false);
  addShow(member);
}

function addTagging(member: Command, name: 'tag' | 'untag', present: boolean): void {
  member
    .command(name)
    .description(present ? 'put tags on a member; audiences look at them' : 'take tags off a member')
    .argument('<customer>', "the member's externalCustomerId")
    .argument('<tags...>', 'tags of 1 to 100 characters; a member has 50 at most', collect)
    .addOption(requiredEnvironmentOption())
    .addOption(actorOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `\nExample:\n  $ rewards member ${name} customer-ada press vip -e env_01h455vb4pex5vsknk084sn02q\n`,
    )
    .action(async (customer: string, tags: string[], options: Options) => {
      const change = { kind: 'tags', labels: tags, present } as const;
      const done = await withSession(options, async ({ administrator }) =>
        orFail(await labelMembers(administrator, options.environment, [customer], change)),
      );
      refuseMember(done, customer);
      const changed = done.changed.length > 0;
      print(options.json, { externalCustomerId: customer, tags, changed }, () =>
        changed
          ? `${customer} is ${present ? 'tagged' : 'untagged'}: ${tags.join(', ')}`
          : `${customer} has ${present ? 'these tags already' : 'none of these tags'}; nothing changed.`,
      );
    });
}

function addShow(member: Command): void {
  member
    .command('show')
    .description('show a member as of now: programs, tiers and balances, tags and lists')
    .argument('<customer>', "the member's externalCustomerId")
    .addOption(requiredEnvironmentOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      '\nExample:\n  $ rewards member show customer-ada -e env_01h455vb4pex5vsknk084sn02q\n',
    )
    .action(async (customer: string, { environment, json }: Options) => {
      const view = await withSession({}, async ({ administrator, pool }) => {
        orFail(await findEnvironment(administrator.prisma, environment));
        const { createQueries } = await import('../queries/postgres-queries.ts');
        return createQueries(pool).member(environment, customer);
      });
      if (!view) throw unknownMember(customer);
      const shown = shownMember(view);
      print(json, shown, () => describe(shown));
    });
}

function collect(text: string, before: string[] = []): string[] {
  return [...before, parseLabel(text)];
}

function refuseMember({ unknown, full }: LabelledMembers, customer: string): void {
  if (unknown.length > 0) throw unknownMember(customer);
  if (full.length > 0) throw new CliFailure(`${customer} would have more than 50 tags; nothing changed.`);
}

function unknownMember(customer: string): CliFailure {
  return new CliFailure(`There is no member with the externalCustomerId ${customer} in this environment.`);
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
