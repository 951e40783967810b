import fc from 'fast-check';
import type {
  Audience,
  Campaign,
  CampaignAward,
  Coupon,
  Schedule,
} from '../../../src/programs/document/campaign-document.ts';
import type { Condition, LineSelection, Rounding } from '../../../src/programs/document/document-values.ts';
import type { ProgramDocument } from '../../../src/programs/document/program-document.ts';
import { program } from './fixtures.ts';

// Programs that can be published. Numbers are small, so that limits and thresholds are reached.

/** Tiers of every program. */
export const tiers = ['bronze', 'silver', 'gold'];
const audienceIds = ['few', 'many', 'some'];
const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe'];
const days = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

const rounding = fc.constantFrom<Rounding>('floor', 'ceil', 'nearest_half_up', 'nearest_half_even');
const ordering = ['equals', 'not_equals', 'gt', 'gte', 'lt', 'lte'] as const;
const naming = ['equals', 'not_equals'] as const;

function listed(values: readonly (string | number | boolean)[]): fc.Arbitrary<Condition['value']> {
  return fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 3 });
}

/** Conditions on fields of the same values. */
function onNames(fields: readonly string[], values: readonly string[]): fc.Arbitrary<Condition> {
  const field = fc.constantFrom(...fields);
  return fc.oneof(
    fc.record({ field, operator: fc.constantFrom(...naming), value: fc.constantFrom(...values) }),
    fc.record({ field, operator: fc.constantFrom('in' as const, 'not_in' as const), value: listed(values) }),
    fc.record({ field, operator: fc.constant('exists' as const), value: fc.boolean() }),
  );
}

function onNumbers(fields: readonly string[], min: number, max: number): fc.Arbitrary<Condition> {
  const field = fc.constantFrom(...fields);
  const number = fc.integer({ min, max });
  return fc.oneof(
    fc.record({ field, operator: fc.constantFrom(...ordering), value: number }),
    fc.record({
      field,
      operator: fc.constant('between' as const),
      value: fc.tuple(number, number).map(([a, b]) => [Math.min(a, b), Math.max(a, b)]),
    }),
    fc.record({ field, operator: fc.constant('exists' as const), value: fc.boolean() }),
  );
}

const ofMember = fc.oneof(
  onNames(['profile.tier'], tiers),
  onNames(['member.tags', 'member.lists'], ['a', 'b', 'c']),
  onNumbers(['history.purchaseCount', 'profile.qualificationPoints'], 0, 4),
  onNumbers(['history.purchaseAmountMinor'], 0, 3_000),
  onNumbers(['history.daysSinceFirstPurchase', 'history.daysSinceLastPurchase'], 0, 4),
  onNumbers(['time.hour'], 0, 23),
  onNumbers(['time.dayOfMonth', 'time.month'], 1, 12),
  onNames(['time.dayOfWeek'], days),
  fc.record({
    field: fc.constant('time.date'),
    operator: fc.constantFrom(...ordering),
    value: fc.constantFrom('2026-03-28', '2026-03-29', '2026-10-25', '2026-12-31'),
  }),
);
const ofPurchase = fc.oneof(
  onNumbers(['purchase.amountMinor'], 0, 2_000),
  onNumbers(['items.quantity', 'items.unitPriceMinor'], 1, 4),
  onNumbers(['attributes.x', 'attributes.y'], 0, 3),
  onNames(
    ['items.sku', 'items.category', 'items.lineReference', 'attributes.x', 'attributes.y'],
    ['a', 'b', 'c'],
  ),
  onNames(['purchase.couponCode', 'purchase.sourceReference'], ['A', 'B', 'one']),
  onNames(['purchase.channel'], ['web', 'store', 'app']),
  onNames(['purchase.currency'], ['USD', 'EUR']),
  ofMember,
);

