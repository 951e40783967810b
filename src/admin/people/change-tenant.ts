import type { Prisma } from '../../../generated/prisma/client.ts';
import { ADMIN_CHANNEL } from '../../auth/admin-notices.ts';
import { newUuid, toTypeId } from '../../ids.ts';
import type { AuditEntry } from '../../ledger/command.ts';
import { type AdministrationCode, isRefusal, type Refusal, refuse } from '../../refusal.ts';
import type { Administrator } from '../shared/admin-change.ts';
import { databaseTime } from '../shared/write-trail.ts';

/** What a change of a tenant's people gives. */
export interface TenantOutcome<Result extends object> {
  result: Result;
  /** Its audit event: ids alone, never a name or an email. Null where nothing was changed. */
  audit: AuditEntry | null;
}

/**
 * Changes the people of a tenant in one transaction, with the audit event and the notification by which servers hear of
 * it. Changes of one tenant run one after the other, so that two of them cannot take the last administrator's role.
 * @param tenantId UUID
 * @param change is given the real time of the database
 * @returns `tenant_not_found`, or a refusal of the change
 */
export async function changeTenant<Result extends object>(
  administrator: Administrator,
  tenantId: string,
  change: (
    transaction: Prisma.TransactionClient,
    now: Date,
  ) => Promise<TenantOutcome<Result> | Refusal<AdministrationCode>>,
): Promise<Result | Refusal<AdministrationCode>> {
  return administrator.prisma.$transaction(async (transaction) => {
    const named = toTypeId('ten', tenantId);
    await transaction.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${named}, 2))`;
    const tenants = await transaction.$queryRaw<object[]>`select from tenants where id = ${tenantId}::uuid`;
    if (tenants.length === 0) return unknownTenant(tenantId);
    const now = await databaseTime(transaction);
    const outcome = await change(transaction, now);
    if (isRefusal(outcome)) return outcome;
    if (outcome.audit === null) return outcome.result;
    await writeTenantAudit(transaction, administrator, { tenantId, at: now }, outcome.audit);
    await transaction.$executeRaw`select pg_notify(${ADMIN_CHANNEL}, ${named})`;
    return outcome.result;
  });
}

/** Adds an event to the audit trail of a tenant. @param tenantId UUID */
export async function writeTenantAudit(
  transaction: Prisma.TransactionClient,
  { actor, requestId = toTypeId('req', newUuid()) }: Omit<Administrator, 'prisma'>,
  { tenantId, at }: { tenantId: string; at: Date },
  { action, targetType, targetId, changes }: AuditEntry,
): Promise<void> {
  await transaction.$executeRaw`
    insert into tenant_audit_events
      (tenant_id, id, action, target_type, target_id, actor_type, actor_id, request_id, changes, at)
    values (${tenantId}::uuid, ${newUuid()}::uuid, ${action}, ${targetType}, ${targetId}, ${actor.type}, ${actor.id},
      ${requestId}, ${JSON.stringify(changes)}::json, ${at})`;
}

/** @param tenantId UUID */
export function unknownTenant(tenantId: string): Refusal<'tenant_not_found'> {
  return refuse(
    'tenant_not_found',
    `There is no tenant ${toTypeId('ten', tenantId)}. The tenants there are: rewards tenant list`,
  );
}
