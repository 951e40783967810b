import type { MemberLimit } from '../../../src/programs/document/program-document.ts';
import { bonus, campaign, coupon, plain, times, type WorkedExample, when } from './example.ts';

const limit = (points: number, onExceed: MemberLimit['onExceed'] = 'trim') => ({
  memberLimit: { points, period: 'month' as const, onExceed },
});
const two = { campaigns: [campaign('a', bonus(30), { priority: 1 }), campaign('b', bonus(20))] };
const laid = [...plain(100), 'campaign a 30', 'campaign b 20'];

/** The member limit, applied after base points, campaigns and coupon. */
export const limitExamples: WorkedExample[] = [
  {
    name: 'all of it fits',
    arithmetic: '100 ≤ 500 − 400',
    program: limit(500),
    limitUsed: 400,
    expected: { base: 100, points: 100, decisions: [...plain(100), 'member_limit member_limit no'] },
  },
  {
    name: 'trimmed to what is left',
    arithmetic: '500 − 450 = 50',
    program: limit(500),
    limitUsed: 450,
    expected: { base: 50, points: 50, decisions: [...plain(100), 'member_limit member_limit -50'] },
  },
  {
    name: 'overdrawn by a lower limit',
    arithmetic: '500 − 700 < 0: nothing',
    program: limit(500),
    limitUsed: 700,
    expected: { base: 0, points: 0, decisions: [...plain(100), 'member_limit member_limit -100'] },
  },
  {
    name: 'campaign points go first, those of the last campaign before',
    arithmetic: '100 + 30 + 20 = 150; 150 − 140 = 10 of b',
    program: { ...two, ...limit(140) },
    expected: {
      base: 100,
      campaigns: { a: 30, b: 10 },
      points: 140,
      decisions: [...laid, 'member_limit member_limit -10'],
    },
  },
  {
    name: 'then those of the campaign before',
    arithmetic: '150 − 125 = 25: 20 of b, 5 of a',
    program: { ...two, ...limit(125) },
    expected: {
      base: 100,
      campaigns: { a: 25 },
      points: 125,
      decisions: [...laid, 'member_limit member_limit -25'],
    },
  },
  {
    name: 'then base points',
    arithmetic: '150 − 60 = 90: 20 of b, 30 of a, 40 base',
    program: { ...two, ...limit(60) },
    expected: { base: 60, points: 60, decisions: [...laid, 'member_limit member_limit -90'] },
  },
  {
    name: 'the coupon’s points go before all',
    arithmetic: '150 + 10 = 160; 160 − 145 = 15: 10 of the coupon, 5 of b',
    program: { ...two, ...limit(145), coupons: [coupon('TEN', bonus(10))] },
    purchase: { couponCode: 'TEN' },
    expected: {
      base: 100,
      campaigns: { a: 30, b: 15 },
      coupon: 0,
      points: 145,
      decisions: [...laid, 'coupon TEN 10', 'member_limit member_limit -15'],
    },
  },
  {
    name: 'reject, one point too many',
    arithmetic: '150 > 149',
    program: { ...two, ...limit(149, 'reject') },
    expected: { refused: 'member_limit_reached' },
  },
  {
    name: 'reject, exactly full',
    arithmetic: '150 = 150',
    program: { ...two, ...limit(150, 'reject') },
    expected: {
      base: 100,
      campaigns: { a: 30, b: 20 },
      points: 150,
      decisions: [...laid, 'member_limit member_limit no'],
    },
  },
  {
    name: 'reject, nothing earned',
    arithmetic: '0 > 0 is not so, though 700 of 500 are used',
    program: limit(500, 'reject'),
    limitUsed: 700,
    purchase: { amountMinor: 99 },
    expected: { base: 0, points: 0, decisions: [...plain(0), 'member_limit member_limit no'] },
  },
];

const tags = {
  audiences: [{ id: 'vip', match: 'all' as const, conditions: [when('member.tags', 'equals', 'vip')] }],
};
const march = { schedule: { until: '2026-03-04T12:00:00Z' } };

function typed(
  name: string,
  arithmetic: string,
  code: string,
  points: number | null,
  more: Partial<WorkedExample> = {},
): WorkedExample {
  const coupons = [
    coupon('TEN', bonus(10), { limits: { total: 5, perMember: 2 } }),
    coupon('HALF', times(3, 2, 'ceil')),
    { code: 'GIFT' },
    coupon('MARCH', bonus(1), march),
    coupon('VIP', bonus(4), { audiences: ['vip'] }),
  ];
  return {
    name,
    arithmetic,
    purchase: { couponCode: code },
    ...more,
    program: { ...tags, coupons, ...more.program },
    expected: {
      base: 100,
      coupon: points ?? 'invalid',
      points: 100 + (points ?? 0),
      decisions: [...plain(100), `coupon ${code} ${points ?? 'no'}`],
    },
  };
}

/** Coupons on a purchase. */
export const couponExamples: WorkedExample[] = [
  typed('bonus points', '100 + 10 = 110', 'TEN', 10),
  typed('a multiplier', '100 × 1/2 = 50; 150', 'HALF', 50),
  typed('one that gives no points is redeemed', '100 + 0', 'GIFT', 0),
  typed('an unknown one costs nothing', '100 + 0', 'NONE', null),
  typed('nothing but spaces is an unknown one', '100 + 0', '', null),
  typed('capitals count', '100 + 0', 'ten', null),
  typed('the last of all uses', '4 < 5: 100 + 10 = 110', 'TEN', 10, { couponUsed: { total: 4, member: 1 } }),
  typed('all uses are taken', '5 of 5', 'TEN', null, { couponUsed: { total: 5, member: 0 } }),
  typed('the member’s uses are taken', '2 of 2', 'TEN', null, { couponUsed: { total: 3, member: 2 } }),
  typed('before it ends', '11:59:59.999 is before noon', 'MARCH', 1, { at: '2026-03-04T11:59:59.999Z' }),
  typed('the instant at which it ends', 'noon is not before noon', 'MARCH', null),
  typed('for an audience that the member is in', '100 + 4 = 104', 'VIP', 4, { member: { tags: ['vip'] } }),
  typed('for an audience that the member is not in', '100 + 0', 'VIP', null),
  {
    name: 'beside an exclusive campaign',
    arithmetic: '100 + 5 + 10 = 115',
    program: {
      campaigns: [campaign('a', bonus(5), { stacking: 'exclusive' })],
      coupons: [coupon('TEN', bonus(10))],
    },
    purchase: { couponCode: 'TEN' },
    expected: {
      base: 100,
      campaigns: { a: 5 },
      coupon: 10,
      points: 115,
      decisions: [...plain(100), 'campaign a 5', 'coupon TEN 10'],
    },
  },
];
