import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createPool, type Pool } from '../../src/db/pool.ts';
import type { Statement } from '../../src/db/statement.ts';
import { newUuid, toTypeId } from '../../src/ids.ts';
import { failInterrupted } from '../../src/operations/operation.ts';
import { Replayer } from '../../src/webhooks/replayer.ts';
import type { Shop } from '../support/ledger/counter.ts';
import { useCounter } from '../support/ledger/use-counter.ts';
import { until } from '../support/until.ts';
import { addEndpoint } from '../support/webhooks/endpoints.ts';

jest.setTimeout(240_000);

let shop: Shop;
let endpoint: string;
const running: { replayer: Replayer; pool: Pool }[] = [];
const failures: unknown[] = [];

const counter = useCounter();

beforeEach(async () => {
  shop = await counter.environment();
  endpoint = await addEndpoint(counter.database.adminPool, shop.id, ['test']);
});

afterEach(async () => {
  await Promise.all(running.splice(0).map(stop));
  expect(failures.splice(0)).toEqual([]);
});

/**
 * A replayer with connections of its own, as in a process of its own.
 * @param change what it sends in the place of a statement
 */
function start(change?: (statement: Statement) => Statement): { replayer: Replayer; pool: Pool } {
  const pool = createPool({ url: counter.database.serverUrl, role: 'rewards_app', size: 2 });
  if (change) {
    const query = pool.query.bind(pool) as (statement: Statement) => unknown;
    pool.query = ((statement: Statement) => query(change(statement))) as Pool['query'];
  }
  const replayer = new Replayer({ pool, onError: (error) => failures.push(error) });
  replayer.start();
  running.push({ replayer, pool });
  return { replayer, pool };
}

async function stop({ replayer, pool }: { replayer: Replayer; pool: Pool }): Promise<void> {
  await replayer.close();
  if (!pool.ended) await pool.end();
}

const sql = (text: string, values: unknown[] = []) => counter.database.adminPool.query(text, values);

/** Deliveries of events that were delivered. */
async function addDelivered(count: number, endpointId = endpoint): Promise<void> {
  await sql(
    `with made as (
       insert into events (environment_id, id, type, data, at)
       select $1, gen_random_uuid(), 'test', '{}', now() from generate_series(1, $3::integer)
       returning id
     )
     insert into webhook_deliveries
       (environment_id, id, endpoint_id, sequence, event_id, event_type, status, attempt_count, created_at, delivered_at)
     select $1, gen_random_uuid(), $2, row_number() over (), id, 'test', 'delivered', 1, now(), now() from made`,
    [shop.id, endpointId, count],
  );
  await sql('update webhook_endpoints set last_sequence = $2 where id = $1', [endpointId, count]);
}

/** A replay that was asked for. @returns UUID of the operation */
async function ask(sinceSequence: number, untilSequence: number, endpointId = endpoint): Promise<string> {
  const id = newUuid();
  await sql(
    `insert into operations (environment_id, id, type, status, progress_total, input, created_at)
     values ($1, $2, 'webhook_replay', 'queued', $3, $4, clock_timestamp())`,
    [shop.id, id, untilSequence - sinceSequence, { endpointId, sinceSequence, untilSequence }],
  );
  return id;
}

interface Shown {
  status: string;
  done: number;
  result: { sentAgain: number } | null;
  code: string | null;
  startedAt: Date | null;
  finishedAt: Date | null;
}

async function operation(id: string): Promise<Shown> {
  const { rows } = await sql(
    `select status, progress_done as done, result, error ->> 'code' as code, started_at as "startedAt",
       finished_at as "finishedAt"
     from operations where id = $1`,
    [id],
  );
  return rows[0] as Shown;
}

const statusOf = async (id: string): Promise<string> => (await operation(id)).status;

async function sequences(condition: string): Promise<number[]> {
  const { rows } = await sql(
    `select sequence from webhook_deliveries where endpoint_id = $1 and ${condition}
     order by next_attempt_at, sequence`,
    [endpoint],
  );
  return rows.map((row) => row.sequence);
}

const WAITS = `status = 'pending' and failures = 0 and delivered_at is null`;
const from = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

