import { describe, expect, test } from '@jest/globals';
import { Auditor } from '../../../simulator/auditor/auditor.ts';
import { Model } from '../../../simulator/model/model.ts';
import { newUuid } from '../../../src/ids.ts';
import type { MemoryTables } from '../../../src/ledger/memory/memory-tables.ts';
import type { TransactionRecord } from '../../../src/ledger/tables/transactions.ts';
import { decide, posted } from '../../support/commands/adjustments.ts';
import { Desk, receiptOf } from '../../support/commands/desk.ts';
import { type RewardCounter, reward, rewardCounter } from '../../support/commands/reward-counter.ts';

function first<K, V>(table: Map<K, V>, change: (row: V) => V | null): void {
  const [key, row] = [...table][0] as [K, V];
  const changed = change(row);
  if (changed === null) table.delete(key);
  else table.set(key, changed);
}

/** Changes the first row that matches. */
function change<K, V>(table: Map<K, V>, which: (row: V) => boolean, changes: Partial<V>): void {
  const [key, row] = [...table].find(([, each]) => which(each)) as [K, V];
  table.set(key, { ...row, ...changes });
}

describe('the auditor finds', () => {
  const corruptions: [what: string, corrupt: (tables: MemoryTables) => void, invariant: string][] = [
    ['a lost posting', (tables) => first(tables.postings, () => null), 'a lot holds what was posted'],
    [
      'a posting of another amount',
      (tables) => first(tables.postings, (row) => ({ ...row, amount: row.amount + 1 })),
      'a lot holds what was posted',
    ],
    [
      'a posting of nothing',
      (tables) => first(tables.postings, (row) => ({ ...row, amount: 0 })),
      'a posting moves points',
    ],
    [
      'a posting that names no lot',
      (tables) => first(tables.postings, (row) => ({ ...row, lotId: null })),
      'names its lot',
    ],
    [
      "a posting in another member's name",
      (tables) => first(tables.postings, (row) => ({ ...row, memberId: 'x' })),
      'program and member of its transaction',
    ],
    [
      'a balance too high',
      (tables) => first(tables.profiles, (row) => ({ ...row, available: row.available + 1 })),
      'a balance equals its postings',
    ],
    [
      'points in the wrong balance of a lot',
      (tables) => first(tables.lots, (row) => ({ ...row, available: 0, pending: row.available })),
      'a lot holds what was posted',
    ],
    [
      'points without enrollment',
      (tables) => first(tables.profiles, (row) => ({ ...row, enrolled: false })),
      'no points without enrollment',
    ],
    [
      'an order that differs from its transaction',
      (tables) => first(tables.orders, (row) => ({ ...row, points: row.points + 1 })),
      "an order's points",
    ],
    [
      'a transaction without a key',
      (tables) => {
        for (const [key, row] of tables.idempotency) if (row.transactionId) tables.idempotency.delete(key);
      },
      'exactly one key',
    ],
    [
      'a transaction of two keys',
      (tables) => {
        const row = [...tables.idempotency.values()].find((each) => each.transactionId);
        if (row) tables.idempotency.set('other', row);
      },
      'exactly one key',
    ],
    [
      'a transaction with other points',
      (tables) => first(tables.transactions, (row) => ({ ...row, points: row.points - 1 })),
      "a transaction's points",
    ],
    ['an effect that nobody audited', (tables) => first(tables.audits, () => null), 'audited once'],
    ['rows that the model does not have', () => {}, 'the model agrees'],
  ];
  test.each(corruptions)('%s', (_what, corrupt, invariant) => {
    const desk = new Desk();
    desk.createMember();
    desk.enroll();
    desk.earn();
    corrupt(desk.store.tables);
    expect(() => Auditor.readAll(desk.store.tables, new Model())).toThrow(invariant);
  });
});

