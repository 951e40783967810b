import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Downgrade, QualificationWindow } from '../../src/programs/document/program-document.ts';
import {
  initialStanding,
  requalifiedAt,
  type Standing,
  standingAfter,
  standingAt,
} from '../../src/rules/standing.ts';
import { noon, program, tier } from '../support/rules/fixtures.ts';

const DAY_MS = 86_400_000;
const TIERS = ['bronze', 'silver', 'gold'];

const document = (window: QualificationWindow, downgrade?: Downgrade) =>
  program({ qualification: { window, ...(downgrade && { downgrade }) } });
const day = (text: string) => new Date(`${text}T00:00:00Z`);
const year = (y: number) => day(`${y}-01-01`);

/** Of a calendar year where `since` is a date, of the lifetime where it is null. */
function standing(tier: string, qualificationPoints: number, qualificationSince: Date | null): Standing {
  return { tier, qualificationPoints, qualificationSince, qualificationDays: null, requalifyAt: null };
}

/** Of a rolling window. */
function rolling(tier: string, days: Record<string, number>, since: string): Standing {
  const qualificationPoints = Object.values(days).reduce((sum, points) => sum + points, 0);
  return {
    ...standing(tier, qualificationPoints, day(since)),
    qualificationDays: days,
  };
}

/** The standing without `requalifyAt`. */
function course({ requalifyAt: _foreseen, ...rest }: Standing) {
  return rest;
}

test.each<[QualificationWindow, Date | null, object | null]>([
  ['lifetime', null, null],
  ['calendar_year', year(2026), null],
  ['rolling_12_months', day('2026-03-04'), {}],
])('a member begins in the first tier, with nothing to come; window %s', (window, since, days) => {
  expect(initialStanding(document(window), noon)).toEqual({
    ...standing('bronze', 0, since),
    qualificationDays: days,
  });
});

describe('after earning', () => {
  test.each([
    ['bronze', 0, 999, 'bronze'],
    ['bronze', 0, 1_000, 'silver'],
    ['bronze', 999, 1, 'silver'],
    ['bronze', 999, 4_001, 'gold'],
    // A tier never falls by earning, whatever the points of the window say.
    ['gold', 0, 10, 'gold'],
    ['silver', 10, 4_990, 'gold'],
  ])('%s with %p and %p more is %s', (tier, before, points, after) => {
    const earned = { points, at: noon };
    const ofYear = standingAfter(document('calendar_year'), standing(tier, before, year(2026)), earned, noon);
    expect(course(ofYear)).toEqual(course(standing(after, before + points, year(2026))));
    const days = before > 0 ? { '2025-09-01': before } : {};
    const ofDays = standingAfter(
      document('rolling_12_months'),
      rolling(tier, days, '2025-01-01'),
      earned,
      noon,
    );
    expect(course(ofDays)).toEqual(course(rolling(after, { ...days, '2026-03-04': points }, '2025-01-01')));
  });

  test('points earned before the present year do not count in it', () => {
    const before = standing('bronze', 5, year(2026));
    const of = document('calendar_year');
    const late = { points: 5_000, at: new Date('2025-12-31T23:59:59.999Z') };
    expect(standingAfter(of, before, late, noon)).toEqual(before);
    expect(standingAfter(of, before, { ...late, at: year(2026) }, noon).tier).toBe('gold');
  });

  test('points of a day that has left the last twelve months do not count in them', () => {
    const of = document('rolling_12_months');
    const before = rolling('bronze', { '2026-01-01': 5 }, '2026-01-01');
    const late = { points: 5_000, at: new Date('2025-03-04T23:59:59.999Z') };
    expect(standingAfter(of, before, late, noon)).toEqual(before);
    expect(standingAfter(of, before, late, day('2026-03-04'))).toEqual(before);
    const inTime = standingAfter(of, before, { ...late, at: day('2025-03-05') }, noon);
    expect(inTime.tier).toBe('gold');
    expect(Object.entries(inTime.qualificationDays ?? {})).toEqual([
      ['2025-03-05', 5_000],
      ['2026-01-01', 5],
    ]);
    expect(inTime.requalifyAt).toEqual(day('2026-03-05'));
  });

  test('nothing earned is nothing to come back to', () => {
    const nothing = { points: 0, at: noon };
    for (const window of ['calendar_year', 'rolling_12_months', 'lifetime'] as const) {
      const fresh = initialStanding(document(window), noon);
      expect(standingAfter(document(window), fresh, nothing, noon)).toEqual(fresh);
    }
  });

  test('the sum stays a safe integer', () => {
    const most = { points: Number.MAX_SAFE_INTEGER, at: noon };
    const full = standing('gold', Number.MAX_SAFE_INTEGER - 1, null);
    expect(standingAfter(document('lifetime'), full, most, noon).qualificationPoints).toBe(most.points);
    const days = rolling('gold', { '2026-03-03': 7, '2026-03-04': 9 }, '2026-01-01');
    const after = standingAfter(document('rolling_12_months'), days, most, noon);
    expect({
      qualificationPoints: after.qualificationPoints,
      '2026-03-04': after.qualificationDays?.['2026-03-04'],
    }).toEqual({ qualificationPoints: most.points, '2026-03-04': most.points });
  });
});

