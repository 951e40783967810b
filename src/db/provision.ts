import { createHmac } from 'node:crypto';
import type { Presence } from './cluster-presence.ts';

/** The login of management, with the privileges of `rewards_operator`. */
export const MANAGEMENT_LOGIN = 'rewards_management';

/** The password of that login, which follows from the superuser's: a cluster of an earlier release has it as well. */
export function managementPassword(adminPassword: string): string {
  return createHmac('sha256', adminPassword).update(MANAGEMENT_LOGIN).digest('base64url');
}

/**
 * SQLSTATEs where another process did the same at the same time: duplicate object, duplicate database, unique
 * violation.
 */
const ALREADY_DONE = new Set(['42710', '42P04', '23505']);

/**
 * Creates what has to exist before the first migration, where it is missing: the database `rewards`, the roles
 * `rewards_app` and `rewards_operator` that migrations grant privileges to, and a login for each of the two.
 */
export async function provisionDatabase(
  presence: Presence,
  passwords: { server: string; management: string },
): Promise<void> {
  const { client } = presence;
  const { rows } = await client.query<{
    roles: string[] | null;
    members: string[] | null;
    database: boolean;
  }>(
    `select (select array_agg(rolname::text) from pg_roles where starts_with(rolname, 'rewards_')) as roles,
            (select array_agg(roleid::regrole::text || ' to ' || member::regrole::text) from pg_auth_members) as members,
            exists (select from pg_database where datname = 'rewards') as database`,
  );
  const { roles, members, database } = rows[0] ?? { roles: null, members: null, database: false };
  const missing: string[] = [];
  for (const [role, login, password] of [
    ['rewards_app', 'rewards_server', passwords.server],
    ['rewards_operator', MANAGEMENT_LOGIN, passwords.management],
  ] as const) {
    if (!roles?.includes(role)) missing.push(`create role ${role} nologin`);
    if (!roles?.includes(login)) {
      missing.push(`create role ${login} login inherit password ${client.escapeLiteral(password)}`);
    }
    if (!members?.includes(`${role} to ${login}`)) missing.push(`grant ${role} to ${login}`);
  }
  if (!database) missing.push('create database rewards');
  for (const statement of missing) {
    await client.query(statement).catch((error: Error & { code?: string }) => {
      if (!ALREADY_DONE.has(error.code ?? '')) throw error;
    });
  }
}
