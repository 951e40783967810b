import type { Command } from 'commander';
import { actorOption, jsonOption } from './shell/arguments.ts';
import { CliFailure, EXIT } from './shell/failure.ts';
import { hint, print } from './shell/output.ts';
import { withSession } from './shell/session.ts';

/** Adds `rewards secrets reencrypt`. */
export function addSecretsCommands(cli: Command): void {
  cli
    .command('secrets')
    .description('the secrets of webhooks and of issuers, which are stored encrypted')
    .command('reencrypt')
    .description('encrypt every secret with the first key of SECRETS_KEY, so that the others can be removed')
    .addOption(actorOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
The secrets themselves stay the same: receivers and issuers notice nothing. Exit code 1 if no key opens some of them.

Example:
  $ export SECRETS_KEY=NEW,OLD; rewards secrets reencrypt
`,
    )
    .action(async (options: { actor?: string; json?: boolean }) => {
      // Loaded on demand: help and other commands do not need it.
      const [{ SecretBox }, { secretsKeysOf }, { reencryptAllSecrets }] = await Promise.all([
        import('../auth/secret-box.ts'),
        import('../auth/secrets-file.ts'),
        import('../admin/reencrypt-secrets.ts'),
      ]);
      await withSession(options, async ({ administrator, config }) => {
        const keys = await secretsKeysOf(config);
        if (keys.length === 0) {
          throw new CliFailure(
            'Set SECRETS_KEY to the new key and the old ones behind it, separated by commas.',
          );
        }
        const { secrets, unopened } = await reencryptAllSecrets(administrator, SecretBox.ofKeys(keys));
        print(options.json, { secrets, unopened }, () =>
          secrets === 0
            ? 'Nothing was encrypted with another key.'
            : `${secrets} secrets are encrypted with the first key now.`,
        );
        if (unopened.length === 0) return;
        hint(`No key of SECRETS_KEY opens the secrets of ${unopened.join(', ')}: they were left alone.`);
        process.exitCode = EXIT.failure;
      });
    });
}
