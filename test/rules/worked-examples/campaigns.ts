import type { Campaign } from '../../../src/programs/document/campaign-document.ts';
import { rule } from '../../support/rules/fixtures.ts';
import { bonus, campaign, plain, times, type WorkedExample, when } from './example.ts';

function laid(
  name: string,
  arithmetic: string,
  campaigns: Campaign[],
  given: Record<string, number>,
  points: number,
  decisions: string[],
  more: Partial<WorkedExample> = {},
  base = plain(100),
): WorkedExample {
  const basePoints = points - Object.values(given).reduce((sum, one) => sum + one, 0);
  return {
    name,
    arithmetic,
    ...more,
    program: { campaigns, ...more.program },
    expected: { base: basePoints, campaigns: given, points, decisions: [...base, ...decisions] },
  };
}

/** Bonus points and multipliers. */
export const awardExamples: WorkedExample[] = [
  laid('bonus points', '100 + 50 = 150', [campaign('a', bonus(50))], { a: 50 }, 150, ['campaign a 50']),
  laid(
    'a multiplier of 2 doubles',
    '100 × (2 − 1) = 100; 100 + 100 = 200',
    [campaign('a', times(2))],
    { a: 100 },
    200,
    ['campaign a 100'],
  ),
  laid(
    'a multiplier of 4/3, floor',
    '100 × 1/3 = 33.3…, floor 33; 133',
    [campaign('a', times(4, 3))],
    { a: 33 },
    133,
    ['campaign a 33'],
  ),
  laid(
    'a multiplier of 4/3, ceil',
    '100 × 1/3 = 33.3…, ceil 34; 134',
    [campaign('a', times(4, 3, 'ceil'))],
    { a: 34 },
    134,
    ['campaign a 34'],
  ),
  laid(
    'a multiplier of 3/2, half up',
    '33 × 1/2 = 16.5, half up 17; 33 + 17 = 50',
    [campaign('a', times(3, 2, 'nearest_half_up'))],
    { a: 17 },
    50,
    ['campaign a 17'],
    { purchase: { amountMinor: 3_300 } },
    plain(33),
  ),
  laid(
    'a multiplier of 3/2, half even down',
    '33 × 1/2 = 16.5, half even 16; 33 + 16 = 49',
    [campaign('a', times(3, 2, 'nearest_half_even'))],
    { a: 16 },
    49,
    ['campaign a 16'],
    { purchase: { amountMinor: 3_300 } },
    plain(33),
  ),
  laid(
    'a multiplier of 3/2, half even up',
    '35 × 1/2 = 17.5, half even 18; 35 + 18 = 53',
    [campaign('a', times(3, 2, 'nearest_half_even'))],
    { a: 18 },
    53,
    ['campaign a 18'],
    { purchase: { amountMinor: 3_500 } },
    plain(35),
  ),
  laid(
    'a multiplier works on the points after the tier',
    '100 × 5/4 = 125; 125 × 1 = 125; 250',
    [campaign('a', times(2))],
    { a: 125 },
    250,
    ['campaign a 125'],
    { profile: { tier: 'silver', qualificationPoints: 0 } },
    ['earn_rule base 100', 'tier silver 25'],
  ),
  laid(
    'multipliers do not compound',
    '100 × 1 + 100 × 2 = 300; 100 + 300 = 400, not 600',
    [campaign('a', times(2)), campaign('b', times(3))],
    { a: 100, b: 200 },
    400,
    ['campaign a 100', 'campaign b 200'],
  ),
  laid(
    'a multiplier does not multiply bonus points',
    '100 + 50 + 100 × 1 = 250',
    [campaign('a', bonus(50)), campaign('b', times(2))],
    { a: 50, b: 100 },
    250,
    ['campaign a 50', 'campaign b 100'],
  ),
  laid(
    'without base points there is a bonus and nothing to multiply',
    '0 + 5 + 0 × 1 = 5',
    [campaign('a', bonus(5)), campaign('b', times(2))],
    { a: 5 },
    5,
    ['campaign a 5', 'campaign b 0'],
    { program: { earn: { rules: [rule('never', [when('purchase.amountMinor', 'lt', 1)])] } } },
    ['earn_rule never no', 'tier bronze no'],
  ),
  laid(
    'conditions as those of rules',
    'a: the web is not the store; b: 100 ≥ 100; 100 + 7 = 107',
    [
      campaign('a', bonus(50), { conditions: [when('purchase.channel', 'equals', 'store')] }),
      campaign('b', bonus(7), { conditions: [when('purchase.amountMinor', 'gte', 10_000)] }),
    ],
    { b: 7 },
    107,
    ['campaign a no', 'campaign b 7'],
  ),
  {
    name: 'a bonus beyond 2^53-1',
    arithmetic: '100 + 9,007,199,254,740,991 is refused',
    program: { campaigns: [campaign('a', bonus(Number.MAX_SAFE_INTEGER))] },
    expected: { refused: 'balance_limit_exceeded' },
  },
];

