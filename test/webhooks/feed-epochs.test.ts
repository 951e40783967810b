import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from '@jest/globals';
import { resetEnvironment } from '../../src/admin/environments/reset-environment.ts';
import { forkEnvironment } from '../../src/admin/fork-environment.ts';
import { operator } from '../../src/admin/shared/admin-change.ts';
import type { Pool } from '../../src/db/pool.ts';
import { createPrisma } from '../../src/db/prisma.ts';
import { createLanePool } from '../../src/ledger/batch/lane-pool.ts';
import { readFeed } from '../../src/queries/events-feed.ts';
import { Cursors } from '../../src/queries/shared/cursors.ts';
import { isRefusal } from '../../src/refusal.ts';
import { Sequencer } from '../../src/webhooks/sequencer.ts';
import { useCounter } from '../support/ledger/use-counter.ts';
import { addEndpoint } from '../support/webhooks/endpoints.ts';

const opened: { sequencer: Sequencer; pool: Pool }[] = [];

const counter = useCounter();

afterEach(async () => {
  for (const { sequencer, pool } of opened.splice(0)) {
    await sequencer.close();
    await pool.end();
  }
});

/** A sequencer with connections of its own, as in a process of its own. It makes steps as it is told to. */
function newSequencer(url = counter.database.serverUrl): Sequencer {
  const pool = createLanePool({ url, role: 'rewards_app', size: 2 });
  const sequencer = new Sequencer({ pool });
  opened.push({ sequencer, pool });
  return sequencer;
}

async function query<Row extends object>(text: string, values: unknown[]): Promise<Row[]> {
  return (await counter.database.adminPool.query<Row>(text, values)).rows;
}

async function happen(environmentId: string, count: number, type = 'points.expired'): Promise<void> {
  for (let index = 0; index < count; index++) {
    await query(`insert into events (environment_id, id, type, data, at) values ($1, $2, $3, '{}', now())`, [
      environmentId,
      randomUUID(),
      type,
    ]);
  }
}

/** An environment with three events that have their positions. */
async function shopWithEvents(): Promise<{ id: string; sequencer: Sequencer }> {
  const { id } = await counter.environment();
  const sequencer = newSequencer();
  await sequencer.step(id);
  await happen(id, 3);
  await sequencer.step(id);
  return { id, sequencer };
}

/** What a database that was promoted has: the newest epoch is of another timeline. */
async function promote(environmentId: string): Promise<void> {
  await query(`update feed_epochs set timeline = 'FFFFFFFF' where environment_id = $1`, [environmentId]);
}

const epochsOf = (environmentId: string) =>
  query(
    `select epoch, last_position_kept as kept, timeline ~ '^[0-9A-F]{8}$' as known from feed_epochs
     where environment_id = $1 order by epoch`,
    [environmentId],
  );

const typesOf = async (environmentId: string) =>
  (
    await query<{ type: string }>(
      'select type from events where environment_id = $1 and position is not null order by position',
      [environmentId],
    )
  ).map(({ type }) => type);

const deliveriesOf = (endpointId: string) =>
  query(
    'select epoch, sequence, event_type as type from webhook_deliveries where endpoint_id = $1 order by sequence',
    [endpointId],
  );

