import type { Command } from 'commander';
import { findEnvironment } from '../admin/shared/find-environment.ts';
import type { RequalifyResult } from '../jobs/requalify.ts';
import { jsonOption, requiredEnvironmentOption } from './shell/arguments.ts';
import { EXIT, orFail } from './shell/failure.ts';
import { hint, print } from './shell/output.ts';
import { type ProgressDisplay, showProgress } from './shell/progress.ts';
import { withSession } from './shell/session.ts';

interface Options {
  environment: string;
  all?: boolean;
  json?: boolean;
}

/** Adds `rewards tiers requalify`. */
export function addTierCommands(cli: Command): void {
  cli
    .command('tiers')
    .description('tiers of members')
    .command('requalify')
    .description('re-qualify the members whose qualification window has ended')
    .addOption(requiredEnvironmentOption())
    .option(
      '--all',
      'every enrolled member, as if the window ended now: tiers rise and fall by what is published now',
    )
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
A server does this every minute; any number may do it at once. Exit code 1 if a profile could not be
re-qualified. No server does what --all does. Points go on counting; where the window is the calendar year,
tiers rise alone, and fall at the turn of the year (docs/guide/programs.md, "Tiers").

Example:
  $ rewards tiers requalify --environment env_01h455vb4pex5vsknk084sn02q
`,
    )
    .action(requalifyTiers);
}

async function requalifyTiers({ environment, all, json }: Options): Promise<void> {
  // Imported only for this command: help and other commands do not need it.
  const [{ requalify }, { FailurePause }, { openDoor }] = await Promise.all([
    import('../jobs/requalify.ts'),
    import('../jobs/failure-pause.ts'),
    import('./shell/door.ts'),
  ]);
  await withSession({ endsWhenInterrupted: true }, async (session) => {
    const { administrator, config, database, pool, interrupted } = session;
    orFail(await findEnvironment(administrator.prisma, environment));
    const { door, close } = openDoor(database, config);
    let progress: ProgressDisplay | null = null;
    const result = await requalify({
      pool,
      door,
      environmentId: environment,
      everyone: all ?? false,
      signal: interrupted,
      failures: new FailurePause(),
      onFailed: (error, subject) => hint(`${subject} was not re-qualified: ${String(error)}`),
      onProgress(done, total) {
        progress ??= showProgress(total, 'profiles');
        progress.update(done);
      },
    }).finally(close);
    (progress as ProgressDisplay | null)?.stop();
    print(json, { ...result, interrupted: interrupted.aborted }, () => describe(result, all ?? false));
    if (result.failed > 0 || interrupted.aborted) process.exitCode = EXIT.failure;
  });
}

function describe({ profiles, changed, failed }: RequalifyResult, all: boolean): string {
  const failures = failed > 0 ? `\nfailed: ${failed}` : '';
  // A member who has not re-qualified for a tier may keep it for now: their next re-qualification decides whether it
  // falls.
  const nothing = all
    ? 'No tier changed. Tiers rise at once; a fall may wait, as window and downgrade of the qualification say.'
    : 'No window has ended.';
  return profiles === 0 && failed === 0
    ? nothing
    : `profiles re-qualified: ${profiles}\ntiers changed: ${changed}${failures}`;
}
