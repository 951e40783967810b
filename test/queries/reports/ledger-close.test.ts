import { expect, test } from '@jest/globals';
import { createPool } from '../../../src/db/pool.ts';
import { rollUp } from '../../../src/ledger/closed-days/roll-up.ts';
import { enterEnvironment } from '../../../src/ledger/tables/environments.ts';
import type { CloseQuery } from '../../../src/queries/reports/ledger-close/find-ledger-close.ts';
import { findLedgerClose } from '../../../src/queries/reports/ledger-close/find-ledger-close.ts';
import { readLedgerSummary } from '../../../src/queries/reports/ledger-summary.ts';
import { isRefusal } from '../../../src/refusal.ts';
import { TestBooks, type TestLot } from '../../support/reports/books.ts';
import { failedControls, forwardOf, useCloseDesk } from '../../support/reports/close-desk.ts';
import { randomHistory } from '../../support/reports/random-history.ts';
import { program } from '../../support/rules/fixtures.ts';

const desk = useCloseDesk({ twins: true });

/** Ann's books from August to November 2026, with every kind of movement. */
async function everyMovement(): Promise<TestBooks> {
  const books = await TestBooks.open(desk.database.adminPool);
  const ann = books.member();
  const august = books.earn(ann, '2026-08-10T10:00:00Z', 1000, '2027-08-10T10:00:00Z');
  const pending = books.lot(ann, '2026-09-01T00:00:00Z', 300);
  books.post('purchase.completed', '2026-09-01T00:00:00Z', [
    pending,
    'program.issuance',
    'member.pending',
    300,
  ]);
  books.post('points.activated', '2026-09-15T00:00:00Z', [
    pending,
    'member.pending',
    'member.available',
    200,
  ]);
  books.post(
    'order.returned',
    '2026-09-20T00:00:00Z',
    [pending, 'member.pending', 'program.issuance', 100],
    [pending, 'member.available', 'program.issuance', 10],
  );
  books.redeem(august, '2026-10-02T00:00:00Z', 400);
  books.post(
    'redemption.reversed',
    '2026-10-03T00:00:00Z',
    [august, 'program.redemption', 'member.available', 350],
    [august, 'program.redemption', 'program.issuance', 50],
  );
  books.post('points.expired', '2026-10-04T00:00:00Z', [august, 'member.available', 'program.expiry', 25]);
  const credit = books.lot(ann, '2026-10-05T00:00:00Z', 60);
  books.post('adjustment.posted', '2026-10-05T00:00:00Z', [
    credit,
    'program.adjustment',
    'member.available',
    60,
  ]);
  books.post('adjustment.reversed', '2026-10-06T00:00:00Z', [
    credit,
    'member.available',
    'program.adjustment',
    60,
  ]);
  books.post('adjustment.posted', '2026-10-07T00:00:00Z', [
    august,
    'member.available',
    'program.adjustment',
    30,
  ]);
  books.post('adjustment.reversed', '2026-10-08T00:00:00Z', [
    august,
    'program.adjustment',
    'member.available',
    30,
  ]);
  const exchanged = books.lot(ann, '2026-11-01T00:00:00Z', 70);
  books.post('exchange.settled', '2026-11-01T00:00:00Z', [
    exchanged,
    'program.clearing',
    'member.available',
    70,
  ]);
  books.post('exchange.reversed', '2026-11-02T00:00:00Z', [
    exchanged,
    'member.available',
    'program.clearing',
    70,
  ]);
  await books.write();
  return books;
}

test('every kind of movement has its line, and the opening and the lines are the closing', async () => {
  const books = await everyMovement();
  const report = await desk.close(books, '2026-09-01T00:00:00Z', '2026-11-20T00:00:00Z');
  expect(forwardOf(report)).toEqual({
    opening: '1000',
    points_issued: '300',
    points_clawed_back: '-160',
    points_redeemed: '-400',
    redemptions_reversed: '400',
    points_expired: '-25',
    adjusted_credit: '60',
    adjusted_debit: '-30',
    credit_adjustments_reversed: '-60',
    debit_adjustments_reversed: '30',
    exchanged_in: '70',
    exchanges_in_reversed: '-70',
    closing: '1115',
  });
  expect(failedControls(report)).toEqual([]);
  expect(report.status).toBe('points_only');
  expect(
    report.liability.map(({ issueMonth, expiryMonth, points }) => [issueMonth, expiryMonth, points]),
  ).toEqual([
    ['2026-08', '2027-08', '925'],
    ['2026-09', null, '190'],
  ]);
});

