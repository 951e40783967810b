import type { Command } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import { addAdjustmentCommands } from './adjustment.ts';
import { addAuditCommands } from './audit.ts';
import { addCloseCommands } from './close.ts';
import { addCompletionCommand } from './completion/completion.ts';
import { addCouponCommands } from './coupon/coupon.ts';
import { addDemoCommand } from './demo.ts';
import { addDistributeCommand } from './distribute.ts';
import { addEnvironmentCommands } from './env.ts';
import { addExportCommands } from './export/export.ts';
import { addFinanceCommands } from './finance.ts';
import { addImportCommands } from './import/import.ts';
import { addIssuerCommands } from './issuer.ts';
import { addKeyCommands } from './key.ts';
import { addListCommands } from './list/list.ts';
import { addMcpCommand } from './mcp.ts';
import { addMemberCommands } from './member.ts';
import { addMigrateCommand } from './migrate.ts';
import { addOperationCommands } from './operation.ts';
import { addProgramCommands } from './program/program.ts';
import { addSecretsCommands } from './secrets.ts';
import { parsePort } from './shell/arguments.ts';
import { SuggestingCommand } from './shell/suggesting-command.ts';
import { addSweepCommand } from './sweep.ts';
import { addTenantCommands } from './tenant.ts';
import { addTierCommands } from './tiers.ts';
import { addVerifyCommands } from './verify/verify.ts';
import { addListenCommand } from './webhook/listen.ts';
import { addWebhookCommands } from './webhook/webhook.ts';
import { addWidgetCommands } from './widget.ts';

/** Creates the command line `rewards` with all its commands. Parsing throws CommanderError instead of ending the process. */
export function createCommandLine(): Command {
  const cli = new SuggestingCommand('rewards')
    .description('The loyalty and rewards engine: serve it, administer it, check its books.')
    .version(packageJson.version)
    // Options after a command then belong to the command: --version of `program show` is not that of `rewards`.
    .enablePositionalOptions()
    .showHelpAfterError('(add --help for what there is)')
    .exitOverride()
    .addHelpText(
      'after',
      `
Settings come from the environment: DATABASE_URL, or else the embedded Postgres in DATA_DIR; see docs/running.md.
REWARDS_ENVIRONMENT stands in for -e in commands that need an environment.
Exit codes: 0 done, 1 failed or a difference found, 2 wrong usage.

Examples:
  $ rewards serve --demo
  $ rewards env list
  $ rewards verify ledger
`,
    );
  addServeCommand(cli);
  addMigrateCommand(cli);
  addDistributeCommand(cli);
  addDemoCommand(cli);
  addTenantCommands(cli);
  addEnvironmentCommands(cli);
  addKeyCommands(cli);
  addIssuerCommands(cli);
  addProgramCommands(cli);
  addWidgetCommands(cli);
  addImportCommands(cli);
  addExportCommands(cli);
  addMemberCommands(cli);
  addListCommands(cli);
  addAdjustmentCommands(cli);
  addCouponCommands(cli);
  addSweepCommand(cli);
  addTierCommands(cli);
  addFinanceCommands(cli);
  addCloseCommands(cli);
  addVerifyCommands(cli);
  addAuditCommands(cli);
  addOperationCommands(cli);
  addWebhookCommands(cli);
  addListenCommand(cli);
  addMcpCommand(cli);
  addSecretsCommands(cli);
  addCompletionCommand(cli);
  return cli;
}

function addServeCommand(cli: Command): void {
  cli
    .command('serve')
    .description('serve the API until Ctrl-C or SIGTERM')
    .option('--port <number>', 'port, over PORT', parsePort)
    .option('--demo', 'make the demo tenant first, and show how to try it')
    .addHelpText('after', '\nExamples:\n  $ rewards serve --demo\n  $ PORT=8080 WORKERS=auto rewards serve\n')
    .action(async (options: { port?: number; demo?: boolean }) => {
      // Imported only for this command: the other commands do not need the server, and start in half the time without it.
      const { serve } = await import('./serve/serve.ts');
      await serve(options);
    });
}
