import type { Presence } from './cluster-presence.ts';

/**
 * SQLSTATEs where another process did the same at the same time: duplicate object, duplicate database, unique
 * violation.
 */
const ALREADY_DONE = new Set(['42710', '42P04', '23505']);

/**
 * Creates what has to exist before the first migration, where it is missing: the database `rewards`, the role
 * `rewards_app` that migrations grant privileges to, and the server's login, which is a member of that role.
 */
export async function provisionDatabase(presence: Presence, serverPassword: string): Promise<void> {
  const { client } = presence;
  const { rows } = await client.query<{ app: boolean; login: boolean; database: boolean; member: boolean }>(
    `select exists (select from pg_roles where rolname = 'rewards_app') as app,
            exists (select from pg_roles where rolname = 'rewards_server') as login,
            exists (select from pg_database where datname = 'rewards') as database,
            exists (select from pg_auth_members
                    where roleid = to_regrole('rewards_app') and member = to_regrole('rewards_server')) as member`,
  );
  const found = rows[0];
  const missing: string[] = [];
  if (!found?.app) missing.push('create role rewards_app nologin');
  if (!found?.login) {
    missing.push(`create role rewards_server login inherit password ${client.escapeLiteral(serverPassword)}`);
  }
  if (!found?.member) missing.push('grant rewards_app to rewards_server');
  if (!found?.database) missing.push('create database rewards');
  for (const statement of missing) {
    await client.query(statement).catch((error: Error & { code?: string }) => {
      if (!ALREADY_DONE.has(error.code ?? '')) throw error;
    });
  }
}
