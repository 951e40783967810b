import { beforeAll, expect, test } from '@jest/globals';
import { createPool, type Pool } from '../../src/db/pool.ts';
import { newUuid } from '../../src/ids.ts';
import { removeChunk, removeQuotes } from '../../src/jobs/remove-quotes.ts';
import { applyRetention } from '../../src/jobs/retention.ts';
import { atEnd, fixture } from '../support/fixture.ts';
import type { Shop } from '../support/ledger/counter.ts';
import { useCounter } from '../support/ledger/use-counter.ts';
import { install } from '../support/time-machine.ts';

const DAY_MS = 86_400_000;

/** With the privileges of the server. */
let pool: Pool;

const counter = useCounter();
const time = fixture('the time machine', () => install(counter.database.adminUrl));

beforeAll(() => {
  pool = createPool({ url: counter.database.serverUrl, role: 'rewards_app', size: 2 });
});

atEnd(() => pool.end());

async function shopWithMember(): Promise<Shop> {
  const shop = await counter.environment();
  await shop.addMembers(counter.writer(), ['ann']);
  return shop;
}

/** Adds quotes of now, each in a state; those that are `reserved` with their reservation. */
async function addQuotes(shop: Shop, states: readonly string[], endsAfterDays = 0): Promise<void> {
  const ids = states.map(() => newUuid());
  await counter.database.adminPool.query(
    `insert into redemption_quotes (environment_id, id, program_id, member_id, reward_id, source_reference, state,
       points, terms, expires_at, created_at)
     select $1, quote.id, 'coffee-club', m.id, 'mug', 'cart', quote.state, 5, '{}',
       clock_timestamp() + $4 * interval '1 day', clock_timestamp()
     from unnest($2::uuid[], $3::text[]) as quote (id, state)
     join members m on m.environment_id = $1`,
    [shop.id, ids, states, endsAfterDays],
  );
}

/** The states of the quotes that are there, in the order in which they were made. */
async function left(shop: Shop): Promise<string[]> {
  const { rows } = await counter.database.adminPool.query<{ state: string }>(
    'select state from redemption_quotes where environment_id = $1 order by id',
    [shop.id],
  );
  return rows.map(({ state }) => state);
}

test('quotes go so many days after their end; what was reserved stays', async () => {
  const shop = await shopWithMember();
  await addQuotes(shop, ['expired', 'reserved', 'cancelled', 'quoted']);
  await time.travel(10 * DAY_MS);
  await addQuotes(shop, ['expired', 'reserved']);
  await time.travel(79 * DAY_MS);
  expect(await removeQuotes(pool, 90)).toBe(0);
  await time.travel(2 * DAY_MS);
  expect(await removeQuotes(pool, 90)).toBe(3);
  expect(await left(shop)).toEqual(['reserved', 'expired', 'reserved']);
  expect(await removeQuotes(pool, 90)).toBe(0);
  await time.travel(10 * DAY_MS);
  expect(await removeQuotes(pool, 90)).toBe(1);
  expect(await left(shop)).toEqual(['reserved', 'reserved']);
});

test('a quote is kept from its end on, and not from when it was made', async () => {
  const shop = await shopWithMember();
  await addQuotes(shop, ['expired'], 20);
  await time.travel(109 * DAY_MS);
  expect(await removeQuotes(pool, 90)).toBe(0);
  await time.travel(2 * DAY_MS);
  expect(await removeQuotes(pool, 90)).toBe(1);
});

test('a quote that ends later than those after it holds them up, and is not passed over for ever', async () => {
  const shop = await shopWithMember();
  await addQuotes(shop, ['expired'], 20);
  await addQuotes(shop, ['cancelled', 'quoted']);
  await time.travel(91 * DAY_MS);
  expect(await removeQuotes(pool, 90)).toBe(0);
  await time.travel(20 * DAY_MS);
  expect(await removeQuotes(pool, 90)).toBe(3);
  expect(await left(shop)).toEqual([]);
});

test('each quote is looked at once: the next run begins after the last one, also where that was reserved', async () => {
  const shop = await shopWithMember();
  await addQuotes(shop, ['expired', 'reserved', 'expired', 'reserved']);
  await time.travel(91 * DAY_MS);
  const look = async () => (await pool.query(removeChunk(shop.id, 90))).rows[0];
  expect(await look()).toEqual({ seen: 4, removed: 2 });
  expect(await look()).toEqual({ seen: 0, removed: 0 });
});

test('many go in steps, in every environment by turns; a stop ends the run after a step, and the next one goes on', async () => {
  const large = await shopWithMember();
  const small = await shopWithMember();
  await addQuotes(
    large,
    Array.from({ length: 2_500 }, (_, index) => (index % 10 === 0 ? 'reserved' : 'expired')),
  );
  await addQuotes(small, ['expired']);
  await time.travel(91 * DAY_MS);
  const stopped = new AbortController();
  const seen: Pool = Object.create(pool, {
    query: {
      value: async (statement: { name?: string; values?: unknown[] }) => {
        // The second step of the large environment comes after the first one of the small environment.
        if (statement.name === 'remove_quotes' && statement.values?.[0] === small.id) stopped.abort();
        return pool.query(statement as never);
      },
    },
  });
  const first = await removeQuotes(seen, 90, stopped.signal);
  expect(first).toBeLessThanOrEqual(901);
  const rest = await removeQuotes(pool, 90);
  expect(first + rest).toBe(2_251);
  expect(new Set(await left(large))).toEqual(new Set(['reserved']));
  expect(await left(large)).toHaveLength(250);
  expect(await left(small)).toEqual([]);
});

test('a retention of "never" removes nothing, and each kind is counted', async () => {
  const shop = await shopWithMember();
  await addQuotes(shop, ['expired']);
  await time.travel(500 * DAY_MS);
  const removed: [string, number][] = [];
  const { signal } = new AbortController();
  const apply = (payloadsDays: number | null, quotesDays: number | null): Promise<void> =>
    applyRetention(pool, { payloadsDays, quotesDays }, signal, (kind, rows) => removed.push([kind, rows]));
  await apply(null, null);
  expect(removed).toEqual([]);
  expect(await left(shop)).toEqual(['expired']);
  await apply(30, 90);
  expect(removed).toEqual([
    ['payload', expect.any(Number)],
    ['quote', 1],
  ]);
});

test('where one kind cannot be removed, the other one is, and then the run fails', async () => {
  const shop = await shopWithMember();
  await addQuotes(shop, ['expired']);
  await time.travel(91 * DAY_MS);
  const failing: Pool = Object.create(pool, {
    query: {
      value: async (statement: { name?: string }) => {
        if (statement.name === 'environments_with_positions') throw new Error('no events today');
        return pool.query(statement as never);
      },
    },
  });
  const removed: [string, number][] = [];
  const run = applyRetention(
    failing,
    { payloadsDays: 30, quotesDays: 90 },
    new AbortController().signal,
    (kind, rows) => removed.push([kind, rows]),
  );
  await expect(run).rejects.toThrow('Old rows could not be removed: Error: no events today');
  expect(removed).toEqual([['quote', 1]]);
  expect(await left(shop)).toEqual([]);
});
