import { describe, expect, test } from '@jest/globals';
import { purchaseEarn } from '../../../src/commands/earning/purchase-earn.ts';
import type { EventData } from '../../../src/ledger/command.ts';
import type { Campaign } from '../../../src/programs/document/campaign-document.ts';
import type { ProgramDocument } from '../../../src/programs/document/program-document.ts';
import { codeOf, counter, Desk, daysFrom, receiptOf, rows } from '../../support/commands/desk.ts';
import { noon, program } from '../../support/rules/fixtures.ts';

function campaign(id: string, bonusPoints: number, more: Partial<Campaign> = {}): Campaign {
  return { id, match: 'all', conditions: [], award: { bonusPoints }, ...more };
}

interface Earned {
  award: { points: number; basePoints: number; campaignPoints: number };
  campaigns: { campaignId: string; points: number }[];
  coupon: { code: string; valid: boolean; redeemed: boolean } | null;
  evidence: Record<string, unknown>;
  ruleDecisions: { kind: string; id: string; reason: string | null; points: number }[];
}

function earn(desk: Desk, overrides: Parameters<Desk['earn']>[0] = {}): Earned {
  return receiptOf(desk.earn(overrides)) as unknown as Earned;
}

/** A desk where ann and bob are enrolled. */
function two(document: Partial<ProgramDocument>): Desk {
  const desk = counter(document);
  desk.createMember({ externalCustomerId: 'bob' });
  desk.enroll({ externalCustomerId: 'bob' });
  return desk;
}

function shared(desk: Desk): Record<string, number> {
  return Object.fromEntries(rows(desk.store.tables.sharedCounters).map((row) => [row.counterId, row.taken]));
}

/** The data of the events that caps were reached. */
function reached(desk: Desk): EventData[] {
  return desk.store.webhookEvents
    .filter(({ type }) => type === 'campaign.cap_reached')
    .map(({ data }) => data);
}

function ofMembers(desk: Desk): [string, string, number][] {
  return rows(desk.store.tables.limitCounters)
    .map((row): [string, string, number] => [row.limitId, row.periodStart.toISOString(), row.points])
    .sort((a, b) => a[0].localeCompare(b[0]) || a[1].localeCompare(b[1]) || a[2] - b[2]);
}

describe('campaigns with a purchase', () => {
  test('are in the award, the lot, the order and the event', () => {
    const desk = counter({ campaigns: [campaign('spring', 50)] });
    const { award, campaigns } = earn(desk, { sourceReference: 'order-1' });
    expect(award).toEqual({ points: 150, basePoints: 100, campaignPoints: 50 });
    expect(campaigns).toEqual([{ campaignId: 'spring', points: 50 }]);
    const { tables, webhookEvents } = desk.store;
    expect(rows(tables.lots).map(({ granted }) => granted)).toEqual([150]);
    expect(rows(tables.orders).map(({ points }) => points)).toEqual([150]);
    expect(desk.profile()).toMatchObject({ available: 150, qualificationPoints: 100 });
    expect(webhookEvents.findLast(({ type }) => type === 'points.earned')?.data).toMatchObject({
      points: 150,
      basePoints: 100,
      campaignPoints: 50,
    });
    // Campaign points go back with the order.
    desk.return({ sourceReference: 'order-1', returnReference: 'r-1', returnAmountMinor: 5_000 });
    expect(desk.profile().available).toBe(75);
  });

  test('look at the member’s history before the purchase, its tags and lists', () => {
    const desk = counter({
      audiences: [
        { id: 'vip', match: 'all', conditions: [{ field: 'member.tags', operator: 'equals', value: 'vip' }] },
      ],
      campaigns: [
        campaign('first', 10, {
          conditions: [{ field: 'history.purchaseCount', operator: 'equals', value: 0 }],
        }),
        campaign('vip', 1, { audiences: ['vip'] }),
        campaign('spent', 100, {
          conditions: [{ field: 'history.purchaseAmountMinor', operator: 'gte', value: 20_000 }],
        }),
      ],
    });
    expect(earn(desk).award.campaignPoints).toBe(10);
    desk.setMember({ tags: ['vip'] });
    expect(earn(desk, { sourceReference: 'order-2' }).award.campaignPoints).toBe(1);
    expect(earn(desk, { sourceReference: 'order-3' }).award.campaignPoints).toBe(101);
    // Returned value no longer counts as spent; the purchase still counts as one.
    desk.return({ sourceReference: 'order-2', returnReference: 'r', returnAmountMinor: 10_000 });
    desk.return({ sourceReference: 'order-3', returnReference: 's', returnAmountMinor: 1 });
    expect(desk.profile()).toMatchObject({ purchaseCount: 3, purchaseAmountMinor: 19_999 });
    expect(earn(desk).award.campaignPoints).toBe(1);
  });

  test('history says when the first and the last purchase were, in whatever order they come', () => {
    const desk = counter();
    for (const days of [-2, -9, -1, -4]) desk.earn({ occurredAt: daysFrom(noon, days).toISOString() });
    expect(desk.profile()).toMatchObject({
      purchaseCount: 4,
      purchaseAmountMinor: 40_000,
      firstPurchaseAt: daysFrom(noon, -9),
      lastPurchaseAt: daysFrom(noon, -1),
    });
  });
});

