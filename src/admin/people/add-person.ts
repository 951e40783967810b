import { newUuid, toTypeId } from '../../ids.ts';
import { type AdministrationCode, type Refusal, refuse } from '../../refusal.ts';
import type { Administrator } from '../shared/admin-change.ts';
import { normalizeName, refuseName } from '../shared/name.ts';
import { changeTenant } from './change-tenant.ts';

export interface NewPerson {
  /** UUID. */
  tenantId: string;
  /** What colleagues call the person, stored as normalizeName returns it. */
  name: string;
  /** Where the person is reached. It is not proven; it tells people of one name apart. */
  email: string;
}

const EMAIL = /^[^\s@]{1,64}@[^\s@]{1,255}$/u;

/** An email in the one spelling in which it is stored; null where it is none. */
export function normalizeEmail(text: string): string | null {
  const email = normalizeName(text)?.toLowerCase() ?? '';
  return EMAIL.test(email) ? email : null;
}

/**
 * Adds a person to a tenant, without a role.
 * @returns the person's UUID; a refusal for an unknown tenant, a name or an email that is none, or an email that
 *   another person of the tenant has
 */
export async function addPerson(
  administrator: Administrator,
  { tenantId, name: named, email: given }: NewPerson,
): Promise<{ personId: string } | Refusal<AdministrationCode>> {
  const name = normalizeName(named);
  if (name === null) return refuseName('name');
  const email = normalizeEmail(given);
  if (email === null) {
    return refuse('validation_failed', 'An email has the form name@host.', [
      { path: 'email', message: 'must have the form name@host' },
    ]);
  }
  return changeTenant(administrator, tenantId, async (transaction, now) => {
    const same = await transaction.$queryRaw<{ id: string }[]>`
      select id from people where tenant_id = ${tenantId}::uuid and email = ${email}`;
    if (same[0]) {
      return refuse('person_exists', `${toTypeId('prs', same[0].id)} of this tenant has this email already.`);
    }
    const personId = newUuid();
    await transaction.$executeRaw`
      insert into people (tenant_id, id, name, email, status, added_by, added_at)
      values (${tenantId}::uuid, ${personId}::uuid, ${name}, ${email}, 'active', ${administrator.actor.id}, ${now})`;
    const target = { targetType: 'person', targetId: toTypeId('prs', personId) };
    return { result: { personId }, audit: { action: 'person.added', ...target, changes: {} } };
  });
}
