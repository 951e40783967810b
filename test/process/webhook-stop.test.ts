import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { databaseSettings, type ServerProcess, spawnServer } from '../support/server.ts';
import { addMembers, Client, earn } from '../support/surfaces/client.ts';
import { createWorld, type TestEnvironment } from '../support/surfaces/world.ts';
import { until } from '../support/until.ts';
import { Receiver } from '../support/webhooks/receiver.ts';
import { type ShownEndpoint, webhookRequests } from '../support/webhooks/requests.ts';

let database: TestDatabase;
let shop: TestEnvironment;
let receiver: Receiver;
let numbers = 0;
const servers: ServerProcess[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  shop = await createWorld(database).environment();
  receiver = await Receiver.open();
});

afterAll(async () => {
  for (const server of servers) await server.end('SIGKILL');
  await receiver.close();
  await database.drop();
});

const SECRETS_KEY = randomBytes(32).toString('base64');
const unique = (): string => `stop-${numbers++}`;

async function start(): Promise<ServerProcess> {
  const server = await spawnServer({
    ...databaseSettings(database),
    ...{ SECRETS_KEY, WEBHOOK_ALLOW_PRIVATE: 'true' },
  });
  servers.push(server);
  return server;
}

async function count(sql: string): Promise<number> {
  const { rows } = await database.adminPool.query<{ count: number }>(sql);
  return rows[0]?.count ?? 0;
}

/** The values of /metrics by name and labels. */
async function metrics({ url }: ServerProcess): Promise<Map<string, number>> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return new Map(
    text
      .split('\n')
      .filter((line) => line.startsWith('rewards_webhook_'))
      .map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  );
}

test('a stop ends the attempts that run and gives their endpoint back, and another process goes on at once', async () => {
  const first = await start();
  const client = new Client(first.url);
  await addMembers(client, shop, ['ada']);
  const hook = { url: `${receiver.url}/hook`, eventTypes: ['points.earned'] };
  const made = await client.send(webhookRequests.create(shop, hook, unique()));
  const { id } = made.body.endpoint as ShownEndpoint;
  await client.send(webhookRequests.patch(shop, id, { status: 'active' }, unique()));
  receiver.answer = () => {};
  const buy = (by: Client) => {
    const sourceReference = unique();
    return by.send(
      earn(shop, { externalCustomerId: 'ada', sourceReference, amountMinor: 1_000 }, sourceReference),
    );
  };
  await Promise.all([buy(client), buy(client), buy(client)]);
  await until(() => receiver.received.length > 0, 'an attempt runs');
  client.close();
  expect(await first.end('SIGTERM')).toEqual({ code: 0, signal: null });
  // Nobody has to wait for the lease, and nothing was counted as a failure of the receiver.
  expect(await count('select count(*) from webhook_leases where owned_until > clock_timestamp()')).toBe(0);
  expect(await count('select sum(attempt_count)::integer as count from webhook_deliveries')).toBe(0);
  receiver.answer = (_received, response) => response.writeHead(204).end();
  await start();
  const delivered = `select count(*) from webhook_deliveries where status = 'delivered'`;
  await until(async () => (await count(delivered)) === 3, 'all are delivered');
}, 240_000);

test('metrics say how attempts ended and how long they took, and what waits since when', async () => {
  const server = servers.at(-1) as ServerProcess;
  const client = new Client(server.url);
  const answers = [500, 'reset', 500];
  receiver.answer = (_received, response) => {
    const answer = answers.shift();
    if (answer === 'reset') response.socket?.destroy();
    else response.writeHead(Number(answer ?? 500)).end();
  };
  for (let index = 0; index < 3; index += 1) {
    const sourceReference = unique();
    await client.send(
      earn(shop, { externalCustomerId: 'ada', sourceReference, amountMinor: 1_000 }, sourceReference),
    );
    await until(() => answers.length === 2 - index, 'an attempt');
  }
  const failed = `select count(*) from webhook_deliveries where status = 'failed'`;
  await until(async () => (await count(failed)) === 3, 'all have failed');
  // Due since a minute, at an endpoint that no process may send to.
  await database.adminPool.query(
    `update webhook_endpoints set status = 'disabled', disabled_reason = 'operator'`,
  );
  await database.adminPool.query(
    `update webhook_deliveries set next_attempt_at = clock_timestamp() - interval '1 minute' where status = 'failed'`,
  );
  const outcome = (name: string): string =>
    `rewards_webhook_attempt_duration_seconds_count{outcome="${name}"}`;
  const shown = await metrics(server);
  expect(shown.get(outcome('delivered'))).toBe(3);
  expect(shown.get(outcome('refused'))).toBeGreaterThanOrEqual(2);
  expect(shown.get(outcome('no_answer'))).toBeGreaterThanOrEqual(1);
  expect(shown.get('rewards_webhook_attempt_duration_seconds_sum{outcome="delivered"}')).toBeGreaterThan(0);
  expect(shown.get('rewards_webhook_waiting_deliveries{status="failed"}')).toBe(3);
  expect(shown.get('rewards_webhook_waiting_deliveries{status="pending"}')).toBe(0);
  expect(shown.get('rewards_webhook_oldest_waiting_seconds{status="failed"}')).toBeGreaterThanOrEqual(59);
  expect(shown.get('rewards_webhook_oldest_waiting_seconds{status="pending"}')).toBe(0);
  client.close();
  expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null });
}, 240_000);
