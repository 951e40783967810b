import type { Prisma, PrismaClient } from '../../generated/prisma/client.ts';
import { newUuid, toTypeId } from '../ids.ts';
import type { Actor, AuditEntry, WebhookEvent } from '../ledger/command.ts';
import { type AdministrationCode, isRefusal, type Refusal } from '../refusal.ts';
import { databaseTime, writeTrail } from './write-trail.ts';

/** Who administers, over a connection that owns the tables. */
export interface Administrator {
  prisma: PrismaClient;
  /** Kept in the audit trail: the name given by --actor, or the user of the operating system. */
  operatorId: string;
}

/** An administrator, as the audit trail names them. */
export function operatorOf({ operatorId }: Administrator): Actor {
  return { type: 'operator', id: operatorId };
}

/** What a change did, and what tells of it. */
export interface AdminOutcome<T extends object> {
  result: T;
  /** As `Trail` has it; null where nothing happened. */
  audit: AuditEntry | null;
  webhookEvents?: readonly WebhookEvent[];
}

/** The channel on which servers hear that what they keep of an environment in memory is old. */
export const ADMIN_CHANNEL = 'rewards_admin';

/**
 * Changes an environment in one transaction, together with the audit event and the webhook deliveries that tell of it
 * and the notification that makes servers drop their caches: all of it happens, or nothing does.
 * @param change gives what happened, with `audit` null where nothing did; or a refusal, before it has written anything
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
