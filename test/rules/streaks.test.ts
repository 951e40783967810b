import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Challenge, Streak } from '../../src/programs/document/engagement-document.ts';
import type { ProgramDocument } from '../../src/programs/document/program-document.ts';
import { advanceChallenges, EVENT_LIFE_DAYS, type WindowProgress } from '../../src/rules/challenges.ts';
import { type AudienceFacts, newcomer } from '../../src/rules/conditions/member-facts.ts';
import { extendStreak } from '../../src/rules/streaks.ts';
import { program } from '../support/rules/fixtures.ts';

const DAY_MS = 86_400_000;
const bronze: AudienceFacts = { profile: { tier: 'bronze', qualificationPoints: 0 }, member: newcomer };

interface Visit {
  at: string | number;
  minutes?: number;
  /** When it arrives; at once where absent. */
  now?: string | number;
}

interface Setting extends Partial<Pick<Challenge, 'goal' | 'repeatable'>> {
  timeZone?: string;
}

/** A member's streak: each visit advances it. */
class Habit {
  row: WindowProgress | null = null;
  completions = 0;
  readonly #setting: Setting;
  #document: ProgramDocument;

  constructor(streak: Streak, setting: Setting = {}) {
    this.#setting = setting;
    this.#document = this.#asking(streak);
  }

  /** Publishes a version that asks for another streak. */
  change(streak: Streak): void {
    this.#document = this.#asking(streak);
  }

  #asking(streak: Streak): ProgramDocument {
    const { timeZone = 'UTC', ...rest } = this.#setting;
    const habit: Challenge = {
      ...{ id: 'habit', eventType: 'visit', match: 'all', conditions: [], goal: { count: 1 } },
      ...{ streak, award: { points: 1 }, ...rest },
    };
    return program({ challenges: [habit], timeZone });
  }

  /** @returns how many completions the visit brings about; null where it changes nothing */
  visit({ at, minutes, now = at }: Visit): number | null {
    const event = { type: 'visit', occurredAt: new Date(at), attributes: minutes ? { minutes } : null };
    const known = this.row ? [this.row] : [];
    const [advance] = advanceChallenges(this.#document, event, bronze, () => known, new Date(now));
    if (!advance) return null;
    this.row = advance.progress;
    this.completions += advance.completed.length;
    expect(advance.progress.completions).toBe(this.completions);
    expect(advance.completed.every((number) => number === this.completions)).toBe(true);
    return advance.completed.length;
  }

  visits(...days: string[]): (number | null)[] {
    return days.map((day) => this.visit({ at: `${day}T12:00:00Z`, now: '2026-06-30T12:00:00Z' }));
  }
}

