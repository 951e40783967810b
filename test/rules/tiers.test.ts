import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { QualificationWindow } from '../../src/programs/program-document.ts';
import { initialStanding, type Standing, standingAfter, standingAt, tierFor } from '../../src/rules/tiers.ts';
import { noon, program } from './fixtures.ts';

const document = (window: QualificationWindow) => program({ qualification: { window } });
const year = (y: number) => new Date(Date.UTC(y, 0, 1));

function standing(tier: string, qualificationPoints: number, qualificationSince: Date | null): Standing {
  return { tier, qualificationPoints, qualificationSince };
}

test.each([
  [0, 'bronze'],
  [999, 'bronze'],
  [1_000, 'silver'],
  [4_999, 'silver'],
  [5_000, 'gold'],
  [Number.MAX_SAFE_INTEGER, 'gold'],
])('%p qualification points reach %s', (points, tier) => {
  expect(tierFor(program().tiers, points).id).toBe(tier);
});

test.each<[QualificationWindow, Date | null]>([
  ['lifetime', null],
  ['calendar_year', year(2026)],
  ['rolling_12_months', noon],
])('a member begins in the first tier; window %s', (window, since) => {
  expect(initialStanding(document(window), noon)).toEqual(standing('bronze', 0, since));
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
  ])('%s with %p and %p more is %s', (tier, before, earned, after) => {
    const of = document('calendar_year');
    expect(standingAfter(of, standing(tier, before, year(2026)), earned, noon)).toEqual(
      standing(after, before + earned, year(2026)),
    );
  });

  test('points earned before the present window do not count in it', () => {
    const before = standing('bronze', 5, year(2026));
    const of = document('calendar_year');
    expect(standingAfter(of, before, 5_000, new Date('2025-12-31T23:59:59.999Z'))).toEqual(before);
    expect(standingAfter(of, before, 5_000, year(2026)).tier).toBe('gold');
  });

  test('the sum stays a safe integer', () => {
    const full = standing('gold', Number.MAX_SAFE_INTEGER - 1, null);
    const after = standingAfter(document('lifetime'), full, Number.MAX_SAFE_INTEGER, noon);
    expect(after.qualificationPoints).toBe(Number.MAX_SAFE_INTEGER);
  });
});

describe('re-qualification', () => {
  const of = document('calendar_year');

  test('within the window nothing changes', () => {
    const now = standing('gold', 10, year(2026));
    expect(standingAt(of, now, new Date('2026-12-31T23:59:59.999Z'))).toEqual(now);
  });

  test('at its end the tier is what its points reach, and counting begins anew', () => {
    expect(standingAt(of, standing('gold', 1_200, year(2026)), year(2027))).toEqual(
      standing('silver', 0, year(2027)),
    );
    expect(standingAt(of, standing('gold', 6_000, year(2026)), year(2027)).tier).toBe('gold');
  });

  test('a whole year without points leads to the first tier', () => {
    expect(standingAt(of, standing('gold', 6_000, year(2024)), noon)).toEqual(
      standing('bronze', 0, year(2026)),
    );
    expect(standingAt(of, standing('gold', 6_000, year(1970)), noon)).toEqual(
      standing('bronze', 0, year(2026)),
    );
  });

  test('windows of twelve months begin with the first', () => {
    const rolling = document('rolling_12_months');
    const since = new Date('2025-03-04T12:00:00.001Z');
    expect(standingAt(rolling, standing('gold', 10, since), noon).tier).toBe('gold');
    expect(standingAt(rolling, standing('gold', 10, new Date('2025-03-04T12:00:00Z')), noon)).toEqual(
      standing('bronze', 0, noon),
    );
    const leapDay = new Date('2024-02-29T00:00:00Z');
    expect(standingAt(rolling, standing('gold', 10, leapDay), new Date('2025-02-28T00:00:00Z'))).toEqual(
      standing('bronze', 0, new Date('2025-02-28T00:00:00Z')),
    );
  });

  test('over the lifetime there is none', () => {
    const now = standing('gold', 0, null);
    expect(standingAt(document('lifetime'), now, year(2100))).toEqual(now);
  });

  test('a new version may change the window: what was counted stands', () => {
    expect(standingAt(document('lifetime'), standing('gold', 7, year(2020)), noon)).toEqual(
      standing('gold', 7, null),
    );
    expect(standingAt(of, standing('gold', 7, null), noon)).toEqual(standing('gold', 7, year(2026)));
  });

  test('a tier that a new version no longer has becomes the one that the points reach', () => {
    expect(standingAt(of, standing('platinum', 1_200, year(2026)), noon).tier).toBe('silver');
  });
});

test('law: looking twice is looking once, and looking on the way changes nothing', () => {
  const instant = fc.date({ min: year(2000), max: year(2040), noInvalidDate: true });
  fc.assert(
    fc.property(
      fc.constantFrom<QualificationWindow>('calendar_year', 'rolling_12_months'),
      fc.tuple(instant, instant, instant),
      fc.nat(8_000),
      (window, instants, points) => {
        const [start, middle, end] = instants.toSorted((a, b) => a.getTime() - b.getTime());
        if (!start || !middle || !end) return;
        const of = document(window);
        const first = standingAfter(of, initialStanding(of, start), points, start);
        const direct = standingAt(of, first, end);
        expect(standingAt(of, direct, end)).toEqual(direct);
        expect(standingAt(of, standingAt(of, first, middle), end)).toEqual(direct);
      },
    ),
    { numRuns: 500 },
  );
});
