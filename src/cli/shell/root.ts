import type { Command } from 'commander';
import packageJson from '../../../package.json' with { type: 'json' };
import { SuggestingCommand } from './suggesting-command.ts';

/**
 * Creates the command line `rewards` without its commands. Parsing throws CommanderError instead of ending the process.
 */
export function createRoot(): Command {
  return (
    new SuggestingCommand('rewards')
      .description('The loyalty and rewards engine: serve it, administer it, check its books.')
      .version(packageJson.version)
      // Options after a command then belong to the command: --version of `program show` is not that of `rewards`.
      .enablePositionalOptions()
      .showHelpAfterError('(add --help for what there is)')
      .exitOverride()
      .addHelpText(
        'after',
        `
Settings come from the environment: DATABASE_URL, or else the embedded Postgres in DATA_DIR;
see docs/operate/running.md.
REWARDS_ENVIRONMENT stands in for -e in commands that need an environment.
Exit codes: 0 done, 1 failed or a difference found, 2 wrong usage.

Examples:
  $ rewards serve --demo
  $ rewards env list
  $ rewards verify ledger
`,
      )
  );
}
