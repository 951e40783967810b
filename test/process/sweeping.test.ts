import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { atEnd, fixture } from '../support/fixture.ts';
import { databaseSettings, spawnServer } from '../support/server.ts';
import { addMembers, earn } from '../support/surfaces/client.ts';
import { useShop } from '../support/surfaces/use-shop.ts';
import { install } from '../support/time-machine.ts';
import { until } from '../support/until.ts';
import { useDatabase } from '../support/use-database.ts';

const DAY_MS = 86_400_000;

const used = useDatabase();
const time = fixture('the time machine', () => install(used.database.adminUrl));
const { database, world, server, client, shop } = useShop(
  {
    program: (yaml) =>
      yaml
        .replace(/^pending:\n(?: .*\n)*/m, 'pending: { days: 1 }\n')
        .replace(/^expiration:\n(?: .*\n)*/m, 'expiration: { policy: rolling_days, days: 30 }\n'),
    members: ['ada', 'bob'],
    settings: { sweepSeconds: 1 },
  },
  used,
);

atEnd(async () => expect(await world.failedControls()).toEqual([]));

const untilCounted = (sql: string, expected: number): Promise<void> =>
  until(async () => (await world.count(sql, [shop.id])) === expected, `${expected} of ${sql}`);

/** Waits for the counters of a sweep, which are increased after its commit. */
const untilSettled = (expected: number): Promise<void> =>
  until(async () => (await metric('rewards_settled_profiles_total')) === expected, `${expected} are settled`);

const available = 'select sum(available)::bigint from program_profiles where environment_id = $1';

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  return Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1]);
}

test('a serving process posts by itself what time has made due, counts it, and says how late it is', async () => {
  for (const externalCustomerId of ['ada', 'bob']) {
    const purchase = {
      externalCustomerId,
      sourceReference: `order-${externalCustomerId}`,
      amountMinor: 5000,
    };
    expect((await client.send(earn(shop, purchase, newKey()))).status).toBe(201);
  }
  const pending = await world.count('select sum(pending)::bigint from program_profiles');
  expect(pending).toBeGreaterThan(0);
  expect(await metric('rewards_oldest_due_seconds')).toBe(0);
  await time.travel(DAY_MS);
  await untilCounted(available, pending);
  await untilSettled(2);
  await time.travel(30 * DAY_MS);
  await untilCounted(available, 0);
  await untilSettled(4);
});

test('many processes on one database: each lot once; a stop is clean', async () => {
  const settings = { ...databaseSettings(database), SWEEP_SECONDS: '1', WORKERS: '2' };
  const other = await spawnServer(settings);
  try {
    const customers = Array.from({ length: 40 }, (_, index) => `customer-${index}`);
    await addMembers(client, shop, customers);
    await Promise.all(
      customers.map((externalCustomerId) =>
        client.send(
          earn(
            shop,
            { externalCustomerId, sourceReference: `order-${externalCustomerId}`, amountMinor: 1000 },
            newKey(),
          ),
        ),
      ),
    );
    const activations = `select count(*) from transactions where environment_id = $1 and event_type = 'points.activated'`;
    const before = await world.count(activations, [shop.id]);
    await time.travel(DAY_MS);
    await untilCounted(activations, before + 40);
    await sleep(1_500);
    expect(await world.count(activations, [shop.id])).toBe(before + 40);
  } finally {
    expect(await other.end('SIGTERM')).toEqual({ code: 0, signal: null });
  }
  expect(other.stderr()).not.toMatch(/"level":[456]0/);
});

test('a serving process re-qualifies by itself whom a year has ended for', async () => {
  const counted =
    'select count(*) from program_profiles where environment_id = $1 and qualification_points > 0';
  expect(await world.count(counted, [shop.id])).toBe(42);
  await time.travel(366 * DAY_MS);
  const other = await spawnServer({ ...databaseSettings(database), SWEEP_SECONDS: '1' });
  try {
    await untilCounted(counted, 0);
    await untilCounted(
      `select sum((result->>'profiles')::integer) from operations
       where environment_id = $1 and type = 'tier_run' and status = 'succeeded'`,
      42,
    );
  } finally {
    expect(await other.end('SIGTERM')).toEqual({ code: 0, signal: null });
  }
});

let keys = 0;
function newKey(): string {
  keys += 1;
  return `key-${keys}`;
}
