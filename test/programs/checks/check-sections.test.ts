import { describe, expect, test } from '@jest/globals';
import {
  type ConditionContext,
  conditionFields,
  isFieldOf,
} from '../../../src/programs/document/condition-fields.ts';
import { parseProgram } from '../../../src/programs/parse/parse-program.ts';

/** The smallest document with the names that the sections refer to. */
const base = `id: tea-club
name: Tea Club
unitName: leaves
currency: USD
locale: en-US
loyaltyUnitPrecision: 0
earn: { rules: [] }
tiers:
  - { id: basic, name: Basic, threshold: 0, multiplier: { numerator: 1, denominator: 1 } }
  - { id: gold, name: Gold, threshold: 100, multiplier: { numerator: 2, denominator: 1 } }
qualification: { window: lifetime }
`;

const multiplier = '{ multiplier: { numerator: 2, denominator: 1 }, rounding: floor }';
const whole: Record<string, string> = {
  audiences: `audiences:
  - id: regulars
    match: all
    conditions: [{ field: history.purchaseCount, operator: gte, value: 3 }]
`,
  campaigns: `campaigns:
  - id: double-days
    schedule: { from: 2027-01-01T00:00:00Z, until: 2027-02-01T00:00:00Z, daysOfWeek: [monday] }
    audiences: [regulars]
    match: all
    conditions: [{ field: items.category, operator: equals, value: tea }]
    award: ${multiplier}
    caps: { totalPoints: 100, memberPeriod: { points: 5, period: day } }
`,
  coupons: `coupons:
  - { code: WELCOME, award: { bonusPoints: 50 }, limits: { perMember: 1 } }
`,
  referral: `referral: { referrerPoints: 100, refereePoints: 50 }
`,
  eventDefinitions: `eventDefinitions:
  - type: review
    attributesSchema:
      type: object
      required: [stars]
      properties: { stars: { $ref: '#/$defs/stars' } }
      $defs: { stars: { type: integer, minimum: 1, maximum: 5 } }
`,
  choiceSets: `choiceSets:
  - id: gifts
    name: Gifts
    choices: 1
    rewards: [{ id: mug, name: Mug }, { id: tin, name: Tin, inventory: 5 }]
    grantedByTiers: [gold]
`,
  challenges: `challenges:
  - id: critic
    eventType: review
    match: all
    conditions: [{ field: attributes.stars, operator: gte, value: 1 }]
    goal: { count: 3 }
    window: { days: 30 }
    award: { points: 10 }
    grants: { choiceSetId: gifts }
`,
  offers: `offers:
  - id: tin-week
    name: Tin week
    audiences: [regulars]
    match: all
    conditions: [{ field: cart.subtotalMinor, operator: gte, value: 1000 }]
    couponCodes: [WELCOME]
    lines: { match: all, conditions: [{ field: items.tags, operator: equals, value: tin }] }
    effect: { kind: free_item, buy: 3, free: 1 }
`,
};

function textOf(sections: Record<string, string>): string {
  return base + Object.values(sections).join('');
}

function found(text: string) {
  const result = parseProgram(text);
  return result.ok ? [] : result.problems;
}

test('a document with every section is in order', () => {
  expect(found(textOf(whole))).toEqual([]);
});

/** A title; a section; a piece of it and its replacement; then path and message. The problem is in the changed line. */
type Case = [what: string, section: string, from: string, to: string, path: string, message: string];

const noAudience = 'must be an audience of this document: regulars';
const later = 'must be later than from';
const zone = 'is no IANA time zone, such as Europe/Berlin or Asia/Kolkata';
const hours = 'must be another hour than from; leave hours out for all day';
const ofMembers =
  'cannot be looked at here; it must be one of profile.tier, profile.qualificationPoints, history.purchaseCount, ' +
  'history.purchaseAmountMinor, history.daysSinceFirstPurchase, history.daysSinceLastPurchase, member.tags, ' +
  'member.lists, time.dayOfWeek, time.hour, time.dayOfMonth, time.month, time.date';
const anyNever = 'match any needs a condition; without any';

