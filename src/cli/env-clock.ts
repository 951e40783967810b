import type { Command } from 'commander';
import { findEnvironment } from '../admin/shared/find-environment.ts';
import type { MoveSandboxClockInput, SandboxClock, SandboxSweep } from '../contract/generated/types.ts';
import { newUuid, toTypeId } from '../ids.ts';
import {
  actorOption,
  jsonOption,
  parseDurationSeconds,
  parseInstant,
  requiredEnvironmentOption,
} from './shell/arguments.ts';
import { EXIT, orFail } from './shell/failure.ts';
import { hint, print } from './shell/output.ts';
import { type Session, withSession } from './shell/session.ts';

interface Options {
  environment: string;
  actor?: string;
  json?: boolean;
}

type Move = Pick<MoveSandboxClockInput, 'action' | 'at' | 'runs' | 'seconds'>;

const NOTE = `
Everything of the environment goes by its clock, but rate limits, keys, tokens and the deliveries of webhooks.
When the command has ended, what was due by then is done: points expired, holds ended, tiers re-qualified,
days closed. Exit code 1 if something could not be done. A clock goes back no further than the real time and
the newest record: rewards env reset begins anew.
`;

/** Adds `rewards env clock …`. */
export function addClockCommands(env: Command): void {
  const clock = env.command('clock').description('the clock of a Sandbox, to try what time does');
  addShow(clock);
  addOptions(
    clock
      .command('set')
      .description('set the clock to an instant, where it stands until it is moved')
      .argument('<instant>', 'instant (RFC 3339), or a date, which means its midnight in UTC', parseInstant)
      .option('--run', 'let it run on from there'),
    'set 2028-01-01T12:00:00Z',
  ).action((at: Date, options: Options & { run?: boolean }) =>
    move({ action: 'set', at: at.toISOString(), runs: options.run ?? null }, options),
  );
  addOptions(
    clock
      .command('advance')
      .description('move the clock on; where it stands, it stands again afterwards')
      .argument('<duration>', 'time span such as 90m, 24h or 30d', parseDurationSeconds),
    'advance 30d',
  ).action((seconds: number, options: Options) => move({ action: 'advance', seconds }, options));
  addOptions(clock.command('reset').description('give the environment the real time again'), 'reset').action(
    (options: Options) => move({ action: 'reset' }, options),
  );
}

function addOptions(command: Command, example: string): Command {
  return command
    .addOption(requiredEnvironmentOption())
    .addOption(actorOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `${NOTE}\nExample:\n  $ rewards env clock ${example} -e env_01h455vb4pex5vsknk084sn02q\n`,
    );
}

function addShow(clock: Command): void {
  clock
    .command('show')
    .description('say what the clock shows')
    .addOption(requiredEnvironmentOption())
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  $ rewards env clock show -e env_01h455vb4pex5vsknk084sn02q\n')
    .action(async ({ environment, json }: Options) => {
      const shown = await withSession({}, async ({ administrator, pool }) => {
        orFail(await findEnvironment(administrator.prisma, environment));
        const { readSandboxClock } = await import('../queries/sandbox-clock.ts');
        return orFail(await readSandboxClock(pool, environment));
      });
      print(json, { environmentId: toTypeId('env', environment), ...shown }, () => describe(shown));
    });
}

async function move(request: Move, options: Options): Promise<void> {
  const { environment, json } = options;
  const { clock, swept, interrupted } = await withSession(
    { ...options, endsWhenInterrupted: true },
    (session) => moveAndSweep(session, environment, request),
  );
  print(json, { environmentId: toTypeId('env', environment), clock, swept, interrupted }, () =>
    [describe(clock), ...describeSweep(swept)].join('\n'),
  );
  if (swept.failed > 0 || interrupted) process.exitCode = EXIT.failure;
}

async function moveAndSweep(
  { administrator, config, database, pool, interrupted }: Session,
  environmentId: string,
  request: Move,
): Promise<{ clock: SandboxClock; swept: SandboxSweep; interrupted: boolean }> {
  orFail(await findEnvironment(administrator.prisma, environmentId));
  // Loaded on demand: help and other commands do not need them.
  const [{ openDoor }, { moveSandboxClock }, { sweepEnvironment }] = await Promise.all([
    import('./shell/door.ts'),
    import('../commands/move-sandbox-clock.ts'),
    import('../jobs/sweep-environment.ts'),
  ]);
  const input = { idempotencyKey: newUuid(), at: null, runs: null, seconds: null, ...request };
  const caller = {
    environmentId,
    actor: administrator.actor,
    requestId: toTypeId('req', newUuid()),
  };
  const { door, close } = openDoor(database, config);
  try {
    const { receipt } = orFail(await door.submit(orFail(moveSandboxClock(input, caller))));
    const { clock } = receipt as { clock: SandboxClock };
    const swept = await sweepEnvironment({
      ...{ pool, door, environmentId },
      signal: interrupted,
      onFailed: (error, subject) => hint(`${subject}: ${String(error)}`),
    });
    return { clock, swept, interrupted: interrupted.aborted };
  } finally {
    await close();
  }
}

const STATES: Readonly<Record<SandboxClock['state'], string>> = {
  real: 'It shows the real time',
  runs_ahead: 'It runs ahead of the real time',
  stands: 'It stands',
};

function describe({ now, realTime, state }: SandboxClock): string {
  return state === 'real' ? `${STATES.real}: ${now}` : `${STATES[state]}: ${now} (really ${realTime})`;
}

function describeSweep(swept: SandboxSweep): string[] {
  const parts = [
    [swept.profilesSettled, 'profiles settled'],
    [swept.transactions, 'transactions posted'],
    [swept.reservationsExpired, 'reservations expired'],
    [swept.quotesExpired, 'quotes expired'],
    [swept.choicesExpired, 'choices expired'],
    [swept.adjustmentsExpired, 'adjustments expired'],
    [swept.tiersRequalified, 'profiles re-qualified'],
    [swept.tiersChanged, 'tiers changed'],
    [swept.expiriesNoticed, 'expiries told of'],
    [swept.failed, 'failed'],
  ] as const;
  const done = parts.filter(([count]) => count > 0).map(([count, what]) => `${what}: ${count}`);
  return [...done, `days closed through: ${swept.closedThrough}`];
}
