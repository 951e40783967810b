import { setTimeout as sleep } from 'node:timers/promises';
import { replayWebhookEndpoint } from '../../commands/webhooks/replay-webhook-endpoint.ts';
import { testWebhookEndpoint } from '../../commands/webhooks/test-webhook-endpoint.ts';
import { deliveryReceipt } from '../../commands/webhooks/webhook-receipts.ts';
import type { Operation, WebhookAttempt, WebhookDelivery } from '../../contract/generated/types.ts';
import { EXIT, orFail } from '../shell/failure.ts';
import { hint, print } from '../shell/output.ts';
import { type ProgressDisplay, showProgress } from '../shell/progress.ts';
import type { Session } from '../shell/session.ts';
import { type WebhookOptions, type WebhookSession, withWebhooks } from './webhook-session.ts';

/** How long no server may do anything until the command gives up. */
const PATIENCE_MS = 30_000;
const LOOK_MS = 100;

/** `rewards webhook test`. Sets the exit code to 1 where the test did not arrive. */
export async function testEndpoint(
  session: Session,
  endpointId: string,
  { environment, json }: WebhookOptions,
): Promise<void> {
  const { delivery, attempts } = await withWebhooks(session, environment, async (webhooks) => {
    const idempotencyKey = webhooks.newKey();
    const { delivery: testDelivery } = orFail(
      await webhooks.submit((caller) => testWebhookEndpoint({ idempotencyKey, endpointId }, caller)),
    );
    return outcomeOf(webhooks, environment, testDelivery.id);
  });
  print(json, { delivery, attempts }, () => describeTest(delivery, attempts));
  if (delivery.status !== 'delivered') process.exitCode = EXIT.failure;
}

/** Waits for the first attempt. */
async function outcomeOf({ queries }: WebhookSession, environmentId: string, deliveryId: string) {
  const startedAt = performance.now();
  for (;;) {
    const view = await queries.webhookDelivery(environmentId, deliveryId);
    if (!view) throw new Error(`${deliveryId} is gone`);
    if (view.delivery.status !== 'pending' || performance.now() - startedAt > PATIENCE_MS) {
      return { delivery: deliveryReceipt(view.delivery), attempts: view.attempts };
    }
    await sleep(LOOK_MS);
  }
}

function describeTest(delivery: WebhookDelivery, attempts: readonly WebhookAttempt[]): string {
  const { id, status, lastResponseStatus, lastError } = delivery;
  const attempt = attempts.at(-1);
  if (!attempt)
    return `${id} has not been sent for ${PATIENCE_MS / 1_000} seconds. Is a server with SECRETS_KEY running?`;
  return status === 'delivered'
    ? `${id} was delivered: ${lastResponseStatus} after ${attempt.durationMs} ms.`
    : `${id} was not delivered: ${lastError}`;
}

/** `rewards webhook replay`. Sets the exit code to 1 where the operation failed, or did not begin. */
export async function replayEndpoint(
  session: Session,
  endpointId: string,
  { environment, since, json }: WebhookOptions & { since: number },
): Promise<void> {
  const operation = await withWebhooks(session, environment, async (webhooks) => {
    const idempotencyKey = webhooks.newKey();
    const input = { idempotencyKey, endpointId, sinceSequence: since };
    const receipt = orFail(await webhooks.submit((caller) => replayWebhookEndpoint(input, caller)));
    return follow(webhooks, environment, receipt.operation, session.interrupted);
  });
  print(json, operation, () => describeReplay(operation));
  if (operation.status !== 'succeeded') process.exitCode = EXIT.failure;
}

/** Shows the progress until the operation ends, waiting is interrupted, or no server takes it up. */
async function follow(
  { queries }: WebhookSession,
  environmentId: string,
  start: Operation,
  interrupted: AbortSignal,
): Promise<Operation> {
  let operation = start;
  let progress: ProgressDisplay | null = null;
  let lastChange = performance.now();
  while (operation.finishedAt == null && !interrupted.aborted) {
    if (operation.status === 'queued' && performance.now() - lastChange > PATIENCE_MS) break;
    await sleep(LOOK_MS);
    const next = await queries.operation(environmentId, operation.id);
    if (!next) throw new Error(`${operation.id} is gone`);
    if (next.status !== operation.status) lastChange = performance.now();
    operation = next;
    if (operation.status !== 'queued') {
      progress ??= showProgress(operation.progress.total ?? 0, 'deliveries');
      progress.update(operation.progress.done);
    }
  }
  progress?.stop();
  if (operation.finishedAt == null) hint('A server goes on with it: GET /operations says how far it is.');
  return operation;
}

function describeReplay({ id, status, progress, result, error }: Operation): string {
  if (error) return `${id} failed after ${progress.done} of ${progress.total}: ${error.message}`;
  if (status === 'succeeded') return `${id}: ${result?.sentAgain} deliveries are in the queue again.`;
  return status === 'queued'
    ? `${id} is queued. Is a server with SECRETS_KEY running?`
    : `${id}: ${progress.done} of ${progress.total} deliveries are in the queue again.`;
}
