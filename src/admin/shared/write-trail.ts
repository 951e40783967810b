import type { Prisma } from '../../../generated/prisma/client.ts';
import { environmentTime } from '../../db/environment-time.ts';
import type { Statement } from '../../db/statement.ts';
import { newUuid } from '../../ids.ts';
import { auditEvent } from '../../ledger/batch/audit-event.ts';
import { eventRecord } from '../../ledger/batch/event-record.ts';
import type { AuditEntry, Command, WebhookEvent } from '../../ledger/command.ts';
import { audits } from '../../ledger/tables/audit-events.ts';
import { enterEnvironment, enterEnvironmentAlone } from '../../ledger/tables/environments.ts';
import { events } from '../../ledger/tables/events.ts';

/** The audit event and the webhook events of a change. */
export interface Trail {
  /** The target is named by the id that callers see; the changes contain neither secrets nor personal data. */
  audit: AuditEntry;
  webhookEvents: readonly WebhookEvent[];
}

/**
 * Writes the audit event and the webhook events of a change in the transaction of the change, with the statements of
 * the ledger's writer, dated by the environment's clock. Call it last: webhooks send events in the order in which they
 * are written under the locks of their changes.
 */
export async function writeTrail(
  transaction: Prisma.TransactionClient,
  author: Pick<Command, 'environmentId' | 'actor' | 'requestId'>,
  { audit, webhookEvents }: Trail,
): Promise<void> {
  const { environmentId } = author;
  const execute = ({ text, values }: Statement): Promise<number> =>
    transaction.$executeRawUnsafe(text, ...values);
  await enter(transaction, environmentId);
  const at = await environmentNow(transaction, environmentId);
  await execute(audits.insert(environmentId, [auditEvent(newUuid(), author, audit, at)]));
  if (webhookEvents.length === 0) return;
  const rows = webhookEvents.map((event) => eventRecord(newUuid(), event, at));
  await execute(events.insert(environmentId, rows));
}

/** Keeps the environment's clock where it is until the transaction ends, as a batch does. */
export async function enter(transaction: Prisma.TransactionClient, environmentId: string): Promise<void> {
  const { text, values } = enterEnvironment(environmentId);
  await transaction.$executeRawUnsafe(text, ...values);
}

/** Waits until no batch of the environment runs, and makes new ones wait until the transaction ends. */
export async function enterAlone(
  transaction: Prisma.TransactionClient,
  environmentId: string,
): Promise<void> {
  const { text, values } = enterEnvironmentAlone(environmentId);
  await transaction.$executeRawUnsafe(text, ...values);
}

/** The present of an environment, by which its programs take effect and its changes are dated. */
export async function environmentNow(
  transaction: Prisma.TransactionClient,
  environmentId: string,
): Promise<Date> {
  const { text, values } = environmentTime(environmentId);
  const rows = await transaction.$queryRawUnsafe<[{ now: Date }]>(text, ...values);
  return rows[0].now;
}

/** The real time, by the database's clock, which is the same for all processes. For keys and issuers. */
export async function databaseTime(prisma: Prisma.TransactionClient): Promise<Date> {
  const rows = await prisma.$queryRaw<[{ now: Date }]>`select clock_timestamp() as now`;
  return rows[0].now;
}
