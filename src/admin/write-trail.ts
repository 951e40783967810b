import type { Prisma } from '../../generated/prisma/client.ts';
import type { Statement } from '../db/statement.ts';
import { newUuid, toTypeId } from '../ids.ts';
import { auditEvent } from '../ledger/batch/audit-event.ts';
import { deliveryStatements } from '../ledger/batch/webhook-deliveries.ts';
import type { AuditEntry, Command, WebhookEvent } from '../ledger/command.ts';
import { audits } from '../ledger/tables/audit-events.ts';

/** The audit event and the webhook events of a change. */
export interface Trail {
  /** The target is named by the id that callers see; the changes contain neither secrets nor personal data. */
  audit: AuditEntry;
  webhookEvents: readonly WebhookEvent[];
  /** When the change was made, as `databaseTime` gives it. */
  at: Date;
}

/**
 * Writes the audit event and the webhook deliveries of a change in the transaction of the change, with the statements of
 * the ledger's writer. Call it last: it locks the webhook endpoints, and the writer's batches lock them last, too.
 */
export async function writeTrail(
  transaction: Prisma.TransactionClient,
  by: Pick<Command, 'environmentId' | 'actor' | 'requestId'>,
  { audit, webhookEvents, at }: Trail,
): Promise<void> {
  const { environmentId } = by;
  const execute = ({ text, values }: Statement): Promise<number> =>
    transaction.$executeRawUnsafe(text, ...values);
  await execute(audits.insert(environmentId, [auditEvent(newUuid(), by, audit, at)]));
  if (webhookEvents.length === 0) return;
  const queries = {
    async query<R extends object>({ text, values }: Statement): Promise<{ rows: R[] }> {
      return { rows: await transaction.$queryRawUnsafe<R[]>(text, ...values) };
    },
  };
  const environment = { id: environmentId, outerId: toTypeId('env', environmentId) };
  for (const statement of await deliveryStatements(queries, environment, webhookEvents, at, newUuid)) {
    await execute(statement);
  }
}

/** The time of the database's clock, which is the same for all processes. */
export async function databaseTime(prisma: Prisma.TransactionClient): Promise<Date> {
  const rows = await prisma.$queryRaw<[{ now: Date }]>`select clock_timestamp() as now`;
  return rows[0].now;
}
