import { Argument, type Command, Option } from 'commander';
import { addPerson } from '../admin/people/add-person.ts';
import { giveRole, takeRole } from '../admin/people/change-role.ts';
import { listPeople, type PersonListing } from '../admin/people/list-people.ts';
import { makeSignInLink } from '../admin/people/sign-in-link.ts';
import { setPersonStatus } from '../admin/people/suspend-person.ts';
import { baseUrlOf } from '../config.ts';
import { type RoleName, roles } from '../contract/generated/roles.ts';
import { toTypeId } from '../ids.ts';
import { actorOption, environmentOption, jsonOption, parseId, parseName } from './shell/arguments.ts';
import { CliFailure, orFail } from './shell/failure.ts';
import { hint, instant, print, table } from './shell/output.ts';
import { printableLine } from './shell/printable.ts';
import { withSession } from './shell/session.ts';

interface Common {
  actor?: string;
  json?: boolean;
}

const ROLE_NAMES = Object.keys(roles) as RoleName[];
const parseTenantId = parseId('ten', 'The tenants there are: rewards tenant list');
const parsePersonId = parseId('prs', 'The people of a tenant: rewards person list --tenant TENANT');

/** Adds `rewards person …`. */
export function addPersonCommands(cli: Command): void {
  const person = cli
    .command('person')
    .description('people who sign in, and what they may do in the environments of a tenant');
  addAdd(person);
  addList(person);
  addRole(person);
  addStatus(person, 'suspend');
  addStatus(person, 'resume');
  addSignIn(person);
}

function tenantOption(): Option {
  return new Option('-t, --tenant <id>', 'tenant (ten_…)').argParser(parseTenantId).makeOptionMandatory();
}

function personArgument(): Argument {
  return new Argument('<person>', 'id of the person (prs_…)').argParser(parsePersonId);
}

