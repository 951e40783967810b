import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { describeWithRedis, startTestRedis, type TestRedis } from '../support/redis.ts';
import { databaseSettings, type ServerProcess, spawnServer } from '../support/server.ts';
import { Client, readMember } from '../support/surfaces/client.ts';
import { createWorld, type TestEnvironment, type World } from '../support/surfaces/world.ts';

const LIMIT = 10;
const SENT = 30;
/** If the machine pauses for a moment, a server may count alone for a second: then the test tries again. */
const MOST_ROUNDS = 5;

describeWithRedis('two servers with one REDIS_URL', () => {
  let database: TestDatabase;
  let redis: TestRedis;
  let world: World;
  let shop: TestEnvironment;
  let servers: ServerProcess[];
  let clients: Client[];

  beforeAll(async () => {
    [database, redis] = await Promise.all([createTestDatabase(), startTestRedis()]);
    world = createWorld(database);
    shop = await world.environment();
    const settings = {
      ...databaseSettings(database),
      REDIS_URL: redis.url,
      RATE_LIMIT_PER_MINUTE: String(LIMIT),
    };
    servers = await Promise.all([spawnServer(settings), spawnServer(settings)]);
    clients = servers.map(({ url }) => new Client(url, SENT));
  });

  afterAll(async () => {
    for (const client of clients) client.close();
    await Promise.all(servers.map((server) => server.end('SIGTERM')));
    await redis.kill();
    await database.drop();
  });

  /** Sends requests with a new key, half to each server. @returns how many each server allowed */
  async function allowed(): Promise<number[]> {
    const { key } = await world.key(shop.id);
    const sent = readMember({ ...shop, key }, 'nobody');
    const through = clients.map(() => 0);
    await Promise.all(
      Array.from({ length: SENT }, async (_, index) => {
        const at = index % clients.length;
        const answer = await clients[at]?.send(sent);
        if (answer?.status === 404) through[at] = (through[at] ?? 0) + 1;
        else expect(answer).toMatchObject({ status: 429, code: 'rate_limited' });
      }),
    );
    return through;
  }

  const sum = (counts: number[]): number => counts.reduce((total, count) => total + count, 0);

  async function untilAllowed(expected: number): Promise<number[]> {
    let counts = await allowed();
    for (let round = 1; round < MOST_ROUNDS && sum(counts) !== expected; round += 1) {
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      counts = await allowed();
    }
    return counts;
  }

  test('share the limit of a key', async () => {
    expect(sum(await untilAllowed(LIMIT))).toBe(LIMIT);
  });

  test('without their Redis go on, each with a limit of its own, and share again when it is back', async () => {
    await redis.kill();
    expect(await allowed()).toEqual([LIMIT, LIMIT]);
    await redis.start();
    expect(sum(await untilAllowed(LIMIT))).toBe(LIMIT);
  });
});