describe('a streak', () => {
  test('is completed by so many days in a row', () => {
    const habit = new Habit({ windows: 3, period: 'day' });
    expect(habit.visits('2026-03-01', '2026-03-02', '2026-03-04', '2026-03-05', '2026-03-06')).toEqual([
      0, 0, 0, 0, 1,
    ]);
    expect(habit.row).toMatchObject({ windowStart: new Date(0), reached: 0, completions: 1 });
  });

  test('counts each window once', () => {
    const habit = new Habit({ windows: 2, period: 'day' });
    expect(habit.visits('2026-03-01', '2026-03-01', '2026-03-01', '2026-03-02')).toEqual([0, null, null, 1]);
  });

  test('says how many windows are filled in a row', () => {
    const habit = new Habit({ windows: 4, period: 'day', forgiven: 1 });
    habit.visits('2026-03-01', '2026-03-02');
    expect(habit.row?.reached).toBe(2);
    habit.visits('2026-03-04');
    expect(habit.row?.reached).toBe(3);
    // With a second one missed, the run goes back to the 4th.
    habit.visits('2026-03-06');
    expect(habit.row).toMatchObject({
      reached: 2,
      streak: { first: '2026-03-01', reached: [1, 1, 0, 1, 0, 1] },
    });
  });

  test('is completed once where it is not repeatable, and then counts nothing', () => {
    const habit = new Habit({ windows: 2, period: 'day' });
    expect(habit.visits('2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04')).toEqual([0, 1, null, null]);
  });

  test('that is repeatable begins anew after the last day of the run before', () => {
    const habit = new Habit({ windows: 2, period: 'day' }, { repeatable: true });
    expect(habit.visits('2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04', '2026-03-06')).toEqual([
      0, 1, 0, 1, 0,
    ]);
  });

  test('keeps its runs apart when the windows of the first one are forgotten', () => {
    const habit = new Habit({ windows: 3, period: 'day' }, { repeatable: true });
    habit.visits('2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05');
    expect(habit.completions).toBe(1);
    const now = new Date(Date.parse('2026-03-01T12:00:00Z') + (EVENT_LIFE_DAYS + 4) * DAY_MS).toISOString();
    habit.visit({ at: now, now });
    expect(habit.row?.streak?.first).toBe('2026-03-04');
    expect(habit.visit({ at: '2026-03-06T12:00:00Z', now })).toBe(1);
    expect(habit.completions).toBe(2);
  });

  test('is completed by a late visit that fills the gap', () => {
    const habit = new Habit({ windows: 3, period: 'day' });
    expect(habit.visits('2026-03-03', '2026-03-01', '2026-03-02')).toEqual([0, 0, 1]);
  });

  test('takes nothing back where a late visit divides the days in another way', () => {
    const habit = new Habit({ windows: 2, period: 'day' }, { repeatable: true });
    expect(habit.visits('2026-03-02', '2026-03-03', '2026-03-01', '2026-03-04')).toEqual([0, 1, 0, 1]);
  });

  test('counts no visit of 400 days ago or earlier', () => {
    const habit = new Habit({ windows: 2, period: 'month' });
    const now = Date.parse('2026-06-30T12:00:00Z');
    expect(habit.visit({ at: now - EVENT_LIFE_DAYS * DAY_MS, now })).toBeNull();
    expect(habit.visit({ at: now - EVENT_LIFE_DAYS * DAY_MS + 1, now })).toBe(0);
  });

  test('asks for the goal in each window', () => {
    const twice = new Habit({ windows: 2, period: 'week' }, { goal: { count: 2 } });
    expect(twice.visits('2026-03-02', '2026-03-03', '2026-03-09', '2026-03-15')).toEqual([0, 0, 0, 1]);
    const hour = new Habit({ windows: 2, period: 'day' }, { goal: { sumOf: 'minutes', reach: 60 } });
    const at = '2026-03-01T12:00:00Z';
    const next = '2026-03-02T12:00:00Z';
    const visits = [
      { at, minutes: 500 },
      { at: next, minutes: 59.999 },
      { at: next, minutes: 0.001 },
    ];
    expect(visits.map((visit) => hour.visit(visit))).toEqual([0, 0, 1]);
  });

  test('starts anew where a version asks for something else, and leaves what is completed completed', () => {
    const habit = new Habit({ windows: 3, period: 'day' }, { repeatable: true });
    habit.visits('2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05');
    habit.change({ windows: 2, period: 'day' });
    expect(habit.visits('2026-03-06', '2026-03-07')).toEqual([0, 1]);
    expect(habit.row?.completions).toBe(2);
    habit.change({ windows: 2, period: 'day', forgiven: 1 });
    expect(habit.visits('2026-03-08', '2026-03-10')).toEqual([0, 1]);
  });
});

describe('windows are forgotten', () => {
  const kept = (windows: number, reached: readonly number[], settledBefore: string, date: string) =>
    extendStreak(
      { windows, period: 'day' },
      { first: '2026-03-01', reached },
      { date, amount: 1, target: 1, settledBefore },
    )?.windows;

  test('that no later event can lead to, and no other ones', () => {
    // Of three in a row, the 2nd may be the first day while the 4th can still come; the 1st may not.
    expect(kept(3, [1, 1], '2026-03-04', '2026-03-05')).toEqual({
      first: '2026-03-02',
      reached: [1, 0, 0, 1],
    });
  });

  test('with the run that they completed once it is settled, and not on the day itself', () => {
    const twoRuns = [1, 0, 1, 1];
    expect(kept(2, twoRuns, '2026-03-04', '2026-03-06')).toEqual({
      first: '2026-03-03',
      reached: [1, 1, 0, 1],
    });
    expect(kept(2, twoRuns, '2026-03-05', '2026-03-06')).toEqual({ first: '2026-03-06', reached: [1] });
  });
});