function addAdd(person: Command): void {
  person
    .command('add')
    .description('add a person to a tenant and print its id')
    .argument('<name>', 'what colleagues call the person', parseName)
    .requiredOption('--email <address>', 'email of the person: no two people of a tenant have the same')
    .addOption(tenantOption())
    .addOption(actorOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
A person that was added may do nothing yet. Give it a role, and a link to sign in with:
  $ rewards person add "Ada Byron" --email ada@shop.example --tenant ten_01h455vb4pex5vsknk084sn02q
  $ rewards person role give prs_01h455vb4pex5vsknk084sn02q support
  $ rewards person sign-in prs_01h455vb4pex5vsknk084sn02q
`,
    )
    .action(async (name: string, options: Common & { email: string; tenant: string }) => {
      const { email, tenant: tenantId } = options;
      const { personId } = await withSession(options, async ({ administrator }) =>
        orFail(await addPerson(administrator, { tenantId, name, email })),
      );
      const id = toTypeId('prs', personId);
      print(options.json, { personId: id, tenantId: toTypeId('ten', tenantId), name, email }, () => id);
    });
}

function addList(person: Command): void {
  person
    .command('list')
    .description('list the people of a tenant, with their roles')
    .addOption(tenantOption())
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  $ rewards person list --tenant ten_01h455vb4pex5vsknk084sn02q\n')
    .action(async (options: Common & { tenant: string }) => {
      const listed = await withSession({}, async ({ administrator }) =>
        orFail(await listPeople(administrator.prisma, options.tenant)),
      );
      const people = listed.people.map(viewOf);
      print(options.json, { tenantId: toTypeId('ten', options.tenant), people }, () =>
        people.length === 0
          ? 'The tenant has no people. Add one: rewards person add NAME --email ADDRESS --tenant TENANT'
          : table(
              ['person', 'name', 'email', 'status', 'roles', 'last seen'],
              people.map((one) => [
                one.personId,
                printableLine(one.name),
                printableLine(one.email),
                one.status,
                one.roles.map((given) => `${given.role} in ${given.environmentId ?? 'all'}`).join('\n') ||
                  '-',
                one.lastSeenAt ? instant(one.lastSeenAt) : 'never',
              ]),
            ),
      );
    });
}

function viewOf({ personId, roles: given, ...person }: PersonListing) {
  return {
    personId: toTypeId('prs', personId),
    ...person,
    roles: given.map(({ role, environmentId }) => ({
      role,
      environmentId: environmentId && toTypeId('env', environmentId),
    })),
  };
}

function addRole(person: Command): void {
  const role = person.command('role').description('give a person a role, or take it');
  for (const way of ['give', 'take'] as const) {
    role
      .command(way)
      .description(way === 'give' ? 'give a person a role' : 'take a role from a person')
      .addArgument(personArgument())
      .addArgument(new Argument('<role>', 'what the person may do').choices(ROLE_NAMES))
      .addOption(environmentOption())
      .addOption(actorOption())
      .addOption(jsonOption())
      .addHelpText(
        'after',
        `
Without --environment, the role is for all environments of the tenant, also those that are yet to come.
What each role may do: docs/operate/people.md

Example:
  $ rewards person role ${way} prs_01h455vb4pex5vsknk084sn02q approver -e env_01h455vb4pex5vsknk084sn02q
`,
      )
      .action(async (personId: string, name: RoleName, options: Common & { environment?: string }) => {
        const environmentId = options.environment ?? null;
        const change = { personId, role: name, environmentId };
        const { changed } = await withSession(options, async ({ administrator }) =>
          orFail(await (way === 'give' ? giveRole : takeRole)(administrator, change)),
        );
        const where = environmentId ? toTypeId('env', environmentId) : null;
        const shown = { personId: toTypeId('prs', personId), role: name, environmentId: where, changed };
        const has = way === 'give' ? 'has' : 'does not have';
        const sentence = `${shown.personId} ${has} the role ${name} in ${where ?? 'all environments'}`;
        print(options.json, shown, () =>
          changed ? `${sentence} now.` : `${sentence}: nothing was changed.`,
        );
      });
  }
}

function addStatus(person: Command, way: 'suspend' | 'resume'): void {
  person
    .command(way)
    .description(
      way === 'suspend' ? 'end all sessions of a person, and refuse new ones' : 'let a person sign in again',
    )
    .addArgument(personArgument())
    .addOption(actorOption())
    .addOption(jsonOption())
    .addHelpText('after', `\nExample:\n  $ rewards person ${way} prs_01h455vb4pex5vsknk084sn02q\n`)
    .action(async (personId: string, options: Common) => {
      const status = way === 'suspend' ? 'suspended' : 'active';
      const { changed, sessions } = await withSession(options, async ({ administrator }) =>
        orFail(await setPersonStatus(administrator, personId, status)),
      );
      const id = toTypeId('prs', personId);
      print(options.json, { personId: id, status, changed, sessions }, () => {
        if (!changed) return `${id} was ${status} already.`;
        return status === 'active'
          ? `${id} may sign in again.`
          : `${id} is suspended; ${sessions} sessions ended.`;
      });
    });
}

function addSignIn(person: Command): void {
  person
    .command('sign-in')
    .description('print a link with which a person signs in once, within 15 minutes')
    .addArgument(personArgument())
    .option('--print', 'print it also where standard output is no terminal')
    .addOption(actorOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Who has the link is signed in as the person: give it to nobody else, and keep it out of logs and chats.

Example:
  $ rewards person sign-in prs_01h455vb4pex5vsknk084sn02q
`,
    )
    .action(async (personId: string, options: Common & { print?: boolean }) => {
      if (!options.print && !process.stdout.isTTY) {
        throw new CliFailure('Standard output is no terminal: add --print where the link may be kept there.');
      }
      const made = await withSession(options, async ({ administrator, config }) => {
        const { token, expiresAt } = orFail(await makeSignInLink(administrator, personId));
        return { link: `${baseUrlOf(config)}/sign-in/link#${token}`, expiresAt };
      });
      hint(`Good once, until ${instant(made.expiresAt)}.`);
      print(options.json, { personId: toTypeId('prs', personId), ...made }, () => made.link);
    });
}
