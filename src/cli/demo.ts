import { join } from 'node:path';
import type { Command } from 'commander';
import { actorOption, jsonOption } from './shell/arguments.ts';
import { print, table } from './shell/output.ts';
import { withSession } from './shell/session.ts';

/** Adds `rewards demo`. */
export function addDemoCommand(cli: Command): void {
  cli
    .command('demo')
    .description('make a tenant to try things with, once, and write what it takes to DATA_DIR/demo.json')
    .addOption(actorOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Migrates, then makes a Sandbox and a Production environment with the program coffee-club, keys, members and
purchases. A second run uses what is there. \`rewards serve --demo\` does the same before it serves.

Example:
  $ rewards demo && jq -r .sandbox.apiKey .data/demo.json
`,
    )
    .action(async (options: { actor?: string; json?: boolean }) => {
      const [{ ensureDemo }, { migrate }, { openDoor }] = await Promise.all([
        import('../admin/demo.ts'),
        import('../db/migrate.ts'),
        import('./shell/door.ts'),
      ]);
      await withSession({ ...options, unmigrated: 'allow' }, async ({ config, database, administrator }) => {
        await migrate(database.adminUrl);
        const { door, close } = openDoor(database, config);
        const { dataDir } = config;
        const baseUrl = `http://127.0.0.1:${config.port}`;
        const demo = await ensureDemo({ administrator, door, dataDir, baseUrl }).finally(close);
        print(options.json, demo, () =>
          [
            table(
              ['', 'environment', 'key'],
              [
                ['sandbox', demo.sandbox.environmentId, demo.sandbox.apiKey],
                ['production', demo.production.environmentId, demo.production.apiKey],
              ],
            ),
            `\nProgram ${demo.programId}; everything is in ${join(dataDir, 'demo.json')}`,
          ].join('\n'),
        );
      });
    });
}