describe('the turn of the year', () => {
  const of = document('calendar_year');

  test('before it nothing changes', () => {
    const now = { ...standing('gold', 10, year(2026)), requalifyAt: year(2027) };
    expect(standingAt(of, now, new Date('2026-12-31T23:59:59.999Z'))).toEqual(now);
  });

  test.each<[Downgrade | undefined, string, number, string]>([
    [undefined, 'gold', 6_000, 'gold'],
    [undefined, 'gold', 1_200, 'silver'],
    [undefined, 'gold', 0, 'bronze'],
    ['to_reached', 'gold', 0, 'bronze'],
    ['one_tier', 'gold', 6_000, 'gold'],
    ['one_tier', 'gold', 1_200, 'silver'],
    ['one_tier', 'gold', 0, 'silver'],
    ['one_tier', 'silver', 0, 'bronze'],
    ['one_tier', 'bronze', 0, 'bronze'],
    ['never', 'gold', 0, 'gold'],
    ['never', 'silver', 6_000, 'gold'],
  ])(
    'policy %s: %s with %p points goes on as %s, and counting begins anew',
    (downgrade, tier, points, then) => {
      const after = standingAt(
        document('calendar_year', downgrade),
        standing(tier, points, year(2026)),
        year(2027),
      );
      expect(course(after)).toEqual(course(standing(then, 0, year(2027))));
    },
  );

  test('a whole year without points leads to the first tier, or a step down each year', () => {
    const gold = standing('gold', 6_000, year(2024));
    expect(standingAt(of, gold, noon)).toEqual(standing('bronze', 0, year(2026)));
    const oneTier = document('calendar_year', 'one_tier');
    expect(course(standingAt(oneTier, gold, noon))).toEqual(course(standing('silver', 0, year(2026))));
    expect(standingAt(oneTier, gold, year(2027))).toEqual(standing('bronze', 0, year(2027)));
    expect(standingAt(of, standing('gold', 6_000, year(1970)), noon).tier).toBe('bronze');
  });

  test.each<[Downgrade, string, number, Date | null]>([
    ['to_reached', 'bronze', 0, null],
    ['to_reached', 'bronze', 1, year(2027)],
    ['to_reached', 'gold', 0, year(2027)],
    ['one_tier', 'gold', 0, year(2027)],
    ['never', 'gold', 0, null],
    ['never', 'gold', 1, year(2027)],
  ])('policy %s: of %s with %p points the next is foreseen for %p', (downgrade, tier, points, at) => {
    const now = standing(tier, points, year(2026));
    expect(standingAt(document('calendar_year', downgrade), now, noon).requalifyAt).toEqual(at);
  });
});

