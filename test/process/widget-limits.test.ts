import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { fixture } from '../support/fixture.ts';
import { describeWithRedis, startTestRedis, type TestRedis } from '../support/redis.ts';
import { databaseSettings, type ServerProcess, spawnServer } from '../support/server.ts';
import { addMembers, Client } from '../support/surfaces/client.ts';
import { addTestWidget, openSession, WIDGET_ORIGIN } from '../support/surfaces/widgets.ts';
import { useDatabase } from '../support/use-database.ts';

const OF_SESSION = 10;
const OF_ADDRESS = 14;
const SENT = 36;
/** If the machine pauses for a moment, a process counts alone for a second: then the test tries again, after it. */
const MOST_ROUNDS = 8;
const COUNTS_ALONE_MS = 1_500;

const { database, world } = useDatabase();
const shop = fixture('the shop', () => world.environment());

const settings = (more: Record<string, string>): Record<string, string> => ({
  ...databaseSettings(database),
  SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
  WIDGET_SESSION_RATE_LIMIT_PER_MINUTE: String(OF_SESSION),
  WIDGET_RATE_LIMIT_PER_MINUTE: String(OF_ADDRESS),
  ...more,
});

/** Reads the surface over many connections at once. @returns how many reads were allowed */
async function allowed(urls: readonly string[], deploymentId: string, token?: string): Promise<number> {
  const clients = urls.map((url) => new Client(url, SENT));
  const path = `/api/v1/widgets/${deploymentId}/surface`;
  const headers = { origin: WIDGET_ORIGIN, ...(token && { authorization: `Bearer ${token}` }) };
  const answers = await Promise.all(
    Array.from({ length: SENT }, (_, index) =>
      (clients[index % clients.length] as Client).send({ method: 'GET', path, headers }),
    ),
  );
  for (const client of clients) client.close();
  const through = answers.filter(({ status }) => status === 200).length;
  const refused = answers.filter(({ status, code }) => status === 429 && code === 'rate_limited').length;
  expect(through + refused).toBe(SENT);
  return through;
}

/** Tries with new sessions, and with new deployments, until as many were allowed as one count allows. */
async function expectOneCount(name: string, urls: readonly string[]): Promise<void> {
  await withMember(name, urls[0] ?? '');
  const client = new Client(urls[0] ?? '');
  const [ofSession, ofAddress]: number[][] = [[], []];
  for (let round = 0; round < MOST_ROUNDS && ofSession?.at(-1) !== OF_SESSION; round += 1) {
    if (round > 0) await setTimeout(COUNTS_ALONE_MS);
    const deploymentId = await addTestWidget(world, shop.id);
    ofSession?.push(await allowed(urls, deploymentId, await openSession(client, shop, deploymentId, name)));
  }
  for (let round = 0; round < MOST_ROUNDS && ofAddress?.at(-1) !== OF_ADDRESS; round += 1) {
    if (round > 0) await setTimeout(COUNTS_ALONE_MS);
    ofAddress?.push(await allowed(urls, await addTestWidget(world, shop.id, { id: `${name}-${round}` })));
  }
  client.close();
  expect({ ofSession: ofSession?.at(-1), ofAddress: ofAddress?.at(-1) }).toEqual({
    ofSession: OF_SESSION,
    ofAddress: OF_ADDRESS,
  });
}

async function withMember(name: string, url: string): Promise<void> {
  const client = new Client(url);
  await addMembers(client, shop, [name]);
  client.close();
}

describe('the limits of a session and of an address are one count', () => {
  test('of the workers of a server', async () => {
    const server = await spawnServer(settings({ WORKERS: '2' }));
    try {
      await expectOneCount('of-workers', [server.url]);
    } finally {
      await server.end('SIGTERM');
    }
  });
});

describeWithRedis('with one REDIS_URL they are one count', () => {
  let redis: TestRedis;
  let servers: ServerProcess[];

  beforeAll(async () => {
    redis = await startTestRedis();
    const shared = settings({ REDIS_URL: redis.url });
    servers = await Promise.all([spawnServer(shared), spawnServer(shared)]);
  });

  afterAll(async () => {
    await Promise.all(servers.map((server) => server.end('SIGTERM')));
    await redis.kill();
  });

  test('of two servers', async () => {
    await expectOneCount(
      'of-servers',
      servers.map(({ url }) => url),
    );
  });
});
