import { describe, expect, test } from '@jest/globals';
import type { Campaign, CampaignAward } from '../../../src/programs/document/campaign-document.ts';
import type { ProgramDocument } from '../../../src/programs/document/program-document.ts';
import { isRefusal } from '../../../src/refusal.ts';
import { newcomer } from '../../../src/rules/conditions/member-facts.ts';
import type { CapUse } from '../../../src/rules/earning/campaigns.ts';
import {
  evaluatePurchase,
  type PurchaseEvaluation,
  type PurchaseEvaluationInput,
} from '../../../src/rules/earning/evaluate-purchase.ts';
import { input, noon, program, purchase, rule, tier } from '../../support/rules/fixtures.ts';

const bonus = (bonusPoints: number): CampaignAward => ({ bonusPoints });
const times = (numerator: number, denominator = 1, rounding: 'floor' | 'ceil' = 'floor'): CampaignAward => ({
  multiplier: { numerator, denominator },
  rounding,
});

function campaign(id: string, award: CampaignAward, more: Partial<Campaign> = {}): Campaign {
  return { id, match: 'all', conditions: [], award, ...more };
}

/** A purchase of 100 base points. */
function evaluate(
  campaigns: Campaign[],
  more: Partial<PurchaseEvaluationInput> = {},
  document: Partial<ProgramDocument> = {},
): PurchaseEvaluation {
  const result = evaluatePurchase(input({ program: program({ campaigns, ...document }), ...more }));
  if (isRefusal(result)) throw new Error(result.code);
  // True for all campaigns.
  const { points, basePoints, campaignPoints, ruleDecisions, coupon } = result;
  expect(points).toBe(basePoints + campaignPoints);
  expect(ruleDecisions.reduce((sum, decision) => sum + decision.points, 0)).toBe(points);
  expect(result.campaigns.reduce((sum, given) => sum + given.points, coupon?.points ?? 0)).toBe(
    campaignPoints,
  );
  return result;
}

function given(result: PurchaseEvaluation): Record<string, number> {
  return Object.fromEntries(result.campaigns.map(({ campaignId, points }) => [campaignId, points]));
}

function used(id: string, use: Partial<CapUse>): Partial<PurchaseEvaluationInput> {
  return { capsUsed: new Map([[id, { total: 0, member: 0, memberPeriod: 0, ...use }]]) };
}

/** The reason of the decision on a campaign or cap. */
function reason(result: PurchaseEvaluation, id: string): string | null | undefined {
  return result.ruleDecisions.find((decision) => decision.id === id)?.reason;
}

describe('what a campaign gives', () => {
  test.each<[string, CampaignAward, number, number]>([
    // amountMinor makes amount ÷ 100 base points.
    ['a bonus', bonus(50), 10_000, 50],
    ['a bonus on nothing', bonus(50), 0, 50],
    ['double', times(2), 10_000, 100],
    ['triple', times(3), 10_000, 200],
    ['half as much again, rounded down', times(3, 2), 300, 1],
    ['half as much again, rounded up', times(3, 2, 'ceil'), 300, 2],
    ['a tenth more of nothing', times(11, 10, 'ceil'), 0, 0],
    ['once is nothing more', times(1), 10_000, 0],
    ['less than once takes nothing away', times(1, 2), 10_000, 0],
  ])('%s', (_what, award, amountMinor, expected) => {
    const result = evaluate([campaign('a', award)], { purchase: purchase({ amountMinor }) });
    expect(result.campaignPoints).toBe(expected);
    expect(given(result)).toEqual(expected > 0 ? { a: expected } : {});
  });

  test('multiplies the base points with the tier in them, and not each other', () => {
    const silver = { profile: { tier: 'silver', qualificationPoints: 1000 } };
    const result = evaluate([campaign('a', times(2)), campaign('b', times(3))], silver);
    expect({ basePoints: result.basePoints, given: given(result) }).toEqual({
      basePoints: 125,
      given: { a: 125, b: 250 },
    });
    // Only the rule's points count for qualification.
    expect(result.qualificationPoints).toBe(100);
  });

  test('applies where no earn rule does', () => {
    const nothing = {
      earn: { rules: [rule('never', [{ field: 'purchase.amountMinor', operator: 'lt', value: 0 }])] },
    };
    const result = evaluate([campaign('a', bonus(5)), campaign('b', times(2))], {}, nothing);
    expect({ basePoints: result.basePoints, given: given(result) }).toEqual({
      basePoints: 0,
      given: { a: 5 },
    });
  });

  test('more than 2^53-1 points are refused', () => {
    const huge = campaign('a', bonus(Number.MAX_SAFE_INTEGER));
    expect(evaluatePurchase(input({ program: program({ campaigns: [huge] }) }))).toMatchObject({
      code: 'balance_limit_exceeded',
    });
    const multiplied = campaign('a', times(1_000_000_000));
    const much = input({
      program: program({ campaigns: [multiplied] }),
      purchase: purchase({ amountMinor: 1_000_000_000_000 }),
    });
    expect(evaluatePurchase(much)).toMatchObject({ code: 'balance_limit_exceeded' });
  });
});

