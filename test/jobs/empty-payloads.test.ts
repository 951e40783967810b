import { beforeAll, expect, test } from '@jest/globals';
import { createPool, type Pool } from '../../src/db/pool.ts';
import { emptyPayloads } from '../../src/jobs/empty-payloads.ts';
import { createLanePool } from '../../src/ledger/batch/lane-pool.ts';
import { Sequencer } from '../../src/webhooks/sequencer.ts';
import { atEnd, fixture } from '../support/fixture.ts';
import type { Shop } from '../support/ledger/counter.ts';
import { useCounter, useWriter } from '../support/ledger/use-counter.ts';
import { countLockWaits } from '../support/lock-waits.ts';
import { install } from '../support/time-machine.ts';
import { until } from '../support/until.ts';
import { addEndpoint } from '../support/webhooks/endpoints.ts';

const DAY_MS = 86_400_000;

/** With the privileges of the server. */
let pool: Pool;
let sequencer: Sequencer;
let sequencerPool: Pool;

const counter = useCounter();
const time = fixture('the time machine', () => install(counter.database.adminUrl));
const writer = useWriter(counter);

beforeAll(() => {
  const { serverUrl: url } = counter.database;
  pool = createPool({ url, role: 'rewards_app', size: 2 });
  sequencerPool = createLanePool({ url, role: 'rewards_app', size: 1 });
  sequencer = new Sequencer({ pool: sequencerPool });
});

atEnd(() => Promise.all([pool.end(), sequencerPool.end()]));

const query = (sql: string, values: unknown[]) => counter.database.adminPool.query(sql, values);

/** An environment with so many numbered events, and their deliveries at each of its endpoints. */
async function shopWithEvents(count: number, endpoints: number): Promise<{ shop: Shop; ids: string[] }> {
  const shop = await counter.environment();
  const ids: string[] = [];
  for (let index = 0; index < endpoints; index++) {
    ids.push(await addEndpoint(counter.database.adminPool, shop.id, ['points.earned']));
  }
  await shop.addMembers(writer, ['ann']);
  for (let index = 0; index < count; index++) await writer.submit(shop.earn('ann'));
  // The first step of an environment makes its row, and places nothing yet.
  for (let step = await sequencer.step(shop.id); step.placed > 0 || step.more; )
    step = await sequencer.step(shop.id);
  return { shop, ids };
}

/** Sets what became of the delivery of a sequence. */
async function settle(endpointId: string, sequences: readonly number[], status: string): Promise<void> {
  const now = await time.now();
  const delivered = status === 'delivered' ? now : null;
  const next = status === 'pending' || status === 'failed' ? now : null;
  await query(
    `update webhook_deliveries set status = $3, delivered_at = $4, next_attempt_at = $5
     where endpoint_id = $1 and sequence = any ($2::bigint[])`,
    [endpointId, sequences, status, delivered, next],
  );
}

/** Of the events of purchases, in their order: whether they have their data. */
async function kept(shop: Shop): Promise<string> {
  const { rows } = await query(
    'select data is not null as kept from events where environment_id = ' +
      `$1 and type = 'points.earned' order by position`,
    [shop.id],
  );
  return rows.map((row) => (row.kept ? 'x' : '-')).join('');
}

test('events are emptied after 30 days, but for what waits and what comes after it, and what can be retried', async () => {
  const { shop, ids } = await shopWithEvents(6, 2);
  const [first = '', second = ''] = ids;
  await settle(first, [1, 2, 3, 4, 5, 6], 'delivered');
  await settle(second, [1, 3, 5, 6], 'delivered');
  await settle(second, [2], 'dead_letter');
  await settle(second, [4], 'failed');
  await time.travel(29 * DAY_MS);
  expect(await emptyPayloads(pool, 30)).toBe(0);
  await time.travel(2 * DAY_MS);
  await emptyPayloads(pool, 30);
  expect(await kept(shop)).toBe('-x-xxx');
  await settle(second, [4], 'delivered');
  await emptyPayloads(pool, 30);
  expect(await kept(shop)).toBe('-x----');
  await time.travel(59 * DAY_MS);
  expect(await emptyPayloads(pool, 30)).toBe(0);
  await time.travel(2 * DAY_MS);
  expect(await emptyPayloads(pool, 30)).toBe(1);
  expect(await kept(shop)).toBe('------');
  const { rows } = await query(
    'select count(*) as events, count(position) as numbered from events where environment_id = $1',
    [shop.id],
  );
  expect(rows[0]).toEqual({ events: 8, numbered: 8 });
});

test('where events are kept for longer than deliveries can be retried, none is emptied before that', async () => {
  const { shop, ids } = await shopWithEvents(2, 1);
  await settle(ids[0] ?? '', [1], 'delivered');
  await settle(ids[0] ?? '', [2], 'dead_letter');
  await time.travel(119 * DAY_MS);
  await emptyPayloads(pool, 120);
  expect(await kept(shop)).toBe('xx');
  await time.travel(2 * DAY_MS);
  await emptyPayloads(pool, 120);
  expect(await kept(shop)).toBe('--');
});

test('an event that is rewritten while it is to be emptied is emptied by the next run', async () => {
  const { shop } = await shopWithEvents(3, 0);
  await time.travel(31 * DAY_MS);
  const rewriting = await counter.database.adminPool.connect();
  try {
    await rewriting.query('begin');
    await rewriting.query(
      `update events set data = '{}' where environment_id = $1 and position = (
         select max(position) from events where environment_id = $1
       )`,
      [shop.id],
    );
    const run = emptyPayloads(pool, 30);
    const { adminPool } = counter.database;
    await until(async () => (await countLockWaits(adminPool)) > 0, 'the run waits for the event');
    await rewriting.query('commit');
    await run;
  } finally {
    rewriting.release(true);
  }
  await emptyPayloads(pool, 30);
  expect(await kept(shop)).toBe('---');
});

test('what was given up at a deleted endpoint, or was never delivered to anybody, is emptied as well', async () => {
  const { shop, ids } = await shopWithEvents(3, 1);
  await settle(ids[0] ?? '', [1, 2], 'dead_letter');
  await settle(ids[0] ?? '', [3], 'delivered');
  await query(
    `update webhook_endpoints set deleted_at = now(), place = null, status = 'disabled' where id = $1`,
    ids,
  );
  const { shop: quiet } = await shopWithEvents(2, 0);
  await time.travel(31 * DAY_MS);
  await emptyPayloads(pool, 30);
  expect(await kept(shop)).toBe('---');
  expect(await kept(quiet)).toBe('--');
});

test('many are emptied in steps; a stop ends the run after a step, and the next run goes on', async () => {
  const { shop } = await shopWithEvents(1, 0);
  await query(
    `insert into events (environment_id, id, type, data, at, position)
     select $1, gen_random_uuid(), 'points.earned', '{}', clock_timestamp(), 100 + n from generate_series(1, 2500) n`,
    [shop.id],
  );
  await time.travel(31 * DAY_MS);
  const stopped = new AbortController();
  stopped.abort();
  expect(await emptyPayloads(pool, 30, stopped.signal)).toBe(0);
  expect(await emptyPayloads(pool, 30)).toBe(2_503);
  expect(await kept(shop)).toBe('-'.repeat(2_501));
});
