import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Webhook as Standard } from 'standardwebhooks';
import { Webhook as Svix } from 'svix';
import { fixture } from '../support/fixture.ts';
import { addMembers, earn } from '../support/surfaces/client.ts';
import { useServer } from '../support/surfaces/use-shop.ts';
import type { TestEnvironment } from '../support/surfaces/world.ts';
import { install } from '../support/time-machine.ts';
import { until } from '../support/until.ts';
import { useDatabase } from '../support/use-database.ts';
import type { Received } from '../support/webhooks/receiver.ts';
import { type ShownDelivery, type ShownEndpoint, webhookRequests } from '../support/webhooks/requests.ts';
import { useReceiver } from '../support/webhooks/use-receiver.ts';

// What days do to endpoints and deliveries: the time of the database is moved under a running server, which delivers to
// a real receiver.

const DAY_MS = 86_400_000;

let shop: TestEnvironment;
let keys = 0;

const receiver = useReceiver();
const used = useDatabase();
const time = fixture('the time machine', () => install(used.database.adminUrl));
const { database, world, client } = useServer(
  { settings: { webhookAllowPrivate: true, secretsKeys: [key(1)] } },
  used,
);

beforeEach(async () => {
  shop = await world.environment();
  receiver.answer = (_received, response) => response.writeHead(204).end();
  receiver.received.splice(0);
  await addMembers(client, shop, ['ada']);
});

function key(fill: number): string {
  return Buffer.alloc(32, fill).toString('base64');
}

const newKey = (): string => `lifetimes-${keys++}`;

/** An active endpoint with its secret. */
async function activeEndpoint(): Promise<{ id: string; secret: string }> {
  const hook = { url: `${receiver.url}/hook`, eventTypes: ['points.earned'] };
  const { body } = await client.send(webhookRequests.create(shop, hook, newKey()));
  const { id } = body.endpoint as ShownEndpoint;
  await patch(id, { status: 'active' });
  return { id, secret: body.signingSecret as string };
}

async function patch(id: string, change: object): Promise<void> {
  const answer = await client.send(webhookRequests.patch(shop, id, change, newKey()));
  expect(answer.status).toBe(200);
}

async function purchase(): Promise<void> {
  const sourceReference = newKey();
  const bought = { externalCustomerId: 'ada', sourceReference, amountMinor: 1_000 };
  expect((await client.send(earn(shop, bought, sourceReference))).status).toBe(201);
}

async function shown(id: string): Promise<ShownEndpoint> {
  return (await client.send(webhookRequests.endpoint(shop, id))).body.endpoint as ShownEndpoint;
}

async function deliveries(id: string): Promise<ShownDelivery[]> {
  const { body } = await client.send(webhookRequests.deliveries(shop, `?endpointId=${id}`));
  return body.data as unknown as ShownDelivery[];
}

/** The next request of the receiver. */
async function next(send: () => Promise<void>): Promise<Received> {
  const before = receiver.received.length;
  await send();
  await until(() => receiver.received.length > before, 'a delivery arrives');
  return receiver.received[before] as Received;
}

/** Whether a request is verified with each of the secrets: by both libraries, and by the text of the standard. */
function verified(
  { body, headers }: Pick<Received, 'body' | 'headers'>,
  ...secrets: readonly string[]
): boolean[] {
  return secrets.map((secret) => {
    // The receiver's clock is that of the database, which the tests move.
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Number(headers['webhook-timestamp']) * 1_000);
    const [one, other] = [new Standard(secret), new Svix(secret)].map((library) => {
      try {
        library.verify(body, headers);
        return true;
      } catch {
        return false;
      }
    });
    clock.mockRestore();
    const {
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': signatures = '',
    } = headers;
    const hmac = createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'));
    const signature = `v1,${hmac.update(`${id}.${timestamp}.${body}`).digest('base64')}`;
    const isSigned = signatures.split(' ').includes(signature);
    expect({ one, other }).toEqual({ one: isSigned, other: isSigned });
    return one === true;
  });
}

describe('signatures, as standardwebhooks and svix verify them at a receiver', () => {
  test('before, during and after a rotation, whose overlap ends by the clock of the database', async () => {
    const { id, secret: first } = await activeEndpoint();
    const rotate = async (overlapSeconds: number): Promise<string> => {
      const { body } = await client.send(webhookRequests.rotate(shop, id, { overlapSeconds }, newKey()));
      return body.signingSecret as string;
    };
    const before = await next(purchase);
    expect(verified(before, first)).toEqual([true]);
    const second = await rotate(3_600);
    expect(verified(await next(purchase), first, second)).toEqual([true, true]);
    await time.travel(3_500_000);
    expect(verified(await next(purchase), first, second)).toEqual([true, true]);
    await time.travel(101_000);
    const after = await next(purchase);
    expect(verified(after, first, second)).toEqual([false, true]);
    expect(after.headers['webhook-signature']).not.toContain(' ');
    // A second rotation within an overlap ends the first secret; one without an overlap ends all earlier ones.
    const third = await rotate(3_600);
    const fourth = await rotate(3_600);
    expect(verified(await next(purchase), second, third, fourth)).toEqual([false, true, true]);
    const last = await rotate(0);
    expect(verified(await next(purchase), third, fourth, last)).toEqual([false, false, true]);
    // What arrived is what was signed, to the byte.
    const changed = { ...after, body: `${after.body} ` };
    expect(verified(changed, second)).toEqual([false]);
  });
});

