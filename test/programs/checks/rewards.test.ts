import { expect, test } from '@jest/globals';
import { parseProgram } from '../../../src/programs/parse/parse-program.ts';
import { program } from '../../support/rules/fixtures.ts';

const mug = { id: 'mug', name: 'A mug', points: 100 };

/** The problems of a document with these rewards. */
function problemsOf(...rewards: object[]): string[] {
  const parsed = parseProgram(JSON.stringify({ ...program(), rewards }));
  return parsed.ok ? [] : parsed.problems.map(({ path, message }) => `${path}: ${message}`);
}

const eligibility = (field: string, match = 'all') => ({
  ...mug,
  eligibility: { match, conditions: [{ field, operator: 'exists', value: true }] },
});

test('a full reward is taken as it is', () => {
  const full = {
    ...mug,
    description: 'Blue.',
    inventory: 0,
    holdSeconds: 604800,
    eligibility: {
      match: 'any',
      conditions: [
        { field: 'profile.tier', operator: 'in', value: ['gold'] },
        { field: 'profile.qualificationPoints', operator: 'gte', value: 10 },
        { field: 'time.dayOfWeek', operator: 'equals', value: 'monday' },
      ],
    },
    cancellationEvidenceRequired: true,
    availableFrom: '2026-01-01T00:00:00Z',
    availableUntil: '2026-12-31T23:00:00+01:00',
  };
  expect(problemsOf(mug, { ...full, id: 'other' })).toEqual([]);
});

test.each([
  ['an id twice', [mug, mug], 'rewards[1].id: "mug" stands here twice'],
  ['no points', [{ ...mug, points: 0 }], 'rewards[0].points: must be >= 1'],
  ['half a point', [{ ...mug, points: 1.5 }], 'rewards[0].points: must be integer'],
  ['less than none', [{ ...mug, inventory: -1 }], 'rewards[0].inventory: must be >= 0'],
  ['a hold too short', [{ ...mug, holdSeconds: 59 }], 'rewards[0].holdSeconds: must be >= 60'],
  ['a hold too long', [{ ...mug, holdSeconds: 604801 }], 'rewards[0].holdSeconds: must be <= 604800'],
  ['another property', [{ ...mug, price: 1 }], 'rewards[0].price: is no known property'],
  [
    'a day that there is not',
    [{ ...mug, availableFrom: '2026-02-30T00:00:00Z' }],
    'rewards[0].availableFrom: must be a time with a time zone, from the year 1900 on, such as 2026-12-01T00:00:00Z',
  ],
  [
    'a time without a zone',
    [{ ...mug, availableUntil: '2026-02-20T00:00:00' }],
    'rewards[0].availableUntil: must be a time with a time zone, from the year 1900 on, such as 2026-12-01T00:00:00Z',
  ],
  [
    'an end before the beginning',
    [{ ...mug, availableFrom: '2026-02-20T00:00:00Z', availableUntil: '2026-02-20T01:00:00+01:00' }],
    'rewards[0].availableUntil: must be later than availableFrom',
  ],
  [
    'a condition on the purchase',
    [eligibility('purchase.channel')],
    'rewards[0].eligibility.conditions[0].field: cannot be looked at here; it must be one of profile.tier, ' +
      'profile.qualificationPoints, time.dayOfWeek, time.hour, time.dayOfMonth, time.month, time.date',
  ],
  [
    'a condition on an attribute',
    [eligibility('attributes.profile.tier')],
    'rewards[0].eligibility.conditions[0].field: cannot be looked at here; it must be one of profile.tier, ' +
      'profile.qualificationPoints, time.dayOfWeek, time.hour, time.dayOfMonth, time.month, time.date',
  ],
  [
    'any of nothing',
    [{ ...mug, eligibility: { match: 'any', conditions: [] } }],
    'rewards[0].eligibility.conditions: match any needs a condition; without any nobody may have the reward',
  ],
  [
    'a tier that there is not',
    [
      {
        ...mug,
        eligibility: {
          match: 'all',
          conditions: [{ field: 'profile.tier', operator: 'equals', value: 'platinum' }],
        },
      },
    ],
    'rewards[0].eligibility.conditions[0].value: must be a tier of this document: bronze, silver, gold',
  ],
])('%s is refused', (_name, rewards, problem) => {
  expect(problemsOf(...rewards)).toEqual([problem]);
});

const voucher = (payment: object, more: object = {}) => ({
  ...{ id: 'voucher', name: 'A voucher', ...more },
  payWithPoints: { pointsPerUnit: 100, unitMinor: 250, ...payment },
});

test('a reward that is paid with points is taken as it is', () => {
  const half = { numerator: 1, denominator: 2 };
  const full = { step: 2, minimumPoints: 10, maximumPoints: 10, maximumShareOfOrder: half };
  expect(problemsOf(voucher({}), voucher(full, { id: 'other' }))).toEqual([]);
});

test.each([
  [
    'no price at all',
    { id: 'voucher', name: 'A voucher' },
    ': must have exactly one of points, payWithPoints',
  ],
  ['two prices', voucher({}, { points: 5 }), ': must have exactly one of points, payWithPoints'],
  [
    'a step of half a cent',
    voucher({ step: 1 }),
    '.payWithPoints.step: must be worth whole minor units: 100 points are worth 250',
  ],
  [
    'a minimum between two steps',
    voucher({ minimumPoints: 150 }),
    '.payWithPoints.minimumPoints: must be a multiple of the step, 100',
  ],
  [
    'a maximum between two steps',
    voucher({ maximumPoints: 150 }),
    '.payWithPoints.maximumPoints: must be a multiple of the step, 100',
  ],
  [
    'a maximum below the minimum',
    voucher({ minimumPoints: 300, maximumPoints: 200 }),
    '.payWithPoints.maximumPoints: must be at least the minimum, 300',
  ],
  [
    'more than the order',
    voucher({ maximumShareOfOrder: { numerator: 3, denominator: 2 } }),
    '.payWithPoints.maximumShareOfOrder.numerator: must be at most the denominator, 2',
  ],
  [
    'nothing of the order',
    voucher({ maximumShareOfOrder: { numerator: 0, denominator: 2 } }),
    '.payWithPoints.maximumShareOfOrder.numerator: must be at least 1',
  ],
  ['another property', voucher({ currency: 'USD' }), '.payWithPoints.currency: is no known property'],
])('%s', (_name, reward, problem) => {
  expect(problemsOf(reward)).toEqual([`rewards[0]${problem}`]);
});