describe('caps', () => {
  test('of all members together end exactly', () => {
    const desk = two({ campaigns: [campaign('spring', 70, { caps: { totalPoints: 200 } })] });
    const given = ['ann', 'bob', 'ann', 'bob'].map(
      (externalCustomerId) => earn(desk, { externalCustomerId }).award.campaignPoints,
    );
    expect(given).toEqual([70, 70, 60, 0]);
    expect(shared(desk)).toEqual({ 'campaign:spring': 200 });
  });

  test('of all members hold within one batch', () => {
    const desk = two({ campaigns: [campaign('spring', 70, { caps: { totalPoints: 100 } })] });
    const commands = ['ann', 'bob', 'ann'].map((externalCustomerId) =>
      purchaseEarn(desk.purchaseInput({ externalCustomerId }), desk.caller),
    );
    const outcomes = desk.store.runBatch(commands, desk.now);
    expect(outcomes.map((each) => (receiptOf(each) as unknown as Earned).award.campaignPoints)).toEqual([
      70, 30, 0,
    ]);
    expect(shared(desk)).toEqual({ 'campaign:spring': 100 });
  });

  test('of each member, in all and a period, are each member’s own', () => {
    const caps = { memberPoints: 100, memberPeriod: { points: 60, period: 'month' as const } };
    const desk = two({ campaigns: [campaign('spring', 50, { caps })] });
    const earned = (externalCustomerId: string) => earn(desk, { externalCustomerId }).award.campaignPoints;
    expect({ first: earned('ann'), second: earned('ann'), ofBob: earned('bob') }).toEqual({
      first: 50,
      second: 10,
      ofBob: 50,
    });
    desk.now = new Date('2026-04-01T00:00:00Z');
    expect({ inApril: earned('ann'), againInApril: earned('ann') }).toEqual({ inApril: 40, againInApril: 0 });
    expect(ofMembers(desk)).toEqual([
      ['campaign:spring', '1970-01-01T00:00:00.000Z', 50],
      ['campaign:spring', '1970-01-01T00:00:00.000Z', 100],
      ['campaign:spring.month', '2026-03-01T00:00:00.000Z', 50],
      ['campaign:spring.month', '2026-03-01T00:00:00.000Z', 60],
      ['campaign:spring.month', '2026-04-01T00:00:00.000Z', 40],
    ]);
    expect(shared(desk)).toEqual({});
  });

  test('of a period alone hold from purchase to purchase', () => {
    const caps = { memberPeriod: { points: 60, period: 'day' as const } };
    const desk = counter({ campaigns: [campaign('spring', 50, { caps })] });
    const earned = () => earn(desk).award.campaignPoints;
    expect({ first: earned(), second: earned(), third: earned() }).toEqual({
      first: 50,
      second: 10,
      third: 0,
    });
    desk.now = new Date('2026-03-05T00:00:00Z');
    expect(earned()).toBe(50);
  });

  test('of a member alone hold from purchase to purchase', () => {
    const desk = counter({ campaigns: [campaign('spring', 50, { caps: { memberPoints: 60 } })] });
    expect([1, 2, 3].map(() => earn(desk).award.campaignPoints)).toEqual([50, 10, 0]);
  });

  test('count what is left after the member limit', () => {
    const desk = two({
      campaigns: [campaign('spring', 70, { caps: { totalPoints: 200 } })],
      memberLimit: { points: 110, period: 'lifetime', onExceed: 'trim' },
    });
    expect(earn(desk).campaigns).toEqual([{ campaignId: 'spring', points: 10 }]);
    expect(shared(desk)).toEqual({ 'campaign:spring': 10 });
  });

  test('go on counting under the next version of the campaign', () => {
    const first = program({ campaigns: [campaign('spring', 70, { caps: { totalPoints: 100 } })] });
    const desk = new Desk();
    desk.publish(first);
    desk.createMember();
    desk.enroll();
    expect(earn(desk).award.campaignPoints).toBe(70);
    const versions = [
      { version: 1, effectiveFrom: daysFrom(noon, -9), publishedAt: daysFrom(noon, -9), document: first },
    ];
    const next = program({ campaigns: [campaign('spring', 70, { caps: { totalPoints: 120 } })] });
    desk.publish(next, { versions, effectiveFrom: daysFrom(noon, -1) });
    expect(earn(desk).award.campaignPoints).toBe(50);
    // A purchase that is pinned to the first version finds its cap used up.
    const svcEvaluation = {
      mode: 'event_time_pinned_configuration',
      configurationVersion: 1,
      memberTier: 'bronze',
    };
    const pinned = earn(desk, {
      occurredAt: daysFrom(noon, -2).toISOString(),
      context: { attributes: { svcEvaluation } },
    });
    expect(pinned.award.campaignPoints).toBe(0);
    expect(shared(desk)).toEqual({ 'campaign:spring': 120 });
  });

  test.each<[cap: number, each: number, told: [number, number][]]>([
    [
      200,
      70,
      [
        [80, 200],
        [100, 200],
      ],
    ],
    [
      100,
      79,
      [
        [80, 100],
        [100, 100],
      ],
    ],
    [
      100,
      80,
      [
        [80, 80],
        [100, 100],
      ],
    ],
    [
      1,
      5,
      [
        [80, 1],
        [100, 1],
      ],
    ],
    [
      3,
      1,
      [
        [80, 3],
        [100, 3],
      ],
    ],
    [1_000, 20, []],
    [
      7,
      1,
      [
        [80, 6],
        [100, 7],
      ],
    ],
  ])('of %i points, by %i, tell once of 80 and of 100 percent', (totalPoints, points, told) => {
    const desk = two({ campaigns: [campaign('spring', points, { caps: { totalPoints } })] });
    for (let index = 0; index < 9; index++) earn(desk, { externalCustomerId: index % 2 ? 'ann' : 'bob' });
    expect(reached(desk)).toEqual(
      told.map(([percent, givenPoints]) => ({
        ...{ programId: 'coffee-club', campaignId: 'spring' },
        ...{ percent, capPoints: totalPoints, givenPoints },
      })),
    );
  });

  test('tell of it within one batch, and again where a version raises them', () => {
    const capped = (totalPoints: number) =>
      program({ campaigns: [campaign('spring', 70, { caps: { totalPoints } })] });
    const desk = two(capped(100));
    const commands = ['ann', 'bob', 'ann'].map((externalCustomerId) =>
      purchaseEarn(desk.purchaseInput({ externalCustomerId }), desk.caller),
    );
    desk.store.runBatch(commands, desk.now);
    desk.publish(capped(150));
    earn(desk);
    expect(reached(desk).map(({ percent, capPoints }) => [percent, capPoints])).toEqual([
      [80, 100],
      [100, 100],
      [80, 150],
      [100, 150],
    ]);
  });

  test('what was used stands in the evidence, and nothing where nothing was', () => {
    const desk = counter({ campaigns: [campaign('spring', 70, { caps: { totalPoints: 100 } })] });
    expect(Object.keys(earn(desk).evidence)).not.toContain('capsUsed');
    expect(earn(desk).evidence).toMatchObject({
      capsUsed: [{ campaignId: 'spring', total: 70, member: 0, memberPeriod: 0 }],
    });
  });
});