test('the example of docs/guide/engagement.md comes out as written there', () => {
  const habit = new Habit({ windows: 4, period: 'week', forgiven: 1 }, { repeatable: true });
  const inARow = (...days: string[]) => days.map((day) => [habit.visits(day)[0], habit.row?.reached]);
  expect(inARow('2026-03-03', '2026-03-05', '2026-03-10', '2026-03-24', '2026-03-30')).toEqual([
    [0, 1],
    [null, 1],
    [0, 2],
    [0, 3],
    [1, 0],
  ]);
  expect(inARow('2026-04-07', '2026-04-27', '2026-04-15')).toEqual([
    [0, 1],
    [0, 1],
    [0, 3],
  ]);
});

describe('missed windows', () => {
  test('that are forgiven neither count nor end the run', () => {
    const habit = new Habit({ windows: 3, period: 'week', forgiven: 1 });
    expect(habit.visits('2026-03-04', '2026-03-18', '2026-03-25')).toEqual([0, 0, 1]);
  });

  test('beyond those end it', () => {
    const habit = new Habit({ windows: 3, period: 'week', forgiven: 1 });
    expect(habit.visits('2026-03-04', '2026-03-18', '2026-04-01')).toEqual([0, 0, 0]);
    // The run now begins with the 18th: the 25th was missed.
    expect(habit.visits('2026-04-08')).toEqual([1]);
  });
});

describe('windows are those of the calendar in the program’s time zone', () => {
  test('a day begins at midnight there', () => {
    const there = new Habit({ windows: 2, period: 'day' }, { timeZone: 'Pacific/Auckland' });
    // Midnight between 4 and 5 March in Auckland.
    expect(there.visit({ at: '2026-03-04T10:59:59.999Z' })).toBe(0);
    expect(there.visit({ at: '2026-03-04T11:00:00Z' })).toBe(1);
    const here = new Habit({ windows: 2, period: 'day' });
    expect(here.visit({ at: '2026-03-04T10:59:59.999Z' })).toBe(0);
    expect(here.visit({ at: '2026-03-04T11:00:00Z' })).toBeNull();
  });

  test('a day of 23 or 25 hours is one day', () => {
    for (const [first, midnight, next] of [
      // The clock is set forward on 8 March, and back on 1 November.
      ['2026-03-08T05:00:00Z', '2026-03-09T03:59:59Z', '2026-03-09T04:00:00Z'],
      ['2026-11-01T04:00:00Z', '2026-11-02T04:59:59Z', '2026-11-02T05:00:00Z'],
    ] as const) {
      const habit = new Habit({ windows: 2, period: 'day' }, { timeZone: 'America/New_York' });
      expect(habit.visit({ at: first })).toBe(0);
      expect(habit.visit({ at: midnight })).toBeNull();
      expect(habit.visit({ at: next })).toBe(1);
    }
  });

  test('a week begins on Monday, also at the turn of a year', () => {
    const habit = new Habit({ windows: 3, period: 'week' });
    expect(habit.visit({ at: '2025-12-28T23:59:59Z' })).toBe(0);
    expect(habit.visit({ at: '2025-12-29T00:00:00Z' })).toBe(0);
    expect(habit.visit({ at: '2026-01-04T23:59:59Z' })).toBeNull();
    expect(habit.visit({ at: '2026-01-05T00:00:00Z' })).toBe(1);
    expect(habit.row?.streak).toEqual({ first: '2025-12-22', reached: [1, 1, 1] });
  });

  test('months follow each other whatever their length', () => {
    const habit = new Habit({ windows: 4, period: 'month' });
    expect(habit.visits('2025-12-31', '2026-01-01', '2026-02-28', '2026-03-31')).toEqual([0, 0, 0, 1]);
    expect(habit.row?.streak?.first).toBe('2025-12-01');
  });
});

