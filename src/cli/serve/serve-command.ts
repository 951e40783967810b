import type { Command } from 'commander';
import { parsePort } from '../shell/arguments.ts';

/** Adds `rewards serve`. */
export function addServeCommand(cli: Command): void {
  cli
    .command('serve')
    .description('serve the API until Ctrl-C or SIGTERM')
    .option('--port <number>', 'port, over PORT', parsePort)
    .option('--demo', 'make the demo tenant first, and show how to try it')
    .addHelpText('after', '\nExamples:\n  $ rewards serve --demo\n  $ PORT=8080 WORKERS=auto rewards serve\n')
    .action(async (options: { port?: number; demo?: boolean }) => {
      // Imported only for this command: the other commands do not need the server, and start in half the time without
      // it.
      const { serve } = await import('./serve.ts');
      await serve(options);
    });
}