describe('the last twelve months', () => {
  const of = document('rolling_12_months');
  const days = { '2025-03-04': 4_000, '2025-06-01': 1_200, '2025-12-31': 900 };

  test.each([
    ['2026-03-03', 'gold', 6_100, '2026-03-04'],
    ['2026-03-04', 'silver', 2_100, '2026-06-01'],
    ['2026-05-31', 'silver', 2_100, '2026-06-01'],
    ['2026-06-01', 'bronze', 900, '2026-12-31'],
    ['2026-12-30', 'bronze', 900, '2026-12-31'],
    ['2026-12-31', 'bronze', 0, null],
    ['2036-12-31', 'bronze', 0, null],
  ])('at the end of %s: %s with %p points; next %s', (date, tier, points, next) => {
    const at = new Date(day(date).getTime() + DAY_MS - 1);
    const now = standingAt(of, rolling('gold', days, '2025-01-01'), at);
    expect(now).toMatchObject({ tier, qualificationPoints: points });
    expect(now.requalifyAt).toEqual(next && day(next));
  });

  test('policy never: the points leave, the tier stays', () => {
    const never = document('rolling_12_months', 'never');
    const now = standingAt(never, rolling('gold', days, '2025-01-01'), day('2030-01-01'));
    expect(now).toEqual(rolling('gold', {}, '2025-01-01'));
  });

  test('policy one_tier: a step down, and the next one twelve months later', () => {
    const oneTier = document('rolling_12_months', 'one_tier');
    const gold = rolling('gold', { '2025-03-04': 6_000 }, '2025-01-01');
    const silver = standingAt(oneTier, gold, day('2026-03-04'));
    expect(silver).toEqual({ ...rolling('silver', {}, '2026-03-04'), requalifyAt: day('2027-03-04') });
    expect(standingAt(oneTier, gold, new Date(day('2027-03-04').getTime() - 1))).toEqual(silver);
    expect(standingAt(oneTier, gold, day('2027-03-04'))).toEqual(rolling('bronze', {}, '2027-03-04'));
  });

  test('policy one_tier: what leaves within the twelve months after a fall takes no further step', () => {
    const oneTier = document('rolling_12_months', 'one_tier');
    const gold = rolling('gold', { '2025-03-04': 5_000, '2025-09-09': 400 }, '2025-01-01');
    expect(standingAt(oneTier, gold, day('2026-09-09'))).toMatchObject({
      tier: 'silver',
      qualificationPoints: 0,
      requalifyAt: day('2027-03-04'),
    });
  });

  test('a leap day counts to the end of the next February', () => {
    const now = rolling('silver', { '2024-02-29': 1_000 }, '2024-01-01');
    expect(standingAt(of, now, new Date('2025-02-28T23:59:59.999Z')).tier).toBe('silver');
    expect(standingAt(of, now, day('2025-03-01')).tier).toBe('bronze');
  });
});

test('over the lifetime there is none', () => {
  const now = standing('gold', 0, null);
  expect(standingAt(document('lifetime'), now, year(2100))).toEqual(now);
});

describe('a new version', () => {
  test.each<[string, QualificationWindow, Standing, Standing]>([
    ['year to lifetime', 'lifetime', standing('gold', 7, year(2020)), standing('gold', 7, null)],
    ['lifetime to year', 'calendar_year', standing('gold', 7, null), standing('gold', 7, year(2026))],
    [
      'rolling to lifetime',
      'lifetime',
      rolling('gold', { '2025-12-31': 4, '2026-01-01': 3 }, '2025-12-31'),
      standing('gold', 7, null),
    ],
    [
      'rolling to year: what was earned in this year stands',
      'calendar_year',
      rolling('gold', { '2025-12-31': 4, '2026-01-01': 3 }, '2025-12-31'),
      standing('gold', 3, year(2026)),
    ],
    [
      'lifetime to rolling: as if earned today',
      'rolling_12_months',
      standing('silver', 7, null),
      rolling('silver', { '2026-03-04': 7 }, '2026-03-04'),
    ],
    [
      'year to rolling: as if earned on its last day, where it is over',
      'rolling_12_months',
      standing('silver', 7, year(2025)),
      rolling('silver', { '2025-12-31': 7 }, '2025-01-01'),
    ],
  ])('may change the window: %s', (_what, window, before, after) => {
    expect(course(standingAt(document(window), before, noon))).toEqual(course(after));
  });

  test('may lack the tier: it becomes the one that the points reach', () => {
    const now = standing('platinum', 1_200, year(2026));
    expect(standingAt(document('calendar_year'), now, noon).tier).toBe('silver');
    const oneTier = document('calendar_year', 'one_tier');
    expect(standingAt(oneTier, now, year(2027)).tier).toBe('silver');
    const days = rolling('platinum', { '2026-01-01': 1_200 }, '2026-01-01');
    expect(standingAt(document('rolling_12_months', 'one_tier'), days, noon).tier).toBe('silver');
  });
});

/** Some purchases in a few years, in the order of time, and an instant after them. */
const histories = fc
  .tuple(
    fc.array(
      fc.record({
        at: fc.date({ min: year(2023), max: year(2026), noInvalidDate: true }),
        points: fc.oneof(fc.nat(400), fc.nat(3_000)),
      }),
      { maxLength: 12 },
    ),
    fc.date({ min: year(2026), max: year(2030), noInvalidDate: true }),
  )
  .map(([purchases, end]) => ({
    purchases: purchases.toSorted((a, b) => a.at.getTime() - b.at.getTime()),
    end,
  }));