describe('whom and when a campaign is for', () => {
  test('conditions, schedule and audiences all have to hold; the first that does not is named', () => {
    const some = campaign('a', bonus(10), {
      schedule: { daysOfWeek: ['wednesday'], hours: { from: 12, to: 13 } },
      audiences: ['vip'],
      conditions: [{ field: 'purchase.channel', operator: 'equals', value: 'app' }],
    });
    const audiences: ProgramDocument['audiences'] = [
      { id: 'vip', match: 'all', conditions: [{ field: 'member.tags', operator: 'equals', value: 'vip' }] },
    ];
    const vip = { member: { ...newcomer, tags: ['vip'] } };
    const app = { purchase: purchase({ channel: 'app' }) };
    const at = (text: string) => ({ evaluationAt: new Date(text) });
    const results = [
      evaluate([some], { ...vip, ...app }, { audiences }),
      evaluate([some], { ...vip, ...app, ...at('2026-03-04T13:00:00Z') }, { audiences }),
      evaluate([some], { ...app }, { audiences }),
      evaluate([some], { ...vip }, { audiences }),
    ];
    expect(results.map((result) => [result.campaignPoints, reason(result, 'a')])).toEqual([
      [10, null],
      [0, "Holds from 12 to 13 o'clock (UTC)."],
      [0, 'The member is not in audience vip: Does not hold: member.tags equals "vip".'],
      [0, 'Does not hold: purchase.channel equals "app".'],
    ]);
  });

  test('history is that before the purchase', () => {
    const first = campaign('first', bonus(10), {
      conditions: [{ field: 'history.purchaseCount', operator: 'equals', value: 0 }],
    });
    const back = campaign('back', bonus(20), {
      conditions: [{ field: 'history.daysSinceLastPurchase', operator: 'gte', value: 60 }],
    });
    const since = (days: number) => ({
      member: { ...newcomer, purchaseCount: 1, lastPurchaseAt: new Date(noon.getTime() - days * 86_400_000) },
    });
    expect(given(evaluate([first, back]))).toEqual({ first: 10 });
    expect(given(evaluate([first, back], since(59)))).toEqual({});
    expect(given(evaluate([first, back], since(60)))).toEqual({ back: 20 });
  });
});

