import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isRefusal } from '../../../src/refusal.ts';
import { applyMemberLimit } from '../../../src/rules/earning/member-limit.ts';

const limit = (points: number, onExceed: 'trim' | 'reject' = 'trim') => ({
  points,
  period: 'month' as const,
  onExceed,
});

describe('campaign points go first', () => {
  //     base, campaign, used, base left, campaign left (limit 100)
  test.each([
    [50, 50, 0, 50, 50],
    [50, 50, 1, 50, 49],
    [50, 50, 50, 50, 0],
    [50, 50, 51, 49, 0],
    [50, 50, 99, 1, 0],
    [50, 50, 100, 0, 0],
    [50, 50, 500, 0, 0],
    [0, 50, 80, 0, 20],
    [0, 0, 500, 0, 0],
  ])('%p + %p with %p of 100 used: %p + %p', (basePoints, campaignPoints, used, base, campaign) => {
    expect(applyMemberLimit({ basePoints, campaignPoints }, limit(100), used)).toEqual({
      basePoints: base,
      campaignPoints: campaign,
    });
  });
});

test('reject says what is left', () => {
  const refusal = applyMemberLimit({ basePoints: 50, campaignPoints: 10 }, limit(100, 'reject'), 90);
  expect(refusal).toMatchObject({
    code: 'member_limit_reached',
    message: "The purchase would earn 60 points; 10 of the member's 100 a month are left.",
  });
});

test('law: an award that is trimmed fills the limit exactly, one that fits is untouched', () => {
  fc.assert(
    fc.property(
      fc.nat(1_000),
      fc.nat(1_000),
      fc.nat(2_000),
      fc.nat(2_000),
      (basePoints, campaignPoints, points, used) => {
        const result = applyMemberLimit({ basePoints, campaignPoints }, limit(points), used);
        if (isRefusal(result)) throw new Error('trim never refuses');
        const total = result.basePoints + result.campaignPoints;
        expect(total).toBe(Math.min(basePoints + campaignPoints, Math.max(0, points - used)));
        expect(Math.min(result.basePoints, result.campaignPoints)).toBeGreaterThanOrEqual(0);
        if (result.basePoints < basePoints) expect(result.campaignPoints).toBe(0);
      },
    ),
  );
});