const windows = fc.constantFrom<QualificationWindow>('lifetime', 'calendar_year', 'rolling_12_months');
const policies = fc.constantFrom<Downgrade | undefined>(undefined, 'to_reached', 'one_tier', 'never');

type History = { purchases: { at: Date; points: number }[]; end: Date };

/** The standing before and after each purchase or look, from enrollment at the start of 2023. */
function walk(of: ReturnType<typeof document>, { purchases, end }: History, looks: readonly Date[] = []) {
  const stops = [...purchases, ...looks.map((at) => ({ at, points: null })), { at: end, points: null }];
  stops.sort((a, b) => a.at.getTime() - b.at.getTime());
  let now = initialStanding(of, year(2023));
  return stops.map(({ at, points }) => {
    now = standingAt(of, now, at);
    const before = now;
    if (points !== null) now = standingAfter(of, now, { points, at }, at);
    return { at, before, after: now };
  });
}

/** The sum of a window at an instant, computed from the definition of the window. */
function counted(window: QualificationWindow, purchases: History['purchases'], at: Date): number {
  const lastYearToday = new Date(at);
  lastYearToday.setUTCFullYear(at.getUTCFullYear() - 1);
  const today = at.toISOString().slice(0, 10);
  return purchases
    .filter((each) => {
      if (each.at > at || window === 'lifetime') return each.at <= at;
      if (window === 'calendar_year') return each.at.getUTCFullYear() === at.getUTCFullYear();
      const [y, ...monthAndDay] = each.at.toISOString().slice(0, 10).split('-');
      // In the twelve months up to today: the same date of the next year has not come yet.
      return [String(Number(y) + 1), ...monthAndDay].join('-') > today;
    })
    .reduce((sum, { points }) => sum + points, 0);
}

