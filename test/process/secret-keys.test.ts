import { randomBytes } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import type { Demo } from '../../src/admin/demo/demo.ts';
import { runCli, runJson } from '../support/cli/run-cli.ts';
import { atEnd, fixture } from '../support/fixture.ts';
import { databaseSettings, type ServerProcess, spawnServer } from '../support/server.ts';
import { Client, type Credentials } from '../support/surfaces/client.ts';
import { makeDataDir, removeDataDir } from '../support/temporary-cluster.ts';
import { useDatabase } from '../support/use-database.ts';
import { type ShownDelivery, type ShownEndpoint, webhookRequests } from '../support/webhooks/requests.ts';
import { useReceiver } from '../support/webhooks/use-receiver.ts';

// The keys that encrypt signing secrets, from the start of a server to their replacement.

const newKey = (): string => randomBytes(32).toString('base64');

let numbers = 0;

const receiver = useReceiver();
const { database, world } = useDatabase();
const shop = fixture('the shop', () => world.environment());

atEnd(() => {
  delete process.env.SECRETS_KEY;
});

/** Runs a server with these keys, and ends it. @returns what it wrote */
async function serving(
  keys: readonly string[],
  work: (client: Client, server: ServerProcess) => Promise<void>,
): Promise<string> {
  const env: Record<string, string> = { ...databaseSettings(database), WEBHOOK_ALLOW_PRIVATE: 'true' };
  if (keys.length > 0) env.SECRETS_KEY = keys.join(',');
  const server = await spawnServer(env);
  const client = new Client(server.url);
  try {
    await work(client, server);
  } finally {
    client.close();
    expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null });
  }
  return server.stdout() + server.stderr();
}

const unique = (): string => `keys-${numbers++}`;
const create = (client: Client, by: Credentials = shop) =>
  client.send(
    webhookRequests.create(by, { url: `${receiver.url}/hook`, eventTypes: ['points.earned'] }, unique()),
  );

async function sendTest(client: Client, id: string): Promise<ShownDelivery> {
  const { status, body } = await client.send(webhookRequests.test(shop, id, unique()));
  expect(status).toBe(202);
  return body.delivery as ShownDelivery;
}

async function received(deliveryId: string) {
  for (let tries = 0; tries < 6_000; tries++) {
    const found = receiver.received.find(({ headers }) => headers['webhook-id'] === deliveryId);
    if (found) return found;
    await sleep(20);
  }
  throw new Error(`never arrived: ${deliveryId}`);
}

async function status(client: Client, id: string): Promise<Pick<ShownDelivery, 'status' | 'attemptCount'>> {
  const { body } = await client.send(webhookRequests.delivery(shop, id));
  const { status: shown, attemptCount } = body.delivery as ShownDelivery;
  return { status: shown, attemptCount };
}

test('a key is replaced in place: nothing is lost with a wrong one, and receivers keep their secrets', async () => {
  const [old, wrong, next] = [newKey(), newKey(), newKey()];

  // Without a key the server starts as long as there is no endpoint, and makes none.
  await serving([], async (client) => {
    expect(await create(client)).toMatchObject({ status: 503, code: 'unavailable' });
  });
  let endpoint = '';
  let secret = '';
  await serving([old], async (client) => {
    const { body } = await create(client);
    endpoint = (body.endpoint as ShownEndpoint).id;
    secret = body.signingSecret as string;
    const first = await received((await sendTest(client, endpoint)).id);
    new Webhook(secret).verify(first.body, first.headers);
  });
  await expect(serving([], async () => {})).rejects.toThrow(
    'There are webhook endpoints: set SECRETS_KEY to the keys that encrypted their secrets.',
  );

  // With a wrong key it says at the start and at the delivery what to do. What waits is kept, and not attempted.
  let waiting = '';
  const said = await serving([wrong], async (client, server) => {
    expect(server.stdout() + server.stderr()).toMatch(
      /Signing secrets of webhooks cannot be decrypted\. .*SECRETS_KEY/,
    );
    waiting = (await sendTest(client, endpoint)).id;
    while (!/A signing secret cannot be decrypted/.test(server.stdout() + server.stderr())) await sleep(20);
    expect(await status(client, waiting)).toEqual({ status: 'pending', attemptCount: 0 });
  });
  expect(said).toContain(endpoint);
  expect(said).toMatch(/rotate the secret of the endpoint/);

  // With the old key behind the new one it arrives; what is made now is encrypted with the new one.
  let second = '';
  let secondSecret = '';
  await serving([next, old], async (client) => {
    const late = await received(waiting);
    new Webhook(secret).verify(late.body, late.headers);
    const { body } = await create(client);
    second = (body.endpoint as ShownEndpoint).id;
    secondSecret = body.signingSecret as string;
    await client.send(webhookRequests.rotate(shop, second, { overlapSeconds: 3_600 }, unique()));
  });

  const { adminUrl } = database;
  process.env.SECRETS_KEY = wrong;
  expect(await runCli(adminUrl, ['secrets', 'reencrypt'])).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining(endpoint),
  });
  process.env.SECRETS_KEY = `${next},${old}`;
  expect(await runJson(adminUrl, ['secrets', 'reencrypt'])).toEqual({ secrets: 1, unopened: [] });
  expect(await runJson(adminUrl, ['secrets', 'reencrypt'])).toEqual({ secrets: 0, unopened: [] });
  const { rows } = await database.adminPool.query(
    `select actor_type, target_id, changes from audit_events where action = 'environment.secrets_reencrypted'`,
  );
  expect(rows).toEqual([{ actor_type: 'operator', target_id: shop.environmentId, changes: { secrets: 1 } }]);

  // Now the old key is not needed any more, for neither of them.
  const quiet = await serving([next], async (client) => {
    for (const [id, known] of [
      [endpoint, secret],
      [second, secondSecret],
    ] as const) {
      const last = await received((await sendTest(client, id)).id);
      new Webhook(known).verify(last.body, last.headers);
    }
  });
  expect(quiet).not.toContain('cannot be decrypted');

  // A key that is lost: a new secret for the endpoint is encrypted with the key that there is.
  await serving([wrong], async (client) => {
    const rotated = await client.send(webhookRequests.rotate(shop, endpoint, {}, unique()));
    const found = await received((await sendTest(client, endpoint)).id);
    new Webhook(rotated.body.signingSecret as string).verify(found.body, found.headers);
  });
}, 300_000);

test('the embedded database gets a key of its own, in a file that only its owner may read', async () => {
  const dataDir = await makeDataDir();
  const start = () => spawnServer({ DATA_DIR: dataDir, WEBHOOK_ALLOW_PRIVATE: 'true' }, ['--demo']);
  let server = await start();
  try {
    const file = join(dataDir, 'secrets.key');
    const key = await readFile(file, 'utf8');
    expect(key).toMatch(/^[A-Za-z0-9+/]{43}=\n$/);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const { sandbox } = JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8')) as Demo;
    const by = { key: sandbox.apiKey, environmentId: sandbox.environmentId };
    const client = new Client(server.url);
    expect((await create(client, by)).status).toBe(201);
    client.close();
    await server.end('SIGTERM');
    server = await start();
    expect(await readFile(file, 'utf8')).toBe(key);
    expect(server.stdout() + server.stderr()).not.toContain('cannot be decrypted');
  } finally {
    await server.end('SIGTERM');
    await removeDataDir(dataDir);
  }
});
