import { Logger, runMigrations } from 'graphile-worker';
import type { Client } from 'pg';

/** The schema in which graphile-worker keeps its jobs. */
export const JOB_SCHEMA = 'graphile_worker';

const silent = new Logger(() => () => {});

/**
 * Creates the tables of graphile-worker or brings them up to date, by its own migrations, and grants the server's role
 * the privileges on them. Call it under a lock, because many processes may start at once.
 * @param url of the database, with a login that may create schemas
 * @param client of the same login, for the privileges
 */
export async function installJobSchema(url: string, client: Client): Promise<void> {
  await runMigrations({ connectionString: url, maxPoolSize: 1, schema: JOB_SCHEMA, logger: silent });
  await client.query(PRIVILEGES);
}

// These tables have row security, so the server's role needs a policy as well as privileges. Only missing privileges
// are granted, because a grant waits for every transaction that uses the table.
const PRIVILEGES = `do $$
declare
  one record;
begin
  if not has_schema_privilege('rewards_app', '${JOB_SCHEMA}', 'usage') then
    grant usage on schema ${JOB_SCHEMA} to rewards_app;
  end if;
  for one in
    select oid::regclass as name, relname = 'migrations' as read_only, relrowsecurity as row_security,
      exists (select from pg_policy where polrelid = pg_class.oid and polname = 'rewards_app') as let_in
    from pg_class
    where relnamespace = '${JOB_SCHEMA}'::regnamespace and relkind = 'r'
  loop
    if not has_table_privilege('rewards_app', one.name, 'select') then
      execute format('grant select on %s to rewards_app', one.name);
    end if;
    if not one.read_only and not has_table_privilege('rewards_app', one.name, 'delete') then
      execute format('grant insert, update, delete on %s to rewards_app', one.name);
    end if;
    if one.row_security and not one.let_in then
      execute format('create policy rewards_app on %s to rewards_app using (true) with check (true)', one.name);
    end if;
  end loop;
end $$`;