describe('an epoch begins', () => {
  test('as the first, with the identity of the database, once an event takes a position', async () => {
    const { id } = await shopWithEvents();
    expect(await epochsOf(id)).toEqual([{ epoch: 1, kept: 0, known: true }]);
    expect(await typesOf(id)).toEqual(['points.expired', 'points.expired', 'points.expired']);
  });

  test('exactly once where the timeline is another one and two sequencers race; every endpoint hears of it first', async () => {
    const { id } = await shopWithEvents();
    const { adminPool } = counter.database;
    const wants = await addEndpoint(adminPool, id, ['points.expired']);
    const other = await addEndpoint(adminPool, id, ['program.published'], { status: 'disabled' });
    const all = await addEndpoint(adminPool, id, ['*']);
    const never = await addEndpoint(adminPool, id, ['points.expired'], {
      status: 'disabled',
      activatedAt: null,
    });
    await promote(id);
    await happen(id, 2);
    const steps = await Promise.all([newSequencer(), newSequencer()].map((one) => one.step(id)));
    expect(steps.map(({ placed }) => placed).toSorted()).toEqual([0, 2]);
    await happen(id, 1);
    await newSequencer().step(id);
    expect(await epochsOf(id)).toEqual([
      { epoch: 1, kept: 0, known: true },
      { epoch: 2, kept: 3, known: true },
    ]);
    expect((await typesOf(id)).slice(3)).toEqual([
      'feed.epoch_started',
      ...Array.from({ length: 3 }, () => 'points.expired'),
    ]);
    const started = { epoch: 2, sequence: 1, type: 'feed.epoch_started' };
    expect(await deliveriesOf(wants)).toEqual([
      started,
      ...[2, 3, 4].map((sequence) => ({ epoch: 2, sequence, type: 'points.expired' })),
    ]);
    expect(await deliveriesOf(all)).toEqual(await deliveriesOf(wants));
    expect(await deliveriesOf(other)).toEqual([started]);
    expect(await deliveriesOf(never)).toEqual([]);
    const [event] = await query<{ data: object; at: Date }>(
      `select e.data, f.at from events e join feed_epochs f using (environment_id)
       where e.environment_id = $1 and e.type = 'feed.epoch_started' and f.epoch = 2`,
      [id],
    );
    expect(event?.data).toEqual({
      ...{ epoch: 2, previousEpoch: 1, lastPositionKept: 3 },
      at: event?.at.toISOString(),
    });
    const ends =
      'select epoch, last_sequence as last from webhook_endpoints where id = any ($1) order by place';
    expect(await query(ends, [[wants, other, never]])).toEqual([
      { epoch: 2, last: 4 },
      { epoch: 2, last: 1 },
      { epoch: 2, last: 0 },
    ]);
  });

  test('never where the identity was unknown: it is noted', async () => {
    const { id, sequencer } = await shopWithEvents();
    await query(
      'update feed_epochs set timeline = null, system_identifier = null where environment_id = $1',
      [id],
    );
    await happen(id, 1);
    await sequencer.step(id);
    expect(await epochsOf(id)).toEqual([{ epoch: 1, kept: 0, known: true }]);
  });

  test('never by itself where the login may not read the identity, and by hand also there', async () => {
    const { adminPool } = counter.database;
    await adminPool.query('revoke execute on function pg_control_system() from public, rewards_app');
    try {
      const { id, sequencer } = await shopWithEvents();
      expect(await epochsOf(id)).toEqual([{ epoch: 1, kept: 0, known: null }]);
      await query(
        `update feed_epochs set timeline = 'FFFFFFFF', system_identifier = '1' where environment_id = $1`,
        [id],
      );
      await happen(id, 1);
      await sequencer.step(id);
      expect(await epochsOf(id)).toHaveLength(1);
      const prisma = createPrisma(adminPool);
      expect(await forkEnvironment({ prisma, actor: operator('eve') }, id)).toMatchObject({
        epoch: 2,
        lastPositionKept: 4,
      });
      await prisma.$disconnect();
      await happen(id, 1);
      await sequencer.step(id);
      expect((await typesOf(id)).slice(4)).toEqual(['feed.epoch_started', 'points.expired']);
    } finally {
      await adminPool.query('grant execute on function pg_control_system() to public, rewards_app');
    }
  });

  test('with a reset, which keeps no position', async () => {
    const { id, sequencer } = await shopWithEvents();
    const { adminPool } = counter.database;
    const endpoint = await addEndpoint(adminPool, id, ['points.expired']);
    const prisma = createPrisma(adminPool);
    const administrator = { prisma, actor: operator('eve') };
    await query(`update environments set kind = 'sandbox' where id = $1`, [id]);
    const signal = new AbortController().signal;
    expect(await resetEnvironment({ administrator, pool: adminPool, signal }, id)).toMatchObject({
      complete: true,
    });
    await prisma.$disconnect();
    await happen(id, 1);
    await sequencer.step(id);
    expect(await typesOf(id)).toEqual(['feed.epoch_started', 'points.expired']);
    expect(await epochsOf(id)).toMatchObject([
      { epoch: 1, kept: 0 },
      { epoch: 2, kept: 0 },
    ]);
    expect(await deliveriesOf(endpoint)).toMatchObject([
      { epoch: 2, sequence: 1 },
      { epoch: 2, sequence: 2 },
    ]);
  });
});

