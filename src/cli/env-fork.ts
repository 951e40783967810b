import type { Command } from 'commander';
import { forkEnvironment } from '../admin/fork-environment.ts';
import { toTypeId } from '../ids.ts';
import { actorOption, jsonOption, requiredEnvironmentOption } from './shell/arguments.ts';
import { orFail } from './shell/failure.ts';
import { instant, print, table } from './shell/output.ts';
import { withSession } from './shell/session.ts';

interface ForkOptions {
  environment: string;
  actor?: string;
  json?: boolean;
}

/** Adds `rewards env fork`. */
export function addForkCommand(env: Command): void {
  env
    .command('fork')
    .description(
      "begin a new epoch of the feed, after a restore that the database's timeline does not tell of",
    )
    .addOption(requiredEnvironmentOption())
    .addOption(actorOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
A promotion, a restore to a moment and a restored dump begin one by themselves. The snapshot of a disk or a
machine does not, nor does anything on Citus and where the service's login may not call pg_control_system():
run this after each restore there. Every endpoint gets feed.epoch_started with the last position that holds
on. It prints the keys that were made, rotated or revoked in the last 30 days: what was done to keys after the
restored state is lost too.

Example:
  $ rewards env fork -e env_01h455vb4pex5vsknk084sn02q
`,
    )
    .action(async (options: ForkOptions) => {
      const forked = await withSession(options, async ({ administrator }) =>
        orFail(await forkEnvironment(administrator, options.environment)),
      );
      const { epoch, lastPositionKept } = forked;
      const id = toTypeId('env', options.environment);
      const keys = forked.changedKeys.map((key) => ({ ...key, keyId: toTypeId('key', key.keyId) }));
      print(options.json, { environmentId: id, epoch, lastPositionKept, changedKeys: keys }, () =>
        [
          `${id} is in epoch ${epoch}: positions up to ${lastPositionKept} hold on.`,
          keys.length === 0
            ? 'No key was changed in the last 30 days.'
            : table(
                ['key', 'principal', 'status', 'created', 'revoked'],
                keys.map((key) => [
                  key.keyId,
                  key.principal,
                  key.status,
                  instant(key.createdAt),
                  key.revokedAt ? instant(key.revokedAt) : '-',
                ]),
              ),
        ].join('\n'),
      );
    });
}