const cases: Case[] = [
  [
    'an audience twice',
    'audiences',
    'audiences:',
    'audiences:\n  - { id: regulars, match: all, conditions: [] }',
    'audiences[1].id',
    '"regulars" stands here twice',
  ],
  [
    'any of nothing',
    'audiences',
    'all\n    conditions: [{ field: history.purchaseCount, operator: gte, value: 3 }]',
    'any\n    conditions: []',
    'audiences[0].conditions',
    `${anyNever} nobody is in it`,
  ],
  [
    'an audience of purchases',
    'audiences',
    'history.purchaseCount',
    'purchase.amountMinor',
    'audiences[0].conditions[0].field',
    `${ofMembers}. Did you mean history.purchaseAmountMinor?`,
  ],
  [
    'an audience of items',
    'audiences',
    'history.purchaseCount',
    'items.quantity',
    'audiences[0].conditions[0].field',
    ofMembers,
  ],
  [
    'a count as text',
    'audiences',
    'value: 3',
    'value: "3"',
    'audiences[0].conditions[0].value',
    'must be an integer from 0 to 9007199254740991',
  ],

  [
    'a campaign twice',
    'campaigns',
    'campaigns:',
    'campaigns:\n  - { id: double-days, match: all, conditions: [], award: { bonusPoints: 1 } }',
    'campaigns[1].id',
    '"double-days" stands here twice',
  ],
  [
    'a campaign withheld from nobody',
    'campaigns',
    'match: all',
    'holdout: { percent: 0, salt: spring }\n    match: all',
    'campaigns[0].holdout.percent',
    'must be >= 0.01',
  ],
  [
    'a campaign withheld from everybody',
    'campaigns',
    'match: all',
    'holdout: { percent: 100, salt: spring }\n    match: all',
    'campaigns[0].holdout.percent',
    'must be <= 99.99',
  ],
  [
    'a campaign withheld from a thousandth of a percent',
    'campaigns',
    'match: all',
    'holdout: { percent: 1.005, salt: spring }\n    match: all',
    'campaigns[0].holdout.percent',
    'must have at most two decimals',
  ],
  [
    'a campaign withheld from a share without a salt',
    'campaigns',
    'match: all',
    'holdout: { percent: 10, salt: "" }\n    match: all',
    'campaigns[0].holdout.salt',
    'must NOT have fewer than 1 characters',
  ],
  [
    'a campaign for nobody known',
    'campaigns',
    '[regulars]',
    '[regulars, strangers]',
    'campaigns[0].audiences[1]',
    noAudience,
  ],
  [
    'a campaign that ends before it begins',
    'campaigns',
    '2027-02-01T00:00:00Z',
    '2027-01-01T00:00:00Z',
    'campaigns[0].schedule.until',
    later,
  ],
  [
    'the end of a campaign by another clock',
    'campaigns',
    '2027-02-01T00:00:00Z',
    '2027-01-01T01:00:00+02:00',
    'campaigns[0].schedule.until',
    later,
  ],
  [
    'no such zone',
    'campaigns',
    'daysOfWeek: [monday]',
    'timeZone: Mars/Olympus',
    'campaigns[0].schedule.timeZone',
    zone,
  ],
  [
    'no hours',
    'campaigns',
    'daysOfWeek: [monday]',
    'hours: { from: 9, to: 9 }',
    'campaigns[0].schedule.hours.to',
    hours,
  ],
  [
    'a day twice',
    'campaigns',
    '[monday]',
    '[monday, monday]',
    'campaigns[0].schedule.daysOfWeek[1]',
    'stands in the list twice',
  ],
  [
    'an empty schedule',
    'campaigns',
    '{ from: 2027-01-01T00:00:00Z, until: 2027-02-01T00:00:00Z, daysOfWeek: [monday] }',
    '{}',
    'campaigns[0].schedule',
    'must not be empty',
  ],
  [
    'a time without a zone',
    'campaigns',
    '2027-02-01T00:00:00Z',
    '2027-02-01T00:00:00',
    'campaigns[0].schedule.until',
    'must be a time with a time zone, from the year 1900 on, such as 2026-12-01T00:00:00Z',
  ],
  ...['0026-02-01T00:00:00Z', '1899-12-31T23:59:59Z', '1900-01-01T00:59:59+01:00'].map(
    (until): [string, string, string, string, string, string] => [
      `a time as old as ${until}`,
      'campaigns',
      '2027-02-01T00:00:00Z',
      until,
      'campaigns[0].schedule.until',
      'must be a time with a time zone, from the year 1900 on, such as 2026-12-01T00:00:00Z',
    ],
  ),
  [
    'a campaign on carts',
    'campaigns',
    'items.category',
    'items.tags',
    'campaigns[0].conditions[0].field',
    'cannot be looked at here; it must be one of purchase.amountMinor, purchase.channel, purchase.currency, ' +
      'purchase.couponCode, purchase.sourceReference, items.lineReference, items.sku, items.category, ' +
      'items.quantity, items.unitPriceMinor, attributes.<name>, profile.tier, profile.qualificationPoints, ' +
      'history.purchaseCount, history.purchaseAmountMinor, history.daysSinceFirstPurchase, ' +
      'history.daysSinceLastPurchase, member.tags, member.lists, time.dayOfWeek, time.hour, time.dayOfMonth, ' +
      'time.month, time.date',
  ],
  [
    'a campaign with any of nothing',
    'campaigns',
    'all\n    conditions: [{ field: items.category, operator: equals, value: tea }]',
    'any\n    conditions: []',
    'campaigns[0].conditions',
    `${anyNever} it never applies`,
  ],
  [
    'a multiplier that takes away',
    'campaigns',
    'denominator: 1',
    'denominator: 2',
    'campaigns[0].award.multiplier.numerator',
    'must be above the denominator, 2: it adds to base points',
  ],
  [
    'a multiplier that is not rounded',
    'campaigns',
    ', rounding: floor',
    '',
    'campaigns[0].award.rounding',
    'goes with multiplier',
  ],
  [
    'two awards in one',
    'campaigns',
    'rounding: floor',
    'rounding: floor, bonusPoints: 1',
    'campaigns[0].award',
    'must have exactly one of bonusPoints, multiplier',
  ],
  [
    'no award',
    'campaigns',
    multiplier,
    '{}',
    'campaigns[0].award',
    'must have exactly one of bonusPoints, multiplier',
  ],
  [
    'a bonus of nothing',
    'campaigns',
    multiplier,
    '{ bonusPoints: 0 }',
    'campaigns[0].award.bonusPoints',
    'must be >= 1',
  ],
  [
    'a cap of nothing',
    'campaigns',
    'totalPoints: 100',
    'totalPoints: 0',
    'campaigns[0].caps.totalPoints',
    'must be >= 1',
  ],
  [
    'a lifetime as a period',
    'campaigns',
    'period: day',
    'period: lifetime',
    'campaigns[0].caps.memberPeriod.period',
    'must be one of day, week, month, year',
  ],

  [
    'a coupon twice',
    'coupons',
    'coupons:',
    'coupons:\n  - { code: WELCOME }',
    'coupons[1].code',
    '"WELCOME" stands here twice',
  ],
  [
    'a coupon that takes away',
    'coupons',
    '{ bonusPoints: 50 }',
    '{ multiplier: { numerator: 1, denominator: 1 }, rounding: floor }',
    'coupons[0].award.multiplier.numerator',
    'must be above the denominator, 1: it adds to base points',
  ],
  [
    'a coupon for nobody known',
    'coupons',
    'award:',
    'audiences: [strangers], award:',
    'coupons[0].audiences[0]',
    noAudience,
  ],
  [
    'a coupon that ends before it begins',
    'coupons',
    'award:',
    'schedule: { from: 2027-01-02T00:00:00Z, until: 2027-01-01T00:00:00Z }, award:',
    'coupons[0].schedule.until',
    later,
  ],
  [
    'a limit of none',
    'coupons',
    'perMember: 1',
    'perMember: 0',
    'coupons[0].limits.perMember',
    'must be >= 1',
  ],
  [
    'a referral of nothing',
    'referral',
    'referrerPoints: 100, refereePoints: 50',
    'referrerPoints: 0, refereePoints: 0',
    'referral.refereePoints',
    'must not be 0 as referrerPoints is',
  ],

  [
    'a type twice',
    'eventDefinitions',
    'eventDefinitions:',
    'eventDefinitions:\n  - { type: review }',
    'eventDefinitions[1].type',
    '"review" stands here twice',
  ],
  [
    'a challenge twice',
    'challenges',
    'challenges:',
    'challenges:\n  - { id: critic, eventType: review, match: all, ' +
      'conditions: [], goal: { count: 1 }, award: { points: 1 } }',
    'challenges[1].id',
    '"critic" stands here twice',
  ],
  [
    'an unknown type',
    'challenges',
    'eventType: review',
    'eventType: visit',
    'challenges[0].eventType',
    'must be the type of an event definition of this document: review',
  ],
  [
    'a challenge on purchases',
    'challenges',
    'attributes.stars',
    'purchase.amountMinor',
    'challenges[0].conditions[0].field',
    'cannot be looked at here; it must be one of attributes.<name>, profile.tier, ' +
      'profile.qualificationPoints, time.dayOfWeek, time.hour, time.dayOfMonth, time.month, time.date',
  ],
  [
    'a challenge with any of nothing',
    'challenges',
    'all\n    conditions: [{ field: attributes.stars, operator: gte, value: 1 }]',
    'any\n    conditions: []',
    'challenges[0].conditions',
    `${anyNever} no event counts`,
  ],
  [
    'two goals in one',
    'challenges',
    'count: 3',
    'count: 3, sumOf: stars, reach: 9',
    'challenges[0].goal',
    'must have exactly one of count, sumOf',
  ],
  [
    'a sum without an end',
    'challenges',
    'count: 3',
    'sumOf: stars',
    'challenges[0].goal.reach',
    'goes with sumOf',
  ],
  [
    'two windows in one',
    'challenges',
    'days: 30',
    'days: 30, period: week',
    'challenges[0].window',
    'must have exactly one of period, days',
  ],
  [
    'a streak with a window',
    'challenges',
    'award:',
    'streak: { windows: 3, period: day }\n    award:',
    'challenges[0].streak',
    'does not go with window: it has windows of its own',
  ],
  [
    'a streak of one',
    'challenges',
    'window: { days: 30 }',
    'streak: { windows: 1, period: day }',
    'challenges[0].streak.windows',
    'must be >= 2',
  ],
  [
    'a streak of years',
    'challenges',
    'window: { days: 30 }',
    'streak: { windows: 3, period: year }',
    'challenges[0].streak.period',
    'must be one of day, week, month',
  ],
  [
    'a challenge for nobody known',
    'challenges',
    'award:',
    'audiences: [strangers]\n    award:',
    'challenges[0].audiences[0]',
    noAudience,
  ],
  [
    'a challenge that ends before it begins',
    'challenges',
    'award:',
    'schedule: { from: 2027-01-02T00:00:00Z, until: 2027-01-01T00:00:00Z }\n    award:',
    'challenges[0].schedule.until',
    later,
  ],
  [
    'points of nothing',
    'challenges',
    'points: 10',
    'points: 0',
    'challenges[0].award.points',
    'must be >= 1',
  ],
  [
    'an unknown choice set',
    'challenges',
    'choiceSetId: gifts',
    'choiceSetId: gift',
    'challenges[0].grants.choiceSetId',
    'must be a choice set of this document: gifts',
  ],

  [
    'a choice set twice',
    'choiceSets',
    'choiceSets:',
    'choiceSets:\n  - { id: gifts, name: G, choices: 1, rewards: [{ id: a, name: A }] }',
    'choiceSets[1].id',
    '"gifts" stands here twice',
  ],
  [
    'a choice twice',
    'choiceSets',
    'id: tin',
    'id: mug',
    'choiceSets[0].rewards[1].id',
    '"mug" stands here twice',
  ],
  [
    'an unknown tier',
    'choiceSets',
    '[gold]',
    '[gold, silver]',
    'choiceSets[0].grantedByTiers[1]',
    'must be a tier of this document: basic, gold',
  ],
  [
    'more choices than there are rewards',
    'choiceSets',
    'choices: 1',
    'choices: 3',
    'choiceSets[0].choices',
    'must be at most 2: so many rewards can be chosen, each once',
  ],

  [
    'an offer twice',
    'offers',
    'offers:',
    'offers:\n  - { id: tin-week, name: T, match: all, conditions: [], effect: { kind: amount, amountMinor: 1 } }',
    'offers[1].id',
    '"tin-week" stands here twice',
  ],
  ['an offer for nobody known', 'offers', '[regulars]', '[strangers]', 'offers[0].audiences[0]', noAudience],
  [
    'an offer on purchases',
    'offers',
    'cart.subtotalMinor',
    'purchase.amountMinor',
    'offers[0].conditions[0].field',
    'cannot be looked at here; it must be one of cart.subtotalMinor, cart.quantity, items.lineReference, ' +
      'items.sku, items.category, items.quantity, items.unitPriceMinor, items.tags, items.attributes.<name>, ' +
      'context.channel, context.market, context.store, context.currency, context.tags, profile.tier, ' +
      'profile.qualificationPoints, history.purchaseCount, history.purchaseAmountMinor, ' +
      'history.daysSinceFirstPurchase, history.daysSinceLastPurchase, member.tags, member.lists, time.dayOfWeek, ' +
      'time.hour, time.dayOfMonth, time.month, time.date. Did you mean history.purchaseAmountMinor?',
  ],
  [
    'an offer with any of nothing',
    'offers',
    'all\n    conditions: [{ field: cart.subtotalMinor, operator: gte, value: 1000 }]',
    'any\n    conditions: []',
    'offers[0].conditions',
    `${anyNever} it never applies`,
  ],
  [
    'lines by their cart',
    'offers',
    'items.tags',
    'cart.quantity',
    'offers[0].lines.conditions[0].field',
    'cannot be looked at here; it must be one of items.lineReference, items.sku, items.category, ' +
      'items.quantity, items.unitPriceMinor, items.tags, items.attributes.<name>',
  ],
  [
    'an unknown coupon',
    'offers',
    '[WELCOME]',
    '[Welcome]',
    'offers[0].couponCodes[0]',
    'must be the code of a coupon of this document: WELCOME',
  ],
  [
    'an offer that ends before it begins',
    'offers',
    'audiences:',
    'schedule: { from: 2027-01-02T00:00:00Z, until: 2027-01-01T00:00:00Z }\n    audiences:',
    'offers[0].schedule.until',
    later,
  ],
  ['all of them free', 'offers', 'free: 1', 'free: 3', 'offers[0].effect.free', 'must be below buy, 3'],
  [
    'an unknown effect',
    'offers',
    'kind: free_item',
    'kind: gift',
    'offers[0].effect.kind',
    'must be one of percent, amount, fixed_price, free_item',
  ],
  [
    'more than the whole',
    'offers',
    '{ kind: free_item, buy: 3, free: 1 }',
    '{ kind: percent, basisPoints: 10001 }',
    'offers[0].effect.basisPoints',
    'must be <= 10000',
  ],
  [
    'an amount of nothing',
    'offers',
    '{ kind: free_item, buy: 3, free: 1 }',
    '{ kind: amount, amountMinor: 0 }',
    'offers[0].effect.amountMinor',
    'must be >= 1',
  ],
];