describe('an endpoint', () => {
  test('all of whose attempts have failed for five days is disabled, and what waits is kept', async () => {
    const { id } = await activeEndpoint();
    receiver.answer = (_received, response) => response.writeHead(503).end();
    await next(purchase);
    await until(async () => (await deliveries(id))[0]?.status === 'failed', 'a first failure');
    await time.travel(4.9 * DAY_MS);
    await next(async () => {});
    await until(async () => ((await deliveries(id))[0]?.attemptCount ?? 0) >= 2, 'a second failure');
    expect((await shown(id)).status).toBe('active');
    await time.travel(0.2 * DAY_MS);
    await next(async () => {});
    await until(async () => (await shown(id)).status === 'disabled', 'disabled');
    expect((await shown(id)).disabledReason).toBe('failing');
    const count = receiver.received.length;
    await purchase();
    await until(async () => (await deliveries(id)).length === 2, 'the next one waits');
    await time.travel(DAY_MS);
    await sleep(2_500);
    expect(receiver.received).toHaveLength(count);
    // Activated again, it gets both.
    receiver.answer = (_received, response) => response.writeHead(204).end();
    await patch(id, { status: 'active' });
    await until(
      async () => (await deliveries(id)).every(({ status }) => status === 'delivered'),
      'both delivered',
    );
    const sequences = receiver.received.slice(count).map(({ message }) => message.sequence);
    expect(sequences.toSorted()).toEqual([1, 2]);
  }, 240_000);

  test('that answers once in the five days is not disabled', async () => {
    const { id } = await activeEndpoint();
    let answer = 503;
    receiver.answer = (_received, response) => response.writeHead(answer).end();
    await next(purchase);
    await until(async () => (await deliveries(id))[0]?.status === 'failed', 'a failure');
    answer = 200;
    await time.travel(3 * DAY_MS);
    await until(async () => (await deliveries(id))[0]?.status === 'delivered', 'a success');
    answer = 503;
    await next(purchase);
    await time.travel(3 * DAY_MS);
    await next(async () => {});
    await until(async () => ((await deliveries(id))[0]?.attemptCount ?? 0) >= 2, 'failed again');
    expect((await shown(id)).status).toBe('active');
  }, 240_000);

  test('that answers 410 is disabled at once, though others of its attempts succeed', async () => {
    const { id } = await activeEndpoint();
    receiver.answer = ({ message }, response) => response.writeHead(message.sequence === 3 ? 410 : 200).end();
    await Promise.all(Array.from({ length: 5 }, purchase));
    await until(async () => (await shown(id)).status === 'disabled', 'disabled');
    expect((await shown(id)).disabledReason).toBe('gone');
  });

  test('that is disabled keeps what waits for 30 days, then gives it up; it can be retried for 90', async () => {
    const { id } = await activeEndpoint();
    await patch(id, { status: 'disabled' });
    await purchase();
    await until(async () => (await deliveries(id)).length === 1, 'it waits');
    await time.travel(29.9 * DAY_MS);
    await sleep(6_000);
    const [waiting] = await deliveries(id);
    expect(waiting).toMatchObject({ status: 'pending' });
    await time.travel(0.2 * DAY_MS);
    await until(async () => (await deliveries(id))[0]?.status === 'dead_letter', 'given up');
    const [given] = await deliveries(id);
    expect(given).toMatchObject({
      nextAttemptAt: null,
      attemptCount: 0,
      lastError: 'The endpoint was deleted, or disabled for too long.',
    });
    await patch(id, { status: 'active' });
    const retry = () => client.send(webhookRequests.retry(shop, given?.id ?? '', newKey()));
    await time.travel(59 * DAY_MS);
    const late = await next(async () => void expect((await retry()).status).toBe(200));
    expect(late.message).toMatchObject({ type: 'points.earned', sequence: 1 });
    await until(async () => (await deliveries(id))[0]?.status === 'delivered', 'delivered after all');
    await database.adminPool.query(
      `update webhook_deliveries set status = 'dead_letter', delivered_at = null where status = 'delivered'`,
    );
    await time.travel(2 * DAY_MS);
    expect(await retry()).toMatchObject({ status: 409, code: 'invalid_delivery_state' });
  }, 240_000);
});

test('a delivery whose event was emptied all the same is given up, and nothing is sent', async () => {
  const { id } = await activeEndpoint();
  await patch(id, { status: 'disabled' });
  await purchase();
  await until(async () => (await deliveries(id)).length === 1, 'it waits');
  await database.adminPool.query('update events set data = null');
  await patch(id, { status: 'active' });
  await until(async () => (await deliveries(id))[0]?.status === 'dead_letter', 'given up');
  expect((await deliveries(id))[0]?.lastError).toBe('What happened is no longer kept.');
  expect(receiver.received).toEqual([]);
});
