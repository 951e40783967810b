import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createPool, type Pool } from '../../src/db/pool.ts';
import { rollUp } from '../../src/ledger/roll-up.ts';
import { findLedgerClose } from '../../src/queries/ledger-close/find-ledger-close.ts';
import type { CloseReport } from '../../src/queries/ledger-close/report.ts';
import { isRefusal } from '../../src/refusal.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { TestBooks } from './books.ts';

let database: TestDatabase;
let pool: Pool;

beforeAll(async () => {
  database = await createTestDatabase();
  // As the server: with no more than the privileges of rewards_app.
  pool = createPool({ url: database.serverUrl, size: 4 });
});

afterAll(async () => {
  await pool.end();
  await database.drop();
});

async function close(books: TestBooks, from: string | null, to: string | null): Promise<CloseReport> {
  const report = await findLedgerClose(pool, books.environmentId, {
    programId: books.programId,
    from: from === null ? null : new Date(from),
    to: to === null ? null : new Date(to),
  });
  if (isRefusal(report)) throw new Error(report.message);
  return report;
}

/** Lines of the roll-forward that are not 0. */
function forward(report: CloseReport): Record<string, string> {
  return Object.fromEntries(
    report.rollForward.filter(({ points }) => points !== '0').map(({ line, points }) => [line, points]),
  );
}

function failed(report: CloseReport): string[] {
  return report.controls.filter(({ passed }) => !passed).map(({ id }) => id);
}

/** Ann's books from August to November 2026, with every kind of movement. */
async function everyMovement(): Promise<TestBooks> {
  const books = await TestBooks.open(database.adminPool);
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
  const report = await close(books, '2026-09-01T00:00:00Z', '2026-11-20T00:00:00Z');
  expect(forward(report)).toEqual({
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
  expect(failed(report)).toEqual([]);
  expect(report.status).toBe('points_only');
  expect(
    report.liability.map(({ issueMonth, expiryMonth, points }) => [issueMonth, expiryMonth, points]),
  ).toEqual([
    ['2026-08', '2027-08', '925'],
    ['2026-09', null, '190'],
  ]);
});

test('the report before and after the roll-up is the same, for every window', async () => {
  const books = await everyMovement();
  const windows: [string, string][] = [
    ['2026-08-01T00:00:00Z', '2026-09-01T00:00:00Z'],
    ['2026-09-01T00:00:00Z', '2026-10-01T00:00:00Z'],
    ['2026-09-15T12:00:00Z', '2026-10-03T06:00:00Z'],
    ['2026-10-02T06:00:00Z', '2026-10-02T18:00:00Z'],
    ['2026-01-01T00:00:00Z', '2026-11-21T00:00:00Z'],
  ];
  const before = [];
  for (const [from, to] of windows) before.push(await close(books, from, to));
  expect(await rollUp(pool, books.environmentId)).toMatchObject({ days: 13, busy: false });
  for (const [index, [from, to]] of windows.entries()) {
    const after = await close(books, from, to);
    expect(after).toEqual(before[index]);
    expect(failed(after)).toEqual([]);
  }
});
