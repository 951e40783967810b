import type { Prisma } from '../../../generated/prisma/client.ts';
import type { RoleName } from '../../contract/generated/roles.ts';
import { newUuid, toTypeId } from '../../ids.ts';
import { type AdministrationCode, isRefusal, type Refusal } from '../../refusal.ts';
import type { Administrator } from '../shared/admin-change.ts';
import { unknownEnvironment } from '../shared/find-environment.ts';
import { changeTenant } from './change-tenant.ts';
import { findPerson } from './find-person.ts';

export interface RoleChange {
  /** UUID. */
  personId: string;
  role: RoleName;
  /** UUID; null for all environments of the tenant, also those that are yet to come. */
  environmentId: string | null;
}

/** @property changed false where the person had the role there already, or had it not */
export interface ChangedRole {
  changed: boolean;
}

/** Gives a person a role. @returns a refusal for an unknown person, or an environment that is not the tenant's */
export async function giveRole(
  administrator: Administrator,
  { personId, role, environmentId }: RoleChange,
): Promise<ChangedRole | Refusal<AdministrationCode>> {
  const person = await findPerson(administrator.prisma, personId);
  if (isRefusal(person)) return person;
  const { tenantId } = person;
  return changeTenant(administrator, tenantId, async (transaction, now) => {
    const unknown = environmentId && (await refuseEnvironment(transaction, tenantId, environmentId));
    if (unknown) return unknown;
    const added = await transaction.$executeRaw`
      insert into person_roles (tenant_id, id, person_id, in_environment, role, given_by, given_at)
      values (${tenantId}::uuid, ${newUuid()}::uuid, ${personId}::uuid, ${environmentId}::uuid, ${role},
        ${administrator.actor.id}, ${now})
      on conflict (tenant_id, person_id, role, in_environment) where taken_at is null do nothing`;
    return outcomeOf('role.given', { personId, role, environmentId }, added > 0);
  });
}

/** Takes a role from a person. Its sessions go on with what is left. @returns a refusal for an unknown person */
export async function takeRole(
  administrator: Administrator,
  { personId, role, environmentId }: RoleChange,
): Promise<ChangedRole | Refusal<AdministrationCode>> {
  const person = await findPerson(administrator.prisma, personId);
  if (isRefusal(person)) return person;
  const { tenantId } = person;
  return changeTenant(administrator, tenantId, async (transaction, now) => {
    const taken = await transaction.$executeRaw`
      update person_roles set taken_by = ${administrator.actor.id}, taken_at = ${now}
      where tenant_id = ${tenantId}::uuid and person_id = ${personId}::uuid and role = ${role}
        and in_environment is not distinct from ${environmentId}::uuid and taken_at is null`;
    return outcomeOf('role.taken', { personId, role, environmentId }, taken > 0);
  });
}

function outcomeOf(action: string, { personId, role, environmentId }: RoleChange, changed: boolean) {
  const changes = { role, environmentId: environmentId && toTypeId('env', environmentId) };
  const target = { targetType: 'person', targetId: toTypeId('prs', personId) };
  return { result: { changed }, audit: changed ? { action, ...target, changes } : null };
}

async function refuseEnvironment(
  transaction: Prisma.TransactionClient,
  tenantId: string,
  environmentId: string,
): Promise<Refusal<AdministrationCode> | null> {
  const rows = await transaction.$queryRaw<object[]>`
    select from environments where id = ${environmentId}::uuid and tenant_id = ${tenantId}::uuid`;
  return rows.length > 0 ? null : unknownEnvironment(environmentId);
}
