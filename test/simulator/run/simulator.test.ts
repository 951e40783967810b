import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { Random } from '../../../simulator/random.ts';
import { simulate } from '../../../simulator/run/simulate.ts';
import { World } from '../../../simulator/run/world.ts';
import { MemoryStore } from '../../../src/ledger/memory/memory-store.ts';
import type { EventRecord } from '../../../src/ledger/tables/events.ts';

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

test('a seed gives the same world again', () => {
  const run = (seed: number): unknown => {
    const { figures } = simulate({ seed, commands: 1_000 });
    return figures.map((world) => ({ ...world, outcomes: [...world.outcomes], events: [...world.events] }));
  };
  expect(run(42)).toEqual(run(42));
  expect(run(42)).not.toEqual(run(43));
});

test('later worlds can be run alone', () => {
  const { figures, failure } = simulate({ seed: 2 ** 32 - 1, commands: 6_000 });
  expect(failure).toBeNull();
  const alone = simulate({ seed: 0, commands: 1_000 });
  expect(alone.figures[0]).toEqual(figures[1]);
});

describe('what goes wrong is found', () => {
  const runBatch = MemoryStore.prototype.runBatch;
  type Run = MemoryStore['runBatch'];
  /** Runs a batch and changes the events that it writes. */
  const withEvents = (change: (events: EventRecord[]) => EventRecord[]): Run =>
    function (this: MemoryStore, ...args) {
      const { events } = this.tables;
      const written: EventRecord[] = [];
      const set = events.set;
      events.set = (_key, event) => {
        written.push(event);
        return events;
      };
      try {
        return runBatch.apply(this, args);
      } finally {
        events.set = set;
        for (const event of change(written)) events.set(event.id, event);
      }
    };
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
      'a cap that forgets what it gave',
      function (this: MemoryStore, ...args) {
        const outcomes = runBatch.apply(this, args);
        const [key, counter] = [...this.tables.sharedCounters].at(-1) ?? [];
        if (key && counter) this.tables.sharedCounters.set(key, { ...counter, taken: 0 });
        return outcomes;
      },
    ],
    ['an event that is not sent', withEvents((events) => events.slice(1))],
    [
      'an event that is sent twice',
      withEvents((events) => [
        ...events,
        ...events.slice(0, 1).map((event) => ({ ...event, id: `${event.id}x` })),
      ]),
    ],
    [
      'an event with the balances of before',
      withEvents((events) =>
        events.map((event) => ({
          ...event,
          data: { ...event.data, balances: { available: 0, pending: 0, reserved: 0 } },
        })),
      ),
    ],
    [
      'answers in the wrong order',
      function (this: MemoryStore, ...args) {
        return runBatch.apply(this, args).reverse();
      },
    ],
    [
      'a batch that is written by half',
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
    jest.spyOn(MemoryStore.prototype, 'runBatch').mockImplementation(faults.at(-2)?.[1] as Run);
    const [first, second] = [1, 2].map(() => simulate({ seed: 12, commands: 5_000 }).failure);
    expect(first?.error.message).toBe(second?.error.message);
    expect(first?.step).toBe(second?.step);
    const alone = new World(12);
    expect(() => {
      for (;;) alone.step(100);
    }).toThrow();
  });
});
