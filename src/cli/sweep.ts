import type { Command } from 'commander';
import { findEnvironment } from '../admin/find-environment.ts';
import type { SweepResult } from '../jobs/sweep-result.ts';
import { environmentOption, jsonOption } from './shell/arguments.ts';
import { EXIT, orFail } from './shell/failure.ts';
import { hint, print } from './shell/output.ts';
import { withSession } from './shell/session.ts';

/** Adds `rewards sweep`. */
export function addSweepCommand(cli: Command): void {
  cli
    .command('sweep')
    .description('post what time has made due: activations, expiries, ends of holds')
    .addOption(environmentOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
A server does this every few seconds (SWEEP_SECONDS); any number may do it at once. Without --environment it goes
through all of them. Exit code 1 if something could not be settled.

Example:
  $ rewards sweep --environment env_01h455vb4pex5vsknk084sn02q
`,
    )
    .action(async (options: { environment?: string; json?: boolean }) => {
      const { environment } = options;
      // Loaded on demand: help and other commands do not need it.
      const [{ sweep }, { FailurePause }, { openDoor }] = await Promise.all([
        import('../jobs/sweep.ts'),
        import('../jobs/failure-pause.ts'),
        import('./shell/door.ts'),
      ]);
      await withSession({ endsWhenInterrupted: true }, async (session) => {
        const { administrator, config, database, pool, interrupted } = session;
        if (environment) orFail(await findEnvironment(administrator.prisma, environment));
        const { door, close } = openDoor(database, config);
        const result = await sweep({
          pool,
          door,
          ...(environment && { environmentId: environment }),
          signal: interrupted,
          failures: new FailurePause(),
          onFailed: (error, subject) => hint(`${subject} was not settled: ${String(error)}`),
        }).finally(close);
        print(options.json, { ...result, interrupted: interrupted.aborted }, () => describe(result));
        if (result.failed > 0 || interrupted.aborted) process.exitCode = EXIT.failure;
      });
    });
}

function describe(result: SweepResult): string {
  const parts = [
    [result.profiles, 'profiles settled'],
    [result.transactions, 'transactions posted'],
    [result.reservations, 'reservations expired'],
    [result.quotes, 'quotes expired'],
    [result.choices, 'choices expired'],
    [result.adjustments, 'adjustments expired'],
    [result.failed, 'failed'],
  ] as const;
  const done = parts.filter(([count]) => count > 0).map(([count, what]) => `${what}: ${count}`);
  return done.length > 0 ? done.join('\n') : 'Nothing was due.';
}
