import { createPool, type Pool } from '../../../src/db/pool.ts';
import { findLedgerClose } from '../../../src/queries/reports/ledger-close/find-ledger-close.ts';
import type { CloseReport } from '../../../src/queries/reports/ledger-close/report.ts';
import { isRefusal } from '../../../src/refusal.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { fixture } from '../fixture.ts';
import type { TestBooks } from './books.ts';

/** A database that a test writes to, and close reports of it. */
export interface CloseDesk {
  database: TestDatabase;
  /** A pool with only the privileges of rewards_app. */
  pool: Pool;
  /** @throws where it is refused */
  close(books: TestBooks, from: string | null, to: string | null): Promise<CloseReport>;
  shut(): Promise<void>;
}

/** @param options of the database */
export async function openDesk(options?: Parameters<typeof createTestDatabase>[0]): Promise<CloseDesk> {
  const database = await createTestDatabase(options);
  const pool = createPool({ url: database.serverUrl, size: 4 });
  return {
    database,
    pool,
    async close(books, from, to) {
      const report = await findLedgerClose(pool, books.environmentId, {
        programId: books.programId,
        from: from === null ? null : new Date(from),
        to: to === null ? null : new Date(to),
      });
      if (isRefusal(report)) throw new Error(`${report.code}: ${report.message}`);
      return report;
    },
    async shut() {
      await pool.end();
      await database.drop();
    },
  };
}

/** Lines of the roll-forward that are not 0. */
export function forwardOf(report: CloseReport): Record<string, string> {
  return Object.fromEntries(
    report.rollForward.filter(({ points }) => points !== '0').map(({ line, points }) => [line, points]),
  );
}

export function failedControls(report: CloseReport): string[] {
  return report.controls.filter(({ passed }) => !passed).map(({ id }) => id);
}

/** A desk for all tests of a file. */
export function useCloseDesk(options?: Parameters<typeof openDesk>[0]): CloseDesk {
  return fixture(
    'the desk',
    () => openDesk(options),
    (desk) => desk.shut(),
  );
}
