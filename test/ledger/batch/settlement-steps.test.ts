import { beforeAll, expect, test } from '@jest/globals';
import { settleProfile } from '../../../src/commands/members/settle-profile.ts';
import { FailurePause } from '../../../src/jobs/failure-pause.ts';
import { sweep } from '../../../src/jobs/sweep.ts';
import type { Writer } from '../../../src/ledger/batch/writer.ts';
import { LOTS_OF_STEP } from '../../../src/ledger/tables/lot-rows.ts';
import { codeOf, receiptOf } from '../../support/commands/desk.ts';
import { atEnd } from '../../support/fixture.ts';
import type { Shop } from '../../support/ledger/counter.ts';
import { addLots, type ManyLots } from '../../support/ledger/many-lots.ts';
import { useCounter, useWriter } from '../../support/ledger/use-counter.ts';
import { usePool } from '../../support/use-database.ts';

const programId = 'coffee-club';
/** Refuses after the first step. */
let impatient: Writer;

const counter = useCounter();
const pool = usePool(() => ({ url: counter.database.serverUrl, size: 4, applicationName: 'sweep' }));
const writer = useWriter(counter, { maxSettlingMs: Number.POSITIVE_INFINITY });

beforeAll(() => {
  impatient = counter.writer({ maxSettlingMs: 0 });
});

atEnd(async () => expect(await counter.failedControls()).toEqual([]));

async function withLots(customer: string, ...lots: ManyLots[]): Promise<Shop> {
  const shop = await counter.environment();
  await shop.addMembers(writer, [customer]);
  for (const some of lots) await addLots(counter, shop, customer, some);
  return shop;
}

interface Books {
  available: number;
  pending: number;
  expired: number;
  activated: number;
  /** How many lots the largest expiry or activation has. */
  largest: number;
  purchases: number;
}

async function booksOf(shop: Shop): Promise<Books> {
  const { rows } = await counter.database.adminPool.query(
    `with of_time as (
       select t.event_type, t.points, (select count(*) from postings p
         where p.environment_id = t.environment_id and p.transaction_id = t.id) as lots
       from transactions t where t.environment_id = $1)
     select p.available::integer, p.pending::integer,
       (select coalesce(sum(points), 0)::integer from of_time where event_type = 'points.expired') as expired,
       (select coalesce(sum(points), 0)::integer from of_time where event_type = 'points.activated') as activated,
       (select coalesce(max(lots), 0)::integer from of_time) as largest,
       (select count(*)::integer from of_time where event_type = 'purchase.completed') as purchases
     from program_profiles p where p.environment_id = $1`,
    [shop.id],
  );
  return rows[0] as Books;
}

test('every try of a purchase settles a step more, and at last it is done, once', async () => {
  const lots = { count: LOTS_OF_STEP * 2 + 500, expiresIn: -60 };
  const shop = await withLots('ann', lots, { count: 3, points: 5 });
  const purchase = shop.earn('ann', { idempotencyKey: 'behind-many-lots' });
  const seen: unknown[] = [];
  for (let tries = 1; tries <= 2; tries++) {
    expect(codeOf(await impatient.submit(purchase))).toBe('overloaded');
    const { expired, largest, purchases } = await booksOf(shop);
    seen.push({ expired, largest, purchases });
  }
  expect(seen).toEqual([
    { expired: LOTS_OF_STEP, largest: LOTS_OF_STEP, purchases: 0 },
    { expired: LOTS_OF_STEP * 2, largest: LOTS_OF_STEP, purchases: 0 },
  ]);
  expect(codeOf(await impatient.submit(purchase))).toBe('done');
  expect(codeOf(await impatient.submit(purchase))).toBe('replayed');
  expect(await booksOf(shop)).toEqual({
    available: 15 + 100,
    pending: 0,
    expired: LOTS_OF_STEP * 2 + 500,
    activated: 0,
    largest: LOTS_OF_STEP,
    purchases: 1,
  });
});

