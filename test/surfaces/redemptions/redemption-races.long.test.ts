import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { fromTypeId } from '../../../src/ids.ts';
import { FailurePause } from '../../../src/jobs/failure-pause.ts';
import { sweep } from '../../../src/jobs/sweep.ts';
import type { Writer } from '../../../src/ledger/batch/writer.ts';
import { Counter } from '../../support/ledger/counter.ts';
import { repetitions } from '../../support/repetitions.ts';
import { databaseSettings, type ServerProcess, spawnServer } from '../../support/server.ts';
import {
  addMembers,
  Client,
  earn,
  hold,
  onReservation,
  quote,
  type Received,
  readMember,
  reserve,
  rest,
  type Sent,
} from '../../support/surfaces/client.ts';
import { createWorld, type TestEnvironment, type World } from '../../support/surfaces/world.ts';

const RACES = repetitions({ many: 1_000, most: 10_000 });
const AT_ONCE = 25;
const PRICE = 150;
/** How many rewards have an inventory of one. */
const SINGLE_ITEMS = 20;

let counter: Counter;
let world: World;
/** Two servers, and the sweep in this process: within one process the commands of a member never overlap. */
let servers: [ServerProcess, ServerProcess];
let clients: [Client, Client];
let writer: Writer;
let shop: TestEnvironment;

beforeAll(async () => {
  counter = await Counter.open();
  world = createWorld(counter.database);
  shop = await world.environment();
  await world.publish(shop.id, (yaml) => yaml.replace('rewards:\n', `rewards:\n${singleItems()}`));
  const start = (): Promise<ServerProcess> => spawnServer(databaseSettings(counter.database));
  servers = await Promise.all([start(), start()]);
  clients = [new Client(servers[0].url), new Client(servers[1].url)];
  writer = counter.writer();
});

afterAll(async () => {
  for (const client of clients) client.close();
  await Promise.all(servers.map((server) => server.end('SIGTERM')));
  await counter.close();
});

function singleItems(): string {
  return Array.from(
    { length: SINGLE_ITEMS },
    (_, index) => `  - { id: item-${index}, name: Item, points: 1, inventory: 1 }\n`,
  ).join('');
}

/** Creates members with the given points each. */
async function membersWith(points: number, names: readonly string[]): Promise<void> {
  await addMembers(clients[0], shop, names);
  await Promise.all(
    names.map(async (externalCustomerId) => {
      const purchase = {
        externalCustomerId,
        amountMinor: points * 100,
        sourceReference: `of ${externalCustomerId}`,
      };
      const { status, text } = await clients[0].send(earn(shop, purchase, `earn-${externalCustomerId}`));
      if (status !== 201) throw new Error(text);
    }),
  );
}

async function balancesOf(client: Client, name: string): Promise<{ available: number; reserved: number }> {
  const { body } = await client.send(readMember(shop, name));
  const [program] = body.programs as { balances: { available: number; reserved: number }[] }[];
  const { available = -1, reserved = -1 } = program?.balances[0] ?? {};
  return { available, reserved };
}

/** Sends all requests at the same time, to the two servers in turn. */
function race(sends: readonly Sent[]): Promise<Received[]> {
  return Promise.all(sends.map((sent, index) => clients[index % 2 ? 1 : 0].send(sent)));
}

const outcomesOf = (answers: readonly Received[]): string[] =>
  answers.map(({ code }) => code ?? 'done').toSorted();

type Ending = 'committed' | 'released' | 'expired';

/** One reservation, for which a commit, a release and its expiry compete. */
interface Contest {
  name: string;
  id: string;
  key: string;
  /** All points of the member, with those held. */
  points: number;
  open: boolean;
}

