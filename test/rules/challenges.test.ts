import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Challenge } from '../../src/programs/document/engagement-document.ts';
import {
  type Advance,
  advanceChallenges,
  type EngagementEvent,
  MAX_COMPLETIONS,
  type WindowProgress,
} from '../../src/rules/challenges.ts';
import { type AudienceFacts, newcomer } from '../../src/rules/conditions/member-facts.ts';
import { noon, program } from '../support/rules/fixtures.ts';

const DAY_MS = 86_400_000;
const epoch = new Date(0);

function challenge(overrides: Partial<Challenge> = {}): Challenge {
  return {
    id: 'reviews',
    eventType: 'review.posted',
    match: 'all',
    conditions: [],
    goal: { count: 3 },
    ...overrides,
  };
}

function event(overrides: Partial<EngagementEvent> = {}): EngagementEvent {
  return { type: 'review.posted', occurredAt: noon, attributes: null, ...overrides };
}

const bronze: AudienceFacts = { profile: { tier: 'bronze', qualificationPoints: 0 }, member: newcomer };

interface Given {
  windows?: WindowProgress[];
  known?: AudienceFacts;
  now?: Date;
}

/** What one event does to one challenge; null where it does not count. */
function advance(
  one: Challenge,
  happened: EngagementEvent,
  { windows = [], known = bronze, now = noon }: Given = {},
): Advance | null {
  const audiences = [
    {
      id: 'silver-members',
      match: 'all' as const,
      conditions: [{ field: 'profile.tier', operator: 'equals' as const, value: 'silver' }],
    },
    {
      id: 'tasters',
      match: 'all' as const,
      conditions: [{ field: 'member.tags', operator: 'equals' as const, value: 'taster' }],
    },
  ];
  const document = program({ challenges: [one], audiences });
  return advanceChallenges(document, happened, known, () => windows, now)[0] ?? null;
}

/** Events one after the other, each on the windows after the events before it. */
function run(one: Challenge, events: readonly EngagementEvent[], now = noon) {
  const windows = new Map<number, WindowProgress>();
  let completions = 0;
  for (const happened of events) {
    const step = advance(one, happened, { windows: [...windows.values()], now });
    if (!step) continue;
    completions += step.completed.length;
    windows.set(step.progress.windowStart.getTime(), step.progress);
  }
  return { windows: [...windows.values()], completions };
}

function dayAt(days: number): Date {
  return new Date(noon.getTime() + days * DAY_MS);
}

/** A window, by default of an unknown goal. `expected` matches a window of any goal. */
function window(
  windowStart: Date,
  reached: number,
  completions = 0,
  goal: string | null = null,
): WindowProgress {
  return { windowStart, reached, completions, goal, streak: null };
}

const expected = (windowStart: Date, reached: number, completions = 0): object => ({
  windowStart,
  reached,
  completions,
});

describe('what counts', () => {
  test('each event counts one, and the one that reaches the goal completes it', () => {
    const one = challenge();
    expect(advance(one, event())).toMatchObject({ progress: expected(epoch, 1), completed: [] });
    expect(advance(one, event(), { windows: [window(epoch, 1)] })?.completed).toEqual([]);
    expect(advance(one, event(), { windows: [window(epoch, 2)] })).toMatchObject({
      progress: expected(epoch, 3, 1),
      completed: [1],
    });
  });

  test('an event of another type counts nothing', () => {
    expect(advance(challenge(), event({ type: 'photo.posted' }))).toBeNull();
  });

  test('conditions look at the attributes, the profile and the time of the event', () => {
    const stars = challenge({ conditions: [{ field: 'attributes.stars', operator: 'gte', value: 4 }] });
    expect(advance(stars, event({ attributes: { stars: 4 } }))).not.toBeNull();
    expect(advance(stars, event({ attributes: { stars: 3 } }))).toBeNull();
    expect(advance(stars, event())).toBeNull();
    const silver = challenge({
      conditions: [{ field: 'profile.tier', operator: 'equals', value: 'silver' }],
    });
    expect(advance(silver, event())).toBeNull();
    const known = { ...bronze, profile: { tier: 'silver', qualificationPoints: 1000 } };
    expect(advance(silver, event(), { known })).not.toBeNull();
    const wednesdays = challenge({
      conditions: [{ field: 'time.dayOfWeek', operator: 'equals', value: 'wednesday' }],
    });
    expect(advance(wednesdays, event(), { now: dayAt(1) })).not.toBeNull();
    expect(advance(wednesdays, event({ occurredAt: dayAt(-1) }))).toBeNull();
  });

  test('the schedule holds when the event happened, not when it comes', () => {
    const march = challenge({ schedule: { from: '2026-03-01T00:00:00Z', until: '2026-04-01T00:00:00Z' } });
    expect(advance(march, event(), { now: dayAt(60) })).not.toBeNull();
    expect(advance(march, event({ occurredAt: new Date('2026-02-28T23:59:59.999Z') }))).toBeNull();
    expect(advance(march, event({ occurredAt: new Date('2026-04-01T00:00:00.000Z') }))).toBeNull();
  });

  test('the schedule is read off the program’s clock', () => {
    // It is Thursday in Auckland when the event happens.
    const thursdays = challenge({ schedule: { daysOfWeek: ['thursday'] } });
    const there = program({ challenges: [thursdays], timeZone: 'Pacific/Auckland' });
    expect(advanceChallenges(there, event(), bronze, () => [], noon)).toHaveLength(1);
    expect(advance(thursdays, event())).toBeNull();
  });

  test('any one of the audiences is enough', () => {
    const targeted = challenge({ audiences: ['silver-members', 'tasters'] });
    expect(advance(targeted, event())).toBeNull();
    const known = { ...bronze, member: { ...newcomer, tags: ['taster'] } };
    expect(advance(targeted, event(), { known })).not.toBeNull();
  });
});

