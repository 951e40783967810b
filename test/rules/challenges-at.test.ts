import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Challenge } from '../../src/programs/document/engagement-document.ts';
import { advanceChallenges, challengesAt, type WindowProgress } from '../../src/rules/challenges.ts';
import { type AudienceFacts, newcomer } from '../../src/rules/conditions/member-facts.ts';
import { program } from '../support/rules/fixtures.ts';

const DAY_MS = 86_400_000;
const bronze: AudienceFacts = { profile: { tier: 'bronze', qualificationPoints: 0 }, member: newcomer };
const guests = {
  id: 'guests',
  match: 'all' as const,
  conditions: [{ field: 'member.tags', operator: 'equals' as const, value: 'vip' }],
};

function document(overrides: Partial<Challenge>) {
  const visits: Challenge = { id: 'c', eventType: 'visit', match: 'all', conditions: [], goal: { count: 3 } };
  return program({ audiences: [guests], challenges: [{ ...visits, ...overrides }] });
}

/** Visits at these instants, each as it happens; where the member stands at `at`. */
function standAfter(
  overrides: Partial<Challenge>,
  visits: readonly string[],
  at: string,
  { known = bronze, minutes = 1 }: { known?: AudienceFacts; minutes?: number } = {},
) {
  const rules = document(overrides);
  let rows: WindowProgress[] = [];
  for (const text of visits) {
    const happened = { type: 'visit', occurredAt: new Date(text), attributes: { minutes } };
    for (const { progress } of advanceChallenges(rules, happened, known, () => rows, new Date(text))) {
      const others = rows.filter((row) => row.windowStart.getTime() !== progress.windowStart.getTime());
      rows = [...others, progress];
    }
  }
  const [standing] = challengesAt(rules, known, () => rows, new Date(at));
  if (!standing) throw new Error('no such challenge');
  const { challenge: _same, ...rest } = standing;
  return rest;
}

const fresh = { open: true, reached: 0, goal: 3, completions: 0, windowStart: null, windowEnd: null };

describe('a challenge', () => {
  test('without a window counts for ever, and stays at its goal once it is completed', () => {
    expect(standAfter({}, [], '2026-03-10')).toEqual(fresh);
    expect(standAfter({}, ['2025-03-01', '2026-03-01'], '2026-03-10')).toEqual({ ...fresh, reached: 2 });
    const done = { ...fresh, reached: 3, completions: 1 };
    expect(standAfter({}, ['2026-03-01', '2026-03-02', '2026-03-03'], '2026-03-10')).toEqual(done);
  });

  test('that is repeatable counts on toward the next completion', () => {
    const visits = ['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04'];
    expect(standAfter({ repeatable: true }, visits, '2026-03-10')).toMatchObject({
      reached: 1,
      completions: 1,
    });
  });

  test('of a month begins anew with the month', () => {
    const window = { period: 'month' } as const;
    expect(standAfter({ window }, ['2026-02-27', '2026-02-28'], '2026-02-28T23:59:59Z')).toMatchObject({
      reached: 2,
      windowStart: new Date('2026-02-01'),
      windowEnd: new Date('2026-03-01'),
    });
    expect(standAfter({ window }, ['2026-02-27', '2026-02-28'], '2026-03-01')).toMatchObject({
      reached: 0,
      windowStart: new Date('2026-03-01'),
      windowEnd: new Date('2026-04-01'),
    });
  });

  test('of some days has a window from its first event to its end', () => {
    const window = { days: 7 };
    const [start, end] = [new Date('2026-03-01T10:00:00Z'), new Date('2026-03-08T10:00:00Z')];
    const visits = [start.toISOString(), '2026-03-05'];
    const within = { ...fresh, reached: 2, windowStart: start, windowEnd: end };
    expect(standAfter({ window }, visits, '2026-03-08T09:59:59.999Z')).toEqual(within);
    expect(standAfter({ window }, visits, end.toISOString())).toEqual(fresh);
  });

  test('of some days shows the newest of the windows that two merged members have, in which the next event counts', () => {
    const rules = document({ window: { days: 7 } });
    const windowAt = (windowStart: string, reached: number): WindowProgress => ({
      ...{ windowStart: new Date(windowStart), reached, completions: 0, goal: null, streak: null },
    });
    const [older, newer] = [windowAt('2026-03-01', 2), windowAt('2026-03-04', 1)];
    const at = new Date('2026-03-05');
    const visit = { type: 'visit', occurredAt: at, attributes: null };
    for (const rows of [
      [older, newer],
      [newer, older],
    ]) {
      const [standing] = challengesAt(rules, bronze, () => rows, at);
      expect(standing).toMatchObject({ reached: 1, windowStart: newer.windowStart });
      const [advance] = advanceChallenges(rules, visit, bronze, () => rows, at);
      expect(advance?.progress).toMatchObject({ reached: 2, windowStart: newer.windowStart });
    }
  });

  test('of a sum is in the unit of the sum', () => {
    const goal = { sumOf: 'minutes', reach: 10.5 };
    expect(standAfter({ goal }, ['2026-03-01', '2026-03-02'], '2026-03-03', { minutes: 2.25 })).toMatchObject(
      {
        reached: 4.5,
        goal: 10.5,
      },
    );
  });

  test('is open to those whom it is for, while it is in effect', () => {
    const invited = { ...bronze, member: { ...newcomer, tags: ['vip'] } };
    const schedule = { from: '2026-03-01T00:00:00Z' };
    expect(standAfter({ audiences: ['guests'] }, [], '2026-03-10')).toMatchObject({ open: false });
    expect(standAfter({ audiences: ['guests'] }, [], '2026-03-10', { known: invited })).toMatchObject({
      open: true,
    });
    expect(standAfter({ schedule }, [], '2026-02-10')).toMatchObject({ open: false });
  });

  test('whose goal has changed keeps its completions alone', () => {
    const [standing] = challengesAt(
      document({ goal: { count: 5 }, repeatable: true }),
      bronze,
      () => [{ windowStart: new Date(0), reached: 8, completions: 2, goal: 'count 3', streak: null }],
      new Date('2026-03-10'),
    );
    expect(standing).toMatchObject({ reached: 0, goal: 5, completions: 2 });
  });
});