describe('laws', () => {
  const zones = fc.constantFrom(
    'UTC',
    'America/New_York',
    'Pacific/Auckland',
    'Asia/Kolkata',
    'Africa/Cairo',
  );
  const streaks = fc.record({
    windows: fc.integer({ min: 2, max: 6 }),
    period: fc.constantFrom('day', 'week', 'month'),
    forgiven: fc.integer({ min: 0, max: 4 }),
  });
  // Hours of two years, mostly close to each other, so that days, weeks and months all fill.
  const hours = fc.oneof(fc.integer({ min: 0, max: 24 * 40 }), fc.integer({ min: 0, max: 24 * 730 }));
  const start = Date.UTC(2025, 0, 1);
  const at = (hour: number): number => start + hour * 3_600_000;

  const calendars = new Map<string, Intl.DateTimeFormat>();

  /** A number of the window, by the calendar of Intl alone. */
  function windowOf(period: Streak['period'], instant: number, timeZone: string): number {
    const calendar = calendars.get(timeZone) ?? new Intl.DateTimeFormat('en-CA', { timeZone });
    calendars.set(timeZone, calendar);
    const date = calendar.format(instant);
    const [year = 0, month = 0] = date.split('-').map(Number);
    if (period === 'month') return year * 12 + month;
    const day = Date.parse(date) / DAY_MS;
    if (period === 'day') return day;
    const monday = (new Date(date).getUTCDay() + 6) % 7;
    return (day - monday) / 7;
  }

  /**
   * The most runs without a common window, over all events that counted: tries every set of runs, from the last one.
   */
  function mostRuns(streak: Streak, filled: readonly number[], memo = new Map<number, number>()): number {
    const { windows, forgiven = 0 } = streak;
    if (filled.length < windows) return 0;
    const known = memo.get(filled.length);
    if (known !== undefined) return known;
    const [first = 0, last = 0] = [filled.at(-windows), filled.at(-1)];
    const without = mostRuns(streak, filled.slice(0, -1), memo);
    const most =
      last - first + 1 - windows <= forgiven
        ? Math.max(without, 1 + mostRuns(streak, filled.slice(0, -windows), memo))
        : without;
    memo.set(filled.length, most);
    return most;
  }

  function filledBy(streak: Streak, counted: readonly number[], count: number, timeZone: string): number[] {
    const numbers = Map.groupBy(counted, (instant) => windowOf(streak.period, instant, timeZone));
    return [...numbers]
      .filter(([, events]) => events.length >= count)
      .map(([number]) => number)
      .sort((a, b) => a - b);
  }

  test('there are as many completions as runs in all events that counted, in whatever order they come', () => {
    fc.assert(
      fc.property(
        fc.array(hours, { maxLength: 60 }),
        streaks,
        fc.integer({ min: 1, max: 2 }),
        zones,
        (when, streak, count, timeZone) => {
          const habit = new Habit(streak, { goal: { count }, repeatable: true, timeZone });
          const now = at(24 * 395);
          const counted: number[] = [];
          for (const hour of when.map((each) => each % (24 * 395))) {
            const many = habit.visit({ at: at(hour), now });
            if (many !== null) counted.push(at(hour));
            const runs = mostRuns(streak, filledBy(streak, counted, count, timeZone));
            expect(habit.completions).toBe(runs);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  test('the same over years, with late events, where old windows are forgotten', () => {
    const arrivals = fc.array(
      fc.record({
        /** Hours since the event before arrived. */
        later: fc.oneof(fc.integer({ min: 0, max: 72 }), fc.integer({ min: 0, max: 24 * 100 })),
        /** How many hours late it is. */
        late: fc.oneof(fc.integer({ min: 0, max: 48 }), fc.integer({ min: 0, max: 24 * 420 })),
      }),
      { maxLength: 120 },
    );
    fc.assert(
      fc.property(arrivals, streaks, zones, (events, streak, timeZone) => {
        const habit = new Habit(streak, { repeatable: true, timeZone });
        const counted: number[] = [];
        let hour = 0;
        for (const { later, late } of events) {
          hour += later;
          const now = at(hour);
          const happened = at(hour - late);
          habit.visit({ at: happened, now });
          if (happened > now - EVENT_LIFE_DAYS * DAY_MS) counted.push(happened);
          const runs = mostRuns(streak, filledBy(streak, counted, 1, timeZone));
          expect(habit.completions).toBe(runs);
          const kept = habit.row?.streak?.reached.length ?? 0;
          expect(kept).toBeLessThanOrEqual(EVENT_LIFE_DAYS + 3 + streak.windows + streak.forgiven);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('what is stored is the same in whatever order events come', () => {
    fc.assert(
      fc.property(fc.array(hours, { maxLength: 40 }), streaks, zones, (when, streak, timeZone) => {
        const now = at(24 * 395);
        const run = (these: readonly number[]): WindowProgress | null => {
          const habit = new Habit(streak, { repeatable: true, timeZone });
          for (const hour of these) habit.visit({ at: at(hour % (24 * 395)), now });
          return habit.row;
        };
        expect(run([...when].sort((a, b) => a - b))).toEqual(run(when));
      }),
    );
  });
});