describe('what is wrong is named, with the line that it stands in', () => {
  test.each(cases)('%s', (_what, section, from, to, path, message) => {
    const before = whole[section] ?? '';
    expect(before).toContain(from);
    const after = before.replace(from, to);
    const text = textOf({ ...whole, [section]: after });
    const problems = found(text);
    expect(problems.map((problem) => `${problem.path} ${problem.message}`)).toEqual([`${path} ${message}`]);
    // A second one stands below the one put in front of it; conditions stand below what they are matched by.
    const below = to.startsWith(from) && to.includes('\n') ? 2 : path.endsWith('.conditions') ? 1 : 0;
    const changedAt = text.indexOf(after) + before.indexOf(from);
    expect(problems[0]?.line).toBe(text.slice(0, changedAt).split('\n').length + below);
  });

  test('a challenge gives points, or a choice, or both', () => {
    const [award, grants] = ['    award: { points: 10 }\n', '    grants: { choiceSetId: gifts }\n'];
    const text = textOf(whole);
    expect(found(text.replace(award, ''))).toEqual([]);
    expect(found(text.replace(grants, ''))).toEqual([]);
    const idle = text.replace(award, '').replace(grants, '');
    const line = idle.split('\n').indexOf('  - id: critic') + 1;
    expect(found(idle)).toEqual([
      { path: 'challenges[0]', message: 'needs award, grants or both', line, column: 5 },
    ]);
  });

  test('each section is optional, and may be empty', () => {
    for (const name of [
      'audiences',
      'campaigns',
      'coupons',
      'eventDefinitions',
      'challenges',
      'choiceSets',
      'offers',
    ]) {
      expect(found(`${base}${name}: []\n`)).toEqual([]);
    }
    expect(found(base)).toEqual([]);
  });
});