/** A list of conditions with `match`; with `any` there is at least one, as documents require. */
function together(condition: fc.Arbitrary<Condition>): fc.Arbitrary<Pick<Audience, 'match' | 'conditions'>> {
  return fc.oneof(
    fc.record({ match: fc.constant('all' as const), conditions: fc.array(condition, { maxLength: 2 }) }),
    fc.record({
      match: fc.constant('any' as const),
      conditions: fc.array(condition, { minLength: 1, maxLength: 3 }),
    }),
  );
}

const always = fc.constant<Pick<Audience, 'match' | 'conditions'>>({ match: 'all', conditions: [] });

const award: fc.Arbitrary<CampaignAward> = fc.oneof(
  fc.record({
    bonusPoints: fc.oneof(
      { weight: 14, arbitrary: fc.integer({ min: 1, max: 40 }) },
      { weight: 1, arbitrary: fc.constant(Number.MAX_SAFE_INTEGER) },
    ),
  }),
  fc.record({
    multiplier: fc
      .tuple(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 20 }))
      .map(([denominator, more]) => ({ numerator: denominator + more, denominator })),
    rounding,
  }),
);

const schedule: fc.Arbitrary<Schedule> = fc
  .record(
    {
      from: fc.constantFrom('2026-03-01T00:00:00Z', '2026-03-29T02:00:00+01:00'),
      until: fc.constantFrom('2026-10-25T03:00:00+02:00', '2026-12-01T00:00:00-05:00'),
      timeZone: fc.constantFrom(...zones),
      daysOfWeek: fc.uniqueArray(fc.constantFrom(...days), { minLength: 5 }),
      hours: fc
        .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 12, max: 23 }))
        .map(([from, length]) => ({ from, to: (from + length) % 24 })),
    },
    { requiredKeys: [] },
  )
  // An empty one cannot be published.
  .filter((some) => Object.keys(some).length > 0);
const targets = fc.uniqueArray(fc.constantFrom(...audienceIds), { minLength: 1 });

/** Lines that a rule or campaign is for. */
const lines: fc.Arbitrary<LineSelection> = fc.oneof(
  { weight: 1, arbitrary: fc.constant('none' as const) },
  {
    weight: 4,
    arbitrary: together(
      fc.oneof(
        onNumbers(['items.quantity', 'items.unitPriceMinor'], 1, 4),
        onNames(['items.sku', 'items.category', 'items.lineReference'], ['a', 'b', 'c']),
      ),
    ),
  },
);

const campaign: fc.Arbitrary<Campaign> = fc
  .tuple(
    fc.oneof({ weight: 2, arbitrary: always }, { weight: 1, arbitrary: together(ofPurchase) }),
    fc.record(
      {
        id: fc.constantFrom('a', 'b', 'c', 'd', 'Z', 'aa', '10', '9'),
        award,
        schedule,
        audiences: targets,
        priority: fc.integer({ min: -1, max: 1 }),
        stacking: fc.constantFrom('stack' as const, 'exclusive' as const, 'best' as const),
        holdout: fc.record({ percent: fc.constantFrom(0.01, 50), salt: fc.constantFrom('x', 'y') }),
        caps: fc.record(
          {
            totalPoints: fc.integer({ min: 1, max: 60 }),
            memberPoints: fc.integer({ min: 1, max: 60 }),
            memberPeriod: fc.record({
              points: fc.integer({ min: 1, max: 60 }),
              period: fc.constantFrom('day' as const, 'week' as const, 'month' as const, 'year' as const),
            }),
          },
          { requiredKeys: ['totalPoints'] },
        ),
      },
      { requiredKeys: ['id', 'award'] },
    ),
  )
  .map(([match, rest]) => ({ ...rest, ...match }));

