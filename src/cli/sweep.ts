import type { Command } from 'commander';
import { findEnvironment } from '../admin/shared/find-environment.ts';
import type { SweepResult } from '../jobs/sweep-result.ts';
import { environmentOption, jsonOption } from './shell/arguments.ts';
import { EXIT, orFail } from './shell/failure.ts';
import { hint, print } from './shell/output.ts';
import { withSession } from './shell/session.ts';

/** Adds `rewards sweep`. */
export function addSweepCommand(cli: Command): void {
  cli
    .command('sweep')
    .description('post what time has made due: activations, expiries, ends of holds; tell of coming expiries')
    .addOption(environmentOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
A server posts every few seconds (SWEEP_SECONDS) and tells every hour; any number may do it at once. Without
--environment it goes through all of them. Exit code 1 if something could not be settled.

Example:
  $ rewards sweep --environment env_01h455vb4pex5vsknk084sn02q
`,
    )
    .action(async (options: { environment?: string; json?: boolean }) => {
      const { environment } = options;
      // Loaded on demand: help and other commands do not need it.
      const [{ sweep }, { noticeExpiries }, { FailurePause }, { openDoor }] = await Promise.all([
        import('../jobs/sweep.ts'),
        import('../jobs/notice-expiries.ts'),
        import('../jobs/failure-pause.ts'),
        import('./shell/door.ts'),
      ]);
      await withSession({ endsWhenInterrupted: true }, async (session) => {
        const { administrator, config, database, pool, interrupted } = session;
        if (environment) orFail(await findEnvironment(administrator.prisma, environment));
        const { door, close } = openDoor(database, config);
        const common = {
          pool,
          door,
          ...(environment && { environmentId: environment }),
          signal: interrupted,
          failures: new FailurePause(),
        };
        const postAndTell = async (): Promise<SweepResult & { notices: number }> => {
          const posted = await sweep({
            ...common,
            onFailed: (error, subject) => hint(`${subject} was not settled: ${String(error)}`),
          });
          let untold = 0;
          const notices = await noticeExpiries({
            ...common,
            onFailed(error, subject) {
              untold += 1;
              hint(`${subject} was not told of: ${String(error)}`);
            },
          });
          return { ...posted, notices, failed: posted.failed + untold };
        };
        const result = await postAndTell().finally(close);
        print(options.json, { ...result, interrupted: interrupted.aborted }, () => describe(result));
        if (result.failed > 0 || interrupted.aborted) process.exitCode = EXIT.failure;
      });
    });
}

function describe(result: SweepResult & { notices: number }): string {
  const parts = [
    [result.profiles, 'profiles settled'],
    [result.transactions, 'transactions posted'],
    [result.reservations, 'reservations expired'],
    [result.quotes, 'quotes expired'],
    [result.choices, 'choices expired'],
    [result.adjustments, 'adjustments expired'],
    [result.notices, 'expiries told of'],
    [result.failed, 'failed'],
  ] as const;
  const done = parts.filter(([count]) => count > 0).map(([count, what]) => `${what}: ${count}`);
  return done.length > 0 ? done.join('\n') : 'Nothing was due.';
}
