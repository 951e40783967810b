import type { PoolClient } from 'pg';
import type { Prisma, PrismaClient } from '../../generated/prisma/client.ts';
import { newUuid, toTypeId } from '../ids.ts';
import { auditEvent } from '../ledger/batch/audit-event.ts';
import type { Actor, AuditEntry, WebhookEvent } from '../ledger/command.ts';
import { audits } from '../ledger/tables/audit-events.ts';
import { type AdministrationCode, isRefusal, type Refusal } from '../refusal.ts';
import { databaseTime, writeTrail } from './write-trail.ts';

/** An operator with a database connection that owns the tables. */
export interface Administrator {
  prisma: PrismaClient;
  /** Kept in the audit trail: the name given by --actor, or the user of the operating system. */
  operatorId: string;
}

/** The administrator as the actor of audit events. */
export function operatorOf({ operatorId }: Administrator): Actor {
  return { type: 'operator', id: operatorId };
}

/** The result of a change, with its audit event and webhook events. */
export interface AdminOutcome<T extends object> {
  result: T;
  /** Its audit event (see `Trail`); null where nothing was changed. */
  audit: AuditEntry | null;
  webhookEvents?: readonly WebhookEvent[];
}

/** Writes the audit event of a change on the connection of its transaction, for changes that Prisma does not make. */
export async function writeAudit(
  client: Pick<PoolClient, 'query'>,
  administrator: Administrator,
  environmentId: string,
  audit: AuditEntry,
): Promise<void> {
  const { rows } = await client.query<{ now: Date }>('select clock_timestamp() as now');
  const by = { environmentId, actor: operatorOf(administrator), requestId: toTypeId('req', newUuid()) };
  const at = rows[0]?.now ?? new Date(0);
  await client.query(audits.insert(environmentId, [auditEvent(newUuid(), by, audit, at)]));
}

/** The notification channel that tells servers to drop their caches of an environment. */
export const ADMIN_CHANNEL = 'rewards_admin';

/**
 * Changes an environment in one transaction, together with the audit event, the webhook deliveries and the notification
 * that makes servers drop their caches: all of it is committed, or nothing is.
 * @param change returns the outcome, with `audit` null where nothing was changed; or a refusal before it has written
 *   anything
 */
export async function changeEnvironment<T extends object>(
  administrator: Administrator,
  environmentId: string,
  change: (transaction: Prisma.TransactionClient) => Promise<AdminOutcome<T> | Refusal<AdministrationCode>>,
): Promise<T | Refusal<AdministrationCode>> {
  return administrator.prisma.$transaction(async (transaction) => {
    const outcome = await change(transaction);
    if (isRefusal(outcome)) return outcome;
    const { audit, result, webhookEvents = [] } = outcome;
    if (audit === null) return result;
    const requestId = toTypeId('req', newUuid());
    const by = { environmentId, actor: operatorOf(administrator), requestId };
    await writeTrail(transaction, by, { audit, webhookEvents, at: await databaseTime(transaction) });
    await transaction.$executeRaw`select pg_notify(${ADMIN_CHANNEL}, ${environmentId})`;
    return result;
  });
}
