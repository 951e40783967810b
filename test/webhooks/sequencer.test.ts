import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { PoolClient } from 'pg';
import type { Pool } from '../../src/db/pool.ts';
import { createLanePool } from '../../src/ledger/batch/lane-pool.ts';
import { Sequencer } from '../../src/webhooks/sequencer.ts';
import { codeOf } from '../support/commands/desk.ts';
import { useCounter, useWriter } from '../support/ledger/use-counter.ts';
import { countLockWaits } from '../support/lock-waits.ts';
import { until } from '../support/until.ts';
import { addEndpoint, deliveriesOf } from '../support/webhooks/endpoints.ts';

const failures: unknown[] = [];
const opened: { sequencer: Sequencer; pool: Pool }[] = [];

const counter = useCounter();
const one = useWriter(counter);
const two = useWriter(counter);

beforeAll(() =>
  counter.database.adminPool.query('create table subjects (id int primary key, changes int default 0)'),
);

afterEach(async () => {
  for (const { sequencer, pool } of opened.splice(0)) {
    await sequencer.close();
    await pool.end();
  }
  expect(failures.splice(0)).toEqual([]);
});

/** A sequencer with connections of its own, as in a process of its own. It begins when it is woken. */
function newSequencer(): Sequencer {
  const pool = createLanePool({ url: counter.database.serverUrl, role: 'rewards_app', size: 2 });
  const sequencer = new Sequencer({
    pool,
    onError: (error) => failures.push(error),
  });
  opened.push({ sequencer, pool });
  return sequencer;
}

async function positions(environmentId: string): Promise<{ position: number | null; data: Change }[]> {
  const { rows } = await counter.database.adminPool.query(
    'select position, data from events where environment_id = $1 order by position, written_at',
    [environmentId],
  );
  return rows;
}

function allPlaced(environmentId: string): Promise<void> {
  const waiting = 'select count(*) from events where environment_id = $1 and position is null';
  return until(
    async () => (await counter.value(waiting, [environmentId])) === 0,
    'every event has a position',
  );
}

/** Waits until a statement waits for a lock. */
function untilLocked(): Promise<void> {
  return until(
    async () => (await countLockWaits(counter.database.adminPool)) > 0,
    'a statement waits for a lock',
  );
}

interface Change {
  subject: number;
  change: number;
}

/** Begins a change as commands do: it locks its subject, changes it and writes an event, and leaves the commit open. */
async function change(client: PoolClient, environmentId: string, subjects: readonly number[]): Promise<void> {
  await client.query('begin');
  for (const subject of subjects) {
    const { rows } = await client.query(
      `insert into subjects values ($1, 1) on conflict (id) do update set changes = subjects.changes + 1
       returning changes`,
      [subject],
    );
    await client.query(
      `insert into events (environment_id, id, type, data, at) values ($1, $2, 'test', $3, now())`,
      [environmentId, randomUUID(), { subject, change: rows[0].changes }],
    );
  }
}

describe('the order of events', () => {
  test('a transaction that stays open delays no other event, and takes its position after its commit', async () => {
    const shop = await counter.environment();
    const sequencer = newSequencer();
    const [early, late] = [
      await counter.database.adminPool.connect(),
      await counter.database.adminPool.connect(),
    ];
    try {
      await change(early, shop.id, [101]);
      await change(late, shop.id, [102]);
      await late.query('commit');
      sequencer.wake(shop.id);
      await allPlaced(shop.id);
      await early.query('commit');
    } finally {
      early.release();
      late.release();
    }
    sequencer.wake(shop.id);
    await allPlaced(shop.id);
    expect((await positions(shop.id)).map(({ position, data }) => [position, data.subject])).toEqual([
      [1, 102],
      [2, 101],
    ]);
  });

  test('what changes saw of each other stays in order, with transactions that overlap and two sequencers', async () => {
    const shop = await counter.environment();
    const endpoint = await addEndpoint(counter.database.adminPool, shop.id, ['test']);
    const sequencers = [newSequencer(), newSequencer()];
    let writing = true;
    const waking = (async () => {
      while (writing) {
        for (const sequencer of sequencers) sequencer.wake(shop.id);
        await sleep(3);
      }
    })();
    const worker = async (seed: number): Promise<void> => {
      const client = await counter.database.adminPool.connect();
      try {
        for (let round = 0; round < 40; round++) {
          // The first subject is this worker's own and gives the transaction its id early; the second is shared, so
          // that it often waits for a later transaction.
          await change(client, shop.id, [1000 + seed, (seed * 7 + round * 3) % 3]);
          if (round % 4 === seed % 4) await sleep(round % 7);
          await client.query('commit');
        }
      } finally {
        client.release();
      }
    };
    await Promise.all([0, 1, 2, 3, 4, 5].map(worker));
    writing = false;
    await waking;
    // The last commits came after the last wake.
    for (const sequencer of sequencers) sequencer.wake(shop.id);
    await allPlaced(shop.id);
    const placed = await positions(shop.id);
    expect(placed.map(({ position }) => position)).toEqual(Array.from({ length: 480 }, (_, i) => i + 1));
    for (const [, changes] of Map.groupBy(placed, ({ data }) => data.subject)) {
      const numbers = changes.map(({ data }) => data.change);
      expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    }
    const deliveries = await deliveriesOf(counter.database.adminPool, endpoint);
    expect(deliveries.map(({ sequence, position }) => [sequence, position])).toEqual(
      Array.from({ length: 480 }, (_, i) => [i + 1, i + 1]),
    );
  });
});