describe('sums', () => {
  const distance = challenge({ goal: { sumOf: 'km', reach: 10 } });

  test.each<[unknown, number | null]>([
    [2, 2000],
    [0.5, 500],
    [1.005, 1005],
    [0.0004, null],
    [0, null],
    [-3, null],
    ['3', null],
    [true, null],
    [null, null],
    [undefined, null],
    [Number.MAX_VALUE, Number.MAX_SAFE_INTEGER],
  ])('%p kilometres count %p thousandths', (km, reached) => {
    const step = advance(distance, event({ attributes: { km } }));
    expect(step?.progress.reached ?? null).toBe(reached);
  });

  test('what an event has by inheritance is no attribute of it', () => {
    const inherited = challenge({ goal: { sumOf: 'length', reach: 1 } });
    const attributes = Object.create({ length: 7 }) as Record<string, unknown>;
    expect(advance(inherited, event({ attributes }))).toBeNull();
  });

  test('a sum stays at the largest exact integer', () => {
    const full = [window(epoch, Number.MAX_SAFE_INTEGER, 1)];
    const again = { ...distance, repeatable: true };
    const step = advance(again, event({ attributes: { km: 1 } }), { windows: full });
    expect(step?.progress.reached).toBe(Number.MAX_SAFE_INTEGER);
    expect(step?.completed).toHaveLength(MAX_COMPLETIONS);
  });
});

describe('repeating', () => {
  test('a challenge that is not repeatable completes once and counts no further', () => {
    const one = challenge({ goal: { sumOf: 'km', reach: 1 } });
    expect(advance(one, event({ attributes: { km: 5 } }))).toMatchObject({
      progress: expected(epoch, 5000, 1),
      completed: [1],
    });
    expect(advance(one, event({ attributes: { km: 5 } }), { windows: [window(epoch, 5000, 1)] })).toBeNull();
  });

  test('what exceeds the goal counts on, and completes several times at once', () => {
    const one = challenge({ goal: { sumOf: 'km', reach: 2 }, repeatable: true });
    const first = advance(one, event({ attributes: { km: 7 } }));
    expect(first).toMatchObject({ progress: expected(epoch, 7000, 3), completed: [1, 2, 3] });
    const second = advance(one, event({ attributes: { km: 1 } }), {
      windows: [first?.progress as WindowProgress],
    });
    expect(second).toMatchObject({ progress: expected(epoch, 8000, 4), completed: [4] });
  });

  test('one event completes so many times at most, and the next one goes on', () => {
    const one = challenge({ goal: { sumOf: 'km', reach: 1 }, repeatable: true });
    const first = advance(one, event({ attributes: { km: 30 } }));
    expect(first?.completed).toHaveLength(20);
    const second = advance(one, event({ attributes: { km: 1 } }), {
      windows: [first?.progress as WindowProgress],
    });
    expect(second?.completed).toEqual([21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31]);
  });

  test('a goal that was raised meanwhile takes nothing back', () => {
    const one = challenge({ goal: { count: 10 }, repeatable: true });
    const step = advance(one, event(), { windows: [window(epoch, 6, 3)] });
    expect(step).toMatchObject({ progress: expected(epoch, 7, 3), completed: [] });
  });
});

