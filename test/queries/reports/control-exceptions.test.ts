import { beforeEach, describe, expect, test } from '@jest/globals';
import { rollUp } from '../../../src/ledger/closed-days/roll-up.ts';
import { verifyLedger } from '../../../src/ledger/controls/verify.ts';
import { TestBooks, type TestLot } from '../../support/reports/books.ts';
import { failedControls, useCloseDesk } from '../../support/reports/close-desk.ts';

let books: TestBooks;
let ann: TestLot;
let bob: TestLot;

const desk = useCloseDesk({ twins: true });

beforeEach(async () => {
  books = await TestBooks.open(desk.database.adminPool);
  [ann, bob] = ['2026-09-05T00:00:00Z', '2026-10-05T00:00:00Z'].map((at) =>
    books.earn(books.member(), at, 100),
  ) as [TestLot, TestLot];
  books.redeem(ann, '2026-10-06T00:00:00Z', 40);
  await books.write();
});

/** Edits rows as a superuser, past every guard of the database. */
async function edit(sql: string, values: unknown[] = []): Promise<void> {
  const { rowCount } = await desk.database.adminPool.query(sql, [books.environmentId, ...values]);
  expect(rowCount).toBe(1);
}

async function closed(): Promise<{ status: string; failed: string[] }> {
  const report = await desk.close(books, '2026-10-01T00:00:00Z', '2026-11-01T00:00:00Z');
  return { status: report.status, failed: failedControls(report) };
}

const editProfile = (lot: TestLot, by: number): Promise<void> =>
  edit(
    'update program_profiles set available = available + $3 where environment_id = $1 and member_id = $2',
    [lot.member, by],
  );

describe.each(['postings', 'closed days'])(
  'a planted difference is an exception that is named, out of %s',
  (source) => {
    beforeEach(async () => {
      if (source === 'closed days') await rollUp(desk.pool, books.environmentId);
      expect(await closed()).toEqual({ status: 'points_only', failed: [] });
    });

    test('in a balance', async () => {
      await editProfile(bob, 5);
      expect(await closed()).toEqual({
        status: 'control_exception',
        failed: [
          'member-accounts-roll-forward',
          'members-roll-forward',
          'balances-equal-postings',
          'lots-equal-balances',
        ],
      });
    });

    test('in two balances that add up to the same', async () => {
      await editProfile(ann, 5);
      await editProfile(bob, -5);
      const report = await desk.close(books, '2026-10-01T00:00:00Z', '2026-11-01T00:00:00Z');
      expect(failedControls(report)).toEqual([
        'members-roll-forward',
        'balances-equal-postings',
        'lots-equal-balances',
      ]);
      expect(report.controls.find(({ id }) => id === 'balances-equal-postings')).toMatchObject({
        expected: '160',
        found: '160',
        differences: 2,
        passed: false,
      });
    });

    test('between the balances of one member', async () => {
      await edit(
        'update program_profiles set available = available - 5, pending = 5 ' +
          'where environment_id = $1 and member_id = $2',
        [bob.member],
      );
      expect((await closed()).failed).toEqual([
        'member-accounts-roll-forward',
        'members-roll-forward',
        'balances-equal-postings',
        'lots-equal-balances',
      ]);
    });

    test('in the balance of a member who did not move', async () => {
      const report = async () =>
        failedControls(await desk.close(books, '2026-11-01T00:00:00Z', '2026-11-20T00:00:00Z'));
      expect(await report()).toEqual([]);
      await editProfile(ann, -1);
      expect(await report()).toEqual([
        'member-accounts-roll-forward',
        'balances-equal-postings',
        'lots-equal-balances',
      ]);
    });

    test('in a lot', async () => {
      await edit('update lots set available = available - 1 where environment_id = $1 and id = $2', [ann.id]);
      expect(await closed()).toEqual({
        status: 'control_exception',
        failed: ['lots-equal-balances', 'liability-equals-balances'],
      });
    });
  },
);

test('a posting that is gone is an exception', async () => {
  await edit(`delete from postings where environment_id = $1 and debit_account = 'member.reserved'`);
  expect((await closed()).failed).toEqual([
    'member-accounts-roll-forward',
    'members-roll-forward',
    'balances-equal-postings',
    'liability-equals-balances',
  ]);
});

describe('what is wrong in closed days', () => {
  beforeEach(async () => {
    await rollUp(desk.pool, books.environmentId);
  });

  test.each([
    [
      'an amount',
      `update ledger_days set amount = amount + 1 where environment_id = $1 and event_type = 'redemption.committed'`,
      ['closed-days-equal-postings'],
      ['member-accounts-roll-forward', 'liability-equals-balances'],
    ],
    [
      'a number of postings',
      `update ledger_days set postings = 7 where environment_id = $1 and event_type = 'redemption.committed'`,
      ['closed-days-equal-postings'],
      [],
    ],
    [
      'a day that is missing',
      `delete from ledger_days where environment_id = $1 and day = '2026-09-05'`,
      ['closed-days-equal-postings'],
      ['member-accounts-roll-forward', 'liability-equals-balances'],
    ],
    [
      'a day that was not',
      `insert into ledger_days values ($1, 'coffee-club', '2026-10-20', ` +
        `'program.issuance', 'member.available', 'x', 1, 1, 1)`,
      ['closed-days-equal-postings'],
      ['member-accounts-roll-forward', 'liability-equals-balances'],
    ],
    [
      "a member's balance at the end of a day",
      `update member_days set available = available + 1 where environment_id = $1 and day = '2026-10-06'`,
      ['closed-balances-equal-postings'],
      ['balances-equal-postings'],
    ],
    [
      'what a member moved',
      `update member_days set available_moved = available_moved + 1 where environment_id = $1 and day = '2026-10-06'`,
      ['closed-balances-equal-postings'],
      ['members-roll-forward'],
    ],
    [
      "a member's day that is missing",
      `delete from member_days where environment_id = $1 and day = '2026-10-06'`,
      ['closed-balances-equal-postings'],
      ['balances-equal-postings'],
    ],
  ])(
    '%s is found by verify ledger, and by the close where it matters',
    async (_name, sql, verified, failed) => {
      const client = await desk.database.adminPool.connect();
      const failures = async (): Promise<string[]> =>
        (await verifyLedger(client, books.environmentId))
          .filter(({ passed, id }) => !passed && id.startsWith('closed-'))
          .map(({ id }) => id);
      try {
        expect(await failures()).toEqual([]);
        await edit(sql);
        expect(await failures()).toEqual(verified);
        expect((await closed()).failed).toEqual(failed);
      } finally {
        client.release();
      }
    },
  );

  test('a day that the period cuts is closed twice over: by its postings, and as a whole', async () => {
    await edit(
      `update ledger_days set amount = amount + 1 where environment_id = $1 and event_type = 'redemption.committed'`,
    );
    const report = await desk.close(books, '2026-10-06T12:00:00Z', '2026-11-01T00:00:00Z');
    expect(failedControls(report)).toEqual(['program-accounts-roll-forward', 'roll-forward']);
  });
});
