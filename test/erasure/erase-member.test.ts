import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { RunningServer } from '../../src/server/http-server.ts';
import { runCli } from '../support/cli/run-cli.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { startTestServer } from '../support/server.ts';
import {
  addMembers,
  Client,
  createMember,
  earn,
  enroll,
  readMember,
  rest,
  updateMember,
} from '../support/surfaces/client.ts';
import { createWorld, programId, type TestEnvironment, type World } from '../support/surfaces/world.ts';

let database: TestDatabase;
let server: RunningServer;
let client: Client;
let world: World;
let shop: TestEnvironment;

beforeAll(async () => {
  database = await createTestDatabase();
  world = createWorld(database);
  shop = await world.environment('production');
  server = await startTestServer(database);
  client = new Client(server.url);
});

afterAll(async () => {
  client.close();
  await server.close();
  await database.drop();
});

const erase = (customer: string, ...args: string[]) =>
  runCli(database.adminUrl, [
    ...['member', 'erase', customer, '--reason', 'asked for it', '-e', shop.environmentId, '--actor', 'eve'],
    ...args,
  ]);

test('a member in a program is refused; with --forfeit its points lapse, and it is erased', async () => {
  await addMembers(client, shop, ['ann']);
  await client.send(updateMember(shop, 'ann', 'rename', { displayName: 'Ann Canary' }));
  await client.send(
    earn(shop, { externalCustomerId: 'ann', amountMinor: 1_000, sourceReference: 'o-1' }, 'earn-1'),
  );
  const refused = await erase('ann');
  expect([refused.exitCode, refused.stdout]).toEqual([1, '']);
  expect(refused.stderr).toContain(
    'ann is enrolled in coffee-club (10 points available, 0 pending, 0 held).',
  );
  expect(refused.stderr).toContain('--forfeit');
  const done = await erase('ann', '--forfeit');
  expect([done.exitCode, done.stderr]).toEqual([0, '']);
  expect(done.stdout).toMatch(
    /^ann is erased: the member is erased-[0-9a-f-]{36} now\.\n10 points were forfeited\.\n$/,
  );
  const [, id = ''] = /(erased-[0-9a-f-]{36})/.exec(done.stdout) ?? [];
  expect((await client.send(readMember(shop, 'ann'))).status).toBe(404);
  const read = await client.send(readMember(shop, id));
  expect(read.body.member).toMatchObject({ externalCustomerId: id, status: 'erased', displayName: null });
  const replay = await client.send(
    earn(shop, { externalCustomerId: 'ann', amountMinor: 1_000, sourceReference: 'o-1' }, 'earn-1'),
  );
  expect([replay.status, replay.replayed]).toEqual([200, true]);
  expect(replay.body.member).toMatchObject({ externalCustomerId: id });
  expect(await world.failedControls()).toEqual([]);
  const again = await erase('ann');
  expect([again.exitCode, again.stderr]).toEqual([1, expect.stringContaining('There is no member')]);
  // The id is free, for another member.
  const fresh = await client.send(createMember(shop, 'ann', 'create-again'));
  expect(fresh.status).toBe(201);
  expect((await client.send(enroll(shop, 'ann', 'enroll-again'))).status).toBe(201);
  expect(rest(shop, 'GET', `/programs/${programId}`)).toBeDefined();
}, 60_000);
