import type { Command } from 'commander';
import { jsonOption } from './shell/arguments.ts';
import { EXIT } from './shell/failure.ts';
import { print } from './shell/output.ts';
import { withSession } from './shell/session.ts';

/** Adds `rewards migrate`. */
export function addMigrateCommand(cli: Command): void {
  cli
    .command('migrate')
    .description('bring the tables of the database up to this release')
    .option('--status', 'only tell what is to be done; exit code 1 if anything is')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Works on DATABASE_URL, or on the embedded Postgres in DATA_DIR. Several may run at once. Prisma's migrate deploy does
the same, and keeps the same books.

Examples:
  $ rewards migrate
  $ DATABASE_URL=postgresql://owner:secret@db/rewards rewards migrate --status
`,
    )
    .action(async (options: { status?: boolean; json?: boolean }) => {
      const { migrate, pendingMigrations } = await import('../db/migrate.ts');
      await withSession({ unmigrated: 'allow' }, async ({ database, pool }) => {
        if (options.status) {
          const pending = await pendingMigrations(pool);
          print(options.json, { pending }, () => describe('To be applied', pending));
          if (pending.length > 0) process.exitCode = EXIT.failure;
          return;
        }
        const applied = await migrate(database.adminUrl);
        print(options.json, { applied }, () => describe('Applied', applied));
      });
    });
}

function describe(title: string, names: string[]): string {
  return names.length === 0
    ? 'The database is up to date.'
    : names.map((name) => `${title}: ${name}`).join('\n');
}