describe('several campaigns', () => {
  test('are asked by priority, then by id, and stack', () => {
    const result = evaluate([
      campaign('b', bonus(1)),
      campaign('z', bonus(2), { priority: 5 }),
      campaign('a', bonus(4)),
      campaign('last', bonus(8), { priority: -1 }),
    ]);
    expect(result.campaigns.map(({ campaignId }) => campaignId)).toEqual(['z', 'a', 'b', 'last']);
    expect(result.campaignPoints).toBe(15);
  });

  test('an exclusive one that comes first ends the list', () => {
    const result = evaluate([
      campaign('a', bonus(1), { stacking: 'exclusive', priority: 1 }),
      campaign('b', bonus(100)),
      campaign('c', bonus(100), { stacking: 'best' }),
    ]);
    expect(given(result)).toEqual({ a: 1 });
    expect({ b: reason(result, 'b'), c: reason(result, 'c') }).toEqual({
      b: 'Campaign "a" is exclusive.',
      c: 'Campaign "a" is exclusive.',
    });
  });

  test('an exclusive one behind another does not apply, and the list goes on', () => {
    const result = evaluate([
      campaign('a', bonus(1)),
      campaign('b', bonus(100), { stacking: 'exclusive' }),
      campaign('c', bonus(10)),
    ]);
    expect(given(result)).toEqual({ a: 1, c: 10 });
    expect(reason(result, 'b')).toBe('It is exclusive, and campaign "a" comes before it.');
  });

  test('an exclusive one applies behind those that do not hold or give nothing', () => {
    const never: Campaign['conditions'] = [{ field: 'purchase.channel', operator: 'equals', value: 'app' }];
    const full = campaign('b', bonus(50), { caps: { totalPoints: 10 } });
    const result = evaluate(
      [
        campaign('a', bonus(1), { conditions: never }),
        full,
        campaign('c', bonus(100), { stacking: 'exclusive' }),
      ],
      used('b', { total: 10 }),
    );
    expect(given(result)).toEqual({ c: 100 });
  });

  test('an exclusive one whose cap is used up stands in nobody’s way', () => {
    const result = evaluate(
      [campaign('a', bonus(9), { stacking: 'exclusive', caps: { totalPoints: 9 } }), campaign('b', bonus(1))],
      used('a', { total: 9 }),
    );
    expect(given(result)).toEqual({ b: 1 });
  });

  test('of the best ones that hold, the one that gives most applies, beside what stacks', () => {
    const result = evaluate([
      campaign('a', bonus(30), { stacking: 'best' }),
      campaign('b', times(2), { stacking: 'best' }),
      campaign('c', bonus(99), { stacking: 'best' }),
      campaign('d', bonus(7)),
    ]);
    expect(given(result)).toEqual({ b: 100, d: 7 });
    expect(reason(result, 'a')).toBe('Campaign "b" gives more, or as much and comes first.');
  });

  test('of best ones that give the same the first applies', () => {
    const two = [
      campaign('b', bonus(5), { stacking: 'best' }),
      campaign('a', bonus(5), { stacking: 'best' }),
    ];
    expect(given(evaluate(two))).toEqual({ a: 5 });
    expect(given(evaluate([{ ...two[0], priority: 1 } as Campaign, two[1] as Campaign]))).toEqual({ b: 5 });
  });

  test('what a best one gives is what its caps leave of it', () => {
    const result = evaluate(
      [
        campaign('a', bonus(100), { stacking: 'best', caps: { totalPoints: 1000 } }),
        campaign('b', bonus(50), { stacking: 'best' }),
      ],
      used('a', { total: 980 }),
    );
    expect(given(result)).toEqual({ b: 50 });
  });
});

describe('caps', () => {
  const capped = campaign('a', bonus(100), {
    caps: { totalPoints: 1000, memberPoints: 300, memberPeriod: { points: 150, period: 'month' } },
  });

  test.each<[string, Partial<CapUse>, number]>([
    ['nothing used', {}, 100],
    ['exactly what is left of the total', { total: 900 }, 100],
    ['one less than needed', { total: 901 }, 99],
    ['the total used up', { total: 1000 }, 0],
    ['the total overdrawn by a lower cap', { total: 2000 }, 0],
    ['what is left of the member', { member: 280 }, 20],
    ['what is left of the month', { memberPeriod: 149 }, 1],
    ['the least of all', { total: 950, member: 270, memberPeriod: 140 }, 10],
  ])('%s', (_what, use, expected) => {
    const result = evaluate([capped], used('a', use));
    expect(result.campaignPoints).toBe(expected);
    expect(result.ruleDecisions.filter(({ kind }) => kind === 'campaign_cap').map(({ id }) => id)).toEqual([
      'a.total',
      'a.member',
      'a.member_month',
    ]);
  });

  test('say what they cut off', () => {
    const result = evaluate([capped], used('a', { total: 950, memberPeriod: 130 }));
    expect(
      result.ruleDecisions
        .filter(({ kind }) => kind === 'campaign' || kind === 'campaign_cap')
        .map(({ id, matched, points, reason: why }) => [id, matched, points, why]),
    ).toEqual([
      ['a', true, 100, null],
      ['a.total', true, -50, '950 of 1000 points of all members were given: 100 became 50.'],
      ['a.member', false, 0, 'Within the cap.'],
      ['a.member_month', true, -30, '130 of 150 points of the member a month were given: 50 became 20.'],
    ]);
  });

  test('of a campaign that does not apply are not asked', () => {
    const result = evaluate([{ ...capped, audiences: [] }]);
    expect(result.ruleDecisions.some(({ kind }) => kind === 'campaign_cap')).toBe(false);
  });
});

