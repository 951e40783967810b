import { type Command, InvalidArgumentError } from 'commander';
import type { Distributed } from '../db/distribute.ts';
import { jsonOption } from './shell/arguments.ts';
import { print } from './shell/output.ts';
import { showProgress } from './shell/progress.ts';
import { withSession } from './shell/session.ts';

/** Shards a table: as many nodes as that can share the environments. */
const DEFAULT_SHARDS = 32;
const MOST_SHARDS = 1024;

/** Adds `rewards distribute`. */
export function addDistributeCommand(cli: Command): void {
  cli
    .command('distribute')
    .description('distribute the tables over the nodes of a Citus cluster, environment by environment')
    .option('--shards <number>', 'shards a table, chosen once', parseShards, DEFAULT_SHARDS)
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
DATABASE_URL names the coordinator, and its login owns the tables. Stop every server first, and migrate. All
rows of an environment stay on one node. Foreign keys are off meanwhile and are put back at the end. Where it
was interrupted, the same command goes on; servers do not start before it has ended. After a release with new
tables, it distributes those. docs/operate/distributed.md says how to set up the nodes.

Examples:
  $ DATABASE_URL=postgresql://owner:secret@coordinator/rewards rewards migrate
  $ DATABASE_URL=postgresql://owner:secret@coordinator/rewards rewards distribute
  $ rewards distribute --shards 64
`,
    )
    .action(async ({ shards, json }: { shards: number; json?: boolean }) => {
      const { distribute } = await import('../db/distribute.ts');
      await withSession({}, async ({ database }) => {
        let display: ReturnType<typeof showProgress> | null = null;
        const done = await distribute({
          url: database.adminUrl,
          server: { url: database.serverUrl, role: database.serverRole },
          shards,
          onProgress(count, total) {
            display ??= showProgress(total, 'tables and foreign keys');
            display.update(count);
          },
        }).finally(() => display?.stop());
        print(json, { ...done }, () => describe(done));
      });
    });
}

function parseShards(text: string): number {
  const shards = Number(text);
  if (Number.isInteger(shards) && shards >= 1 && shards <= MOST_SHARDS) return shards;
  throw new InvalidArgumentError(`A number from 1 to ${MOST_SHARDS}.`);
}

function describe({ tables, references, foreignKeys }: Distributed): string {
  const parts = [
    tables.length > 0 ? `Distributed by environment: ${tables.join(', ')}` : null,
    references.length > 0 ? `Copied to every node: ${references.join(', ')}` : null,
    foreignKeys > 0 ? `Foreign keys put back: ${foreignKeys}` : null,
  ].filter((part) => part !== null);
  return parts.length > 0 ? parts.join('\n') : 'The tables are distributed already.';
}