test('the report and the summary before and after the roll-up are the same, for every window', async () => {
  const books = await everyMovement();
  const summary = async (from: string, to: string) => {
    const query = { programId: books.programId, from: new Date(from), to: new Date(to) };
    return readLedgerSummary(desk.pool, books.environmentId, query);
  };
  const windows: [string, string][] = [
    ['2026-08-01T00:00:00Z', '2026-09-01T00:00:00Z'],
    ['2026-09-01T00:00:00Z', '2026-10-01T00:00:00Z'],
    ['2026-09-15T12:00:00Z', '2026-10-03T06:00:00Z'],
    ['2026-10-02T06:00:00Z', '2026-10-02T18:00:00Z'],
    // Both ends of the closed days have movements of available points at midnight.
    ['2026-10-02T00:00:00Z', '2026-11-01T12:00:00Z'],
    ['2026-10-01T12:00:00Z', '2026-11-02T00:00:00.001Z'],
    ['2026-01-01T00:00:00Z', '2026-11-21T00:00:00Z'],
  ];
  const before = [];
  for (const [from, to] of windows) {
    before.push({ report: await desk.close(books, from, to), summary: await summary(from, to) });
  }
  expect(before[5]?.summary).toMatchObject({ points: { credits: '510', debits: '585' } });
  expect(await rollUp(desk.pool, books.environmentId)).toMatchObject({ days: 13, busy: false });
  for (const [index, [from, to]] of windows.entries()) {
    const report = await desk.close(books, from, to);
    expect({ report, summary: await summary(from, to) }).toEqual(before[index]);
    expect(failedControls(report)).toEqual([]);
  }
});

const MONTHS = ['2026-05', '2026-06', '2026-07', '2026-08', '2026-09', '2026-10', '2026-11'].map(
  (month) => `${month}-01T00:00:00Z`,
);

/** The sums of a period, by a statement that knows nothing of the report. */
async function plainSums(books: TestBooks, from: string, to: string): Promise<Record<string, string>> {
  const { rows } = await desk.database.adminPool.query<Record<string, string>>(
    `with entry as (
       select debit_account as account, -amount as points, amount as debit, 0 as credit, created_at, program_id from postings
         where environment_id = $1 and program_id = $2
       union all
       select credit_account, amount, 0, amount, created_at, program_id from postings
         where environment_id = $1 and program_id = $2
     )
     select coalesce(sum(points) filter (where account like 'member.%' and created_at < $3), 0)::text as opening,
       coalesce(sum(points) filter (where account like 'member.%' and created_at < $4), 0)::text as closing,
       coalesce(sum(debit) filter (where created_at >= $3 and created_at < $4), 0)::text as debits,
       coalesce(sum(credit) filter (where created_at >= $3 and created_at < $4), 0)::text as credits,
       coalesce(sum(points) filter (where account = 'program.redemption' and created_at >= $3 and created_at < $4), 0)::text
         as redeemed,
       (select count(*) from postings where environment_id = $1 and program_id = $2 and created_at >= $3
         and created_at < $4)::text as postings,
       (select count(distinct transaction_id) from postings where environment_id = $1 and program_id = $2
         and created_at >= $3 and created_at < $4)::text as transactions
     from entry`,
    [books.environmentId, books.programId, from, to],
  );
  return rows[0] as Record<string, string>;
}

test.each([1, 2, 3])(
  'months chain, and equal sums made another way, rolled up or not (history %i)',
  async (seed) => {
    const books = await randomHistory(desk.database.adminPool, seed, {
      steps: 600,
      from: '2026-05-03T00:00:00Z',
      to: '2026-10-31T23:00:00Z',
    });
    const hashes: string[][] = [];
    for (const pass of [0, 1]) {
      let closing = '0';
      const seen: string[] = [];
      for (const [index, from] of MONTHS.slice(0, -1).entries()) {
        const to = MONTHS[index + 1] ?? '';
        const report = await desk.close(books, from, to);
        const forward = Object.fromEntries(report.rollForward.map(({ line, points }) => [line, points]));
        expect([pass, from, failedControls(report)]).toEqual([pass, from, []]);
        expect(forward.opening).toBe(closing);
        closing = forward.closing ?? '';
        expect({
          opening: forward.opening,
          closing,
          debits: report.totals.debits,
          credits: report.totals.credits,
          redeemed: String(-BigInt(forward.points_redeemed ?? 0) - BigInt(forward.redemptions_reversed ?? 0)),
          postings: String(report.totals.postings),
          transactions: String(report.totals.transactions),
        }).toEqual(await plainSums(books, from, to));
        seen.push(report.evidenceHash);
      }
      expect(Number(closing)).toBeGreaterThan(0);
      hashes.push(seen);
      await rollUp(desk.pool, books.environmentId);
    }
    expect(hashes[1]).toEqual(hashes[0]);
  },
);