const timesRedeemed = fc.integer({ min: 1, max: 3 });
const coupon: fc.Arbitrary<Coupon> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record(
      {
        code: fc.constantFrom('A', 'B'),
        award,
        schedule,
        audiences: targets,
        limits: fc.record({ total: timesRedeemed, perMember: timesRedeemed }, { requiredKeys: ['total'] }),
      },
      { requiredKeys: ['code'] },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.record(
      {
        code: fc.constantFrom('A', 'B'),
        award,
        audiences: targets,
        limits: fc.record({ perMember: timesRedeemed }),
        pool: fc.record({ assignedOnly: fc.boolean() }, { requiredKeys: [] }),
      },
      { requiredKeys: ['code', 'pool'] },
    ),
  },
);

/** A program with every section that a purchase meets. */
export const anyProgram: fc.Arbitrary<ProgramDocument> = fc
  .record(
    {
      timeZone: fc.constantFrom(...zones),
      earn: fc.record({
        rules: fc.uniqueArray(
          fc
            .tuple(
              together(ofPurchase),
              fc.constantFrom('one', 'two', 'three', 'four'),
              fc.record({
                currencyExponent: fc.constant(2),
                loyaltyUnitPrecision: fc.constant(0),
                rateNumerator: fc.oneof(
                  fc.integer({ min: 0, max: 9 }),
                  fc.integer({ min: 0, max: 9 }),
                  fc.constantFrom(0, 999_999, 1_000_000),
                ),
                rateDenominator: fc.integer({ min: 1, max: 9 }),
                rounding,
                tierRounding: rounding,
              }),
            )
            .map(([match, id, earn]) => ({ id, ...match, earn })),
          { minLength: 1, maxLength: 4, selector: ({ id }) => id },
        ),
      }),
      tiers: fc
        .tuple(...tiers.map(() => fc.tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 8 }))))
        .map((multipliers) =>
          multipliers.map(([numerator, denominator], index) => ({
            id: tiers[index] ?? '',
            name: 'Tier',
            threshold: index * 2,
            multiplier: { numerator, denominator },
          })),
        ),
      audiences: fc
        .tuple(...audienceIds.map(() => fc.oneof(always, together(ofMember))))
        .map((all) => all.map((one, index) => ({ id: audienceIds[index] ?? '', ...one }))),
      campaigns: fc.uniqueArray(campaign, { minLength: 1, maxLength: 5, selector: ({ id }) => id }),
      coupons: fc.uniqueArray(coupon, { minLength: 1, selector: ({ code }) => code }),
      memberLimit: fc.record({
        points: fc.integer({ min: 1, max: 300 }),
        period: fc.constantFrom('day', 'week', 'month', 'year', 'lifetime'),
        onExceed: fc.constantFrom('trim', 'trim', 'reject'),
      }),
      pending: fc.record({ days: fc.integer({ min: 0, max: 3 }) }),
      expiration: fc.oneof(
        fc.record({ policy: fc.constant('never' as const) }),
        fc.record({
          policy: fc.constantFrom('rolling_days' as const, 'inactivity' as const),
          days: fc.integer({ min: 1, max: 400 }),
        }),
        fc.record({
          policy: fc.constant('end_of_period' as const),
          period: fc.constantFrom('month' as const, 'quarter' as const, 'year' as const),
          offsetDays: fc.integer({ min: 0, max: 90 }),
        }),
      ),
    },
    { requiredKeys: ['earn', 'tiers', 'audiences'] },
  )
  .map((sections) => program(sections as Partial<ProgramDocument>));

/** The same, with rules and campaigns for lines. */
export const anyProgramByLine: fc.Arbitrary<ProgramDocument> = fc
  .tuple(anyProgram, fc.array(fc.option(lines, { freq: 3 }), { minLength: 9, maxLength: 9 }))
  .map(([document, selections]) => {
    const selected = <T extends object>(
      parts: readonly T[],
      from: number,
    ): (T & { lines?: LineSelection })[] =>
      parts.map((part, index) => {
        const selection = selections[from + index];
        return selection ? { ...part, lines: selection } : part;
      });
    return {
      ...document,
      earn: { rules: selected(document.earn.rules, 0) },
      ...(document.campaigns && { campaigns: selected(document.campaigns, 4) }),
    };
  });
