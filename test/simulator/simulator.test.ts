import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { MemoryStore } from '../../src/ledger/memory-store.ts';
import type { MemoryTables } from '../../src/ledger/memory-tables.ts';
import { Auditor } from '../../src/simulator/auditor.ts';
import { Model } from '../../src/simulator/model.ts';
import { Random } from '../../src/simulator/random.ts';
import { simulate } from '../../src/simulator/simulate.ts';
import { World } from '../../src/simulator/world.ts';
import { Desk } from '../commands/desk.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

describe('random numbers', () => {
  test('follow from the seed alone', () => {
    const draw = (seed: number): number[] => {
      const random = new Random(seed);
      return Array.from({ length: 5 }, () => random.next());
    };
    expect(draw(7)).toEqual(draw(7));
    expect(draw(7)).not.toEqual(draw(8));
  });

  test('fill their range evenly', () => {
    const random = new Random(1);
    const counts = Array<number>(10).fill(0);
    for (let index = 0; index < 10_000; index++) {
      const value = random.below(10);
      counts[value] = (counts[value] ?? 0) + 1;
    }
    for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(150);
  });
});

test('every outcome is as the model says and every invariant holds, and it went through all of it', () => {
  const { figures, failure } = simulate({ seed: Date.now() % 2 ** 32, commands: 20_000 });
  expect(failure).toBeNull();
  const outcomes = new Map<string, number>();
  for (const world of figures) {
    for (const [name, count] of world.outcomes) outcomes.set(name, (outcomes.get(name) ?? 0) + count);
    expect(Math.min(world.races, world.lockWaits, world.crashes, world.publications)).toBeGreaterThan(0);
  }
  expect([...outcomes.keys()]).toEqual(
    expect.arrayContaining([
      ...['createMember', 'enrollMember', 'purchaseEarn', 'unenrollMember'].flatMap((operation) => [
        `${operation} done`,
        `${operation} replayed`,
        `${operation} idempotency_key_reused`,
      ]),
      'createMember member_exists',
      'enrollMember member_not_found',
      'unenrollMember profile_not_found',
      'unenrollMember balance_not_zero',
      'purchaseEarn production_locked',
      'purchaseEarn program_not_found',
      'purchaseEarn source_reference_conflict',
      'purchaseEarn enrollment_required',
      'purchaseEarn invalid_event',
      'purchaseEarn configuration_not_effective',
      'purchaseEarn unknown_tier',
      'purchaseEarn currency_mismatch',
      'purchaseEarn member_limit_reached',
    ]),
  );
  expect(figures.reduce((sum, world) => sum + world.violations, 0)).toBeGreaterThan(0);
});

test('a seed gives the same world again', () => {
  const run = (seed: number): unknown => {
    const { figures } = simulate({ seed, commands: 1_000 });
    return figures.map((world) => ({ ...world, outcomes: [...world.outcomes] }));
  };
  expect(run(42)).toEqual(run(42));
  expect(run(42)).not.toEqual(run(43));
});

test('later worlds can be run alone', () => {
  const { figures } = simulate({ seed: 2 ** 32 - 1, commands: 6_000 });
  const alone = simulate({ seed: 0, commands: 1_000 });
  expect(alone.figures[0]).toEqual(figures[1]);
});

describe('what goes wrong is found', () => {
  const runBatch = MemoryStore.prototype.runBatch;
  type Run = MemoryStore['runBatch'];
  const faults: [what: string, faulty: Run][] = [
    [
      'an answer that was never written',
      function (this: MemoryStore, commands, now) {
        const batch = this.open(commands, now);
        batch.rollback();
        return [...batch.outcomes];
      },
    ],
    [
      'a key that is forgotten',
      function (this: MemoryStore, ...args) {
        const outcomes = runBatch.apply(this, args);
        this.tables.idempotency.clear();
        return outcomes;
      },
    ],
    [
      'a point too many',
      function (this: MemoryStore, ...args) {
        const outcomes = runBatch.apply(this, args);
        const [key, profile] = [...this.tables.profiles].at(-1) ?? [];
        if (key && profile) this.tables.profiles.set(key, { ...profile, available: profile.available + 1 });
        return outcomes;
      },
    ],
    [
      'answers in the wrong order',
      function (this: MemoryStore, ...args) {
        return runBatch.apply(this, args).reverse();
      },
    ],
    [
      'a batch of which half is written',
      function (this: MemoryStore, commands, now, fault) {
        const outcomes = runBatch.call(this, commands.slice(0, Math.ceil(commands.length / 2)), now, fault);
        return [...outcomes, ...outcomes].slice(0, commands.length);
      },
    ],
  ];
  test.each(faults)('%s', (_what, faulty) => {
    jest.spyOn(MemoryStore.prototype, 'runBatch').mockImplementation(faulty);
    const { failure } = simulate({ seed: 11, commands: 2_000 });
    expect(failure?.seed).toBe(11);
    expect(failure?.step).toBeLessThan(2_000);
  });

  test('and found again by its seed', () => {
    jest.spyOn(MemoryStore.prototype, 'runBatch').mockImplementation(faults[3]?.[1] as Run);
    const [first, second] = [1, 2].map(() => simulate({ seed: 12, commands: 5_000 }).failure);
    expect(first?.error.message).toBe(second?.error.message);
    expect(first?.step).toBe(second?.step);
    const alone = new World(12);
    expect(() => {
      for (;;) alone.step(100);
    }).toThrow();
  });
});

describe('the auditor finds', () => {
  function first<K, V>(table: Map<K, V>, change: (row: V) => V | null): void {
    const [key, row] = [...table][0] as [K, V];
    const changed = change(row);
    if (changed === null) table.delete(key);
    else table.set(key, changed);
  }

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
    ['what the model does not know', () => {}, 'the model agrees'],
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
