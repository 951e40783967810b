import { expect, test } from '@jest/globals';
import type { Pool, QueryConfig } from 'pg';
import { rollUpEnvironments } from '../../../src/jobs/roll-up.ts';
import { rollUp } from '../../../src/ledger/closed-days/roll-up.ts';
import { ROLL_UP_CONTROLS } from '../../../src/ledger/controls/closed-day-controls.ts';
import { fixture } from '../../support/fixture.ts';
import { TestBooks } from '../../support/reports/books.ts';
import { useCloseDesk } from '../../support/reports/close-desk.ts';
import { randomHistory } from '../../support/reports/random-history.ts';
import { install } from '../../support/time-machine.ts';

const desk = useCloseDesk({ twins: true });
const time = fixture('the time machine', () => install(desk.database.adminUrl));

async function rows(books: TestBooks, table: 'ledger_days' | 'member_days'): Promise<unknown[]> {
  const { rows: found } = await desk.database.adminPool.query(
    `select t::text from ${table} t where environment_id = $1 order by 1`,
    [books.environmentId],
  );
  return found;
}

async function history(
  seed: number,
  from = '2026-01-05T00:00:00Z',
  to = '2026-10-31T00:00:00Z',
): Promise<TestBooks> {
  return randomHistory(desk.database.adminPool, seed, { steps: 300, from, to });
}

test('a day is closed ten minutes after its end, and not before', async () => {
  const books = await TestBooks.open(desk.database.adminPool);
  books.earn(books.member(), '2026-11-10T08:00:00Z', 5);
  await books.write();
  await time.travelTo(new Date('2026-11-11T00:09:30Z'));
  expect(await rollUp(desk.pool, books.environmentId)).toEqual({
    closedThrough: '2026-11-09',
    days: 0,
    busy: false,
  });
  await time.travelTo(new Date('2026-11-11T00:10:01Z'));
  expect(await rollUp(desk.pool, books.environmentId)).toEqual({
    closedThrough: '2026-11-10',
    days: 1,
    busy: false,
  });
  await time.travelTo(new Date('2026-11-14T12:00:00Z'));
  expect(await rollUp(desk.pool, books.environmentId)).toEqual({
    closedThrough: '2026-11-13',
    days: 0,
    busy: false,
  });
  // A clock that is set back does not reopen a day.
  await time.travelTo(new Date('2026-11-11T12:00:00Z'));
  expect(await rollUp(desk.pool, books.environmentId)).toEqual({
    closedThrough: '2026-11-13',
    days: 0,
    busy: false,
  });
});

test('what happens at midnight belongs to the day that begins, and is closed with it', async () => {
  const books = await TestBooks.open(desk.database.adminPool);
  const member = books.member();
  books.earn(member, '2026-11-10T23:59:59.999Z', 5);
  books.earn(member, '2026-11-11T00:00:00Z', 7);
  await books.write();
  const closed = async (): Promise<unknown[]> => {
    await rollUp(desk.pool, books.environmentId);
    const { rows: found } = await desk.database.adminPool.query(
      'select day::text, amount::integer from ledger_days where environment_id = $1 order by day',
      [books.environmentId],
    );
    return found;
  };
  await time.travelTo(new Date('2026-11-11T12:00:00Z'));
  expect(await closed()).toEqual([{ day: '2026-11-10', amount: 5 }]);
  await time.travelTo(new Date('2026-11-12T12:00:00Z'));
  expect(await closed()).toEqual([
    { day: '2026-11-10', amount: 5 },
    { day: '2026-11-11', amount: 7 },
  ]);
});

async function closedDays(books: TestBooks): Promise<{ ledger: unknown[]; member: unknown[] }> {
  return { ledger: await rows(books, 'ledger_days'), member: await rows(books, 'member_days') };
}

test('day by day or all at once, the closed days are the same; a day without movement has no row', async () => {
  await time.travelTo(new Date('2026-01-20T12:00:00Z'));
  const books = await history(4, '2026-01-05T00:00:00Z', '2026-02-10T00:00:00Z');
  const days = new Set<string>();
  for (let day = 20; day < 45; day += 1) {
    await time.travelTo(new Date(Date.UTC(2026, 0, day, 12)));
    days.add((await rollUp(desk.pool, books.environmentId)).closedThrough);
  }
  expect(days.size).toBe(25);
  const daily = await closedDays(books);
  const { adminPool } = desk.database;
  for (const table of ['ledger_days', 'member_days', 'ledger_rollups']) {
    await adminPool.query(`delete from ${table} where environment_id = $1`, [books.environmentId]);
  }
  await rollUp(desk.pool, books.environmentId);
  expect(await closedDays(books)).toEqual(daily);
  expect(daily.ledger.length).toBeGreaterThan(30);
});

