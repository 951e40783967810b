import { retryWebhookDelivery } from '../../commands/webhooks/retry-webhook-delivery.ts';
import { toTypeId } from '../../ids.ts';
import type { DeliveryRecord } from '../../ledger/tables/webhook-deliveries.ts';
import { deliveryNotFound, isRefusal } from '../../refusal.ts';
import { EXIT, orFail } from '../shell/failure.ts';
import { hint, print } from '../shell/output.ts';
import type { Session } from '../shell/session.ts';
import { type WebhookOptions, type WebhookSession, withWebhooks } from './webhook-session.ts';

const PAGE = 200;

/** `rewards webhook retry DELIVERY`. @throws CliFailure where it is refused */
export async function retryOne(
  session: Session,
  deliveryId: string,
  { environment, json }: WebhookOptions,
): Promise<void> {
  const delivery = await withWebhooks(session, environment, async (webhooks) => {
    const view = await webhooks.queries.webhookDelivery(environment, deliveryId);
    return orFail(view ? await retry(webhooks, view.delivery) : deliveryNotFound).delivery;
  });
  print(json, { delivery }, () => `${delivery.id} is in the queue again.`);
}

/** What became of the deliveries that had failed. */
interface Retried {
  retried: number;
  /** Left as they are, by the code of the refusal. */
  left: Record<string, number>;
  interrupted: boolean;
}

/**
 * `rewards webhook retry --all-failed`: page by page, so that it ends also where deliveries go on failing.
 * @param endpointId null for all endpoints
 */
export async function retryAll(
  session: Session,
  endpointId: string | null,
  { environment, json }: WebhookOptions,
): Promise<void> {
  const { interrupted } = session;
  const result: Retried = { retried: 0, left: {}, interrupted: false };
  await withWebhooks(session, environment, async (webhooks) => {
    for (const status of ['dead_letter', 'failed'] as const) {
      for await (const deliveries of pagesOf(webhooks, environment, { endpointId, status })) {
        if (interrupted.aborted) break;
        const outcomes = await Promise.all(deliveries.map((delivery) => retry(webhooks, delivery)));
        for (const outcome of outcomes) {
          if (!isRefusal(outcome)) result.retried += 1;
          else result.left[outcome.code] = (result.left[outcome.code] ?? 0) + 1;
        }
      }
    }
  });
  result.interrupted = interrupted.aborted;
  print(json, result, () => describe(result));
  if (result.interrupted) {
    hint('Interrupted. Run the same command again to finish.');
    process.exitCode = EXIT.failure;
  }
}

async function* pagesOf(
  { queries }: WebhookSession,
  environmentId: string,
  filter: { endpointId: string | null; status: DeliveryRecord['status'] },
): AsyncGenerator<DeliveryRecord[]> {
  let cursor: string | null = null;
  do {
    const page: Exclude<Awaited<ReturnType<typeof queries.webhookDeliveries>>, { code: string }> = orFail(
      await queries.webhookDeliveries(environmentId, filter, { limit: PAGE, cursor }),
    );
    yield page.data;
    cursor = page.page.nextCursor ?? null;
  } while (cursor !== null);
}

function retry({ newKey, submit }: WebhookSession, { id, endpointId }: DeliveryRecord) {
  const input = { idempotencyKey: newKey(), deliveryId: toTypeId('msg', id) };
  return submit((caller) => retryWebhookDelivery(input, { id, endpointId }, caller));
}

function describe({ retried, left }: Retried): string {
  const others = Object.entries(left).map(([code, count]) => `left as they are: ${count} (${code})`);
  if (retried === 0 && others.length === 0) return 'No delivery has failed.';
  return [`in the queue again: ${retried}`, ...others].join('\n');
}