describe('a streak', () => {
  const streak = { windows: 4, period: 'week' as const, forgiven: 1 };
  const goal = { count: 1 };
  // Mondays.
  const [w1, w2, w3, w4, w5] = ['2026-03-02', '2026-03-09', '2026-03-16', '2026-03-23', '2026-03-30'];

  test('goes on while a window of today would continue it, and is broken afterwards', () => {
    const of = (visits: string[], at: string) => standAfter({ goal, streak }, visits, at).reached;
    expect(of([w1, w2], w2)).toBe(2);
    // This week is not over yet.
    expect(of([w1, w2], w3)).toBe(2);
    // One week was missed, which is forgiven.
    expect(of([w1, w2], w4)).toBe(2);
    expect(of([w1, w2], w5)).toBe(0);
    expect(of([w1, w3], w4)).toBe(2);
    // A second one is not: the run begins later.
    expect(of([w1, w3], w5)).toBe(1);
  });

  test('is one short of its end before the last window, and complete after it', () => {
    const visits = [w1, w2, w3];
    expect(standAfter({ goal, streak }, visits, w4)).toMatchObject({ reached: 3, goal: 4, completions: 0 });
    expect(standAfter({ goal, streak }, [...visits, w4], w5)).toMatchObject({ reached: 4, completions: 1 });
    expect(standAfter({ goal, streak, repeatable: true }, [...visits, w4], w5)).toMatchObject({
      reached: 0,
      completions: 1,
    });
  });

  test('is always what one more visit today makes one more of', () => {
    const days = fc.uniqueArray(fc.integer({ min: 0, max: 60 }), { maxLength: 14 });
    const streaks = fc.record({
      windows: fc.integer({ min: 2, max: 4 }),
      period: fc.constantFrom('day' as const, 'week' as const),
      forgiven: fc.integer({ min: 0, max: 2 }),
    });
    fc.assert(
      fc.property(days, streaks, (numbers, asked) => {
        const visits = numbers
          .toSorted((a, b) => a - b)
          .map((number) => new Date(Date.UTC(2026, 2, 2) + number * DAY_MS).toISOString());
        const today = new Date(Date.UTC(2026, 2, 2) + 61 * DAY_MS).toISOString();
        const rules = { goal, streak: asked, repeatable: true };
        const [before, then] = [
          standAfter(rules, visits, today),
          standAfter(rules, [...visits, today], today),
        ];
        const filled = before.completions === then.completions && before.reached === then.reached;
        const more = then.completions - before.completions;
        if (!filled) expect(before.reached + 1).toBe(more * asked.windows + then.reached);
      }),
    );
  });
});