test('the member limit counts what campaigns and coupons gave before', () => {
  const desk = counter({
    campaigns: [campaign('spring', 50)],
    coupons: [{ code: 'TEN', award: { bonusPoints: 10 } }],
    memberLimit: { points: 300, period: 'month', onExceed: 'trim' },
  });
  const awards = [1, 2, 3].map(() => earn(desk, { couponCode: 'TEN' }).award);
  expect(awards.map(({ basePoints, campaignPoints }) => [basePoints, campaignPoints])).toEqual([
    [100, 60],
    [100, 40],
    [0, 0],
  ]);
  expect(desk.profile().available).toBe(300);
});

test.each<[string, Partial<ProgramDocument>]>([
  [
    'an earn rule',
    { earn: { rules: [{ ...program().earn.rules[0], ...vips() } as ProgramDocument['earn']['rules'][0]] } },
  ],
  ['a campaign', { campaigns: [campaign('spring', 5, vips())] }],
  ['an audience', { audiences: [{ id: 'vips', ...vips() }] }],
])('what is known of the member is evidence where %s looks at its tags', (_what, document) => {
  const desk = counter(document);
  desk.setMember({ tags: ['vip'] });
  expect(earn(desk).evidence.member).toMatchObject({ tags: ['vip'], purchaseCount: 0 });
  expect(Object.keys(earn(counter()).evidence)).not.toContain('member');
});

