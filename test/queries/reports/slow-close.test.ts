import { expect, test } from '@jest/globals';
import { rollUp } from '../../../src/ledger/closed-days/roll-up.ts';
import { findLedgerClose } from '../../../src/queries/reports/ledger-close/find-ledger-close.ts';
import { TestBooks } from '../../support/reports/books.ts';
import { useCloseDesk } from '../../support/reports/close-desk.ts';
import { usePool } from '../../support/use-database.ts';

// A close whose statement is cancelled says what the operator can do. Here it takes too long because its lots are
// locked.

const desk = useCloseDesk();
const hurried = usePool(() => ({ url: desk.database.serverUrl, size: 2, statementTimeoutMs: 500 }));

async function closeOfLockedLots(books: TestBooks, from: string, to: string) {
  const locker = await desk.database.adminPool.connect();
  try {
    await locker.query('begin');
    await locker.query('lock table lots in access exclusive mode');
    const query = { programId: books.programId, from: new Date(from), to: new Date(to) };
    return await findLedgerClose(desk.pool, books.environmentId, query, (work) => work(hurried));
  } finally {
    await locker.query('rollback');
    locker.release();
  }
}

test('names the days that are not closed, and the commands that help', async () => {
  const books = await TestBooks.open(desk.database.adminPool);
  books.earn(books.member(), '2026-10-10T10:00:00Z', 100);
  await books.write();
  const refusal = {
    refused: true,
    code: 'unavailable',
    message:
      'The close took longer than STATEMENT_TIMEOUT_MS allows a statement. Its days from 2026-10-01 on are not closed yet: ' +
      'the operator can close them at once with `rewards rollup`, or make the ' +
      'report with `rewards close`, which has no such limit.',
  };
  const october = ['2026-10-01T00:00:00Z', '2026-11-01T00:00:00Z'] as const;
  expect(await closeOfLockedLots(books, ...october)).toEqual(refusal);
  await rollUp(desk.pool, books.environmentId);
  expect(await closeOfLockedLots(books, ...october)).toEqual({
    ...refusal,
    message:
      'The close took longer than STATEMENT_TIMEOUT_MS allows a statement. Ask for a shorter period, or make the report with ' +
      '`rewards close`, which has no such limit.',
  });
});

test('throws where something else is wrong', async () => {
  const books = await TestBooks.open(desk.database.adminPool);
  await books.write();
  const broken = () => Promise.reject(Object.assign(new Error('gone'), { code: '57P01' }));
  const query = { programId: books.programId, from: new Date('2026-10-01T00:00:00Z'), to: null };
  await expect(findLedgerClose(desk.pool, books.environmentId, query, broken)).rejects.toThrow('gone');
});