test('a multiple beyond what a number holds is cut to its cap, and every decision stays exact', () => {
  const huge = campaign('a', times(1_000_000), { caps: { totalPoints: 1_000 } });
  // 2 × 10^12 base points, a million times.
  const buy = { purchase: purchase({ amountMinor: 200_000_000_000_000 }) };
  const result = evaluatePurchase(input({ program: program({ campaigns: [huge] }), ...buy }));
  if (isRefusal(result)) throw new Error(result.code);
  expect(given(result)).toEqual({ a: 1_000 });
  const points = result.ruleDecisions.map((decision) => decision.points);
  expect(points.map(Number.isSafeInteger)).not.toContain(false);
  expect(points.reduce((sum, each) => sum + BigInt(each), 0n)).toBe(2_000_000_001_000n);
  expect(result.points).toBe(2_000_000_001_000);
});

test('of two best campaigns that give a single point each, one applies', () => {
  const result = evaluate([
    campaign('a', bonus(1), { stacking: 'best' }),
    campaign('b', bonus(1), { stacking: 'best' }),
  ]);
  expect(given(result)).toEqual({ a: 1 });
});

test('of many conditions that all have to hold, the last one counts as the first does', () => {
  const fields = ['purchase.channel', 'profile.tier', 'time.month', 'time.hour'] as const;
  const values = ['web', 'bronze', 3, 12];
  const conditions = fields.map((field, index) => ({
    field,
    operator: 'equals' as const,
    value: values[index] ?? '',
  }));
  expect(evaluate([campaign('a', bonus(7), { conditions })]).campaignPoints).toBe(7);
  fields.forEach((_, index) => {
    const one = conditions.map((condition, place) =>
      place === index ? { ...condition, operator: 'not_equals' as const } : condition,
    );
    expect(evaluate([campaign('a', bonus(7), { conditions: one })]).campaignPoints).toBe(0);
  });
});

describe('points that come from a bonus alone', () => {
  const nothing = { purchase: purchase({ amountMinor: 0 }) };

  test('have the dates of the program’s policies', () => {
    const result = evaluate([campaign('a', bonus(5))], nothing, {
      pending: { days: 2 },
      expiration: { policy: 'rolling_days', days: 10 },
    });
    const daysOn = (days: number) => new Date(noon.getTime() + days * 86_400_000);
    expect({ points: result.points, activatesAt: result.activatesAt, expiresAt: result.expiresAt }).toEqual({
      points: 5,
      activatesAt: daysOn(2),
      expiresAt: daysOn(12),
    });
  });
});

describe('the member limit behind campaigns', () => {
  const limit = (points: number, onExceed: 'trim' | 'reject' = 'trim') => ({
    memberLimit: { points, period: 'month' as const, onExceed },
  });
  const two = [campaign('a', bonus(30), { priority: 1 }), campaign('b', bonus(20))];

  test.each([
    [150, 100, { a: 30, b: 20 }],
    [149, 100, { a: 30, b: 19 }],
    [130, 100, { a: 30 }],
    [101, 100, { a: 1 }],
    [100, 100, {}],
    [60, 60, {}],
    [0, 0, {}],
  ])(
    'of %d points leaves %d base points and %j: the last campaign gives way first',
    (points, base, expected) => {
      const result = evaluate(two, {}, limit(points));
      expect({ basePoints: result.basePoints, given: given(result) }).toEqual({
        basePoints: base,
        given: expected,
      });
    },
  );

  test('takes the coupon’s points first', () => {
    const coupons = [{ code: 'TEN', award: bonus(10) }];
    const buy = { purchase: purchase({ couponCode: 'TEN' }) };
    const result = evaluate(two, buy, { ...limit(145), coupons });
    expect({ given: given(result), coupon: result.coupon }).toEqual({
      given: { a: 30, b: 15 },
      coupon: { code: 'TEN', valid: true, redeemed: true, points: 0 },
    });
  });

  test('that rejects, rejects for campaign points as well', () => {
    const document = program({ campaigns: two, ...limit(149, 'reject') });
    expect(evaluatePurchase(input({ program: document }))).toMatchObject({ code: 'member_limit_reached' });
  });
});