describe('a replay', () => {
  test('puts the deliveries after a sequence in the queue, in order, before what became due later', async () => {
    await addDelivered(1_300);
    const id = await ask(100, 1_200);
    await sql(
      `update webhook_deliveries set status = 'pending', delivered_at = null, next_attempt_at = clock_timestamp()
       where endpoint_id = $1 and sequence > 1200`,
      [endpoint],
    );
    start();
    await until(async () => (await statusOf(id)) === 'succeeded', 'the end');
    expect(await operation(id)).toMatchObject({ done: 1_100, result: { sentAgain: 1_100 }, code: null });
    expect(await sequences(WAITS)).toEqual(from(101, 1_300));
    expect(await sequences(`status = 'delivered'`)).toEqual(from(1, 100));
  });

  test('leaves out deliveries whose event is no longer there', async () => {
    await addDelivered(5);
    await sql(
      `delete from events where id = (
         select event_id from webhook_deliveries where endpoint_id = $1 and sequence = 4
       )`,
      [endpoint],
    );
    const id = await ask(2, 5);
    start();
    await until(async () => (await statusOf(id)) === 'succeeded', 'the end');
    expect(await operation(id)).toMatchObject({ done: 3, result: { sentAgain: 2 } });
    expect(await sequences(WAITS)).toEqual([3, 5]);
  });

  test('waits for deliveries that another transaction has locked, and goes on with the others', async () => {
    await addDelivered(10);
    const other = await counter.database.adminPool.connect();
    await other.query('begin');
    await other.query(
      'select from webhook_deliveries where endpoint_id = $1 and sequence in (3, 7) for update',
      [endpoint],
    );
    const id = await ask(0, 10);
    start();
    await until(async () => (await sequences(WAITS)).length === 8, 'the other eight');
    expect(await statusOf(id)).toBe('running');
    await other.query('commit');
    other.release();
    await until(async () => (await statusOf(id)) === 'succeeded', 'the end');
    expect(await sequences(WAITS)).toEqual(from(1, 10));
  });

  test('counts no delivery that another transaction has changed since the statement began, and sends it in the next try', async () => {
    await addDelivered(3);
    const id = await ask(0, 3);
    const holding = await counter.database.adminPool.connect();
    try {
      await holding.query('select pg_advisory_lock(1123)');
      // The statement waits after it has begun, and before it looks for its first delivery.
      const found = 'where d.environment_id = $1::uuid and d.endpoint_id';
      let delayed = 0;
      start((statement) => {
        if (statement.name !== 'send_deliveries_again') return statement;
        expect(statement.text).toContain(found);
        delayed += 1;
        const wait = `where (select pg_advisory_xact_lock(1123) is not null)${found.replace('where', ' and')}`;
        return { ...statement, text: statement.text.replace(found, wait) };
      });
      const waiting = `select count(*)::integer from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`;
      await until(async () => (await counter.value<number>(waiting)) > 0, 'the replay waits');
      await sql(
        'update webhook_deliveries set last_response_status = 200 where endpoint_id = $1 and sequence = 2',
        [endpoint],
      );
      await holding.query('select pg_advisory_unlock(1123)');
      await until(async () => (await statusOf(id)) === 'succeeded', 'the end');
      expect(delayed).toBe(2);
    } finally {
      holding.release(true);
    }
    expect(await operation(id)).toMatchObject({ done: 3, result: { sentAgain: 3 } });
    expect(await sequences(WAITS)).toEqual([1, 2, 3]);
  });

  test('ends where the endpoint is disabled meanwhile', async () => {
    await addDelivered(10);
    await sql(
      `update webhook_endpoints set status = 'disabled', disabled_reason = 'operator' where id = $1`,
      [endpoint],
    );
    const id = await ask(0, 10);
    start();
    await until(async () => (await statusOf(id)) === 'failed', 'the end');
    expect(await operation(id)).toMatchObject({
      code: 'endpoint_disabled',
      done: 0,
      result: { sentAgain: 0 },
    });
    expect(await sequences(WAITS)).toEqual([]);
  });
});

