import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { type CuttingProxy, startCuttingProxy } from '../support/drills/cutting-proxy.ts';
import { expectEachOnce, startRetryingLoad } from '../support/drills/retrying-load.ts';
import { until } from '../support/drills/until.ts';
import { repetitions } from '../support/repetitions.ts';
import { databaseSettings, type ServerProcess, spawnServer } from '../support/server.ts';
import { addMembers, Client } from '../support/surfaces/client.ts';
import { createWorld, type TestEnvironment, type World } from '../support/surfaces/world.ts';

const CUTS = repetitions({ few: 100, many: 250, most: 1_000 });
const SENDERS = 24;
const MEMBERS = Array.from({ length: 12 }, (_, index) => `c-${index}`);
/** The phases that every batch of purchases has. */
const PHASES = ['begin and load', 'flush and commit'] as const;
const EXTENTS = ['nothing', 'part of the request', 'the request', 'part of the answer'] as const;

let database: TestDatabase;
let world: World;
let shop: TestEnvironment;
let proxy: CuttingProxy;
let server: ServerProcess;

beforeAll(async () => {
  database = await createTestDatabase();
  world = createWorld(database);
  shop = await world.environment();
  proxy = await startCuttingProxy(database.serverUrl);
  server = await spawnServer({
    ...databaseSettings(database),
    SERVER_DATABASE_URL: proxy.through(database.serverUrl),
    LOG_LEVEL: 'fatal',
  });
  const client = new Client(server.url);
  await addMembers(client, shop, MEMBERS);
  client.close();
}, 180_000);

afterAll(async () => {
  await server?.end('SIGTERM');
  await proxy?.close();
  await database.drop();
});

test(`connections cut ${CUTS} times, in every phase of a batch: each purchase once, acknowledged or settled by its retry`, async () => {
  const load = startRetryingLoad(server.url, shop, { name: 'cut', senders: SENDERS, members: MEMBERS });
  proxy.chance = 0.2;
  const count = () => Array.from(proxy.cuts.values()).reduce((sum, one) => sum + one, 0);
  let before = 0;
  while (before < CUTS) {
    await until('the next cuts', () => count() >= Math.min(CUTS, before + 50));
    before = count();
  }
  proxy.chance = 0;
  const acknowledged = load.acknowledged.size;
  await until('the load goes on', () => load.acknowledged.size > acknowledged + SENDERS * 2);
  await load.stop();
  process.stdout.write(
    `${JSON.stringify(Object.fromEntries(proxy.cuts))}; ${load.acknowledged.size} purchases, ` +
      `${load.settled} settled by a retry, answers in doubt: ${JSON.stringify([...load.doubts])}\n`,
  );
  for (const phase of PHASES) {
    for (const extent of EXTENTS) expect(proxy.cuts.get(`${phase}: ${extent}`)).toBeGreaterThan(0);
  }
  // A client never sees more of it than that it has to send again.
  for (const status of load.doubts.keys()) expect(status).toBe(503);
  await expectEachOnce(database.adminPool, 'cut', load.acknowledged);
  expect(await world.failedControls()).toEqual([]);
}, 600_000);
