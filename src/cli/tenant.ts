import type { Command } from 'commander';
import { createTenant } from '../admin/environments/create-tenant.ts';
import { listTenants } from '../admin/environments/list-tenants.ts';
import { toTypeId } from '../ids.ts';
import { actorOption, jsonOption, parseName } from './shell/arguments.ts';
import { instant, print, table } from './shell/output.ts';
import { withSession } from './shell/session.ts';

/** Adds `rewards tenant …`. */
export function addTenantCommands(cli: Command): void {
  const tenant = cli.command('tenant').description('merchants, each with environments of its own');
  addCreate(tenant);
  addList(tenant);
}

function addCreate(tenant: Command): void {
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

function addList(tenant: Command): void {
  tenant
    .command('list')
    .description('list every tenant, with its environments')
    .addOption(jsonOption())
    .addHelpText('after', "\nExample:\n  $ rewards tenant list --json | jq -r '.tenants[].tenantId'\n")
    .action(async (options: { json?: boolean }) => {
      const listed = await withSession({}, ({ administrator }) => listTenants(administrator.prisma));
      const tenants = listed.map((one) => ({
        ...one,
        tenantId: toTypeId('ten', one.tenantId),
        environmentIds: one.environmentIds.map((id) => toTypeId('env', id)),
      }));
      print(options.json, { tenants }, () =>
        tenants.length === 0
          ? 'There are no tenants. Make one: rewards tenant create NAME'
          : table(
              ['tenant', 'name', 'environments', 'created'],
              tenants.map((one) => [
                one.tenantId,
                one.name,
                one.environmentIds.join('\n') || '-',
                instant(one.createdAt),
              ]),
            ),
      );
    });
}
