import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ProgramDocument } from '../../../src/programs/document/program-document.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { program } from '../../support/rules/fixtures.ts';
import { databaseSettings, type ServerProcess, spawnServer } from '../../support/server.ts';
import { addMembers, Client, earn, type Received, readMember } from '../../support/surfaces/client.ts';
import { createWorld, type TestEnvironment, type World } from '../../support/surfaces/world.ts';

const CLIENTS = 64;

let database: TestDatabase;
let world: World;
/** Two processes: within one process a batch sees what earlier batches took. */
let servers: [ServerProcess, ServerProcess];
let clients: [Client, Client];

beforeAll(async () => {
  database = await createTestDatabase();
  world = createWorld(database);
  const start = (): Promise<ServerProcess> => spawnServer(databaseSettings(database));
  servers = await Promise.all([start(), start()]);
  clients = [new Client(servers[0].url), new Client(servers[1].url)];
});

afterAll(async () => {
  for (const client of clients) client.close();
  await Promise.all(servers.map((server) => server.end('SIGTERM')));
  await database.drop();
});

/** An environment with this program, with a member for each client. */
async function open(document: Partial<ProgramDocument>): Promise<{ shop: TestEnvironment; ids: string[] }> {
  const shop = await world.environment();
  await world.publish(shop.id, () => JSON.stringify(program(document)));
  const ids = Array.from({ length: CLIENTS }, (_, index) => `c-${index}`);
  await addMembers(clients[0], shop, ids);
  return { shop, ids };
}

/** One purchase of each member at the same time, every second one through the other process. */
function rush(
  shop: TestEnvironment,
  ids: readonly string[],
  round: string,
  purchase: Partial<Parameters<typeof earn>[1]> = {},
): Promise<Received[]> {
  return Promise.all(
    ids.map((externalCustomerId, index) =>
      clients[index % 2 ? 1 : 0].send(
        earn(
          shop,
          { externalCustomerId, sourceReference: `${round}-${index}`, amountMinor: 100, ...purchase },
          `${round}-${index}`,
        ),
      ),
    ),
  );
}

interface Answer {
  award: { points: number; basePoints: number; campaignPoints: number };
  campaigns: { campaignId: string; points: number }[];
  coupon: { redeemed: boolean } | null;
  referral: object | null;
}

function answers(received: readonly Received[]): Answer[] {
  expect(
    received.map(({ status, text }) => (status === 201 ? 201 : text)).filter((each) => each !== 201),
  ).toEqual([]);
  return received.map(({ body }) => body as unknown as Answer);
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

test('a cap of 1,000 points that 64 clients hit at once gives exactly 1,000', async () => {
  const { shop, ids } = await open({
    campaigns: [
      { id: 'spring', match: 'all', conditions: [], award: { bonusPoints: 7 }, caps: { totalPoints: 1000 } },
    ],
  });
  const given: Answer[] = [];
  for (const round of ['a', 'b', 'c']) given.push(...answers(await rush(shop, ids, round)));
  expect(sum(given.map(({ award }) => award.campaignPoints))).toBe(1000);
  expect(sum(given.flatMap(({ campaigns }) => campaigns.map(({ points }) => points)))).toBe(1000);
  // The cap does not count base points.
  expect(sum(given.map(({ award }) => award.basePoints))).toBe(3 * CLIENTS);
  // 142 times seven, and the remaining six: only the last award is trimmed.
  expect(given.filter(({ award }) => award.campaignPoints === 7)).toHaveLength(142);
  expect(given.filter(({ award }) => award.campaignPoints === 6)).toHaveLength(1);
  const taken =
    "select taken from shared_counters where environment_id = $1 and counter_id = 'campaign:spring'";
  expect(await world.count(taken, [shop.id])).toBe(1000);
  // 800 are passed with 805; the last points fill the cap exactly.
  for (const [percent, points] of [
    [80, 805],
    [100, 1000],
  ]) {
    const told = `select count(*)::bigint from events where environment_id = $1 and type = 'campaign.cap_reached'
      and (data ->> 'percent')::int = $2 and (data ->> 'givenPoints')::int = $3`;
    expect([percent, await world.count(told, [shop.id, percent, points])]).toEqual([percent, 1]);
  }
  const all =
    "select count(*)::bigint from events where environment_id = $1 and type = 'campaign.cap_reached'";
  expect(await world.count(all, [shop.id])).toBe(2);
  expect(await world.failedControls()).toEqual([]);
});

test('a coupon of 20 uses is redeemed 20 times, and everyone else keeps the base points', async () => {
  const { shop, ids } = await open({
    coupons: [{ code: 'TEN', award: { bonusPoints: 10 }, limits: { total: 20, perMember: 1 } }],
  });
  const given = answers(await rush(shop, ids, 'coupon', { couponCode: 'TEN' }));
  expect(given.filter(({ coupon }) => coupon?.redeemed)).toHaveLength(20);
  expect(sum(given.map(({ award }) => award.points))).toBe(CLIENTS + 200);
  expect(await world.failedControls()).toEqual([]);
});

test('a referrer is rewarded for as many as the program allows, each referee once', async () => {
  const { shop, ids } = await open({
    referral: { referrerPoints: 200, refereePoints: 50, maxPerReferrer: 9 },
  });
  const [referrer = '', ...referees] = ids;
  const read = async () => {
    const { body } = await clients[0].send(readMember(shop, referrer));
    const [profile] = body.programs as { referralCode: string; balances: { available: number }[] }[];
    return { code: profile?.referralCode ?? '', available: profile?.balances[0]?.available };
  };
  const { code } = await read();
  expect(code).toMatch(/^[0-9A-Z]{10}$/);
  // As a customer would type it.
  const context = { attributes: { referralCode: ` ${code.toLowerCase()}\n` } };
  // Two first purchases of each referee, one through each process.
  const both = await Promise.all([
    rush(shop, referees, 'one', { context }),
    rush(shop, referees.toReversed(), 'two', { context }),
  ]);
  const given = answers(both.flat());
  expect(given.filter(({ referral }) => referral !== null)).toHaveLength(9);
  expect((await read()).available).toBe(9 * 200);
  const posted = `select sum(points)::bigint from transactions
    where environment_id = $1 and event_type = 'referral.awarded'`;
  expect(await world.count(posted, [shop.id])).toBe(9 * 250);
  expect(await world.failedControls()).toEqual([]);
});
