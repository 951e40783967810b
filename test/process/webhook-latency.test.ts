import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { leastOf } from '../support/least-of.ts';
import { databaseSettings, type ServerProcess, spawnServer } from '../support/server.ts';
import { addMembers, Client, earn, type Sent } from '../support/surfaces/client.ts';
import { createWorld, type TestEnvironment, type World } from '../support/surfaces/world.ts';
import { until } from '../support/until.ts';
import { Receiver } from '../support/webhooks/receiver.ts';
import { type ShownDelivery, type ShownEndpoint, webhookRequests } from '../support/webhooks/requests.ts';

// Two processes: one takes the requests and has no key for secrets, so that it sends nothing; the other one sends. It
// hears of what there is to send by NOTIFY alone, or else by its look once a second.

jest.setTimeout(600_000);

const { create, patch, test: sendTest, deliveries, retry, replay } = webhookRequests;
const TARGET_MS = 300;
const SAMPLES = 15;
/** A busy machine makes some measurements long. With a look once a second half of the samples take half a second. */
const ATTEMPTS = 6;

let database: TestDatabase;
let world: World;
let shop: TestEnvironment;
let asked: ServerProcess;
let sending: ServerProcess;
let client: Client;
let other: Client;
let receiver: Receiver;
let endpointId: string;
let keys = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  world = createWorld(database);
  shop = await world.environment();
  const settings = { ...databaseSettings(database), WEBHOOK_ALLOW_PRIVATE: 'true' };
  // Without endpoints it starts without SECRETS_KEY.
  asked = await spawnServer(settings);
  sending = await spawnServer({ ...settings, SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') });
  client = new Client(asked.url);
  other = new Client(sending.url);
  receiver = await Receiver.open();
  await addMembers(client, shop, ['ada']);
  const hook = { url: receiver.url, eventTypes: ['points.earned', 'program.published'] };
  const made = await other.send(create(shop, hook, newKey()));
  endpointId = (made.body.endpoint as unknown as ShownEndpoint).id;
  await client.send(patch(shop, endpointId, { status: 'active' }, newKey()));
  await client.send(sendTest(shop, endpointId, newKey()));
  await until(() => receiver.received.length === 1, 'a first delivery');
});

afterAll(async () => {
  client?.close();
  other?.close();
  await asked?.end('SIGTERM');
  await sending?.end('SIGTERM');
  await receiver?.close();
  await database.drop();
});

const newKey = (): string => `latency-${keys++}`;

/** Makes a change. @returns when time counts from, by performance.now() */
type Change = () => Promise<number>;

/** Milliseconds from a change to the arrival of what it makes due. */
async function untilArrival(change: Change): Promise<number> {
  const before = receiver.received.length;
  const begun = await change();
  await until(() => receiver.received.length > before, 'it arrives');
  const at = receiver.received[before]?.at ?? Number.POSITIVE_INFINITY;
  // Nothing waits when the next one begins, and what follows is not in step with the looks of the other process.
  await sleep(60 + 10 * (keys % 13));
  return at - begun;
}

/** @param prepare is not measured; it returns the change that is */
async function median(prepare: () => Promise<Change>): Promise<number> {
  const samples: number[] = [];
  for (let sample = 0; sample < SAMPLES; sample++) samples.push(await untilArrival(await prepare()));
  return samples.toSorted((a, b) => a - b)[Math.floor(SAMPLES / 2)] as number;
}

async function expectSoonAfter(what: string, prepare: () => Promise<Change>): Promise<void> {
  const least = await leastOf(ATTEMPTS, TARGET_MS, () => median(prepare));
  process.stderr.write(`${what}: ${least.toFixed(0)} ms until it arrives from another process\n`);
  expect(least).toBeLessThan(TARGET_MS);
}

/** Counts from the begin of a request, which is before its commit. @param make is not measured */
function expectSoon(what: string, make: () => Promise<Sent>): Promise<void> {
  return expectSoonAfter(what, async () => {
    const sent = await make();
    return async () => {
      const begun = performance.now();
      const answer = await client.send(sent);
      expect(answer.code).toBe(null);
      return begun;
    };
  });
}

test('an event is sent by another process within 300 ms', () =>
  expectSoon('an event', async () => {
    const key = newKey();
    return earn(shop, { externalCustomerId: 'ada', sourceReference: key, amountMinor: 1000 }, key);
  }));

test('so is an event of the command line', () =>
  expectSoonAfter('a publication', async () => {
    const version = keys++;
    return async () => {
      await world.publish(shop.id, (yaml) => yaml.replace(/^name: .*$/m, `name: Club ${version}`));
      // It takes long to check and to compile a program. The commit is just before this.
      return performance.now();
    };
  }));

test('so is a test', () => expectSoon('a test', async () => sendTest(shop, endpointId, newKey())));

test('so is a replay', () =>
  expectSoon('a replay', async () => {
    const [newest] = await listed('?limit=1');
    return replay(shop, endpointId, { sinceSequence: (newest?.sequence ?? 0) - 1 }, newKey());
  }));

test('so is a retry', () =>
  expectSoon('a retry', async () => {
    await database.adminPool.query(
      `update webhook_deliveries set status = 'dead_letter', next_attempt_at = null, delivered_at = null
       where environment_id = $1 and sequence = 1`,
      [shop.id],
    );
    const [first] = await listed('?status=dead_letter');
    return retry(shop, first?.id ?? '', newKey());
  }));

test('so is what waits for an endpoint that is activated', () =>
  expectSoon('an activation', async () => {
    await client.send(patch(shop, endpointId, { status: 'disabled' }, newKey()));
    const key = newKey();
    await client.send(
      earn(shop, { externalCustomerId: 'ada', sourceReference: key, amountMinor: 1000 }, key),
    );
    await until(async () => (await listed('?status=pending')).length === 1, 'a delivery that waits');
    return patch(shop, endpointId, { status: 'active' }, newKey());
  }));

async function listed(query: string): Promise<ShownDelivery[]> {
  return (await client.send(deliveries(shop, query))).body.data as unknown as ShownDelivery[];
}
