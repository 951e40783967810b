import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { PoolClient } from 'pg';
import type { FeedEvent } from '../../src/contract/generated/types.ts';
import { toTypeId } from '../../src/ids.ts';
import { createLanePool } from '../../src/ledger/batch/lane-pool.ts';
import { type FeedStart, MOST_LOOKED_AT, readEvents } from '../../src/queries/events-feed.ts';
import type { Queries } from '../../src/queries/queries.ts';
import { createQueries } from '../../src/queries/queries.ts';
import type { Listed } from '../../src/queries/shared/listed.ts';
import { isRefusal } from '../../src/refusal.ts';
import { Sequencer } from '../../src/webhooks/sequencer.ts';
import { fixture } from '../support/fixture.ts';
import type { Shop } from '../support/ledger/counter.ts';
import { useCounter } from '../support/ledger/use-counter.ts';
import { until } from '../support/until.ts';

jest.setTimeout(300_000);

const MANY = 200_000;
/** So many are added at once. */
const STEP = 50_000;
const RARE_EVERY = 50_000;

const counter = useCounter();
const queries = fixture('the queries', () => createQueries(counter.database.adminPool));

type Page = Listed<FeedEvent>;

const from = (cursor: string | null): FeedStart => ({ cursor, position: null, epoch: null, epochAt: null });

async function read(
  shop: Shop,
  after: string | null,
  { limit = 200, types = null as readonly string[] | null } = {},
): Promise<Page> {
  const page = await queries.eventsFeed(shop.id, types, limit, from(after));
  if (isRefusal(page)) throw new Error(page.code);
  return page;
}

/** Adds events that have positions already, from the next one on. @param data of each, as JSON */
async function addPlaced(shop: Shop, count: number, type: string, data = '{}'): Promise<void> {
  const { adminPool } = counter.database;
  await adminPool.query('insert into event_positions (environment_id) values ($1) on conflict do nothing', [
    shop.id,
  ]);
  await adminPool.query(
    `insert into events (environment_id, id, type, data, at, position)
     select p.environment_id, gen_random_uuid(),
       case when (p.last_position + i) % ${RARE_EVERY} = 0 then 'rare' else $2 end, $3::json, now(), p.last_position + i
     from event_positions p, generate_series(1, $4::integer) i
     where p.environment_id = $1`,
    [shop.id, type, data, count],
  );
  await adminPool.query(
    'update event_positions set last_position = last_position + $2 where environment_id = $1',
    [shop.id, count],
  );
}

const positionsOf = ({ data }: Page): number[] => data.map(({ position }) => position);

