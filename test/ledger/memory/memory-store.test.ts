import { describe, expect, jest, test } from '@jest/globals';
import { purchaseEarn } from '../../../src/commands/earning/purchase-earn.ts';
import { createMember } from '../../../src/commands/members/create-member.ts';
import { unenrollMember } from '../../../src/commands/members/unenroll-member.ts';
import type { Command, Decision } from '../../../src/ledger/command.ts';
import { Crash, LockWait } from '../../../src/ledger/memory/memory-store.ts';
import type { MemoryTables } from '../../../src/ledger/memory/memory-tables.ts';
import { TABLES } from '../../../src/ledger/tables/all-tables.ts';
import { isRefusal } from '../../../src/refusal.ts';
import { codeOf, Desk } from '../../support/commands/desk.ts';
import { noon } from '../../support/rules/fixtures.ts';

function joined(): Desk {
  const desk = new Desk();
  desk.createMember();
  desk.enroll();
  return desk;
}

function earn(desk: Desk, overrides: Parameters<Desk['purchaseInput']>[0] = {}): Command {
  return purchaseEarn(desk.purchaseInput(overrides), desk.caller);
}

/** The command with its decision changed. */
function tampered(command: Command, tamper: (decision: Decision) => void): Command {
  return {
    ...command,
    decide(state, now) {
      const decision = command.decide(state, now);
      if ('receipt' in decision) tamper(decision);
      return decision;
    },
  };
}

function sizes(tables: MemoryTables): number[] {
  return Object.values(tables).map((table: Map<string, object>) => table.size);
}

describe('a batch is written whole or not at all', () => {
  test('a crash before the flush leaves nothing', () => {
    const desk = joined();
    const before = sizes(desk.store.tables);
    expect(() => desk.store.runBatch([earn(desk)], noon, 'crash_before_flush')).toThrow(Crash);
    expect(sizes(desk.store.tables)).toEqual(before);
  });

  test('a crash after the flush leaves everything, and the key tells', () => {
    const desk = joined();
    const command = earn(desk);
    expect(() => desk.store.runBatch([command], noon, 'crash_after_flush')).toThrow(Crash);
    expect(desk.store.runBatch([command], noon).map(codeOf)).toEqual(['replayed']);
    expect(desk.profile().available).toBe(100);
  });

  test('a violation by the last command undoes the first', () => {
    const desk = joined();
    const before = sizes(desk.store.tables);
    const broken = tampered(earn(desk), ({ updates }) => {
      updates.profiles = (updates.profiles ?? []).map((profile) => ({ ...profile, available: -1 }));
    });
    expect(() => desk.store.runBatch([earn(desk), broken], noon)).toThrow('program_profiles_balances_check');
    expect(sizes(desk.store.tables)).toEqual(before);
    expect(desk.profile().available).toBe(0);
    // The locks are released.
    expect(codeOf(desk.earn())).toBe('done');
  });
});