test.each(ROLL_UP_CONTROLS)(
  'the control $id sees every closed day, and finds it right',
  async ({ sql, sinceDay }) => {
    await time.travelTo(new Date('2026-11-20T12:00:00Z'));
    const books = await history(11, '2026-10-01T00:00:00Z', '2026-11-20T12:00:00Z');
    await rollUp(desk.pool, books.environmentId);
    const { rows: lines } = await desk.database.adminPool.query<{ expected: string; found: string }>(
      sql,
      sinceDay === 'newer' ? [books.environmentId, null] : [books.environmentId],
    );
    expect(lines.length).toBeGreaterThan(100);
    expect(lines.filter(({ expected, found }) => Number(expected) !== Number(found))).toEqual([]);
  },
);

test('again it does nothing', async () => {
  await time.travelTo(new Date('2026-11-20T12:00:00Z'));
  const books = await history(5);
  const first = await rollUp(desk.pool, books.environmentId);
  expect(first.days).toBeGreaterThan(100);
  const before = await closedDays(books);
  expect(await rollUp(desk.pool, books.environmentId)).toEqual({ ...first, days: 0 });
  expect(await closedDays(books)).toEqual(before);
});

test('of several at once each day is closed by one', async () => {
  await time.travelTo(new Date('2026-11-20T12:00:00Z'));
  const books = await history(6);
  const done = await Promise.all(Array.from({ length: 4 }, () => rollUp(desk.pool, books.environmentId)));
  const alone = await history(6);
  const { days } = await rollUp(desk.pool, alone.environmentId);
  expect(done.reduce((total, one) => total + one.days, 0)).toBe(days);
  expect(await rows(books, 'ledger_days')).toHaveLength((await rows(alone, 'ledger_days')).length);
  const client = await desk.database.adminPool.connect();
  try {
    const { rows: differing } = await client.query(
      `select from ledger_rollups where environment_id = $1 and closed_through <> '2026-11-19'`,
      [books.environmentId],
    );
    expect(differing).toEqual([]);
  } finally {
    client.release();
  }
});

test('where another one holds the row there is nothing to do', async () => {
  await time.travelTo(new Date('2026-11-20T12:00:00Z'));
  const books = await history(7);
  await rollUp(desk.pool, books.environmentId);
  await time.travelTo(new Date('2026-11-22T12:00:00Z'));
  const other = await desk.pool.connect();
  try {
    await other.query('begin');
    await other.query('select from ledger_rollups where environment_id = $1 for update', [
      books.environmentId,
    ]);
    expect(await rollUp(desk.pool, books.environmentId)).toEqual({
      closedThrough: '2026-11-19',
      days: 0,
      busy: true,
    });
  } finally {
    await other.query('rollback');
    other.release();
  }
});

test('an environment in which nothing has happened has its days closed too', async () => {
  await time.travelTo(new Date('2026-11-20T12:00:00Z'));
  const books = await TestBooks.open(desk.database.adminPool);
  expect(await rollUp(desk.pool, books.environmentId)).toEqual({
    closedThrough: '2026-11-19',
    days: 0,
    busy: false,
  });
});

test('the job goes through all environments', async () => {
  await time.travelTo(new Date('2026-11-20T12:00:00Z'));
  const made = [await history(8), await history(9)];
  const done = await rollUpEnvironments(desk.pool);
  for (const books of made) {
    const one = done.find(({ environmentId }) => environmentId === books.environmentId);
    expect(one).toMatchObject({ closedThrough: '2026-11-19', busy: false });
    expect(one?.days).toBeGreaterThan(0);
  }
  const stopped = AbortSignal.abort();
  expect(await rollUpEnvironments(desk.pool, stopped)).toEqual([]);
});

test('an environment that fails keeps no other from being tried, and the job fails', async () => {
  await time.travelTo(new Date('2026-11-20T12:00:00Z'));
  const environments = (await rollUpEnvironments(desk.pool)).length;
  let tried = 0;
  const pool = {
    query: (statement: QueryConfig) => desk.pool.query(statement),
    connect: () => {
      tried += 1;
      return tried === 1 ? Promise.reject(new Error('away')) : desk.pool.connect();
    },
  };
  const failure: unknown = await rollUpEnvironments(pool as unknown as Pool).catch((error) => error);
  expect(failure).toEqual(new AggregateError([new Error('away')], 'Days could not be closed'));
  expect(failure).toHaveProperty('errors', [new Error('away')]);
  expect(environments).toBeGreaterThan(1);
  expect(tried).toBe(environments);
});

test('a process that stops ends with the month that it is at; what is left is done later', async () => {
  await time.travelTo(new Date('2026-11-20T12:00:00Z'));
  const books = await history(10);
  const stopped = await rollUp(desk.pool, books.environmentId, AbortSignal.abort());
  expect(stopped).toMatchObject({ closedThrough: '2026-02-04', busy: false });
  const rest = await rollUp(desk.pool, books.environmentId);
  expect(rest.closedThrough).toBe('2026-11-19');
  const whole = await history(10);
  expect(stopped.days + rest.days).toBe((await rollUp(desk.pool, whole.environmentId)).days);
});
