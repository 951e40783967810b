import { join } from 'node:path';
import type { Command } from 'commander';
import { actorOption, jsonOption } from './shell/arguments.ts';
import { CliFailure } from './shell/failure.ts';
import { print, table } from './shell/output.ts';
import { withSession } from './shell/session.ts';

/** Adds `rewards demo`. */
export function addDemoCommand(cli: Command): void {
  const demo = cli.command('demo');
  demo
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
        import('../admin/demo/demo.ts'),
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
  addToken(demo);
}

function addToken(demo: Command): void {
  demo
    .command('token')
    .description('print a token of a customer for /loyalty/v1, of the issuer of the demo')
    .option('--customer <id>', 'externalCustomerId', 'customer-ada')
    .option(
      '--authorization <reference>',
      "the merchant's authorization of a redemption, as a claim of the token",
    )
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Both environments of the demo take it, for an hour. docs/guide/customers.md says what it opens.

Examples:
  $ rewards demo token --customer customer-grace
  $ rewards demo token --authorization auth-77
`,
    )
    .action(async (options: { customer: string; authorization?: string; json?: boolean }) => {
      const [{ readDemoIssuerKey, mintDemoToken }, { readConfig }] = await Promise.all([
        import('../admin/demo/demo-issuer.ts'),
        import('../config.ts'),
      ]);
      const key = await readDemoIssuerKey(readConfig().dataDir);
      if (!key) throw new CliFailure('There is no demo in DATA_DIR. Make it: rewards demo');
      const minted = await mintDemoToken(key, {
        externalCustomerId: options.customer,
        authorizationReference: options.authorization ?? null,
      });
      print(options.json, minted, () => minted.token);
    });
}