describe('of returns, redemptions and adjustments it finds', () => {
  /** Points held, points spent and restored by a reversal, a returned order whose points are held, two adjustments. */
  function busyDesk(): RewardCounter {
    const desk = rewardCounter({ rewards: [reward({ inventory: 5 })] });
    receiptOf(desk.redeem());
    receiptOf(desk.reverse());
    receiptOf(desk.hold());
    const [order] = [...desk.store.tables.orders.values()];
    receiptOf(
      desk.return({
        sourceReference: order?.sourceReference ?? '',
        returnReference: 'return-1',
        returnAmountMinor: order?.amountMinor ?? 0,
      }),
    );
    posted(desk);
    decide(desk, 'reverse', posted(desk));
    return desk;
  }

  test('only the difference from an empty model, where no row is corrupt', () => {
    expect(() => Auditor.readAll(busyDesk().store.tables, new Model())).toThrow('the model agrees');
  });

  const corruptions: [what: string, corrupt: (tables: MemoryTables) => void, invariant: string][] = [
    [
      'a claim that is forgotten',
      ({ lots }) => change(lots, (row) => row.claimed > 0, { claimed: 0 }),
      'what was clawed back and what is claimed are what is due',
    ],
    [
      'a claim on what is there',
      ({ lots }) => change(lots, (row) => row.available > 0, { claimed: 1 }),
      'what is there has paid its claims',
    ],
    [
      'a lot that has lent points which no other one owes',
      ({ lots }) => change(lots, (row) => row.granted === 50, { lent: 1 }),
      "what some of a profile's lots have lent, others owe",
    ],
    [
      'a lot that keeps what it owes',
      ({ lots }) => change(lots, (row) => row.available > 0, { lent: -1 }),
      'the lot of a reversed credit keeps nothing that it owes',
    ],
    [
      'an order of which more came back than was returned',
      ({ orders }) => change(orders, (row) => row.returnedMinor > 0, { returnedMinor: 1 }),
      'an order has gone back as its returns say',
    ],
    [
      'points clawed back that were not taken',
      ({ orders }) => change(orders, (row) => row.returnedMinor === 0, { clawedBack: 1 }),
      'what was clawed back was taken from the lot',
    ],
    [
      'a hold whose reservation has ended',
      ({ reservations }) => change(reservations, (row) => row.state === 'reserved', { state: 'released' }),
      'a reservation ends with the points that it began with',
    ],
    [
      'a reservation of more than it holds',
      ({ reservations }) => change(reservations, (row) => row.state === 'reserved', { points: 1 }),
      'a reservation holds its points by one transaction',
    ],
    [
      'a quote that can be reserved twice',
      ({ quotes }) => change(quotes, () => true, { state: 'quoted' }),
      'a reservation has used up its quote',
    ],
    [
      'a stock that leaks',
      ({ stocks }) => first(stocks, (row) => ({ ...row, taken: 0 })),
      'a stock is taken by',
    ],
    [
      'an adjustment approved by the one who requested it',
      ({ adjustments }) => first(adjustments, (row) => ({ ...row, decidedBy: row.requestedBy })),
      'who asks does not approve',
    ],
    [
      'an adjustment of other points than were posted',
      ({ adjustments }) => first(adjustments, (row) => ({ ...row, points: row.points + 1 })),
      "an adjustment's points",
    ],
    [
      'a reversed transaction without a link to its reversal',
      ({ transactions }) =>
        change(transactions, (row) => row.reversedBy !== null, { reversedBy: null, state: 'committed' }),
      'a reversal is known to what it reverses',
    ],
    [
      'an expiry that the sweep would not find',
      ({ profiles }) => first(profiles, (row) => ({ ...row, nextDueAt: null })),
      'the next thing due is noted',
    ],
  ];
  test.each(corruptions)('%s', (_what, corrupt, invariant) => {
    const desk = busyDesk();
    corrupt(desk.store.tables);
    expect(() => Auditor.readAll(desk.store.tables, new Model())).toThrow(invariant);
  });
});

describe('step by step it finds', () => {
  function watched(): { desk: RewardCounter; auditor: Auditor } {
    const desk = rewardCounter();
    const auditor = Auditor.beside(desk.store.tables, new Model());
    receiptOf(desk.redeem());
    receiptOf(desk.reverse());
    // The empty model differs; every invariant before it is met.
    expect(() => auditor.audit()).toThrow('the model agrees');
    return { desk, auditor };
  }

  test('a redemption that ends twice', () => {
    const { desk, auditor } = watched();
    change(desk.store.tables.reservations, () => true, { state: 'committed' });
    expect(() => auditor.audit()).toThrow('what is reversed never becomes committed');
  });

  test('a transaction that is reversed twice', () => {
    const { desk, auditor } = watched();
    const { transactions } = desk.store.tables;
    const reversal = [...transactions.values()].find((row) => row.reversalOf);
    const again = { ...reversal, id: newUuid(), points: 0 } as TransactionRecord;
    transactions.set(again.id, again);
    change(transactions, (row) => row.reversedBy !== null, { reversedBy: again.id });
    expect(() => auditor.audit()).toThrow('nothing is reversed twice');
  });

  test('a row that was changed long after it was written', () => {
    const { desk, auditor } = watched();
    first(desk.store.tables.lots, (row) => ({ ...row, available: row.available + 1 }));
    expect(() => auditor.audit()).toThrow('a lot holds what was posted to it');
  });

  test('a row that is gone', () => {
    const { desk } = watched();
    expect(() => desk.store.tables.audits.clear()).toThrow('nothing is ever deleted');
    expect(() => first(desk.store.tables.postings, () => null)).toThrow('nothing is ever deleted');
  });
});