test('the period is half-open to the microsecond', async () => {
  const books = await TestBooks.open(desk.database.adminPool);
  const ann = books.member();
  const at = [
    '2026-09-30T23:59:59.999999Z',
    '2026-10-01T00:00:00Z',
    '2026-10-31T23:59:59.999999Z',
    '2026-11-01T00:00:00Z',
  ];
  at.forEach((instant, index) => void books.earn(ann, instant, 10 ** index));
  await books.write();
  const expected = { opening: '1', points_issued: '110', closing: '111' };
  for (const _pass of ['postings', 'closed days']) {
    const report = await desk.close(books, '2026-10-01T00:00:00Z', '2026-11-01T00:00:00Z');
    expect(forwardOf(report)).toEqual(expected);
    expect(failedControls(report)).toEqual([]);
    expect(report.liability.map(({ issueMonth, points }) => [issueMonth, points])).toEqual([
      ['2026-09', '1'],
      ['2026-10', '110'],
    ]);
    await rollUp(desk.pool, books.environmentId);
  }
});

test('a period that is not over has the version of now, not one that takes effect before its end', async () => {
  const books = await TestBooks.open(desk.database.adminPool);
  const valuation = { amountMinor: { numerator: 1, denominator: 1 } };
  const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();
  await books.publish(program({ finance: { valuation } }), 'author', inDays(1));
  books.earn(books.member(), inDays(-20), 5);
  await books.write();
  const { liability } = await desk.close(books, inDays(-30), inDays(30));
  expect(liability).toMatchObject([{ points: '5', amountMinor: null }]);
});

test('a close mixes neither programs nor environments', async () => {
  const books = await TestBooks.open(desk.database.adminPool);
  const other = await TestBooks.open(desk.database.adminPool);
  await books.publish(program({ id: 'tea-club', currency: 'EUR' }));
  for (const [one, points] of [
    [books, 5],
    [other, 7],
  ] as const) {
    one.earn(one.member(), '2026-10-02T00:00:00Z', points);
    await one.write();
  }
  const tea = { environmentId: books.environmentId, programId: 'tea-club' } as TestBooks;
  const [from, to] = ['2026-10-01T00:00:00Z', '2026-11-01T00:00:00Z'];
  expect(forwardOf(await desk.close(books, from, to))).toEqual({ points_issued: '5', closing: '5' });
  expect(forwardOf(await desk.close(other, from, to))).toMatchObject({ points_issued: '7' });
  const empty = await desk.close(tea, from, to);
  expect(forwardOf(empty)).toEqual({});
  expect({ currency: empty.currency, status: empty.status, liability: empty.liability }).toEqual({
    currency: 'EUR',
    status: 'points_only',
    liability: [],
  });
  expect(failedControls(empty)).toEqual([]);
});

test('an unknown program, also of another environment, is not found', async () => {
  const books = await TestBooks.open(desk.database.adminPool);
  const query = { programId: 'no-club', from: null, to: null };
  expect(await findLedgerClose(desk.pool, books.environmentId, query)).toMatchObject({
    code: 'program_not_found',
  });
});

test('equal books give an equal report, and another posting another one', async () => {
  const books = await randomHistory(desk.database.adminPool, 9, {
    steps: 50,
    from: '2026-10-01T00:00:00Z',
    to: '2026-10-20T00:00:00Z',
  });
  const [from, to] = ['2026-10-01T00:00:00Z', '2026-11-01T00:00:00Z'];
  const first = await desk.close(books, from, to);
  expect(await desk.close(books, from, to)).toEqual(first);
  expect(first.reportId).toMatch(/^rpt_[0-7][0-9a-z]{25}$/);
  const shorter = await desk.close(books, from, '2026-10-31T23:59:59.999Z');
  expect(shorter.evidenceHash).not.toBe(first.evidenceHash);
  expect(shorter.reportId).not.toBe(first.reportId);
});

