import type { Audience, Schedule } from '../../../src/programs/document/campaign-document.ts';
import type { MemberFacts } from '../../../src/rules/conditions/member-facts.ts';
import { bonus, campaign, plain, type WorkedExample, when } from './example.ts';

/** A campaign of 50 points: 100 + 50 = 150 where it applies, 100 where it does not. */
function fifty(name: string, why: string, holds: boolean, more: Partial<WorkedExample>): WorkedExample {
  return {
    name,
    arithmetic: `${why}: ${holds ? '100 + 50 = 150' : '100'}`,
    ...more,
    expected: {
      base: 100,
      campaigns: holds ? { a: 50 } : {},
      points: holds ? 150 : 100,
      decisions: [...plain(100), `campaign a ${holds ? 50 : 'no'}`],
    },
  };
}

function scheduled(
  name: string,
  why: string,
  schedule: Schedule,
  at: string,
  holds: boolean,
  timeZone = 'UTC',
) {
  return fifty(name, why, holds, {
    at,
    program: { timeZone, campaigns: [campaign('a', bonus(50), { schedule })] },
  });
}

const week = { from: '2026-03-01T00:00:00+01:00', until: '2026-03-08T00:00:00+01:00' };
const night: Schedule = { daysOfWeek: ['friday'], hours: { from: 22, to: 2 } };
const berlin = (hours: { from: number; to: number }): Schedule => ({ timeZone: 'Europe/Berlin', hours });

/** Schedules: ends, days, hours, zones, daylight saving time, midnight. */
export const scheduleExamples: WorkedExample[] = [
  scheduled(
    'the first instant',
    '00:00+01:00 is 23:00Z the day before',
    week,
    '2026-02-28T23:00:00.000Z',
    true,
  ),
  scheduled('a millisecond before it', '22:59:59.999Z', week, '2026-02-28T22:59:59.999Z', false),
  scheduled('the last millisecond', '22:59:59.999Z', week, '2026-03-07T22:59:59.999Z', true),
  scheduled('the end itself', '23:00Z', week, '2026-03-07T23:00:00.000Z', false),
  scheduled(
    'a day of the schedule’s zone',
    '15:30Z on Wednesday is 00:30 on Thursday in Tokyo',
    { timeZone: 'Asia/Tokyo', daysOfWeek: ['thursday'] },
    '2026-03-04T15:30:00Z',
    true,
  ),
  scheduled(
    'a day of the document’s zone',
    'the same, where the document says Tokyo',
    { daysOfWeek: ['wednesday'] },
    '2026-03-04T15:30:00Z',
    false,
    'Asia/Tokyo',
  ),
  scheduled(
    'hours: the first one',
    '14:00 is in 14 to 18',
    { hours: { from: 14, to: 18 } },
    '2026-03-04T14:00:00Z',
    true,
  ),
  scheduled('hours: the end', '18:00 is not', { hours: { from: 14, to: 18 } }, '2026-03-04T18:00:00Z', false),
  scheduled(
    'a zone of three quarters of an hour',
    '18:14Z + 5:45 = 23:59 on Wednesday in Kathmandu',
    { timeZone: 'Asia/Kathmandu', daysOfWeek: ['wednesday'], hours: { from: 23, to: 0 } },
    '2026-03-04T18:14:59Z',
    true,
  ),
  scheduled(
    'a quarter of an hour later',
    '18:15Z + 5:45 = 00:00 on Thursday',
    { timeZone: 'Asia/Kathmandu', daysOfWeek: ['wednesday'], hours: { from: 23, to: 0 } },
    '2026-03-04T18:15:00Z',
    false,
  ),
  scheduled('over midnight, before it', 'Friday 23:00', night, '2026-03-06T23:00:00Z', true),
  scheduled(
    'over midnight, after it',
    'Saturday 01:59 is of Friday’s night',
    night,
    '2026-03-07T01:59:59Z',
    true,
  ),
  scheduled('over midnight, over', 'Saturday 02:00', night, '2026-03-07T02:00:00Z', false),
  scheduled(
    'over midnight, the night before',
    'Friday 01:00 is of Thursday’s night',
    night,
    '2026-03-06T01:00:00Z',
    false,
  ),
  scheduled('over midnight, the night after', 'Saturday 23:00', night, '2026-03-07T23:00:00Z', false),
  scheduled(
    'spring: the hour that is left out',
    '01:00Z is 03:00 in Berlin on 29 March; there is no 02:00',
    berlin({ from: 2, to: 3 }),
    '2026-03-29T01:00:00Z',
    false,
  ),
  scheduled(
    'spring: the hour after it',
    '01:00Z is 03:00 in Berlin',
    berlin({ from: 3, to: 4 }),
    '2026-03-29T01:00:00Z',
    true,
  ),
  scheduled(
    'spring: the minute before',
    '00:59Z is 01:59 in Berlin',
    berlin({ from: 1, to: 2 }),
    '2026-03-29T00:59:59Z',
    true,
  ),
  scheduled(
    'autumn: the hour that comes twice, the first time',
    '00:30Z is 02:30 in Berlin on 25 October',
    berlin({ from: 2, to: 3 }),
    '2026-10-25T00:30:00Z',
    true,
  ),
  scheduled(
    'autumn: the second time',
    '01:30Z is 02:30 again',
    berlin({ from: 2, to: 3 }),
    '2026-10-25T01:30:00Z',
    true,
  ),
  scheduled(
    'autumn: then it is over',
    '02:00Z is 03:00',
    berlin({ from: 2, to: 3 }),
    '2026-10-25T02:00:00Z',
    false,
  ),
  scheduled(
    'summer and winter in New York',
    '22:00Z is 18:00 in July, and 17:00 in January',
    { timeZone: 'America/New_York', hours: { from: 18, to: 19 } },
    '2026-07-01T22:00:00Z',
    true,
  ),
  scheduled(
    'and in January',
    '22:00Z is 17:00',
    { timeZone: 'America/New_York', hours: { from: 18, to: 19 } },
    '2026-01-01T22:00:00Z',
    false,
  ),
  fifty(
    'a condition on time is read in the document’s zone, whatever the schedule’s is',
    '02:00Z is 21:00 on Tuesday in New York, and 11:00 on Wednesday in Tokyo',
    true,
    {
      at: '2026-03-04T02:00:00Z',
      program: {
        timeZone: 'America/New_York',
        campaigns: [
          campaign('a', bonus(50), {
            schedule: { timeZone: 'Asia/Tokyo', daysOfWeek: ['wednesday'], hours: { from: 11, to: 12 } },
            conditions: [
              when('time.dayOfWeek', 'equals', 'tuesday'),
              when('time.hour', 'equals', 21),
              when('time.dayOfMonth', 'equals', 3),
              when('time.month', 'equals', 3),
            ],
          }),
        ],
      },
    },
  ),
];