function vips(): Pick<Campaign, 'match' | 'conditions'> {
  return { match: 'all', conditions: [{ field: 'member.tags', operator: 'equals', value: 'vip' }] };
}

describe('coupons', () => {
  const coupons: ProgramDocument['coupons'] = [
    { code: 'TEN', award: { bonusPoints: 10 }, limits: { total: 3, perMember: 2 } },
    { code: 'FREE' },
  ];

  test('are redeemed up to their limits, and never cost the purchase its points', () => {
    const desk = two({ coupons });
    const use = (externalCustomerId: string, couponCode = 'TEN') => {
      const { award, coupon } = earn(desk, { externalCustomerId, couponCode });
      return [award.basePoints, award.campaignPoints, coupon];
    };
    const redeemed = { code: 'TEN', valid: true, redeemed: true };
    const refused = { code: 'TEN', valid: false, redeemed: false };
    expect(use('ann')).toEqual([100, 10, redeemed]);
    expect(use('ann')).toEqual([100, 10, redeemed]);
    expect(use('ann')).toEqual([100, 0, refused]);
    expect(use('bob')).toEqual([100, 10, redeemed]);
    expect(use('bob')).toEqual([100, 0, refused]);
    expect(use('bob', 'ten')).toEqual([100, 0, { ...refused, code: 'ten' }]);
    expect(use('bob', 'FREE')).toEqual([100, 0, { ...redeemed, code: 'FREE' }]);
    expect(shared(desk)).toEqual({ 'coupon:TEN': 3 });
    expect(ofMembers(desk).map(([id, , uses]) => [id, uses])).toEqual([
      ['coupon:TEN', 1],
      ['coupon:TEN', 2],
    ]);
  });

  test('are read without the spaces that came at either end, and counted as the same', () => {
    const desk = two({ coupons });
    const typed = (couponCode: string) => earn(desk, { couponCode }).coupon;
    expect(typed(' TEN')).toEqual({ code: 'TEN', valid: true, redeemed: true });
    expect(typed('TEN\t\n')).toEqual({ code: 'TEN', valid: true, redeemed: true });
    expect(typed('TEN')).toEqual({ code: 'TEN', valid: false, redeemed: false });
    expect(shared(desk)).toEqual({ 'coupon:TEN': 2 });
    for (const unknown of ['', '   ', 'T\u0007EN', '🎁']) {
      const { award, coupon, ruleDecisions } = earn(desk, { couponCode: unknown });
      const code = unknown.trim();
      expect({ points: award.points, coupon }).toEqual({
        points: 100,
        coupon: { code, valid: false, redeemed: false },
      });
      expect(ruleDecisions).toContainEqual(
        expect.objectContaining({ kind: 'coupon', id: code, matched: false, reason: 'Unknown coupon.' }),
      );
    }
  });

  test('a replay redeems nothing again', () => {
    const desk = counter({ coupons });
    const input = desk.purchaseInput({ couponCode: 'TEN' });
    desk.run(purchaseEarn(input, desk.caller));
    expect(codeOf(desk.run(purchaseEarn(input, desk.caller)))).toBe('replayed');
    expect(shared(desk)).toEqual({ 'coupon:TEN': 1 });
  });

  test('points of a coupon are no campaign’s, and stand in its decision', () => {
    const { campaigns, ruleDecisions } = earn(counter({ coupons }), { couponCode: 'TEN' });
    expect({ campaigns, ruleDecisions: ruleDecisions.at(-1) }).toEqual({
      campaigns: [],
      ruleDecisions: { kind: 'coupon', id: 'TEN', matched: true, reason: null, points: 10 },
    });
  });
});

test('a program without caps names no shared counter and keeps none', () => {
  const desk = counter({
    campaigns: [campaign('spring', 70)],
    coupons: [{ code: 'X', award: { bonusPoints: 1 } }],
  });
  const command = purchaseEarn(desk.purchaseInput({ couponCode: 'X' }), desk.caller);
  const subject = command.subjects.find((each) => each.kind === 'sharedCounters');
  const published = { programId: 'coffee-club', versions: [] };
  expect(subject?.kind === 'sharedCounters' && subject.counterIds(published, new Date())).toEqual([]);
  earn(desk, { couponCode: 'X' });
  expect({ shared: shared(desk), ofMembers: ofMembers(desk) }).toEqual({ shared: {}, ofMembers: [] });
});
