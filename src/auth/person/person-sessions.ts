import type { Pool } from 'pg';
import { type RoleName, roles } from '../../contract/generated/roles.ts';
import { toTypeId } from '../../ids.ts';
import { hashSecret } from '../api-key.ts';
import type { Credential } from '../credential.ts';

/** A session ends when it was not used for so long. */
export const IDLE_MINUTES = 30;
/** How often a use is written down at most. */
const NOTED_SECONDS = 60;

/** A session that has not ended. */
export interface OpenSession {
  /** UUID. */
  sessionId: string;
  begunAt: Date;
  lastUsedAt: Date;
  expiresAt: Date;
}

/** Whose session a request has. */
export interface PersonSession extends OpenSession {
  /** UUID. */
  personId: string;
  /** UUID. */
  tenantId: string;
  name: string;
  email: string;
}

/** An environment in which a person has a role. */
export interface PersonEnvironment {
  environmentId: string;
  kind: Credential['environmentKind'];
  name: string;
  roles: RoleName[];
  scopes: string[];
}

interface EnvironmentRow {
  id: string;
  kind: Credential['environmentKind'];
  name: string;
  roles: string[];
}

/** The environment that a request names, and what the person may do there. */
interface InEnvironment {
  kind: Credential['environmentKind'];
  roles: RoleName[];
}

interface SessionRow extends PersonSession {
  now: Date;
  environment: InEnvironment | null;
}

/**
 * Finds sessions. Each request looks in the database: a role that was taken, a suspension and an end hold at once, in
 * every process. A person sends a few requests a second, where a shop sends thousands.
 */
export class PersonSessions {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /**
   * @param secret the cookie's value
   * @param environmentId UUID; null where the request names none
   * @returns null for a session that there is not, that has ended, or whose person is suspended
   */
  async find(
    secret: string,
    environmentId: string | null,
  ): Promise<{ session: PersonSession; environment: InEnvironment | null } | null> {
    const { rows } = await this.#pool.query<SessionRow>({
      name: 'find_person_session',
      text: `select s.id as "sessionId", s.person_id as "personId", s.tenant_id as "tenantId", p.name, p.email,
          s.begun_at as "begunAt", s.expires_at as "expiresAt", s.last_used_at as "lastUsedAt",
          clock_timestamp() as now, (
            select json_build_object('kind', e.kind, 'roles', array(
              select distinct r.role from person_roles r
              where r.tenant_id = s.tenant_id and r.person_id = s.person_id and r.taken_at is null
                and (r.in_environment is null or r.in_environment = e.id)))
            from environments e
            where e.id = $2::uuid and e.tenant_id = s.tenant_id
          ) as environment
        from person_sessions s
        join people p on p.tenant_id = s.tenant_id and p.id = s.person_id and p.status = 'active'
        where s.secret_hash = $1 and s.ended_at is null and clock_timestamp() < s.expires_at
          and clock_timestamp() < s.last_used_at + $3::integer * interval '1 minute'`,
      values: [hashSecret(secret), environmentId, IDLE_MINUTES],
    });
    const [row] = rows;
    if (!row) return null;
    const { environment, now: _now, ...session } = row;
    return { session, environment };
  }

  /** The environments in which a person has a role, oldest first, with what it may do there. */
  async environmentsOf(session: Pick<PersonSession, 'tenantId' | 'personId'>): Promise<PersonEnvironment[]> {
    const { rows } = await this.#pool.query<EnvironmentRow>({
      name: 'list_environments_of_person',
      text: `select e.id, e.kind, e.name, array_agg(distinct r.role order by r.role) as roles
        from person_roles r
        join environments e on e.tenant_id = r.tenant_id and (r.in_environment is null or r.in_environment = e.id)
        where r.tenant_id = $1::uuid and r.person_id = $2::uuid and r.taken_at is null
        group by e.id, e.kind, e.name, e.created_at
        order by e.created_at, e.id`,
      values: [session.tenantId, session.personId],
    });
    return rows.map(({ id, kind, name, roles: given }) => ({
      ...{ environmentId: toTypeId('env', id), kind, name, roles: given.filter(isRole) },
      scopes: scopesOf(given, kind),
    }));
  }

  /** The open sessions of a person, newest first. */
  async openOf({ tenantId, personId }: Pick<PersonSession, 'tenantId' | 'personId'>): Promise<OpenSession[]> {
    const { rows } = await this.#pool.query<OpenSession>({
      name: 'list_sessions_of_person',
      text: `select id as "sessionId", begun_at as "begunAt", last_used_at as "lastUsedAt", expires_at as "expiresAt"
        from person_sessions
        where tenant_id = $1::uuid and person_id = $2::uuid and ended_at is null and clock_timestamp() < expires_at
          and clock_timestamp() < last_used_at + $3::integer * interval '1 minute'
        order by begun_at desc, id
        limit 100`,
      values: [tenantId, personId, IDLE_MINUTES],
    });
    return rows;
  }

  /** Notes that a session was used, so that it does not end for a while. */
  async use({ tenantId, sessionId }: Pick<PersonSession, 'tenantId' | 'sessionId'>): Promise<void> {
    await this.#pool.query({
      name: 'use_person_session',
      text: `update person_sessions set last_used_at = clock_timestamp()
        where tenant_id = $1::uuid and id = $2::uuid
          and last_used_at < clock_timestamp() - $3::integer * interval '1 second'`,
      values: [tenantId, sessionId, NOTED_SECONDS],
    });
  }
}

/** What a person may do in an environment, as a key may. @param environmentId UUID */
export function credentialOf(
  { personId, tenantId }: PersonSession,
  environmentId: string,
  { kind, roles: given }: InEnvironment,
): Credential {
  const principal = toTypeId('prs', personId);
  return {
    // The person has one rate limit, whatever the number of its sessions.
    keyId: principal,
    principal,
    isPerson: true,
    ...{ tenantId, environmentId, environmentKind: kind },
    scopes: new Set(scopesOf(given, kind)),
  };
}

/**
 * The scopes of roles, each once. A later release may have roles that this one does not know: they give nothing here.
 */
function scopesOf(given: readonly string[], kind: Credential['environmentKind']): string[] {
  const granted = given.filter(isRole).flatMap((role) => {
    const { scopes, inSandbox } = roles[role];
    return kind === 'sandbox' ? [...scopes, ...inSandbox] : scopes;
  });
  return [...new Set(granted)];
}

function isRole(name: string): name is RoleName {
  return Object.hasOwn(roles, name);
}
