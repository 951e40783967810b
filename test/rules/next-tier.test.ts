import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Downgrade, QualificationWindow } from '../../src/programs/document/program-document.ts';
import { nextTierOf, tierUntil } from '../../src/rules/next-tier.ts';
import { type Standing, standingAt } from '../../src/rules/standing.ts';
import { noon, program } from '../support/rules/fixtures.ts';

const DAY_MS = 86_400_000;
const day = (text: string) => new Date(`${text}T00:00:00Z`);
// Bronze from 0, silver from 1,000, gold from 5,000.
const document = (window: QualificationWindow, downgrade?: Downgrade) =>
  program({ qualification: { window, ...(downgrade && { downgrade }) } });

test.each([
  ['bronze', 0, 'silver', 1_000],
  ['bronze', 999, 'silver', 1],
  // Its threshold was lowered since: it is reached at the next event.
  ['bronze', 1_200, 'silver', 0],
  ['silver', 1_200, 'gold', 3_800],
])('%s with %p lacks to %s %p', (tier, qualificationPoints, id, missing) => {
  expect(nextTierOf(program(), { tier, qualificationPoints })).toMatchObject({ id, missing });
});

test.each(['gold', 'a tier of an older version'])('there is no tier above %s', (tier) => {
  expect(nextTierOf(program(), { tier, qualificationPoints: 9 })).toBeNull();
});

describe('a tier is kept', () => {
  const of = (
    tier: string,
    points: number,
    since: Date | null,
    days: Standing['qualificationDays'] = null,
  ) => ({
    tier,
    qualificationPoints: points,
    qualificationSince: since,
    qualificationDays: days,
    requalifyAt: null,
  });
  const until = (standing: Standing, ...of: Parameters<typeof document>) =>
    tierUntil(document(...of), standingAt(document(...of), standing, noon))
      ?.toISOString()
      .slice(0, 10) ?? null;
  const year = noon.getUTCFullYear();

  test('for ever over a lifetime, in the first tier, and where tiers never fall', () => {
    expect(until(of('gold', 5_000, null), 'lifetime')).toBeNull();
    expect(until(of('bronze', 900, day(`${year}-01-01`)), 'calendar_year')).toBeNull();
    expect(until(of('gold', 9, day(`${year}-01-01`)), 'calendar_year', 'never')).toBeNull();
  });

  test('until the end of the year, and of the next one where the points of this one suffice', () => {
    expect(until(of('gold', 4_999, day(`${year}-01-01`)), 'calendar_year')).toBe(`${year + 1}-01-01`);
    expect(until(of('gold', 5_000, day(`${year}-01-01`)), 'calendar_year')).toBe(`${year + 2}-01-01`);
  });

  test('until the points of a day leave the window, not the first ones that do', () => {
    const earlier = new Date(noon.getTime() - 200 * DAY_MS).toISOString().slice(0, 10);
    const later = new Date(noon.getTime() - 100 * DAY_MS).toISOString().slice(0, 10);
    const days = { [earlier]: 3_000, [later]: 5_000 };
    const gone = day(later);
    gone.setUTCFullYear(gone.getUTCFullYear() + 1);
    expect(until(of('gold', 8_000, day(earlier), days), 'rolling_12_months')).toBe(
      gone.toISOString().slice(0, 10),
    );
  });
});

test('it is the first midnight at which a re-qualification would lower the tier', () => {
  const points = fc.array(fc.tuple(fc.integer({ min: 0, max: 364 }), fc.integer({ min: 1, max: 4_000 })), {
    maxLength: 5,
  });
  const windows = fc.constantFrom<QualificationWindow>('rolling_12_months', 'calendar_year', 'lifetime');
  const downgrades = fc.constantFrom<Downgrade>('to_reached', 'one_tier', 'never');
  fc.assert(
    fc.property(
      points,
      windows,
      downgrades,
      fc.constantFrom('bronze', 'silver', 'gold'),
      (earned, window, downgrade, tier) => {
        const days: Record<string, number> = {};
        for (const [ago, amount] of earned.toSorted(([a], [b]) => b - a)) {
          const name = new Date(noon.getTime() - ago * DAY_MS).toISOString().slice(0, 10);
          days[name] = (days[name] ?? 0) + amount;
        }
        const sum = Object.values(days).reduce((total, amount) => total + amount, 0);
        const rules = document(window, downgrade);
        const standing = standingAt(
          rules,
          {
            ...{ tier, qualificationPoints: sum, requalifyAt: null },
            qualificationSince: new Date(Date.UTC(noon.getUTCFullYear(), 0)),
            qualificationDays: window === 'rolling_12_months' ? days : null,
          },
          noon,
        );
        const rank = (id: string) => rules.tiers.findIndex((each) => each.id === id);
        let expected: Date | null = null;
        const midnight = Math.floor(noon.getTime() / DAY_MS) * DAY_MS;
        for (let night = 1; night <= 1_200 && !expected; night++) {
          const at = new Date(midnight + night * DAY_MS);
          if (rank(standingAt(rules, standing, at).tier) < rank(standing.tier)) expected = at;
        }
        expect(tierUntil(rules, standing)).toEqual(expected);
      },
    ),
    { numRuns: 60 },
  );
});