test(`${RACES} races of commit, release and expiry: one of the three wins each, and no point is lost`, async () => {
  const start = (RACES / AT_ONCE) * PRICE;
  const names = Array.from({ length: AT_ONCE }, (_, index) => `racer-${index}`);
  await membersWith(start, names);
  const points = new Map(names.map((name) => [name, start]));
  const wins: Record<Ending, number> = { committed: 0, released: 0, expired: 0 };
  let spreadMs = 90;
  for (let round = 0; round < RACES / AT_ONCE; round += 1) {
    const contests = await Promise.all(
      names.map(async (name): Promise<Contest> => {
        const key = `${name}-${round}`;
        const id = await hold(clients[0], shop, { externalCustomerId: name }, key);
        return { name, id, key, points: points.get(name) ?? 0, open: true };
      }),
    );
    await endSoon(contests, spreadMs);
    const endings = await contend(contests, round);
    // On a slow machine requests take longer, and all of them would come after the expiry.
    const expired = endings.filter((ending) => ending === 'expired').length;
    if (expired > AT_ONCE / 2) spreadMs *= 1.5;
    else if (expired < AT_ONCE / 4) spreadMs /= 1.5;
    for (const [index, { name, id, points: before }] of contests.entries()) {
      const ending = endings[index] as Ending;
      wins[ending] += 1;
      const after = before - (ending === 'committed' ? PRICE : 0);
      points.set(name, after);
      expect(await balancesOf(clients[1], name)).toEqual({ available: after, reserved: 0 });
      const { body } = await clients[1].send(rest(shop, 'GET', `/redemptions/${id}`));
      expect(body.reservation).toMatchObject({ state: ending });
    }
  }
  // Each must win sometimes: otherwise it was no race.
  for (const ending of ['committed', 'released', 'expired'] as const) {
    expect([ending, wins[ending] > RACES / 50]).toEqual([ending, true]);
    const ended = `select count(*) from transactions where event_type = 'redemption.${ending}'`;
    expect([ending, await world.count(ended)]).toEqual([ending, wins[ending]]);
  }
  expect(await world.failedControls()).toEqual([]);
}, 300_000);

/** Lets the holds end within some hundredths of a second: some before the requests arrive, some after. */
async function endSoon(contests: readonly Contest[], spreadMs: number): Promise<void> {
  await counter.database.adminPool.query(
    `with ending as (
      update redemption_reservations set expires_at = clock_timestamp() + random() * $2::double precision * interval '1 ms'
      where id = any($1::uuid[]) returning environment_id, program_id, member_id, expires_at
    )
    update program_profiles p set next_due_at = ending.expires_at from ending
    where p.environment_id = ending.environment_id and p.program_id = ending.program_id
      and p.member_id = ending.member_id`,
    [contests.map(({ id }) => fromTypeId('rsv', id)), spreadMs],
  );
}

/** @returns how each reservation has ended, according to the responses */
async function contend(contests: readonly Contest[], round: number): Promise<Ending[]> {
  const over = new AbortController();
  const sweeping = sweepUntil(over.signal);
  const watching = contests.map((contest) => watch(contest));
  const endings = await Promise.all(
    contests.map(async (contest, index): Promise<Ending> => {
      const { id, key } = contest;
      const commit = onReservation(shop, id, 'commit', { authorizationReference: 'a' }, key);
      const release = onReservation(shop, id, 'release', { reason: 'r' }, key);
      const inTurn = (index + round) % 2 ? [commit, release] : [release, commit];
      const answers = await race(inTurn);
      contest.open = false;
      const [committed, released] = (index + round) % 2 ? answers : answers.toReversed();
      const outcomes = outcomesOf(answers);
      if (outcomes[0] === 'done') expect(outcomes).toEqual(['done', 'invalid_redemption_state']);
      else expect(outcomes).toEqual(['invalid_redemption_state', 'invalid_redemption_state']);
      return committed?.code === null ? 'committed' : released?.code === null ? 'released' : 'expired';
    }),
  );
  await Promise.all(watching);
  // The sweep posts the expiries.
  await new Promise((resolve) => setTimeout(resolve, 100));
  over.abort();
  await sweeping;
  await sweepOnce();
  return endings;
}

/** Reads the balances during the race: they are always those of one of the states before and after. */
async function watch(contest: Contest): Promise<void> {
  const { name, points } = contest;
  const seen = [points - PRICE, points].map((available) => [available, 0]);
  seen.push([points - PRICE, PRICE]);
  for (let reads = 0; reads < 2 || (contest.open && reads < 4); reads += 1) {
    const { available, reserved } = await balancesOf(clients[reads % 2 ? 1 : 0], name);
    expect(seen).toContainEqual([available, reserved]);
  }
}

