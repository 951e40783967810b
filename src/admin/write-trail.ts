import type { Prisma } from '../../generated/prisma/client.ts';
import type { Statement } from '../db/statement.ts';
import { newUuid } from '../ids.ts';
import { auditEvent } from '../ledger/batch/audit-event.ts';
import { eventRecord } from '../ledger/batch/event-record.ts';
import type { AuditEntry, Command, WebhookEvent } from '../ledger/command.ts';
import { audits } from '../ledger/tables/audit-events.ts';
import { events } from '../ledger/tables/events.ts';

/** The audit event and the webhook events of a change. */
export interface Trail {
  /** The target is named by the id that callers see; the changes contain neither secrets nor personal data. */
  audit: AuditEntry;
  webhookEvents: readonly WebhookEvent[];
  /** When the change was made, as `databaseTime` gives it. */
  at: Date;
}

/**
 * Writes the audit event and the webhook events of a change in the transaction of the change, with the statements of the
 * ledger's writer. Call it last: webhooks send events in the order in which they are written under the locks of their
 * changes.
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
  const rows = webhookEvents.map((event) => eventRecord(newUuid(), event, at));
  await execute(events.insert(environmentId, rows));
}

/** The time of the database's clock, which is the same for all processes. */
export async function databaseTime(prisma: Prisma.TransactionClient): Promise<Date> {
  const rows = await prisma.$queryRaw<[{ now: Date }]>`select clock_timestamp() as now`;
  return rows[0].now;
}