describe('several processes', () => {
  test('two replays of one endpoint follow each other; those of others need not wait', async () => {
    await addDelivered(4);
    const elsewhere = await addEndpoint(counter.database.adminPool, shop.id, ['test']);
    await addDelivered(4, elsewhere);
    // As if another process did it.
    const first = await ask(0, 2);
    await sql(
      `update operations set status = 'running', lease_until = now() + interval '1 hour' where id = $1`,
      [first],
    );
    const second = await ask(2, 4);
    const third = await ask(0, 4, elsewhere);
    const processes = [start(), start()];
    await until(async () => (await statusOf(third)) === 'succeeded', 'the replay of the other endpoint');
    expect(await statusOf(second)).toBe('queued');
    await sql(
      `update operations set status = 'succeeded', lease_until = null, finished_at = now() where id = $1`,
      [first],
    );
    for (const { replayer } of processes) replayer.wake();
    await until(async () => (await statusOf(second)) === 'succeeded', 'the second');
    expect(await sequences(WAITS)).toEqual([3, 4]);
  });

  test('the replay of a process that stops goes on in another one; that of a killed one fails', async () => {
    await addDelivered(2_000);
    // Locked deliveries of the second step keep the replay from its end.
    const other = await counter.database.adminPool.connect();
    await other.query('begin');
    await other.query('select from webhook_deliveries where endpoint_id = $1 and sequence = 700 for update', [
      endpoint,
    ]);
    const id = await ask(0, 2_000);
    const stopped = start();
    await until(async () => (await sequences(WAITS)).length === 999, 'two steps but for one delivery');
    expect(await operation(id)).toMatchObject({ status: 'running', done: 500 });
    const closing = stop(stopped);
    await other.query('commit');
    other.release();
    await closing;
    expect(await operation(id)).toMatchObject({
      status: 'queued',
      done: 1_000,
      startedAt: null,
      finishedAt: null,
    });
    start();
    await until(async () => (await statusOf(id)) === 'succeeded', 'the end');
    expect(await operation(id)).toMatchObject({ done: 2_000, result: { sentAgain: 2_000 } });
    expect(await sequences(WAITS)).toEqual(from(1, 2_000));

    const killed = await ask(0, 2_000);
    await sql(
      `update operations set status = 'running', progress_done = 500, lease_until = now() - interval '1 second'
       where id = $1`,
      [killed],
    );
    const next = await ask(500, 2_000);
    await failInterrupted(counter.database.adminPool);
    await until(async () => (await statusOf(next)) === 'succeeded', 'the next one');
    expect(await operation(killed)).toMatchObject({ status: 'failed', code: 'interrupted', done: 500 });
  });

  test('tells the processes that deliver', async () => {
    await addDelivered(3);
    const listener = await counter.database.adminPool.connect();
    const heard: string[] = [];
    listener.on('notification', ({ payload }) => heard.push(payload ?? ''));
    await listener.query('listen rewards_deliveries');
    const id = await ask(0, 3);
    start().replayer.wake();
    await until(
      async () => {
        await listener.query('select');
        return heard.includes(shop.id);
      },
      `the notice of ${toTypeId('op', id)}`,
    );
    await listener.query('unlisten *');
    listener.release();
  });
});

describe('replays of several environments', () => {
  test('take turns: the many of one do not keep that of another from being done', async () => {
    await addDelivered(1_500);
    const many: string[] = [];
    for (let index = 0; index < 20; index += 1) many.push(await ask(0, 1_500));
    const mine = shop;
    shop = await counter.environment();
    const elsewhere = await addEndpoint(counter.database.adminPool, shop.id, ['test']);
    await addDelivered(3, elsewhere);
    start();
    await until(async () => (await statusOf(many[0] ?? '')) !== 'queued', 'the first of many has begun');
    const asked = await ask(0, 3, elsewhere);
    await until(async () => (await statusOf(asked)) === 'succeeded', 'that of the other environment');
    expect(await operation(asked)).toMatchObject({ done: 3, result: { sentAgain: 3 } });
    // 20 replays of three steps take a second a step at least.
    expect(await statusOf(many.at(-1) ?? '')).toBe('queued');
    shop = mine;
    await until(async () => (await statusOf(many[0] ?? '')) === 'succeeded', 'the first of many');
    expect(await operation(many[0] ?? '')).toMatchObject({ done: 1_500, result: { sentAgain: 1_500 } });
  });

  test('one endpoint gets no more than 500 deliveries again a second', async () => {
    await addDelivered(1_200);
    const asked = await ask(0, 1_200);
    start();
    await until(async () => (await statusOf(asked)) === 'running', 'it has begun');
    const begun = performance.now();
    await until(async () => (await statusOf(asked)) === 'succeeded', 'its end');
    expect(performance.now() - begun).toBeGreaterThan(1_500);
  });
});
