import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { Operation } from '../../src/contract/generated/types.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { databaseSettings, type ServerProcess, spawnServer } from '../support/server.ts';
import { Client, rest } from '../support/surfaces/client.ts';
import { createWorld, type TestEnvironment } from '../support/surfaces/world.ts';
import { until } from '../support/until.ts';
import { Receiver } from '../support/webhooks/receiver.ts';
import { type ShownEndpoint, webhookRequests } from '../support/webhooks/requests.ts';

jest.setTimeout(600_000);

const { create, patch, replay } = webhookRequests;
const DELIVERIES = 30_000;

let database: TestDatabase;
let shop: TestEnvironment;
let receiver: Receiver;
const servers: { server: ServerProcess; client: Client }[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  shop = await createWorld(database).environment();
  receiver = await Receiver.open();
});

afterAll(async () => {
  for (const { server, client } of servers) {
    client.close();
    await server.end('SIGTERM');
  }
  await receiver.close();
  await database.drop();
});

async function start(): Promise<{ server: ServerProcess; client: Client }> {
  const server = await spawnServer({
    ...databaseSettings(database),
    ...{
      WEBHOOK_ALLOW_PRIVATE: 'true',
      SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
      SWEEP_SECONDS: '1',
    },
  });
  const started = { server, client: new Client(server.url) };
  servers.push(started);
  return started;
}

/** Tests that were delivered: they need no events. */
async function addDelivered(): Promise<void> {
  for (let from = 1; from <= DELIVERIES; from += 10_000) {
    await database.adminPool.query(
      `insert into webhook_deliveries
         (environment_id, id, endpoint_id, sequence, event_type, status, attempt_count, created_at, delivered_at)
       select environment_id, gen_random_uuid(), id, i, 'webhook.test', 'delivered', 1, now(), now()
       from webhook_endpoints, generate_series($1::bigint, $1::bigint + 9999) i
       where environment_id = $2`,
      [from, shop.id],
    );
  }
  await database.adminPool.query(
    'update webhook_endpoints set last_sequence = $2 where environment_id = $1',
    [shop.id, DELIVERIES],
  );
}

test('the replay of a process that is killed is shown as failed, and another one goes on where it ended', async () => {
  const killed = await start();
  const hook = { url: receiver.url, eventTypes: ['points.earned'] };
  const made = await killed.client.send(create(shop, hook, 'create'));
  const { id } = made.body.endpoint as unknown as ShownEndpoint;
  await killed.client.send(patch(shop, id, { status: 'active' }, 'activate'));
  await addDelivered();
  const asked = await killed.client.send(replay(shop, id, { sinceSequence: 0 }, 'replay'));
  const { id: operationId } = asked.body.operation as unknown as Operation;
  const read = async ({ client }: { client: Client }, operation: string): Promise<Operation> =>
    (await client.send(rest(shop, 'GET', `/operations/${operation}`))).body.operation as unknown as Operation;
  await until(async () => (await read(killed, operationId)).progress.done > 0, 'it has begun');
  await killed.server.end('SIGKILL');

  const next = await start();
  await until(async () => (await read(next, operationId)).status === 'failed', 'it is shown as failed');
  const failed = await read(next, operationId);
  expect(failed).toMatchObject({ error: { code: 'interrupted' }, finishedAt: expect.any(String) });
  expect(failed.progress.total).toBe(DELIVERIES);
  expect(failed.progress.done).toBeLessThan(DELIVERIES);
  expect(failed.error?.message).toMatch(
    new RegExp(`another replay, with sinceSequence ${failed.progress.done}\\.$`),
  );
  const others = await next.client.send(replay(shop, id, { sinceSequence: failed.progress.done }, 'go-on'));
  const { id: secondId } = others.body.operation as unknown as Operation;
  await until(async () => (await read(next, secondId)).status === 'succeeded', 'the rest is in the queue');
  // None is left as it was: what is delivered has been sent again.
  const { rows } = await database.adminPool.query<{ count: number }>(
    `select count(*)::integer as count from webhook_deliveries
     where environment_id = $1 and status = 'delivered' and attempt_count = 1`,
    [shop.id],
  );
  expect(rows).toEqual([{ count: 0 }]);
});