describe('the schema of attributes', () => {
  const problemsOf = (schema: unknown) =>
    found(
      JSON.stringify({
        ...JSON.parse(JSON.stringify(document)),
        eventDefinitions: [{ type: 'e', attributesSchema: schema }],
      }),
    ).map(({ path, message }) => `${path.replace('eventDefinitions[0].attributesSchema', 'at')} ${message}`);
  const result = parseProgram(base);
  if (!result.ok) throw new Error('the base is in order');
  const { document } = result;
  const regex = 'cannot stand here: what a regular expression costs has no bound';
  const inside = 'must point to a schema within this one, such as #/$defs/name';
  const tooManyParts =
    'at refers to itself, or has more than 200 parts (schemas, values of enum ' +
    'and const, names of required) with references followed';
  const dollars = 'cannot stand here; of $ there are $comment, $defs, $ref, $schema';

  test.each<[string, object]>([
    ['everything', {}],
    ['formats and constants', { properties: { at: { format: 'date-time' }, pattern: { const: 'pattern' } } }],
    [
      'a part twice',
      {
        properties: { a: { $ref: '#/$defs/x' }, b: { $ref: '#/$defs/x' } },
        $defs: { x: { type: 'number' } },
      },
    ],
    ['a part with a slash', { allOf: [{ $ref: '#/$defs/a~1b' }], $defs: { 'a/b': { type: 'object' } } }],
    ['the draft', { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object' }],
  ])('%s is one', (_what, schema) => {
    expect(problemsOf(schema)).toEqual([]);
  });

  test.each<[string, object, unknown[]]>([
    ['a reference out of it', { $ref: 'https://example.com/s' }, [`at.$ref ${inside}`]],
    [
      'a reference to the meta-schema',
      { $ref: 'https://json-schema.org/draft/2020-12/schema' },
      [`at.$ref ${inside}`],
    ],
    ['a reference to nothing', { items: { $ref: '#/$defs/x' } }, [`at.items.$ref ${inside}`]],
    [
      'a reference to a list of parts',
      { items: { $ref: '#/$defs' }, $defs: {} },
      [`at.items.$ref ${inside}`],
    ],
    [
      'a reference in escapes',
      { items: { $ref: '#/$defs/%78' }, $defs: { x: {}, '%78': {} } },
      [`at.items.$ref ${inside}`],
    ],
    [
      'a regular expression',
      { properties: { a: { pattern: '(a+)+$' } } },
      [`at.properties.a.pattern ${regex}`],
    ],
    ['names by regular expression', { patternProperties: {} }, [`at.patternProperties ${regex}`]],
    ['a name of its own', { $id: 'https://example.com/s' }, [`at.$id ${dollars}`]],
    ['a promise', { $async: true }, [`at.$async ${dollars}`]],
    ['an older draft', { definitions: {} }, ['at.definitions is of an older draft; take $defs']],
    ['a loop', { properties: { a: { $ref: '#' } } }, [tooManyParts]],
    [
      'a bomb',
      {
        $ref: '#/$defs/d0',
        $defs: Object.fromEntries(
          Array.from({ length: 40 }, (_, index) => [
            `d${index}`,
            index < 39
              ? { allOf: [{ $ref: `#/$defs/d${index + 1}` }, { $ref: `#/$defs/d${index + 1}` }] }
              : {},
          ]),
        ),
      },
      [tooManyParts],
    ],
    [
      'a keyword that there is not',
      { minimun: 1 },
      [expect.stringContaining('at is no strict JSON Schema of draft 2020-12: strict mode: unknown keyword')],
    ],
    [
      'a type that there is not',
      { type: 'whole' },
      [expect.stringContaining('at is no strict JSON Schema of draft 2020-12: ')],
    ],
    [
      'another draft',
      { $schema: 'http://json-schema.org/draft-07/schema#' },
      [expect.stringContaining('at is no strict JSON Schema of draft 2020-12: ')],
    ],
    [
      'a large one',
      { enum: ['x'.repeat(400), ...Array.from({ length: 60 }, (_, index) => `${'y'.repeat(300)}${index}`)] },
      ['at is larger than 16384 bytes'],
    ],
  ])('%s is none', (_what, schema, expected) => {
    expect(problemsOf(schema)).toEqual(expected);
  });
});

test('which fields a place has', () => {
  const groups = (place: ConditionContext) => [
    ...new Set(
      [...Object.keys(conditionFields), 'attributes.x', 'items.attributes.x']
        .filter((field) => isFieldOf(place, field))
        .map((field) => (field.startsWith('items.') ? field : field.replace(/\..*/, ''))),
    ),
  ];
  const items = [
    'items.lineReference',
    'items.sku',
    'items.category',
    'items.quantity',
    'items.unitPriceMinor',
  ];
  const cartItems = [...items, 'items.tags'];
  const member = ['profile', 'history', 'member', 'time'];
  expect(groups('purchase')).toEqual(['purchase', ...items, ...member, 'attributes']);
  expect(groups('audience')).toEqual(member);
  expect(groups('challenge')).toEqual(['profile', 'time', 'attributes']);
  expect(groups('offer')).toEqual([...cartItems, 'cart', 'context', ...member, 'items.attributes.x']);
  expect(groups('offer_lines')).toEqual([...cartItems, 'items.attributes.x']);
  expect(groups('reward')).toEqual(['profile', 'time']);
});
