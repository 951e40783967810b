import type { Prisma } from '../db/generated/client.ts';
import { newUuid, toTypeId } from '../ids.ts';
import type { WebhookEvent } from '../ledger/command.ts';
import { type DeliveryQueries, deliveryStatements } from '../ledger/webhook-deliveries.ts';

/**
 * Writes the webhook deliveries of what a transaction changes, into the same transaction. To be called last: it locks
 * the endpoints, as every batch of the writer does at its end.
 * @param environmentId UUID
 */
export async function writeDeliveries(
  transaction: Prisma.TransactionClient,
  environmentId: string,
  events: readonly WebhookEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const queries: DeliveryQueries = {
    async query<R>({ text, values }: { text: string; values: unknown[] }) {
      return { rows: await transaction.$queryRawUnsafe<R[]>(text, ...values) };
    },
  };
  const environment = { id: environmentId, outerId: toTypeId('env', environmentId) };
  const statements = await deliveryStatements(queries, environment, events, new Date(), newUuid);
  for (const { text, values } of statements) await transaction.$executeRawUnsafe(text, ...values);
}
