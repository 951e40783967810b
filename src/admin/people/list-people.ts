import type { PrismaClient } from '../../../generated/prisma/client.ts';
import type { RoleName } from '../../contract/generated/roles.ts';
import type { Refusal } from '../../refusal.ts';
import { unknownTenant } from './change-tenant.ts';

/** A person with its roles. */
export interface PersonListing {
  /** UUID. */
  personId: string;
  name: string;
  email: string;
  status: 'active' | 'suspended';
  /** Sorted by role. `environmentId` is a UUID; null for all environments of the tenant. */
  roles: { role: RoleName; environmentId: string | null }[];
  /** When a session was last used, or one began; null for never. */
  lastSeenAt: Date | null;
  addedAt: Date;
}

/**
 * The people of a tenant, by their names.
 * @param tenantId UUID
 * @returns a refusal for an unknown tenant
 */
export async function listPeople(
  prisma: PrismaClient,
  tenantId: string,
): Promise<{ people: PersonListing[] } | Refusal<'tenant_not_found'>> {
  const tenants = await prisma.$queryRaw<object[]>`select from tenants where id = ${tenantId}::uuid`;
  if (tenants.length === 0) return unknownTenant(tenantId);
  const people = await prisma.$queryRaw<PersonListing[]>`
    select p.id as "personId", p.name, p.email, p.status, p.added_at as "addedAt",
      coalesce((
        select json_agg(json_build_object('role', r.role, 'environmentId', r.in_environment) order by r.role, r.given_at)
        from person_roles r
        where r.tenant_id = p.tenant_id and r.person_id = p.id and r.taken_at is null
      ), '[]') as roles,
      (select max(s.last_used_at) from person_sessions s where s.tenant_id = p.tenant_id and s.person_id = p.id)
        as "lastSeenAt"
    from people p
    where p.tenant_id = ${tenantId}::uuid
    order by p.name, p.id`;
  return { people };
}