test('an event that is rewritten while a step runs takes its position in that step, and is delivered once', async () => {
  const shop = await counter.environment();
  const { adminPool } = counter.database;
  const endpoint = await addEndpoint(adminPool, shop.id, ['test']);
  const sequencer = newSequencer();
  // The first step of an environment makes its row, and places nothing yet.
  await sequencer.step(shop.id);
  const rewriting = await adminPool.connect();
  try {
    for (const subject of [201, 202, 203]) {
      await change(rewriting, shop.id, [subject]);
      await rewriting.query('commit');
    }
    await rewriting.query('begin');
    await rewriting.query(
      `update events set data = data::jsonb || '{"rewritten": true}'
       where environment_id = $1 and (data ->> 'subject')::integer < 203`,
      [shop.id],
    );
    const step = sequencer.step(shop.id);
    await untilLocked();
    await rewriting.query('commit');
    expect(await step).toMatchObject({ placed: 3, deliveries: 3 });
  } finally {
    rewriting.release(true);
  }
  sequencer.wake(shop.id);
  await allPlaced(shop.id);
  expect(await positions(shop.id)).toMatchObject([
    { position: 1, data: { subject: 201, rewritten: true } },
    { position: 2, data: { subject: 202, rewritten: true } },
    { position: 3, data: { subject: 203 } },
  ]);
  const deliveries = await deliveriesOf(adminPool, endpoint);
  expect(deliveries.map(({ sequence, position }) => [sequence, position])).toEqual([
    [1, 1],
    [2, 2],
    [3, 3],
  ]);
});

describe('deliveries', () => {
  test('sequences have no gaps under two writers, and each event goes once to each endpoint that wants it', async () => {
    const shop = await counter.environment();
    const { database } = counter;
    const earned = await addEndpoint(database.adminPool, shop.id, ['points.earned']);
    const all = await addEndpoint(database.adminPool, shop.id, ['member.enrolled', 'points.earned'], {
      status: 'disabled',
    });
    const other = await addEndpoint(database.adminPool, shop.id, ['program.published']);
    const ids = Array.from({ length: 30 }, (_, index) => `m${index}`);
    await shop.addMembers(one, ids);
    const outcomes = await Promise.all(
      Array.from({ length: 300 }, (_, index) =>
        (index % 2 ? one : two).submit(shop.earn(ids[(index * 7) % ids.length] as string)),
      ),
    );
    expect(outcomes.every((outcome) => codeOf(outcome) === 'done')).toBe(true);
    newSequencer().wake(shop.id);
    await allPlaced(shop.id);
    const [ofEarned, ofAll] = [
      await deliveriesOf(database.adminPool, earned),
      await deliveriesOf(database.adminPool, all),
    ];
    expect(ofEarned.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 300 }, (_, i) => i + 1));
    expect(ofAll.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 330 }, (_, i) => i + 1));
    expect(await deliveriesOf(database.adminPool, other)).toEqual([]);
    expect(new Set(ofEarned.map(({ data }) => JSON.stringify(data))).size).toBe(300);
    expect(await counter.value('select last_sequence from webhook_endpoints where id = $1', [all])).toBe(330);
  });

  test('an endpoint hears nothing before it was active for the first time, and nothing of another environment', async () => {
    const [shop, neighbour] = [await counter.environment(), await counter.environment()];
    const { database } = counter;
    const never = await addEndpoint(database.adminPool, shop.id, ['member.enrolled'], {
      status: 'disabled',
      activatedAt: null,
    });
    const later = await addEndpoint(database.adminPool, shop.id, ['member.enrolled'], {
      activatedAt: new Date(Date.now() + 3_600_000),
    });
    const elsewhere = await addEndpoint(database.adminPool, neighbour.id, ['member.enrolled']);
    await shop.addMembers(one, ['ann']);
    const sequencer = newSequencer();
    for (const { id } of [shop, neighbour]) sequencer.wake(id);
    await allPlaced(shop.id);
    for (const endpoint of [never, later, elsewhere])
      expect(await deliveriesOf(database.adminPool, endpoint)).toEqual([]);
  });

  test('a refusal, a replay and a batch that fails report nothing', async () => {
    const shop = await counter.environment();
    const endpoint = await addEndpoint(counter.database.adminPool, shop.id, ['points.earned']);
    await shop.addMembers(one, ['ann']);
    const command = shop.earn('ann', { sourceReference: 'o1' });
    const broken = {
      ...shop.earn('ann'),
      decide: (): never => {
        throw new Error('broken');
      },
    };
    await Promise.allSettled(
      [command, command, shop.earn('ann', { sourceReference: 'o1' }), broken].map((each) => one.submit(each)),
    );
    await one.submit(shop.earn('ann'));
    newSequencer().wake(shop.id);
    await allPlaced(shop.id);
    expect(
      (await deliveriesOf(counter.database.adminPool, endpoint)).map(({ sequence }) => sequence),
    ).toEqual([1, 2]);
  });

  test('events that nobody told of are found', async () => {
    const shops = [await counter.environment(), await counter.environment(), await counter.environment()];
    for (const shop of shops) await shop.addMembers(one, ['ann']);
    newSequencer().start();
    for (const { id } of shops) await allPlaced(id);
  });
});