function aimed(
  name: string,
  why: string,
  audience: Partial<Audience>,
  member: Partial<MemberFacts>,
  holds: boolean,
) {
  return fifty(name, why, holds, {
    member,
    program: {
      audiences: [{ id: 'them', match: 'all', conditions: [], ...audience }],
      campaigns: [campaign('a', bonus(50), { audiences: ['them'] })],
    },
  });
}

const only = (...conditions: Audience['conditions']) => ({ conditions });
const daysAgo = (days: number) => new Date(Date.UTC(2026, 2, 4, 12) - days * 86_400_000);

/** Audiences, on what is known of the member before the purchase. */
export const audienceExamples: WorkedExample[] = [
  aimed('first purchase', 'none before', only(when('history.purchaseCount', 'equals', 0)), {}, true),
  aimed(
    'not the first purchase',
    'one before',
    only(when('history.purchaseCount', 'equals', 0)),
    { purchaseCount: 1 },
    false,
  ),
  aimed(
    'spent enough',
    '5,000 ≥ 5,000',
    only(when('history.purchaseAmountMinor', 'gte', 5_000)),
    { purchaseAmountMinor: 5_000 },
    true,
  ),
  aimed(
    'not spent enough: this purchase does not count',
    '4,999 < 5,000',
    only(when('history.purchaseAmountMinor', 'gte', 5_000)),
    { purchaseAmountMinor: 4_999 },
    false,
  ),
  aimed(
    'lapsed for 60 days',
    '60 days to the hour',
    only(when('history.daysSinceLastPurchase', 'gte', 60)),
    { lastPurchaseAt: daysAgo(60) },
    true,
  ),
  aimed(
    'not quite 60 days',
    '59.99 days are 59 whole ones',
    only(when('history.daysSinceLastPurchase', 'gte', 60)),
    { lastPurchaseAt: daysAgo(59.99) },
    false,
  ),
  aimed(
    'of a newcomer there are no days at all, neither many',
    'absent',
    only(when('history.daysSinceLastPurchase', 'gte', 0)),
    {},
    false,
  ),
  aimed('nor few', 'absent', only(when('history.daysSinceFirstPurchase', 'lt', 30)), {}, false),
  aimed(
    'a purchase dated later is 0 days ago',
    '0',
    only(when('history.daysSinceFirstPurchase', 'equals', 0)),
    { firstPurchaseAt: daysAgo(-3) },
    true,
  ),
  aimed(
    'one of two tags',
    'vip is among them',
    only(when('member.tags', 'equals', 'vip')),
    { tags: ['new', 'vip'] },
    true,
  ),
  aimed(
    'a tag excluded',
    'staff is among them',
    only(when('member.tags', 'not_in', ['staff', 'press'])),
    { tags: ['vip', 'staff'] },
    false,
  ),
  aimed(
    'no tags at all are none of the excluded',
    'there are none',
    only(when('member.tags', 'not_in', ['staff'])),
    {},
    true,
  ),
  aimed(
    'on a list',
    'opening is among them',
    only(when('member.lists', 'in', ['opening', 'closing'])),
    { lists: ['opening'] },
    true,
  ),
  aimed(
    'a tag is no list',
    'opening is a tag',
    only(when('member.lists', 'equals', 'opening')),
    { tags: ['opening'] },
    false,
  ),
  aimed(
    'any of two conditions',
    'the second holds',
    { match: 'any', ...only(when('member.tags', 'equals', 'vip'), when('history.purchaseCount', 'lt', 3)) },
    {},
    true,
  ),
  aimed(
    'all of two conditions',
    'the first does not hold',
    only(when('member.tags', 'equals', 'vip'), when('history.purchaseCount', 'lt', 3)),
    {},
    false,
  ),
  aimed('a tier', 'the member is in bronze', only(when('profile.tier', 'in', ['silver', 'gold'])), {}, false),
  fifty('one of two audiences is enough', 'not a vip, but new', true, {
    program: {
      audiences: [
        { id: 'vips', match: 'all', conditions: [when('member.tags', 'equals', 'vip')] },
        { id: 'new', match: 'all', conditions: [when('history.purchaseCount', 'equals', 0)] },
      ],
      campaigns: [campaign('a', bonus(50), { audiences: ['vips', 'new'] })],
    },
  }),
];