describe('what the database refuses is refused', () => {
  const changes: [code: string, constraint: string, tamper: (decision: Decision) => void][] = [
    [
      '23514',
      'points_only_while_enrolled',
      ({ updates }) => {
        updates.profiles = (updates.profiles ?? []).map((row) => ({
          ...row,
          enrolled: false,
          unenrolledAt: noon,
        }));
      },
    ],
    [
      '23514',
      'lots_granted_check',
      ({ inserts }) => {
        inserts.lots = (inserts.lots ?? []).map((row) => ({ ...row, available: row.granted + 1 }));
      },
    ],
    [
      '23514',
      'postings_amount_check',
      ({ inserts }) => {
        inserts.postings = (inserts.postings ?? []).map((row) => ({ ...row, amount: 0 }));
      },
    ],
    [
      '23514',
      'postings_accounts_check',
      ({ inserts }) => {
        inserts.postings = (inserts.postings ?? []).map((row) => ({
          ...row,
          debitAccount: row.creditAccount,
        }));
      },
    ],
    [
      '23505',
      'postings_pkey',
      ({ inserts }) => {
        inserts.postings = (inserts.postings ?? []).flatMap((row) => [row, row]);
      },
    ],
    [
      '23503',
      'postings_lot_fkey',
      ({ inserts }) => {
        inserts.lots = [];
      },
    ],
    [
      '23503',
      'lots_transaction_fkey',
      ({ inserts }) => {
        inserts.transactions = [];
      },
    ],
    [
      '23503',
      'transactions_reversal_of_fkey',
      ({ inserts }) => {
        inserts.transactions = (inserts.transactions ?? []).map((row) => ({ ...row, reversalOf: 'none' }));
      },
    ],
    [
      '23503',
      'program_profiles_referred_by_fkey',
      ({ updates }) => {
        updates.profiles = (updates.profiles ?? []).map((row) => ({ ...row, referredBy: 'nobody' }));
      },
    ],
    [
      '23514',
      'orders_clawed_back_check',
      ({ inserts }) => {
        inserts.orders = (inserts.orders ?? []).map((row) => ({ ...row, clawedBack: row.points + 1 }));
      },
    ],
    [
      '23514',
      'limit_counters_points_check',
      ({ updates }) => {
        const counter = { programId: 'p', memberId: 'm', limitId: 'l', periodStart: noon, points: -1 };
        updates.limitCounters = [counter];
      },
    ],
  ];
  test.each(changes)('%s %s', (code, constraint, tamper) => {
    const desk = joined();
    const command = tampered(earn(desk), tamper);
    expect(() => desk.store.runBatch([command], noon)).toThrow(
      expect.objectContaining({ name: 'ConstraintViolation', code, constraint }),
    );
  });

  test('an update of what only an insert writes, which the database would leave as it is', () => {
    const desk = joined();
    desk.earn({ sourceReference: 'order' });
    const command = desk.returnCommand({
      idempotencyKey: 'back',
      sourceReference: 'order',
      returnReference: 'back',
      returnAmountMinor: 5_000,
    });
    if (isRefusal(command)) throw new Error(command.code);
    const wrong = tampered(command, ({ updates }) => {
      updates.orders = (updates.orders ?? []).map((row) => ({ ...row, points: row.points + 1 }));
    });
    const before = sizes(desk.store.tables);
    expect(() => desk.store.runBatch([wrong], noon)).toThrow('changes points of orders');
    expect(sizes(desk.store.tables)).toEqual(before);
  });
});

describe('two batches at once', () => {
  test('a row that is locked is waited for', () => {
    const desk = joined();
    const ahead = desk.store.open([earn(desk)], noon);
    const leave = unenrollMember(desk.unenrollInput(), desk.caller);
    expect(() => desk.store.open([leave], noon)).toThrow(LockWait);
    ahead.commit();
    expect(desk.store.runBatch([leave], noon).map(codeOf)).toEqual(['balance_not_zero']);
  });

  test('an order has no lock of its own: that of its profile guards it, as in Postgres', () => {
    const desk = joined();
    desk.earn({ sourceReference: 'o1' });
    const [first, second] = ['r1', 'r2'].map((returnReference) => {
      const input = {
        sourceReference: 'o1',
        returnReference,
        returnAmountMinor: 1,
        idempotencyKey: returnReference,
      };
      return desk.returnCommand(input) as Command;
    }) as [Command, Command];
    const ahead = desk.store.open([first], noon);
    expect(() => desk.store.open([second], noon)).toThrow(/^program_profiles /);
    ahead.rollback();
    const lookUp: { locks: boolean } = TABLES.profiles.lookUp('lock_profiles');
    jest.replaceProperty(lookUp, 'locks', false);
    for (const command of [first, second]) expect(() => desk.store.open([command], noon)).not.toThrow();
    jest.restoreAllMocks();
  });

  test('a rollback gives the locks back', () => {
    const desk = joined();
    desk.store.open([earn(desk)], noon).rollback();
    expect(codeOf(desk.unenroll())).toBe('done');
  });

  test('who comes too late by a unique key writes nothing', () => {
    const desk = new Desk();
    const [first, second] = [1, 2].map(() => createMember(desk.memberInput(), desk.caller)) as [
      Command,
      Command,
    ];
    const [ahead, behind] = [desk.store.open([first], noon), desk.store.open([second], noon)];
    ahead.commit();
    const before = sizes(desk.store.tables);
    expect(() => behind.commit()).toThrow(
      expect.objectContaining({ code: '23505', constraint: 'members_external_customer_id_key' }),
    );
    expect(sizes(desk.store.tables)).toEqual(before);
    expect(desk.store.runBatch([second], noon).map(codeOf)).toEqual(['member_exists']);
    expect(desk.store.tables.members.size).toBe(1);
  });
});

test('rows cannot be changed behind the back of the store', () => {
  const desk = joined();
  expect(() => {
    desk.profile().available = 1;
  }).toThrow(TypeError);
});

test('it is a door like any other', async () => {
  const desk = joined();
  expect(codeOf(await desk.store.submit(earn(desk)))).toBe('done');
  const foreign = { ...earn(desk), environmentId: 'other' };
  await expect(desk.store.submit(foreign)).rejects.toThrow('no environment');
});
