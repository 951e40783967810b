import { type Command, Option } from 'commander';
import { cloneEnvironment } from '../admin/environments/clone-environment.ts';
import { createEnvironment } from '../admin/environments/create-environment.ts';
import { listEnvironments } from '../admin/environments/list-environments.ts';
import { lockEnvironment } from '../admin/environments/lock-environment.ts';
import { type Reset, resetEnvironment } from '../admin/environments/reset-environment.ts';
import { toTypeId } from '../ids.ts';
import { addClockCommands } from './env-clock.ts';
import { addForkCommand } from './env-fork.ts';
import {
  actorOption,
  jsonOption,
  parseEnvironmentId,
  parseId,
  parseName,
  requiredEnvironmentOption,
} from './shell/arguments.ts';
import { CliFailure, EXIT, orFail } from './shell/failure.ts';
import { instant, print, table } from './shell/output.ts';
import { type ProgressDisplay, showProgress } from './shell/progress.ts';
import { type Session, withSession } from './shell/session.ts';

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
  addReset(env);
  addClone(env);
  addForkCommand(env);
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
      const result = await withSession(options, async ({ administrator }) =>
        orFail(await createEnvironment(administrator, { tenantId, kind, name })),
      );
      const id = toTypeId('env', result.environmentId);
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

function addReset(env: Command): void {
  env
    .command('reset')
    .description('empty a Sandbox: members, ledger, events; programs, keys and endpoints stay')
    .addOption(requiredEnvironmentOption())
    .option('--yes', 'do it; without this it only says what it would do')
    .addOption(actorOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
It cannot be undone. Programs, deployments, keys, issuers, webhook endpoints and the audit trail stay, and the
clock shows the real time again. Mutations are refused (409 production_locked) until it is done. Where it was
interrupted, the same command goes on.

Example:
  $ rewards env reset -e env_01h455vb4pex5vsknk084sn02q --yes
`,
    )
    .action(async (options: Common & { environment: string; yes?: boolean }) => {
      const id = toTypeId('env', options.environment);
      if (!options.yes) {
        throw new CliFailure(
          `This would remove every member of ${id}, with all points and events. To do it, add --yes.`,
          EXIT.usage,
        );
      }
      const outcome = await withSession({ ...options, endsWhenInterrupted: true }, (session) =>
        reset(session, options.environment),
      );
      print(options.json, { environmentId: id, ...outcome }, () =>
        outcome.complete
          ? `${id} is empty: ${outcome.removed} rows were removed.`
          : `Interrupted after ${outcome.removed} rows. ${id} stays locked: run the same command again.`,
      );
      if (!outcome.complete) process.exitCode = EXIT.failure;
    });
}

async function reset({ administrator, pool, interrupted }: Session, environmentId: string): Promise<Reset> {
  let progress: ProgressDisplay | null = null;
  const onProgress = (done: number, total: number): void => {
    progress ??= showProgress(total, 'tables');
    progress.update(done);
  };
  const resetter = { administrator, pool, signal: interrupted, onProgress };
  const outcome = await resetEnvironment(resetter, environmentId);
  (progress as ProgressDisplay | null)?.stop();
  return orFail(outcome);
}

function addClone(env: Command): void {
  env
    .command('clone')
    .description(
      'fill an empty Sandbox with the programs, issuers, deployments and webhook endpoints of another environment',
    )
    .requiredOption('--from <id>', 'environment to copy (env_…)', parseEnvironmentId)
    .requiredOption('--to <id>', 'empty Sandbox of the same tenant (env_…)', parseEnvironmentId)
    .addOption(actorOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Programs and deployments come with all of their versions. Endpoints are disabled and have new signing secrets:
rotate a secret to see it, then activate the endpoint. Members, keys and signatures of finance sections are
not copied.

Example:
  $ rewards env clone --from env_01h455vb4pex5vsknk084sn02q --to env_01h455vb4pex5vsknk084sn02r
`,
    )
    .action(async (options: Common & { from: string; to: string }) => {
      const clone = await withSession(options, async ({ administrator, config }) => {
        const [{ SecretBox }, { secretsKeysOf }] = await Promise.all([
          import('../auth/secret-box.ts'),
          import('../auth/secrets-file.ts'),
        ]);
        const keys = await secretsKeysOf(config);
        const secrets = keys.length > 0 ? SecretBox.ofKeys(keys) : null;
        return orFail(await cloneEnvironment(administrator, options, secrets));
      });
      const to = toTypeId('env', options.to);
      print(options.json, { from: toTypeId('env', options.from), to, ...clone }, () =>
        [
          `${to} is a copy of ${toTypeId('env', options.from)}:`,
          ...Object.entries(clone).map(([what, count]) => `  ${what}: ${count}`),
        ].join('\n'),
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