async function sweepUntil(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await sweepOnce();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

async function sweepOnce(): Promise<void> {
  await sweep({
    pool: counter.database.adminPool,
    environmentId: shop.id,
    door: writer,
    signal: new AbortController().signal,
    failures: new FailurePause(),
    onFailed: (error) => {
      throw error;
    },
  });
}

test('commits of one reservation under many keys: one spends, the others are refused', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `double-${index}`);
  await membersWith(PRICE, names);
  for (const name of names) {
    const id = await hold(clients[0], shop, { externalCustomerId: name }, name);
    const answers = await race(
      Array.from({ length: 6 }, (_, index) =>
        onReservation(shop, id, 'commit', { authorizationReference: 'a' }, `${name}-${index}`),
      ),
    );
    expect(outcomesOf(answers)).toEqual(['done', ...Array(5).fill('invalid_redemption_state')]);
    const reversals = await race(
      Array.from({ length: 6 }, (_, index) =>
        onReservation(shop, id, 'reverse', { reason: 'r' }, `${name}-r-${index}`),
      ),
    );
    expect(outcomesOf(reversals)).toEqual(['done', ...Array(5).fill('invalid_redemption_state')]);
    expect(await balancesOf(clients[0], name)).toEqual({ available: PRICE, reserved: 0 });
  }
});

test('one commit sent many times under its one key is done once, and answered alike', async () => {
  await membersWith(PRICE, ['same']);
  const id = await hold(clients[0], shop, { externalCustomerId: 'same' }, 'same');
  const answers = await race(
    Array.from({ length: 20 }, () =>
      onReservation(shop, id, 'commit', { authorizationReference: 'a' }, 'same'),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
  const texts = answers.map(({ body }) => JSON.stringify(body.reservation));
  expect(new Set(texts).size).toBe(1);
});

test('many quotes for the last points, and one quote many times: one is reserved', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `last-${index}`);
  await membersWith(PRICE * 2 - 1, names);
  for (const name of names) {
    const quotes = await Promise.all(
      [0, 1, 2].map((index) => quoteOf(name, 'free-coffee', `${name}-${index}`)),
    );
    const answers = await race(
      [...quotes, ...quotes].map((quoteId, index) => reserve(shop, quoteId, `${name}-r-${index}`)),
    );
    const outcomes = outcomesOf(answers);
    expect(outcomes[0]).toBe('done');
    for (const code of outcomes.slice(1)) {
      expect(['insufficient_points', 'invalid_redemption_state']).toContain(code);
    }
    expect(await balancesOf(clients[0], name)).toEqual({ available: PRICE - 1, reserved: PRICE });
  }
});

test('the last of a reward, wanted by many members: one gets it, and after a release another one', async () => {
  const names = Array.from({ length: 8 }, (_, index) => `wants-${index}`);
  await membersWith(SINGLE_ITEMS * 4, names);
  for (let item = 0; item < SINGLE_ITEMS; item += 1) {
    const rewardId = `item-${item}`;
    // The first round inserts the row of the stock, the second one finds it.
    for (const round of [0, 1]) {
      const quotes = await Promise.all(
        names.map((name) => quoteOf(name, rewardId, `${name}-${item}-${round}`)),
      );
      const answers = await race(
        quotes.map((quoteId, index) => reserve(shop, quoteId, `${names[index]}-${item}-${round}`)),
      );
      expect(outcomesOf(answers)).toEqual(['done', ...Array(7).fill('inventory_exhausted')]);
      if (round === 1) continue;
      const winner = answers.find(({ code }) => code === null)?.body.reservation as { id: string };
      const released = onReservation(shop, winner.id, 'release', { reason: 'r' }, `release-${item}`);
      expect((await clients[0].send(released)).status).toBe(200);
    }
  }
  expect(await world.count('select count(*) from reward_stocks where taken = 1')).toBe(SINGLE_ITEMS);
  expect(await world.failedControls()).toEqual([]);
});

async function quoteOf(externalCustomerId: string, rewardId: string, key: string): Promise<string> {
  const { body, text } = await clients[0].send(quote(shop, { externalCustomerId, rewardId }, key));
  const { id } = (body.quote ?? {}) as { id?: string };
  if (!id) throw new Error(text);
  return id;
}
