import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { fromTypeId } from '../../src/ids.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { FAKETIME_LIBRARY, missingOf } from '../support/drills/programs.ts';
import { databaseSettings, type ServerProcess, spawnServer } from '../support/server.ts';
import { addMembers, Client, earn } from '../support/surfaces/client.ts';
import { createWorld, type TestEnvironment, type World } from '../support/surfaces/world.ts';
import { until } from '../support/until.ts';
import { Receiver } from '../support/webhooks/receiver.ts';
import { type ShownEndpoint, webhookRequests } from '../support/webhooks/requests.ts';
import { describeWhere } from '../support/where.ts';

const MISSING = missingOf('faketime');
const DAY_MS = 86_400_000;
const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64');

describeWhere(MISSING === null, MISSING ?? '')('two servers, whose clocks are two days off', () => {
  let database: TestDatabase;
  let world: World;
  let shop: TestEnvironment;
  let receiver: Receiver;
  const servers: ServerProcess[] = [];
  const clients: Client[] = [];

  beforeAll(async () => {
    database = await createTestDatabase();
    world = createWorld(database);
    shop = await world.environment();
    receiver = await Receiver.open();
    for (const skew of ['+2d', '-2d']) {
      const server = await spawnServer({
        ...databaseSettings(database),
        ...{ WEBHOOK_ALLOW_PRIVATE: 'true', SECRETS_KEY, LD_PRELOAD: FAKETIME_LIBRARY ?? '' },
        ...{ FAKETIME: skew, FAKETIME_DONT_FAKE_MONOTONIC: '1' },
      });
      servers.push(server);
      clients.push(new Client(server.url));
    }
  });

  afterAll(async () => {
    for (const client of clients) client.close();
    for (const server of servers) await server.end('SIGTERM');
    await receiver.close();
    await database.drop();
  });

  test('have the wrong clocks', async () => {
    const dates = await Promise.all(
      clients.map(async (client) => {
        const { headers } = await client.send({ method: 'GET', path: '/livez' });
        return Date.parse(headers.date ?? '') - Date.now();
      }),
    );
    expect(dates.map((off) => Math.round(off / DAY_MS))).toEqual([2, -2]);
  });

  test('sign what receivers accept, and make ids in the order of what happened', async () => {
    const [first, second] = clients as [Client, Client];
    await addMembers(first, shop, ['ada']);
    const asked = { url: `${receiver.url}/hook`, eventTypes: ['points.earned'] };
    const made = await first.send(webhookRequests.create(shop, asked, 'made'));
    const { id } = made.body.endpoint as unknown as ShownEndpoint;
    await first.send(webhookRequests.patch(shop, id, { status: 'active' }, 'active'));
    const ids: string[] = [];
    for (let turn = 0; turn < 8; turn += 1) {
      const key = `order-${turn}`;
      const body = { externalCustomerId: 'ada', sourceReference: key, amountMinor: 1_000 };
      const answer = await (turn % 2 === 0 ? first : second).send(earn(shop, body, key));
      ids.push(fromTypeId('txn', String(answer.body.id)) ?? '');
    }
    expect(ids).toEqual(ids.toSorted());
    await until(() => receiver.received.length === 8, 'the deliveries');
    for (const { headers } of receiver.received) {
      const off = Number(headers['webhook-timestamp']) * 1_000 - Date.now();
      // Libraries of Standard Webhooks accept five minutes.
      expect(Math.abs(off)).toBeLessThan(60_000);
    }
    expect(receiver.faults).toEqual([]);
    for (const uuid of ids) {
      const atMs = Number.parseInt(uuid.replaceAll('-', '').slice(0, 12), 16);
      expect(Math.abs(atMs - Date.now())).toBeLessThan(60_000);
    }
  });
});
