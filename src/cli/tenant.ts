import type { Command } from 'commander';
import { createTenant } from '../admin/create-tenant.ts';
import { toTypeId } from '../ids.ts';
import { actorOption, jsonOption, parseName } from './shell/arguments.ts';
import { print } from './shell/output.ts';
import { withSession } from './shell/session.ts';

/** Adds `rewards tenant …`. */
export function addTenantCommands(cli: Command): void {
  const tenant = cli.command('tenant').description('merchants, each with environments of its own');
  tenant
    .command('create')
    .description('make a tenant and print its id')
    .argument('<name>', 'what people call it', parseName)
    .addOption(actorOption())
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  $ rewards tenant create "Beans & Co"\n')
    .action(async (name: string, options: { actor?: string; json?: boolean }) => {
      const { tenantId } = await withSession(options, ({ administrator }) =>
        createTenant(administrator, name),
      );
      const id = toTypeId('ten', tenantId);
      print(options.json, { tenantId: id, name }, () => id);
    });
}