const exclusive = { stacking: 'exclusive' as const };
const best = { stacking: 'best' as const };

/** Orders of campaigns. */
export const stackingExamples: WorkedExample[] = [
  laid(
    'by priority, then by id',
    'z (5), a, b, y (−1): 100 + 2 + 4 + 1 + 8 = 115',
    [
      campaign('b', bonus(1)),
      campaign('z', bonus(2), { priority: 5 }),
      campaign('y', bonus(8), { priority: -1 }),
      campaign('a', bonus(4)),
    ],
    { z: 2, a: 4, b: 1, y: 8 },
    115,
    ['campaign z 2', 'campaign a 4', 'campaign b 1', 'campaign y 8'],
  ),
  laid(
    'ids are compared by code units: Z before a',
    '100 + 1 + 2 = 103',
    [campaign('a', bonus(2)), campaign('Z', bonus(1))],
    { Z: 1, a: 2 },
    103,
    ['campaign Z 1', 'campaign a 2'],
  ),
  laid(
    'an exclusive one that comes first ends the list',
    '100 + 10 = 110',
    [campaign('a', bonus(10), exclusive), campaign('b', bonus(99)), campaign('c', bonus(99), best)],
    { a: 10 },
    110,
    ['campaign a 10', 'campaign b no', 'campaign c no'],
  ),
  laid(
    'an exclusive one behind another does not apply',
    '100 + 10 + 1 = 111',
    [campaign('a', bonus(10)), campaign('b', bonus(99), exclusive), campaign('c', bonus(1))],
    { a: 10, c: 1 },
    111,
    ['campaign a 10', 'campaign b no', 'campaign c 1'],
  ),
  laid(
    'of two exclusive ones the higher priority',
    '100 + 5 = 105',
    [campaign('a', bonus(99), exclusive), campaign('b', bonus(5), { ...exclusive, priority: 1 })],
    { b: 5 },
    105,
    ['campaign b 5', 'campaign a no'],
  ),
  laid(
    'of two exclusive ones of one priority the smaller id',
    '100 + 99 = 199',
    [campaign('b', bonus(5), exclusive), campaign('a', bonus(99), exclusive)],
    { a: 99 },
    199,
    ['campaign a 99', 'campaign b no'],
  ),
  laid(
    'one that does not hold is not in an exclusive one’s way',
    '100 + 9 = 109',
    [
      campaign('a', bonus(1), { conditions: [when('purchase.channel', 'equals', 'app')] }),
      campaign('b', bonus(9), exclusive),
    ],
    { b: 9 },
    109,
    ['campaign a no', 'campaign b 9'],
  ),
  laid(
    'best: the multiplier gives more',
    '100 × 1 = 100 > 30; 100 + 100 = 200',
    [campaign('a', bonus(30), best), campaign('b', times(2), best)],
    { b: 100 },
    200,
    ['campaign a no', 'campaign b 100'],
  ),
  laid(
    'best: the bonus gives more',
    '20 × 1 = 20 < 30; 20 + 30 = 50',
    [campaign('a', bonus(30), best), campaign('b', times(2), best)],
    { a: 30 },
    50,
    ['campaign a 30', 'campaign b no'],
    { purchase: { amountMinor: 2_000 } },
    plain(20),
  ),
  laid(
    'best: of equals the smaller id',
    '100 × 1 = 100 = 100; 100 + 100 = 200',
    [campaign('b', bonus(100), best), campaign('a', times(2), best)],
    { a: 100 },
    200,
    ['campaign a 100', 'campaign b no'],
  ),
  laid(
    'best: of equals the higher priority',
    '100 + 100 = 200',
    [campaign('b', bonus(100), { ...best, priority: 1 }), campaign('a', times(2), best)],
    { b: 100 },
    200,
    ['campaign b 100', 'campaign a no'],
  ),
  laid(
    'best: beside what stacks',
    '100 + 7 + 50 = 157',
    [campaign('a', bonus(40), best), campaign('b', bonus(7)), campaign('c', bonus(50), best)],
    { b: 7, c: 50 },
    157,
    ['campaign a no', 'campaign b 7', 'campaign c 50'],
  ),
  laid(
    'best: one that does not hold does not compete',
    '100 + 40 = 140',
    [
      campaign('a', bonus(40), best),
      campaign('b', bonus(99), { ...best, conditions: [when('purchase.channel', 'equals', 'app')] }),
    ],
    { a: 40 },
    140,
    ['campaign a 40', 'campaign b no'],
  ),
  laid(
    'best behind an exclusive one is out, and the lesser one does not return',
    'c is the best of a and c; b ends the list before it: 100 + 3 = 103',
    [campaign('a', bonus(5), best), campaign('b', bonus(3), exclusive), campaign('c', bonus(9), best)],
    { b: 3 },
    103,
    ['campaign a no', 'campaign b 3', 'campaign c no'],
  ),
  laid(
    'best before an exclusive one keeps it out',
    '100 + 9 = 109',
    [campaign('a', bonus(9), best), campaign('b', bonus(99), exclusive)],
    { a: 9 },
    109,
    ['campaign a 9', 'campaign b no'],
  ),
];