describe('laws', () => {
  test('looking twice is looking once, and looking on the way changes nothing', () => {
    fc.assert(
      fc.property(
        windows,
        policies,
        histories,
        fc.array(fc.date({ min: year(2023), max: year(2030), noInvalidDate: true })),
        (window, policy, history, looks) => {
          const of = document(window, policy);
          const direct = walk(of, history).at(-1)?.after as Standing;
          expect(standingAt(of, direct, history.end)).toEqual(direct);
          const between = looks.filter((at) => at <= history.end);
          expect(walk(of, history, between).at(-1)?.after).toEqual(direct);
        },
      ),
      { numRuns: 500 },
    );
  });

  test('the points are exactly those of the window, and no tier is above the best that they ever reached', () => {
    fc.assert(
      fc.property(windows, policies, histories, (window, policy, history) => {
        let best = 0;
        for (const { at, after } of walk(document(window, policy), history)) {
          // Of two purchases at the same instant, the first is evaluated before the second is known.
          const twins = history.purchases.filter((each) => each.at.getTime() === at.getTime());
          const sum = counted(window, history.purchases, at);
          if (twins.length < 2) expect(after.qualificationPoints).toBe(sum);
          best = Math.max(best, TIERS.indexOf(sum >= 5_000 ? 'gold' : sum >= 1_000 ? 'silver' : 'bronze'));
          expect(TIERS.indexOf(after.tier)).toBeLessThanOrEqual(best);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('rolling, to what is reached: never above what the points of the last twelve months reach', () => {
    fc.assert(
      fc.property(histories, (history) => {
        for (const { after } of walk(document('rolling_12_months'), history)) {
          const { qualificationPoints: sum, tier } = after;
          expect(tier).toBe(sum >= 5_000 ? 'gold' : sum >= 1_000 ? 'silver' : 'bronze');
        }
      }),
      { numRuns: 300 },
    );
  });

  test('nothing changes before the instant foreseen, and something does at it', () => {
    fc.assert(
      fc.property(windows, policies, histories, (window, policy, history) => {
        const of = document(window, policy);
        const now = walk(of, history).at(-1)?.after as Standing;
        const { requalifyAt } = now;
        const shown = ({ tier, qualificationPoints }: Standing) => [tier, qualificationPoints];
        if (requalifyAt === null) {
          expect(shown(standingAt(of, now, year(2050)))).toEqual(shown(now));
          return;
        }
        expect(standingAt(of, now, new Date(requalifyAt.getTime() - 1))).toEqual(now);
        const then = standingAt(of, now, requalifyAt);
        expect(then.requalifyAt === null || then.requalifyAt > requalifyAt).toBe(true);
        expect(shown(then)).not.toEqual(shown(now));
      }),
      { numRuns: 500 },
    );
  });

  test('by hand, under other thresholds: up to what the points reach, down only to_reached and not within a year, and once', () => {
    const thresholds = fc.tuple(fc.integer({ min: 1, max: 4_000 }), fc.integer({ min: 4_001, max: 9_000 }));
    fc.assert(
      fc.property(windows, policies, histories, thresholds, (window, policy, history, [silver, gold]) => {
        const was = walk(document(window, policy), history).at(-1);
        if (!was) return;
        const { at, after } = was;
        const of = program({
          ...document(window, policy),
          tiers: [tier('bronze', 0, 1), tier('silver', silver, 1), tier('gold', gold, 1)],
        });
        const due = standingAt(of, after, at);
        const then = requalifiedAt(of, after, at);
        const { qualificationPoints: sum } = due;
        const reached = sum >= gold ? 2 : sum >= silver ? 1 : 0;
        const before = TIERS.indexOf(due.tier);
        const falls = (policy ?? 'to_reached') === 'to_reached' && window !== 'calendar_year';
        expect(TIERS.indexOf(then.tier)).toBe(falls ? reached : Math.max(before, reached));
        expect({
          qualificationPoints: then.qualificationPoints,
          qualificationDays: then.qualificationDays,
        }).toEqual({ qualificationPoints: sum, qualificationDays: due.qualificationDays });
        expect(requalifiedAt(of, then, at)).toEqual(then);
        expect(standingAt(of, then, at)).toEqual(then);
      }),
      { numRuns: 500 },
    );
  });

  test('one_tier falls a single step in twelve months; never does not fall', () => {
    const end = year(2030);
    fc.assert(
      fc.property(windows, histories, (window, history) => {
        const midnights = Array.from(
          { length: 7 * 365 + 2 },
          (_, index) => new Date(year(2023).getTime() + index * DAY_MS),
        );
        let tier = 'bronze';
        let lastFall = Number.NEGATIVE_INFINITY;
        for (const { at, before, after } of walk(
          document(window, 'one_tier'),
          { ...history, end },
          midnights,
        )) {
          const fallen = TIERS.indexOf(tier) - TIERS.indexOf(before.tier);
          if (fallen > 0) {
            expect(fallen).toBe(1);
            expect(at.getTime() - lastFall).toBeGreaterThanOrEqual(365 * DAY_MS);
            lastFall = at.getTime();
          }
          tier = after.tier;
        }
        const tiers = walk(document(window, 'never'), { ...history, end }).map(({ after }) =>
          TIERS.indexOf(after.tier),
        );
        expect(tiers).toEqual(tiers.toSorted((a, b) => a - b));
      }),
      { numRuns: 30 },
    );
  });
});

describe('a rolling window that is taken to end now', () => {
  const of = document('rolling_12_months');
  const since = '2025-05-01';

  test('changes nothing of a member who is where the points say, not even since when', () => {
    const silver = rolling('silver', { '2026-01-01': 1_200 }, since);
    expect(requalifiedAt(of, silver, noon)).toEqual(standingAt(of, silver, noon));
    expect(requalifiedAt(of, silver, noon).qualificationSince).toEqual(day(since));
  });

  test('begins anew for a member who falls, and not for one who rises', () => {
    const falling = requalifiedAt(of, rolling('gold', { '2026-01-01': 1_200 }, since), noon);
    expect({ tier: falling.tier, qualificationSince: falling.qualificationSince }).toEqual({
      tier: 'silver',
      qualificationSince: day('2026-03-04'),
    });
    const rising = requalifiedAt(of, rolling('bronze', { '2026-01-01': 1_200 }, since), noon);
    expect({ tier: rising.tier, qualificationSince: rising.qualificationSince }).toEqual({
      tier: 'silver',
      qualificationSince: day(since),
    });
  });

  test('looks at what is in it now, whether that is written down or not', () => {
    const old = rolling('bronze', { '2025-01-01': 5_000, '2026-01-01': 1_200 }, '2024-05-01');
    const then = requalifiedAt(of, old, noon);
    expect({
      tier: then.tier,
      qualificationPoints: then.qualificationPoints,
      qualificationDays: then.qualificationDays,
    }).toEqual({ tier: 'silver', qualificationPoints: 1_200, qualificationDays: { '2026-01-01': 1_200 } });
  });
});
