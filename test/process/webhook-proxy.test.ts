import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { databaseSettings, type ServerProcess, spawnServer } from '../support/server.ts';
import { Client } from '../support/surfaces/client.ts';
import type { TestEnvironment } from '../support/surfaces/world.ts';
import { useDatabase } from '../support/use-database.ts';
import { Canary } from '../support/webhooks/canary.ts';
import { ForwardProxy } from '../support/webhooks/forward-proxy.ts';
import { type ShownDelivery, type ShownEndpoint, webhookRequests } from '../support/webhooks/requests.ts';
import { useReceiver } from '../support/webhooks/use-receiver.ts';

let keys = 0;

const receiver = useReceiver();
const { database, world } = useDatabase();

/** Runs a server with settings, and ends it. */
async function serving(env: Record<string, string>, work: (server: ServerProcess) => Promise<void>) {
  const SECRETS_KEY = randomBytes(32).toString('base64');
  const server = await spawnServer({ ...databaseSettings(database), SECRETS_KEY, ...env });
  try {
    await work(server);
  } finally {
    await server.end('SIGTERM');
    // The next server has another key.
    await database.adminPool.query(
      `update webhook_endpoints set deleted_at = now(), place = null, status = 'disabled'`,
    );
  }
}

/** Sends a test to an endpoint of this URL. @returns the delivery after its first attempt */
async function tested({ url: serverUrl }: ServerProcess, shop: TestEnvironment, url: string) {
  const client = new Client(serverUrl);
  const newKey = (): string => `proxy-${keys++}`;
  const hook = { url, eventTypes: ['points.earned'] };
  const made = await client.send(webhookRequests.create(shop, hook, newKey()));
  expect([url, made.status]).toEqual([url, 201]);
  const sent = await client.send(
    webhookRequests.test(shop, (made.body.endpoint as ShownEndpoint).id, newKey()),
  );
  let { id, ...delivery } = sent.body.delivery as ShownDelivery;
  while (delivery.attemptCount === 0) {
    await sleep(20);
    const { body } = await client.send(webhookRequests.delivery(shop, id));
    ({ id, ...delivery } = body.delivery as ShownDelivery);
  }
  client.close();
  return delivery;
}

test('with WEBHOOK_PROXY everything goes through tunnels of the proxy, which decides what may be reached', async () => {
  const proxy = await ForwardProxy.open((target) => target === new URL(receiver.url).host);
  const production = await world.environment('production');
  const sandbox = await world.environment('sandbox');
  const canary = await Canary.open();
  const WEBHOOK_PROXY = `http://user:pass%20word@${proxy.host}`;
  await serving({ WEBHOOK_PROXY, WEBHOOK_ALLOW_PRIVATE: 'true' }, async (server) => {
    expect(await tested(server, sandbox, `${receiver.url}/hook`)).toMatchObject({ status: 'delivered' });
    expect(await tested(server, sandbox, `http://127.0.0.1:${canary.port}/hook`)).toMatchObject({
      status: 'failed',
      lastError: 'The proxy refused the connection.',
    });
    // The name is not looked up here: the proxy gets it as it is.
    expect(await tested(server, production, 'https://internal.example/hook')).toMatchObject({
      status: 'failed',
      lastError: 'The proxy refused the connection.',
    });
  });
  expect(proxy.asked).toEqual([
    `CONNECT ${new URL(receiver.url).host}`,
    `CONNECT 127.0.0.1:${canary.port}`,
    'CONNECT internal.example:443',
  ]);
  const expected = `Basic ${Buffer.from('user:pass word').toString('base64')}`;
  expect(new Set(proxy.credentials)).toEqual(new Set([expected]));
  expect(canary.connections).toBe(0);
  await canary.close();
  await proxy.close();
});

test('the proxies of the environment have no effect', async () => {
  const canary = await Canary.open();
  const proxy = `http://127.0.0.1:${canary.port}`;
  const names = [
    'HTTP_PROXY',
    'HTTPS_PROXY',
    'ALL_PROXY',
    'http_proxy',
    'https_proxy',
    'all_proxy',
    'npm_config_proxy',
  ];
  const env = Object.fromEntries(names.map((name) => [name, proxy]));
  const sandbox = await world.environment('sandbox');
  const settings = { ...env, NODE_USE_ENV_PROXY: '1', NO_PROXY: '', WEBHOOK_ALLOW_PRIVATE: 'true' };
  await serving(settings, async (server) => {
    expect(await tested(server, sandbox, `${receiver.url}/direct`)).toMatchObject({ status: 'delivered' });
  });
  expect(canary.connections).toBe(0);
  await canary.close();
});

test('a proxy that is not there fails the attempt, and nothing is sent past it', async () => {
  const sandbox = await world.environment('sandbox');
  const before = receiver.received.length;
  await serving({ WEBHOOK_PROXY: 'http://127.0.0.1:1', WEBHOOK_ALLOW_PRIVATE: 'true' }, async (server) => {
    expect(await tested(server, sandbox, `${receiver.url}/past`)).toMatchObject({
      status: 'failed',
      lastError: 'The connection was refused.',
    });
  });
  expect(receiver.received).toHaveLength(before);
});
