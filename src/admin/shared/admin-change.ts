import type { PoolClient } from 'pg';
import type { Prisma, PrismaClient } from '../../../generated/prisma/client.ts';
import { ADMIN_CHANNEL } from '../../auth/admin-notices.ts';
import { environmentTime } from '../../db/environment-time.ts';
import { newUuid, toTypeId } from '../../ids.ts';
import { auditEvent } from '../../ledger/batch/audit-event.ts';
import type { Actor, AuditEntry, WebhookEvent } from '../../ledger/command.ts';
import { audits } from '../../ledger/tables/audit-events.ts';
import { enterEnvironment } from '../../ledger/tables/environments.ts';
import { type AdministrationCode, isRefusal, type Refusal } from '../../refusal.ts';
import { enter, enterAlone, writeTrail } from './write-trail.ts';

/** Who changes how a tenant's environments are set up, with a database connection that may. */
export interface Administrator {
  prisma: PrismaClient;
  /** Kept in the audit trail. */
  actor: Actor;
  /** That of the request, as the audit trail names it. Absent: a change gets one of its own. */
  requestId?: string;
}

/** Who uses the command line: the name given by --actor, or the user of the operating system. */
export function operator(id: string): Actor {
  return { type: 'operator', id };
}

/** How long a change may take, as Prisma has it by default. */
const TIMEOUT_MS = 5_000;

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
  await client.query(enterEnvironment(environmentId));
  const { rows } = await client.query<{ now: Date }>(environmentTime(environmentId));
  const by = { environmentId, ...origin(administrator) };
  const at = rows[0]?.now ?? new Date(0);
  await client.query(audits.insert(environmentId, [auditEvent(newUuid(), by, audit, at)]));
}

/**
 * Changes an environment in one transaction, together with the audit event, the webhook deliveries and the notification
 * that makes servers drop their caches: all of it is committed, or nothing is.
 * @param change returns the outcome, with `audit` null where nothing was changed; or a refusal before it has written
 *   anything
 * @param alone whether it waits for the running batches of the environment, and makes new ones wait until its end
 */
export async function changeEnvironment<T extends object>(
  administrator: Administrator,
  environmentId: string,
  change: (transaction: Prisma.TransactionClient) => Promise<AdminOutcome<T> | Refusal<AdministrationCode>>,
  { alone = false, timeoutMs = TIMEOUT_MS } = {},
): Promise<T | Refusal<AdministrationCode>> {
  return administrator.prisma.$transaction(
    async (transaction) => {
      // Before any row is locked, as batches do.
      await (alone ? enterAlone : enter)(transaction, environmentId);
      const outcome = await change(transaction);
      if (isRefusal(outcome)) return outcome;
      const { audit, result, webhookEvents = [] } = outcome;
      if (audit === null) return result;
      const by = { environmentId, ...origin(administrator) };
      await writeTrail(transaction, by, { audit, webhookEvents });
      await transaction.$executeRaw`select pg_notify(${ADMIN_CHANNEL}, ${environmentId})`;
      return result;
    },
    { timeout: timeoutMs },
  );
}

function origin({ actor, requestId = toTypeId('req', newUuid()) }: Administrator) {
  return { actor, requestId };
}