test('with patience one try does all steps, and the purchases beside it are answered meanwhile', async () => {
  const shop = await withLots('ann', { count: LOTS_OF_STEP * 3, expiresIn: -60 });
  await shop.addMembers(writer, ['ben']);
  const order: string[] = [];
  const submit = async (name: string, customer: string) => {
    const outcome = await writer.submit({ ...shop.earn(customer), laneKey: 'the same lane' });
    order.push(name);
    return codeOf(outcome);
  };
  expect(await Promise.all([submit('behind', 'ann'), submit('beside', 'ben')])).toEqual(['done', 'done']);
  expect(order).toEqual(['beside', 'behind']);
  expect((await booksOf(shop)).largest).toBe(LOTS_OF_STEP);
});

test('pending lots become available in steps, and those that have expired since expire', async () => {
  const shop = await withLots(
    'ann',
    { count: LOTS_OF_STEP + 200, activatesIn: -120, expiresIn: -60 },
    { count: LOTS_OF_STEP + 300, activatesIn: -60, expiresIn: 3_600 },
    { count: 7, activatesIn: 3_600 },
  );
  expect(codeOf(await writer.submit(shop.earn('ann')))).toBe('done');
  expect(await booksOf(shop)).toMatchObject({
    available: LOTS_OF_STEP + 300 + 100,
    pending: 7,
    expired: LOTS_OF_STEP + 200,
    activated: LOTS_OF_STEP * 2 + 500,
  });
});

test('lots that activity has postponed do not expire, however many they are', async () => {
  const shop = await withLots('ann', { count: LOTS_OF_STEP + 5, expiresIn: -60, inactivityDays: 30 });
  await counter.database.adminPool.query(
    'update program_profiles set last_activity_at = clock_timestamp() where environment_id = $1',
    [shop.id],
  );
  expect(codeOf(await writer.submit(shop.earn('ann')))).toBe('done');
  expect(await booksOf(shop)).toMatchObject({ available: LOTS_OF_STEP + 5 + 100, expired: 0 });
});

test('a lock keeps the steps of purchases out, and not those of a settlement', async () => {
  const shop = await withLots('ann', { count: LOTS_OF_STEP + 1, expiresIn: -60 });
  await shop.setLocked(true);
  expect(codeOf(await impatient.submit(shop.earn('ann')))).toBe('production_locked');
  expect((await booksOf(shop)).expired).toBe(0);
  const settle = settleProfile({
    environmentId: shop.id,
    programId,
    externalCustomerId: 'ann',
    requestId: 'req_test',
  });
  const first = receiptOf(await writer.submit(settle));
  expect(first).toMatchObject({ transactionIds: [expect.any(String)], unfinished: true });
  const second = receiptOf(await writer.submit(settle));
  expect(second).toMatchObject({ transactionIds: [expect.any(String)] });
  expect(second).not.toHaveProperty('unfinished');
  expect((await booksOf(shop)).expired).toBe(LOTS_OF_STEP + 1);
});

test('a sweep goes through all steps, and counts the profile once', async () => {
  const shop = await withLots('ann', { count: LOTS_OF_STEP * 2 + 1, expiresIn: -60 });
  const counts = await sweep({
    pool,
    door: writer,
    failures: new FailurePause(),
    environmentId: shop.id,
    signal: new AbortController().signal,
    onFailed: (error) => {
      throw error;
    },
  });
  expect(counts).toMatchObject({ profiles: 1, transactions: 3, failed: 0 });
  expect(await booksOf(shop)).toMatchObject({ available: 0, expired: LOTS_OF_STEP * 2 + 1 });
});

test('purchases of two processes at once settle the lots once', async () => {
  const shop = await withLots('ann', { count: LOTS_OF_STEP * 2 + 10, expiresIn: -60 });
  const outcomes = await Promise.all(
    [writer, counter.writer({ maxSettlingMs: 60_000 })].flatMap((each) =>
      Array.from({ length: 5 }, () => each.submit(shop.earn('ann'))),
    ),
  );
  expect(outcomes.map(codeOf)).toEqual(Array(10).fill('done'));
  expect(await booksOf(shop)).toMatchObject({
    available: 1_000,
    expired: LOTS_OF_STEP * 2 + 10,
    purchases: 10,
  });
});