describe('a page', () => {
  test('shows what happened in its order, and a cursor to go on with, also at the end', async () => {
    const shop = await counter.environment();
    const empty = await read(shop, null);
    expect(empty).toEqual({
      data: [],
      page: { nextCursor: expect.any(String), hasMore: false },
      epoch: 1,
      epochAt: null,
    });
    const writer = counter.writer();
    await shop.addMembers(writer, ['ann']);
    await writer.submit(shop.earn('ann', { sourceReference: 'o1' }));
    const pool = createLanePool({ url: counter.database.serverUrl, role: 'rewards_app', size: 2 });
    const sequencer = new Sequencer({ pool });
    // Nobody subscribes: the events get their positions all the same.
    await until(async () => {
      await sequencer.step(shop.id);
      return (await read(shop, null)).data.length === 3;
    }, 'all events');
    const created = await read(shop, empty.page.nextCursor ?? null, { limit: 1 });
    expect(created.data).toMatchObject([{ type: 'member.created', data: { externalCustomerId: 'ann' } }]);
    const epochAt = (
      await counter.value<Date>('select at from feed_epochs where environment_id = $1', [shop.id])
    ).toISOString();
    const first = await read(shop, created.page.nextCursor ?? null, { limit: 1 });
    expect(first).toEqual({
      data: [
        {
          id: expect.stringMatching(/^whe_/),
          type: 'member.enrolled',
          timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          environmentId: toTypeId('env', shop.id),
          epoch: 1,
          epochAt,
          position: 2,
          data: expect.objectContaining({ externalCustomerId: 'ann', programId: 'coffee-club' }),
        },
      ],
      page: { nextCursor: expect.any(String), hasMore: true },
      ...{ epoch: 1, epochAt },
    });
    const second = await read(shop, first.page.nextCursor ?? null, { limit: 1 });
    expect(second.data).toMatchObject([{ type: 'points.earned', data: { sourceReference: 'o1' } }]);
    expect(second.page.hasMore).toBe(false);
    const end = second.page.nextCursor ?? null;
    expect(await read(shop, end)).toMatchObject({ data: [], page: { nextCursor: end, hasMore: false } });
    await writer.submit(shop.earn('ann', { sourceReference: 'o2' }));
    await until(async () => {
      await sequencer.step(shop.id);
      return (await read(shop, end)).data.length === 1;
    }, 'the later event, after the cursor of the end');
    await sequencer.close();
    await pool.end();
  });

  test('is limited in bytes', async () => {
    const shop = await counter.environment();
    await addPlaced(shop, 30, 'large', JSON.stringify({ text: 'x'.repeat(100_000) }));
    const pages: number[][] = [];
    let after: string | null = null;
    for (let hasMore = true; hasMore; ) {
      const page: Page = await read(shop, after);
      pages.push(positionsOf(page));
      after = page.page.nextCursor ?? null;
      hasMore = page.page.hasMore;
    }
    expect(pages.map(({ length }) => length)).toEqual([11, 11, 8]);
    expect(pages.flat()).toEqual(Array.from({ length: 30 }, (_, index) => index + 1));
  });

  test('refuses cursors of other types, environments and lists, and types that are named twice', async () => {
    const [shop, neighbour] = [await counter.environment(), await counter.environment()];
    const { nextCursor = null } = (await read(shop, null, { types: ['a', 'b'] })).page;
    const codeOf = async (outcome: ReturnType<Queries['eventsFeed']>) => {
      const refusal = await outcome;
      return isRefusal(refusal) ? refusal.code : null;
    };
    expect(await codeOf(queries.eventsFeed(shop.id, ['b', 'a'], 5, from(nextCursor)))).toBe(null);
    expect(await codeOf(queries.eventsFeed(shop.id, null, 5, from(nextCursor)))).toBe('invalid_cursor');
    expect(await codeOf(queries.eventsFeed(shop.id, ['a'], 5, from(nextCursor)))).toBe('invalid_cursor');
    expect(await codeOf(queries.eventsFeed(neighbour.id, ['a', 'b'], 5, from(nextCursor)))).toBe(
      'invalid_cursor',
    );
    expect(await codeOf(queries.eventsFeed(shop.id, ['a', 'a'], 5, from(null)))).toBe('validation_failed');
  });
});

describe('among many events', () => {
  let shop: Shop;

  beforeAll(async () => {
    shop = await counter.environment();
    for (let count = 0; count < MANY; count += STEP) await addPlaced(shop, STEP, 'common');
    await counter.database.adminPool.query('analyze events');
  });

  test('those of a rare type are found by reading on, whatever the pages in between are', async () => {
    const found: number[] = [];
    let after: string | null = null;
    let pages = 0;
    for (let hasMore = true; hasMore; pages++) {
      const page: Page = await read(shop, after, { types: ['rare'] });
      found.push(...positionsOf(page));
      after = page.page.nextCursor ?? null;
      hasMore = page.page.hasMore;
    }
    expect(found).toEqual(Array.from({ length: MANY / RARE_EVERY }, (_, index) => (index + 1) * RARE_EVERY));
    expect(pages).toBe(MANY / MOST_LOOKED_AT);
  });

  test.each([
    [null, 50, 60],
    [null, 200, 60],
    [['common'], 50, 60],
    [['rare'], 50, 700],
    [['none', 'rare'], 200, 700],
  ])('the page of types %j and %i is read by index, with few blocks', async (types, limit, most) => {
    const client = await counter.database.adminPool.connect();
    try {
      for (const mode of ['force_generic_plan', 'force_custom_plan']) {
        await client.query(`set plan_cache_mode = ${mode}`);
        const { text, values } = readEvents(shop.id, types, 40_000, limit);
        const kinds = ['uuid', 'bigint', 'integer', ...(types ? ['text[]'] : [])].join(', ');
        await client.query(`prepare asked(${kinds}) as ${text}`);
        const literals = values.map((value) => `'${Array.isArray(value) ? `{${value}}` : value}'`).join(', ');
        const { rows } = await client.query<{ 'QUERY PLAN': string }>(
          `explain (analyze, buffers, costs off, timing off) execute asked(${literals})`,
        );
        await client.query('deallocate asked');
        const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
        // Of a rare type Postgres 15 sorts what it finds among the positions that a page looks at.
        expect(plan).toMatch(/Index Scan (?:using|on) events_in_order/);
        expect(plan).not.toMatch(/Seq Scan on events/);
        const [, hit = '0', , cold = '0'] = /shared hit=(\d+)( read=(\d+))?/.exec(plan) ?? [];
        expect(Number(hit) + Number(cold)).toBeLessThan(most);
      }
    } finally {
      await client.query('reset plan_cache_mode');
      client.release();
    }
  });
});