describe('coupons', () => {
  const coupons: ProgramDocument['coupons'] = [
    { code: 'TEN', award: bonus(10), limits: { total: 5, perMember: 2 } },
    { code: 'DOUBLE', award: times(2) },
    { code: 'ONCE', limits: { perMember: 1 } },
    { code: 'MARCH', award: bonus(1), schedule: { until: '2026-03-04T12:00:00Z' } },
    { code: 'VIP', award: bonus(1), audiences: ['vip'] },
  ];
  const audiences: ProgramDocument['audiences'] = [
    { id: 'vip', match: 'all', conditions: [{ field: 'member.tags', operator: 'equals', value: 'vip' }] },
  ];
  const use = (couponCode: string, more: Partial<PurchaseEvaluationInput> = {}) =>
    evaluate([], { purchase: purchase({ couponCode }), ...more }, { coupons, audiences });

  test.each<[string, Partial<PurchaseEvaluationInput>, number | null, string | null]>([
    ['TEN', {}, 10, null],
    ['DOUBLE', {}, 100, null],
    ['ONCE', {}, 0, null],
    ['VIP', { member: { ...newcomer, tags: ['vip'] } }, 1, null],
    ['ten', {}, null, 'Unknown coupon.'],
    ['NONE', {}, null, 'Unknown coupon.'],
    ['TEN', { couponUsed: { total: 4, member: 1 } }, 10, null],
    ['TEN', { couponUsed: { total: 5, member: 0 } }, null, 'All 5 uses are taken.'],
    ['TEN', { couponUsed: { total: 2, member: 2 } }, null, 'The member has used it 2 times already.'],
    ['ONCE', { couponUsed: { total: 0, member: 1 } }, null, 'The member has used it once already.'],
    ['MARCH', { evaluationAt: new Date('2026-03-04T11:59:59Z') }, 1, null],
    ['MARCH', {}, null, 'Ended at 2026-03-04T12:00:00Z.'],
    ['VIP', {}, null, 'The member is not in audience vip: Does not hold: member.tags equals "vip".'],
  ])('%s %j gives %p points: %p', (code, more, points, why) => {
    const result = use(code, more);
    expect(result.coupon).toEqual({ code, valid: why === null, redeemed: why === null, points: points ?? 0 });
    expect(result.ruleDecisions.find(({ kind }) => kind === 'coupon')).toEqual({
      kind: 'coupon',
      id: code,
      matched: why === null,
      reason: why,
      points: points ?? 0,
    });
    expect(result).toMatchObject({ basePoints: 100, campaignPoints: points ?? 0 });
  });

  test('hold on the days of the program’s own clock', () => {
    // In Auckland it is Thursday already.
    const thursdays: ProgramDocument['coupons'] = [
      { code: 'THU', award: bonus(3), schedule: { daysOfWeek: ['thursday'] } },
    ];
    const buy = { purchase: purchase({ couponCode: 'THU' }) };
    const there = evaluate([], buy, { coupons: thursdays, timeZone: 'Pacific/Auckland' });
    expect(there.coupon).toMatchObject({ redeemed: true, points: 3 });
    expect(evaluate([], buy, { coupons: thursdays }).coupon).toMatchObject({ redeemed: false, points: 0 });
  });

  test('apply beside an exclusive campaign', () => {
    const exclusive = campaign('a', bonus(5), { stacking: 'exclusive' });
    const result = evaluate(
      [exclusive],
      { purchase: purchase({ couponCode: 'TEN' }) },
      { coupons, audiences },
    );
    expect({ given: given(result), campaignPoints: result.campaignPoints }).toEqual({
      given: { a: 5 },
      campaignPoints: 15,
    });
  });

  test('no code, no coupon', () => {
    const result = evaluate([], {}, { coupons, audiences });
    expect({
      coupon: result.coupon,
      decisions: result.ruleDecisions.filter(({ kind }) => kind === 'coupon'),
    }).toEqual({ coupon: null, decisions: [] });
  });
});

test('a program without campaigns decides as it did', () => {
  const result = evaluate(
    [],
    { profile: { tier: 'gold', qualificationPoints: 0 } },
    { tiers: [tier('gold', 0, 3, 2)] },
  );
  expect(result.ruleDecisions.map(({ kind }) => kind)).toEqual(['earn_rule', 'tier']);
  expect({ points: result.points, campaigns: result.campaigns }).toEqual({ points: 150, campaigns: [] });
});