const all = {
  totalPoints: 1_000,
  memberPoints: 300,
  memberPeriod: { points: 150, period: 'month' as const },
};
const of100 = campaign('a', bonus(100), { caps: all });

function capped(
  name: string,
  arithmetic: string,
  used: { total?: number; member?: number; memberPeriod?: number },
  given: number,
  cuts: [total: number | 'no', member: number | 'no', period: number | 'no'],
): WorkedExample {
  const [total, member, period] = cuts;
  return laid(
    name,
    arithmetic,
    [of100],
    given === 0 ? {} : { a: given },
    100 + given,
    [
      'campaign a 100',
      `campaign_cap a.total ${total}`,
      `campaign_cap a.member ${member}`,
      `campaign_cap a.member_month ${period}`,
    ],
    { capsUsed: { a: used } },
  );
}

/** Caps: 1,000 points in all, 300 of each member, 150 of each member a month; the campaign gives 100. */
export const capExamples: WorkedExample[] = [
  capped('nothing is used', '100 ≤ 150 ≤ 300 ≤ 1,000', {}, 100, ['no', 'no', 'no']),
  capped('exactly what is left in all', '1,000 − 900 = 100', { total: 900 }, 100, ['no', 'no', 'no']),
  capped('one point less in all', '1,000 − 901 = 99', { total: 901 }, 99, [-1, 'no', 'no']),
  capped('all is used up', '1,000 − 1,000 = 0', { total: 1_000 }, 0, [-100, 'no', 'no']),
  capped(
    'more is used than a lower cap allows',
    '1,000 − 1,500 < 0: nothing, and nothing is taken back',
    { total: 1_500 },
    0,
    [-100, 'no', 'no'],
  ),
  capped('what is left of the member', '300 − 280 = 20', { total: 280, member: 280 }, 20, ['no', -80, 'no']),
  capped('what is left of the month', '150 − 149 = 1', { total: 400, member: 149, memberPeriod: 149 }, 1, [
    'no',
    'no',
    -99,
  ]),
  capped(
    'one cap after the other',
    '1,000 − 950 = 50; 300 − 270 = 30; 150 − 140 = 10',
    { total: 950, member: 270, memberPeriod: 140 },
    10,
    [-50, -20, -20],
  ),
  laid(
    'a multiplier is held to its cap',
    '100 × 2 = 200, 250 − 100 = 150 are left: 100 + 150 = 250',
    [campaign('a', times(3), { caps: { totalPoints: 250 } })],
    { a: 150 },
    250,
    ['campaign a 200', 'campaign_cap a.total -50'],
    { capsUsed: { a: { total: 100 } } },
  ),
  laid(
    'caps are each campaign’s own',
    '100 + 10 + 100 = 210',
    [
      campaign('a', bonus(100), { caps: { totalPoints: 10 } }),
      campaign('b', bonus(100), { caps: { totalPoints: 100 } }),
    ],
    { a: 10, b: 100 },
    210,
    ['campaign a 100', 'campaign_cap a.total -90', 'campaign b 100', 'campaign_cap b.total no'],
  ),
  laid(
    'best is what the caps leave',
    'a: 100, of which 20 are left; b: 50; 100 + 50 = 150',
    [campaign('a', bonus(100), { ...best, caps: { memberPoints: 100 } }), campaign('b', bonus(50), best)],
    { b: 50 },
    150,
    ['campaign a no', 'campaign b 50'],
    { capsUsed: { a: { member: 80 } } },
  ),
  laid(
    'an exclusive one that is used up stands in nobody’s way',
    '100 + 0 + 3 = 103',
    [
      campaign('a', bonus(10), { ...exclusive, caps: { memberPeriod: { points: 10, period: 'week' } } }),
      campaign('b', bonus(3)),
    ],
    { b: 3 },
    103,
    ['campaign a 10', 'campaign_cap a.member_week -10', 'campaign b 3'],
    { capsUsed: { a: { memberPeriod: 10 } } },
  ),
  laid(
    'a campaign that is used up is not before an exclusive one',
    '100 + 0 + 3 = 103',
    [campaign('a', bonus(10), { caps: { totalPoints: 10 } }), campaign('b', bonus(3), exclusive)],
    { b: 3 },
    103,
    ['campaign a 10', 'campaign_cap a.total -10', 'campaign b 3'],
    { capsUsed: { a: { total: 10 } } },
  ),
];