describe('windows', () => {
  test.each<['day' | 'week' | 'month' | 'year', string]>([
    ['day', '2026-03-04'],
    ['week', '2026-03-02'],
    ['month', '2026-03-01'],
    ['year', '2026-01-01'],
  ])('the %s of the UTC calendar that holds the event began on %s', (period, start) => {
    const step = advance(challenge({ window: { period } }), event());
    expect(step?.progress.windowStart).toEqual(new Date(`${start}T00:00:00Z`));
  });

  test('a late event counts in the window in which it happened', () => {
    const monthly = challenge({ window: { period: 'month' } });
    const windows = [window(new Date('2026-02-01'), 2), window(new Date('2026-03-01'), 1)];
    const step = advance(monthly, event({ occurredAt: new Date('2026-02-28T23:59:59.999Z') }), { windows });
    expect(step).toMatchObject({ progress: expected(new Date('2026-02-01'), 3, 1), completed: [1] });
  });

  test('each window completes by itself', () => {
    const daily = challenge({ goal: { count: 1 }, window: { period: 'day' } });
    const events = [0, 0, 1, 2, 2].map((days) => event({ occurredAt: dayAt(days - 2) }));
    expect(run(daily, events).completions).toBe(3);
  });

  test('a window of days begins with the first event that counts and ends so many days later', () => {
    const weekly = challenge({ goal: { sumOf: 'km', reach: 3 }, window: { days: 7 } });
    const ran = (days: number, km: number) => event({ occurredAt: dayAt(days), attributes: { km } });
    const nowhere = run(weekly, [ran(-9, 0)]);
    expect(nowhere.windows).toEqual([]);
    const { windows } = run(weekly, [ran(-8, 1), ran(-1 - 1 / DAY_MS, 1), ran(-1, 1)]);
    const goal = 'km 3 in 7 days';
    expect(windows).toEqual([window(dayAt(-8), 2000, 0, goal), window(dayAt(-1), 1000, 0, goal)]);
  });

  test('an event from less than so many days before a window of days counts in it, though it comes late', () => {
    const weekly = challenge({ window: { days: 7 } });
    const windows = [window(dayAt(-2), 2)];
    const late = (days: number) => advance(weekly, event({ occurredAt: dayAt(days) }), { windows });
    expect(late(-3)).toMatchObject({ progress: expected(dayAt(-2), 3, 1), completed: [1] });
    expect(late(-9 + 1 / DAY_MS)?.progress).toMatchObject(expected(dayAt(-2), 3, 1));
    expect(late(-9)?.progress).toMatchObject(expected(dayAt(-9), 1));
  });

  test('of two windows of days the one that holds the event counts, not the one that it comes too late for', () => {
    const weekly = challenge({ window: { days: 7 } });
    for (const windows of [
      [window(dayAt(-12), 1), window(dayAt(-4), 1)],
      [window(dayAt(-4), 1), window(dayAt(-12), 1)],
    ]) {
      const at = (days: number) => advance(weekly, event({ occurredAt: dayAt(days) }), { windows })?.progress;
      expect(at(-6)).toMatchObject(expected(dayAt(-12), 2));
      expect(at(-5)).toMatchObject(expected(dayAt(-4), 2));
      expect(at(-4)).toMatchObject(expected(dayAt(-4), 2));
    }
  });

  test.each<[string, Challenge['window'] & object]>([
    ['seven days', { days: 7 }],
    ['a day', { period: 'day' }],
    ['a year', { period: 'year' }],
  ])('what is dated 1970 is over for a window of %s, also beside the lifetime of before', (_what, span) => {
    const windows = [window(epoch, 2)];
    for (const occurredAt of [epoch, new Date(1), new Date(DAY_MS - 1)]) {
      expect(advance(challenge({ window: span }), event({ occurredAt }), { windows })).toBeNull();
      expect(advance(challenge(), event({ occurredAt }), { windows })?.completed).toEqual([1]);
    }
  });

  test('what happened 400 days ago or earlier counts in no window; the lifetime has no end', () => {
    const old = event({ occurredAt: dayAt(-400) });
    expect(advance(challenge({ window: { days: 366 } }), old)).toBeNull();
    expect(advance(challenge({ window: { period: 'day' } }), old)).toBeNull();
    expect(advance(challenge(), event({ occurredAt: dayAt(-4000) }))).not.toBeNull();
  });

  test('what happened since counts in its window, however long ago that began', () => {
    const one = challenge({ window: { days: 366 } });
    const recent = event({ occurredAt: dayAt(-399) });
    expect(advance(one, recent, { windows: [window(dayAt(-700), 2)] })?.completed).toEqual([1]);
    expect(advance(one, recent, { windows: [window(dayAt(-700), 3, 1)] })).toBeNull();
  });
});