describe('a reader of the feed', () => {
  const nowhere = { cursor: null, position: null, epoch: null, epochAt: null };

  function read(environmentId: string, place: Partial<typeof nowhere> | object) {
    const { adminPool } = counter.database;
    const access = {
      connections: adminPool,
      cursors: new Cursors({ of: () => adminPool } as never),
      environmentId,
    };
    return readFeed(access as never, null, 100, { ...nowhere, ...place });
  }

  /** Brings a state of the first epoch back. @param last its last position */
  async function restore(environmentId: string, last: number): Promise<void> {
    const values = [environmentId, last];
    await query('delete from feed_epochs where environment_id = $1 and epoch > 1', [environmentId]);
    await query('delete from events where environment_id = $1 and position > $2', values);
    await query('update event_positions set last_position = $2 where environment_id = $1', values);
  }

  async function beginningOf(environmentId: string, epoch: number): Promise<Date> {
    const text = 'select at from feed_epochs where environment_id = $1 and epoch = $2';
    const [row] = await query<{ at: Date }>(text, [environmentId, epoch]);
    if (!row) throw new Error(`no epoch ${epoch}`);
    return row.at;
  }

  async function pageOf(environmentId: string, place: object) {
    const page = await read(environmentId, place);
    if (isRefusal(page)) throw new Error(page.message);
    return page;
  }

  test('that read beyond what was kept is told of both numbers, and goes on from there', async () => {
    const { id, sequencer } = await shopWithEvents();
    const { page } = await pageOf(id, {});
    // The database loses the last event.
    await query('delete from events where environment_id = $1 and position = 3', [id]);
    await query('update event_positions set last_position = 2 where environment_id = $1', [id]);
    const idle = await pageOf(id, { cursor: page.nextCursor });
    expect(idle).toMatchObject({ data: [], page: { hasMore: false } });
    await promote(id);
    await happen(id, 3);
    await sequencer.step(id);
    const refused = {
      code: 'feed_forked',
      details: [
        { path: 'epoch', message: '2' },
        { path: 'lastPositionKept', message: '2' },
        { path: 'epochAt', message: (await beginningOf(id, 2)).toISOString() },
      ],
    };
    for (const cursor of [page.nextCursor, idle.page.nextCursor]) {
      expect(await read(id, { cursor })).toMatchObject(refused);
    }
    expect(await read(id, { position: 3, epoch: 1 })).toMatchObject(refused);
    const { data, page: next } = await pageOf(id, { position: 2, epoch: 2 });
    expect(data.map(({ position, epoch, type }) => [position, epoch, type])).toEqual([
      [3, 2, 'feed.epoch_started'],
      ...[4, 5, 6].map((position) => [position, 2, 'points.expired']),
    ]);
    expect((await pageOf(id, { cursor: next.nextCursor })).data).toEqual([]);
    const all = await pageOf(id, {});
    expect(all.data.map(({ epoch }) => epoch)).toEqual([1, 1, 2, 2, 2, 2]);
  });

  test('that read no further than what was kept reads on', async () => {
    const { id, sequencer } = await shopWithEvents();
    const { page } = await pageOf(id, {});
    await promote(id);
    await happen(id, 1);
    await sequencer.step(id);
    const { data } = await pageOf(id, { cursor: page.nextCursor });
    expect(data.map(({ type }) => type)).toEqual(['feed.epoch_started', 'points.expired']);
  });

  test('of an epoch that a restore began again under the same number hears of it too', async () => {
    const { id, sequencer } = await shopWithEvents();
    await promote(id);
    await happen(id, 2);
    await sequencer.step(id);
    const { page } = await pageOf(id, {});
    await restore(id, 2);
    await promote(id);
    await happen(id, 4);
    await sequencer.step(id);
    expect(await read(id, { cursor: page.nextCursor })).toMatchObject({
      code: 'feed_forked',
      details: [{ message: '2' }, { message: '2' }, { path: 'epochAt' }],
    });
  });

  test('of such an epoch hears of it with a position too, where it says when its epoch began', async () => {
    const { id, sequencer } = await shopWithEvents();
    const begin = async () => {
      await promote(id);
      await happen(id, 3);
      await sequencer.step(id);
    };
    await begin();
    const { data, epoch, epochAt } = await pageOf(id, {});
    const last = data.at(-1);
    expect([epoch, epochAt]).toEqual([2, (await beginningOf(id, 2)).toISOString()]);
    expect([last?.epoch, last?.epochAt]).toEqual([epoch, epochAt]);
    expect(data[3]).toMatchObject({ type: 'feed.epoch_started', data: { at: epochAt } });
    const place = { position: data.length, epoch: 2, epochAt: new Date(epochAt as string) };
    expect((await pageOf(id, place)).data).toEqual([]);
    // Twice to the same state, in which the epoch that is read has not begun.
    await restore(id, 3);
    await begin();
    const again = await beginningOf(id, 2);
    expect(again).not.toEqual(place.epochAt);
    expect(await read(id, place)).toMatchObject({
      code: 'feed_forked',
      message: expect.stringContaining(`afterPosition=0&epoch=2&epochAt=${again.toISOString()}`),
      // How far back the other one went is not known.
      details: [{ message: '2' }, { message: '0' }, { path: 'epochAt', message: again.toISOString() }],
    });
    expect((await pageOf(id, { position: 0, epoch: 2, epochAt: again })).data).toHaveLength(7);
    expect((await pageOf(id, { position: 7, epoch: 2 })).data).toEqual([]);
  });

  test('of an epoch that a restore took back hears of it before the next one begins', async () => {
    const { id, sequencer } = await shopWithEvents();
    await promote(id);
    await happen(id, 3);
    await sequencer.step(id);
    const { page } = await pageOf(id, {});
    const epochAt = await beginningOf(id, 2);
    await restore(id, 2);
    const first = (await beginningOf(id, 1)).toISOString();
    const refused = (kept: string) => ({
      code: 'feed_forked',
      message: expect.stringContaining('an older state than that of epoch'),
      details: [
        { path: 'epoch', message: '1' },
        { path: 'lastPositionKept', message: kept },
        { path: 'epochAt', message: first },
      ],
    });
    expect(await read(id, { cursor: page.nextCursor })).toMatchObject(refused('2'));
    expect(await read(id, { position: 7, epoch: 2, epochAt })).toMatchObject(refused('0'));
    expect(await read(id, { position: 7, epoch: 2 })).toMatchObject(refused('0'));
    expect(await read(id, { position: 1, epoch: 99 })).toMatchObject(refused('0'));
    expect(await read(id, { position: 0, epoch: 99 })).toMatchObject(refused('0'));
  });

  test('of the first epoch hears of a restore to a state in which it had not begun', async () => {
    const { id, sequencer } = await shopWithEvents();
    const { page, epochAt } = await pageOf(id, {});
    await restore(id, 0);
    await query('delete from feed_epochs where environment_id = $1', [id]);
    await happen(id, 5);
    await sequencer.step(id);
    const refused = { code: 'feed_forked', details: [{ message: '1' }, { message: '0' }, {}] };
    expect(await read(id, { cursor: page.nextCursor })).toMatchObject(refused);
    const place = { position: 3, epoch: 1, epochAt: new Date(epochAt as string) };
    expect(await read(id, place)).toMatchObject(refused);
  });

  test('names its place in one way', async () => {
    const { id } = await shopWithEvents();
    const { page } = await pageOf(id, {});
    expect(await read(id, { cursor: page.nextCursor, position: 1 })).toMatchObject({
      code: 'validation_failed',
    });
    expect(await read(id, { epoch: 1 })).toMatchObject({ code: 'validation_failed' });
    expect(await read(id, { position: 1, epochAt: new Date() })).toMatchObject({
      code: 'validation_failed',
      details: [{ path: 'epochAt' }],
    });
  });
});