test('nothing is missed and nothing comes twice, with six writers, two sequencers and a transaction held open', async () => {
  const shop = await counter.environment();
  const pools = [0, 1].map(() =>
    createLanePool({ url: counter.database.serverUrl, role: 'rewards_app', size: 2 }),
  );
  const failures: unknown[] = [];
  const sequencers = pools.map(
    (pool) => new Sequencer({ pool, onError: (error) => void failures.push(error) }),
  );
  const written = new Set<string>();
  let writing = true;
  const write = async (client: PoolClient, type: string): Promise<void> => {
    const id = randomUUID();
    await client.query(
      `insert into events (environment_id, id, type, data, at) values ($1, $2, $3, '{}', now())`,
      [shop.id, id, type],
    );
    written.add(toTypeId('whe', id));
  };
  const held = await counter.database.adminPool.connect();
  await held.query('begin');
  await write(held, 'held');
  const worker = async (seed: number): Promise<void> => {
    const client = await counter.database.adminPool.connect();
    for (let round = 0; round < 60; round++) {
      await client.query('begin');
      for (let count = 0; count <= round % 3; count++) await write(client, seed % 2 ? 'odd' : 'even');
      if (round % 5 === seed % 5) await sleep(round % 9);
      await client.query('commit');
      for (const sequencer of sequencers) sequencer.wake(shop.id);
    }
    client.release();
  };
  /** Reads to the end of the feed again and again, until writing has ended and all is read. */
  const reader = async (types: readonly string[] | null, limit: number): Promise<FeedEvent[]> => {
    const events: FeedEvent[] = [];
    let after: string | null = null;
    for (let isLast = false; ; ) {
      const page: Page = await read(shop, after, { types, limit });
      events.push(...page.data);
      after = page.page.nextCursor ?? null;
      if (page.page.hasMore) continue;
      if (isLast) return events;
      isLast = !writing;
      await sleep(2);
    }
  };
  const readers = [reader(null, 200), reader(null, 7), reader(['odd', 'held'], 13)];
  await Promise.all([0, 1, 2, 3, 4, 5].map(worker));
  const before = written.size - 1;
  await until(async () => {
    for (const sequencer of sequencers) sequencer.wake(shop.id);
    return (await lastPosition(shop)) === before;
  }, 'all but what is held are placed');
  await held.query('commit');
  held.release();
  for (const sequencer of sequencers) sequencer.wake(shop.id);
  await until(async () => (await lastPosition(shop)) === written.size, 'all are placed');
  writing = false;
  const [all = [], slow = [], some = []] = await Promise.all(readers);
  for (const events of [all, slow]) {
    expect(events.map(({ position }) => position)).toEqual(
      Array.from({ length: written.size }, (_, index) => index + 1),
    );
    expect(new Set(events.map(({ id }) => id))).toEqual(written);
  }
  expect(all.at(-1)?.type).toBe('held');
  expect(some).toEqual(all.filter(({ type }) => type !== 'even'));
  expect(failures).toEqual([]);
  await Promise.all(sequencers.map((sequencer) => sequencer.close()));
  await Promise.all(pools.map((pool) => pool.end()));
});

function lastPosition(shop: Shop): Promise<number> {
  return counter.value<number>(
    'select coalesce(max(last_position), 0) from event_positions where environment_id = $1',
    [shop.id],
  );
}
