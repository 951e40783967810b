import { type Command, Option } from 'commander';
import { createEnvironment } from '../admin/create-environment.ts';
import { listEnvironments } from '../admin/list-environments.ts';
import { lockEnvironment } from '../admin/lock-environment.ts';
import { toTypeId } from '../ids.ts';
import { addClockCommands } from './env-clock.ts';
import { actorOption, jsonOption, parseEnvironmentId, parseId, parseName } from './shell/arguments.ts';
import { orFail } from './shell/failure.ts';
import { instant, print, table } from './shell/output.ts';
import { withSession } from './shell/session.ts';

interface Common {
  actor?: string;
  json?: boolean;
}

/** Adds `rewards env …`. */
export function addEnvironmentCommands(cli: Command): void {
  const env = cli
    .command('env')
    .description('environments: a Sandbox to try things in, a Production for customers');
  addCreate(env);
  addLock(env, true);
  addLock(env, false);
  addList(env);
  addClockCommands(env);
}

function addCreate(env: Command): void {
  const parseTenantId = parseId('ten', 'The tenants there are: rewards tenant list');
  env
    .command('create')
    .description('make an environment of a tenant and print its id')
    .requiredOption('-t, --tenant <id>', 'tenant (ten_…)', parseTenantId)
    .addOption(
      new Option('-k, --kind <kind>', 'what it is for')
        .choices(['sandbox', 'production'])
        .makeOptionMandatory(),
    )
    .option('-n, --name <name>', 'what people call it (default: Sandbox or Production)', parseName)
    .addOption(actorOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      '\nExample:\n  $ rewards env create --tenant ten_01h455vb4pex5vsknk084sn02q --kind sandbox\n',
    )
    .action(async (options: Common & { tenant: string; kind: 'sandbox' | 'production'; name?: string }) => {
      const { tenant: tenantId, kind } = options;
      const name = options.name ?? (kind === 'production' ? 'Production' : 'Sandbox');
      const made = await withSession(options, async ({ administrator }) =>
        orFail(await createEnvironment(administrator, { tenantId, kind, name })),
      );
      const id = toTypeId('env', made.environmentId);
      print(options.json, { environmentId: id, tenantId: toTypeId('ten', tenantId), kind, name }, () => id);
    });
}

function addLock(env: Command, locked: boolean): void {
  const verb = locked ? 'lock' : 'unlock';
  const what = locked
    ? 'make Production refuse mutations (409 production_locked); reads go on'
    : 'let Production take mutations again';
  env
    .command(verb)
    .description(what)
    .argument('<environment>', 'environment (env_…)', parseEnvironmentId)
    .addOption(actorOption())
    .addOption(jsonOption())
    .addHelpText('after', `\nExample:\n  $ rewards env ${verb} env_01h455vb4pex5vsknk084sn02q --actor ada\n`)
    .action(async (environmentId: string, options: Common) => {
      const outcome = await withSession(options, async ({ administrator }) =>
        orFail(await lockEnvironment(administrator, environmentId, locked)),
      );
      const id = toTypeId('env', environmentId);
      print(options.json, { environmentId: id, ...outcome }, () =>
        outcome.changed ? `${id} is ${verb}ed.` : `${id} was ${verb}ed already; nothing changed.`,
      );
    });
}

function addList(env: Command): void {
  env
    .command('list')
    .description('list every environment, with its tenant and programs')
    .addOption(jsonOption())
    .addHelpText('after', "\nExample:\n  $ rewards env list --json | jq -r '.environments[].environmentId'\n")
    .action(async (options: Common) => {
      const listed = await withSession({}, ({ administrator }) => listEnvironments(administrator.prisma));
      const environments = listed.map((one) => ({
        ...one,
        environmentId: toTypeId('env', one.environmentId),
        tenantId: toTypeId('ten', one.tenantId),
      }));
      print(options.json, { environments }, () =>
        environments.length === 0
          ? 'There are no environments. Make one: rewards tenant create NAME, then rewards env create'
          : table(
              [
                'environment',
                'kind',
                'name',
                'locked',
                'clock',
                'tenant',
                'tenant id',
                'programs',
                'created',
              ],
              environments.map((one) => [
                one.environmentId,
                one.kind,
                one.name,
                one.locked ? 'yes' : 'no',
                one.clock.state === 'real' ? '-' : `${one.clock.state} ${instant(one.clock.now)}`,
                one.tenantName,
                one.tenantId,
                one.programIds.join(' ') || '-',
                instant(one.createdAt),
              ]),
            ),
      );
    });
}