describe('a version that changes the goal', () => {
  const again = { repeatable: true } as const;

  test.each<[string, Partial<Challenge>, string]>([
    ['another target', { goal: { count: 2 } }, 'count 3'],
    ['a count for a sum', { goal: { count: 1 } }, 'km 1000'],
    ['a sum for a count', { goal: { sumOf: 'km', reach: 1 } }, 'count 20'],
    ['another attribute', { goal: { sumOf: 'km', reach: 1 } }, 'miles 1'],
    ['a window', { goal: { count: 2 }, window: { period: 'month' } }, 'count 2'],
    ['another window', { goal: { count: 2 }, window: { period: 'month' } }, 'count 2 in year'],
  ])('to %s has it counted anew', (_what, change, before) => {
    const one = challenge({ ...again, ...change });
    const start = one.window ? new Date('2026-03-01T00:00:00Z') : epoch;
    const target = 'count' in one.goal ? one.goal.count : one.goal.reach * 1000;
    const half = event({ attributes: { km: 0.5 } });
    const step = advance(one, half, { windows: [window(start, 500_000, 3, before)] });
    const amount = 'count' in one.goal ? 1 : 500;
    expect(step?.progress).toMatchObject({ reached: 3 * target + amount });
    expect(step?.completed).toEqual(amount === target ? [4] : []);
  });

  test('leaves what is completed completed', () => {
    const windows = [window(epoch, 3, 1, 'count 3')];
    expect(advance(challenge({ goal: { count: 1 } }), event(), { windows })).toBeNull();
  });

  test('and one that changes only what it awards counts on', () => {
    const one = challenge({ award: { points: 7 }, name: 'Other' });
    expect(advance(one, event(), { windows: [window(epoch, 2, 0, 'count 3')] })?.completed).toEqual([1]);
  });

  test('never counts beyond what a balance can hold', () => {
    const one = challenge({ goal: { sumOf: 'km', reach: 1_000_000_000_000 }, ...again });
    const windows = [window(epoch, 1, 2 ** 40, 'count 1')];
    const step = advance(one, event({ attributes: { km: 1 } }), { windows });
    expect(step).toMatchObject({ progress: { reached: Number.MAX_SAFE_INTEGER }, completed: [] });
  });
});

describe('laws', () => {
  const distances = fc.array(fc.integer({ min: 0, max: 9_000 }), { maxLength: 30 });

  test('a repeatable challenge completes as often as the goal fits into the sum, in whatever portions it comes', () => {
    fc.assert(
      fc.property(distances, fc.integer({ min: 1, max: 5 }), (metres, reach) => {
        const one = challenge({ goal: { sumOf: 'km', reach }, repeatable: true });
        const events = metres.map((m) => event({ attributes: { km: m / 1000 } }));
        const total = metres.reduce((sum, m) => sum + m, 0);
        const { completions, windows } = run(one, events);
        expect(completions).toBe(Math.floor(total / (reach * 1000)));
        expect(windows[0]?.reached ?? 0).toBe(total);
      }),
    );
  });

  test('the order in which the events of calendar windows come makes no difference', () => {
    const days = fc.array(fc.integer({ min: -90, max: 0 }), { maxLength: 40 });
    fc.assert(
      fc.property(days, fc.context(), (when, context) => {
        const monthly = challenge({ window: { period: 'month' }, repeatable: true });
        const events = when.map((ago) => event({ occurredAt: dayAt(ago) }));
        const inOrder = run(
          monthly,
          [...events].sort((a, b) => +a.occurredAt - +b.occurredAt),
        );
        const asTheyCome = run(monthly, events);
        context.log(when.join(' '));
        expect(asTheyCome.completions).toBe(inOrder.completions);
        expect(new Set(asTheyCome.windows)).toEqual(new Set(inOrder.windows));
      }),
    );
  });

  test('windows of days never overlap, so that a challenge completes once in each of them in whatever order events come', () => {
    const minutes = fc.array(fc.integer({ min: -60 * 24 * 60, max: 0 }), { maxLength: 40 });
    fc.assert(
      fc.property(minutes, fc.integer({ min: 1, max: 30 }), (when, days) => {
        const one = challenge({ goal: { count: 1 }, window: { days } });
        const events = when.map((ago) => event({ occurredAt: new Date(noon.getTime() + ago * 60_000) }));
        const { completions, windows } = run(one, events);
        const starts = windows.map(({ windowStart }) => windowStart.getTime()).sort((a, b) => a - b);
        for (const [index, start] of starts.entries()) {
          if (index > 0) expect(start - (starts[index - 1] ?? 0)).toBeGreaterThanOrEqual(days * DAY_MS);
        }
        expect(completions).toBe(windows.length);
      }),
    );
  });

  test('completions are numbered without a gap', () => {
    fc.assert(
      fc.property(distances, (metres) => {
        const one = challenge({ goal: { sumOf: 'km', reach: 1 }, repeatable: true });
        let windows: WindowProgress[] = [];
        let next = 1;
        for (const m of metres) {
          const step = advance(one, event({ attributes: { km: m / 1000 } }), { windows });
          for (const number of step?.completed ?? []) expect(number).toBe(next++);
          if (step) windows = [step.progress];
        }
      }),
    );
  });
});