test('what comes after the period is taken back', async () => {
  const books = await TestBooks.open(desk.database.adminPool);
  const lot = books.earn(books.member(), '2026-09-02T00:00:00Z', 100, '2027-01-15T00:00:00Z');
  books.redeem(lot, '2026-10-02T00:00:00Z', 30);
  books.post('redemption.reserved', '2026-11-03T00:00:00Z', [lot, 'member.available', 'member.reserved', 20]);
  await books.write();
  const report = await desk.close(books, null, '2026-10-01T00:00:00Z');
  expect(report.period).toEqual({ from: '2026-09-01T00:00:00.000Z', to: '2026-10-01T00:00:00.000Z' });
  expect(report.liability).toMatchObject([{ issueMonth: '2026-09', expiryMonth: '2027-01', points: '100' }]);
  expect(failedControls(report)).toEqual([]);
});

/** Moves points of a member as the service does: posting, lot and profile in one transaction. */
async function activateOne(books: TestBooks, lot: TestLot): Promise<void> {
  await desk.database.adminPool.query(
    `with moved as (
       insert into transactions values ($1, gen_random_uuid(), $2, $3, 'points.activated', null, 'committed', 1,
         clock_timestamp(), clock_timestamp(), null, null, '{}') returning id
     ), posted as (
       insert into postings select $1, id, 1, $2, $3, 'member.pending', 'member.available', 1, $4, clock_timestamp()
       from moved
     ), held as (
       update lots set pending = pending - 1, available = available + 1 where environment_id = $1 and id = $4
     )
     update program_profiles set pending = pending - 1, available = available + 1
     where environment_id = $1 and member_id = $3`,
    [books.environmentId, books.programId, lot.member, lot.id],
  );
}

test('beside writers nothing is seen in halves, by one connection or two', async () => {
  const books = await TestBooks.open(desk.database.adminPool);
  const lot = books.lot(books.member(), '2026-10-01T00:00:00Z', 1_000_000);
  books.post('purchase.completed', '2026-10-01T00:00:00Z', [
    lot,
    'program.issuance',
    'member.pending',
    1_000_000,
  ]);
  await books.write();
  let writing = true;
  const writer = (async () => {
    let written = 0;
    for (; writing; written += 1) await activateOne(books, lot);
    return written;
  })();
  const small = createPool({ url: desk.database.serverUrl, size: 1 });
  try {
    const seen = new Set<string>();
    for (let round = 0; round < 40; round += 1) {
      const query = { programId: books.programId, from: new Date('2026-10-01T00:00:00Z'), to: null };
      const report = await findLedgerClose(round % 2 === 0 ? desk.pool : small, books.environmentId, query);
      if (isRefusal(report)) throw new Error(report.message);
      expect(failedControls(report)).toEqual([]);
      seen.add(report.totals.accounts[0]?.closing ?? '');
    }
    // They did see the writer at work.
    expect(seen.size).toBeGreaterThan(10);
  } finally {
    writing = false;
    expect(await writer).toBeGreaterThan(10);
    await small.end();
  }
});

test('a period that has just ended waits for the batches that were under way, and no longer than three seconds', async () => {
  const books = await everyMovement();
  const batch = await desk.database.adminPool.connect();
  const enter = async (): Promise<void> => {
    await batch.query('begin');
    const { name, text, values } = enterEnvironment(books.environmentId);
    await batch.query({ name, text, values });
  };
  const isOver = async (query: Partial<CloseQuery> = {}): Promise<boolean | undefined> => {
    const all = { programId: books.programId, from: null, to: null, ...query };
    const report = await findLedgerClose(desk.pool, books.environmentId, all);
    if (isRefusal(report)) throw new Error(report.message);
    return report.controls.find(({ id }) => id === 'period_over')?.passed;
  };
  try {
    await enter();
    const waiting = isOver();
    await new Promise((resolve) => setTimeout(resolve, 300));
    await batch.query('commit');
    expect(await waiting).toBe(true);
    await enter();
    expect(await isOver()).toBe(false);
    // Long over, whoever is at work.
    expect(await isOver({ to: new Date('2026-11-01T00:00:00Z') })).toBe(true);
    await batch.query('commit');
    expect(await isOver({ to: new Date(Date.now() + 3_600_000) })).toBe(false);
  } finally {
    batch.release();
  }
});

test('more reports at once than there are connections wait for one, and not for each other', async () => {
  const books = await everyMovement();
  const few = createPool({ url: desk.database.serverUrl, size: 2 });
  try {
    const query = { programId: books.programId, from: null, to: new Date('2026-11-01T00:00:00Z') };
    const reports = await Promise.all(
      Array.from({ length: 12 }, () => findLedgerClose(few, books.environmentId, query)),
    );
    expect(
      new Set(reports.map((report) => (isRefusal(report) ? report.code : report.evidenceHash))).size,
    ).toBe(1);
  } finally {
    await few.end();
  }
});
