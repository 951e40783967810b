import { toTypeId } from '../../ids.ts';
import { type AdministrationCode, isRefusal, type Refusal } from '../../refusal.ts';
import type { Administrator } from '../shared/admin-change.ts';
import { changeTenant } from './change-tenant.ts';
import { findPerson } from './find-person.ts';

/** @property changed false where the person was in this state already */
export interface ChangedStatus {
  status: 'active' | 'suspended';
  changed: boolean;
  /** How many sessions were ended. */
  sessions: number;
}

/**
 * Suspends a person, which ends its sessions for good; or lets it sign in again.
 * @param personId UUID
 * @returns a refusal for an unknown person
 */
export async function setPersonStatus(
  administrator: Administrator,
  personId: string,
  status: 'active' | 'suspended',
): Promise<ChangedStatus | Refusal<AdministrationCode>> {
  const person = await findPerson(administrator.prisma, personId);
  if (isRefusal(person)) return person;
  const { tenantId } = person;
  return changeTenant(administrator, tenantId, async (transaction, now) => {
    const changed = await transaction.$executeRaw`
      update people set status = ${status}
      where tenant_id = ${tenantId}::uuid and id = ${personId}::uuid and status <> ${status}`;
    const sessions =
      status === 'active'
        ? 0
        : await transaction.$executeRaw`
            update person_sessions set ended_at = ${now}
            where tenant_id = ${tenantId}::uuid and person_id = ${personId}::uuid and ended_at is null`;
    const action = status === 'active' ? 'person.resumed' : 'person.suspended';
    const target = { targetType: 'person', targetId: toTypeId('prs', personId) };
    return {
      result: { status, changed: changed > 0, sessions },
      audit: changed > 0 ? { action, ...target, changes: { sessions } } : null,
    };
  });
}
