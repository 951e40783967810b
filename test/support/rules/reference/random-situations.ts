import fc from 'fast-check';
import type {
  Audience,
  Campaign,
  CampaignAward,
  Coupon,
  Schedule,
} from '../../../../src/programs/document/campaign-document.ts';
import type {
  Condition,
  LineSelection,
  Rounding,
} from '../../../../src/programs/document/document-values.ts';
import type { ProgramDocument } from '../../../../src/programs/document/program-document.ts';
import type { PurchaseEvaluationInput } from '../../../../src/rules/earning/evaluate-purchase.ts';
import { input, program } from '../fixtures.ts';

// Programs that can be published, members and purchases. Numbers are small, so that limits and thresholds are reached.

const tiers = ['bronze', 'silver', 'gold'];
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

const coupon: fc.Arbitrary<Coupon> = fc.record(
  {
    code: fc.constantFrom('A', 'B'),
    award,
    schedule,
    audiences: targets,
    limits: fc.record(
      { total: fc.integer({ min: 1, max: 3 }), perMember: fc.integer({ min: 1, max: 3 }) },
      { requiredKeys: ['total'] },
    ),
  },
  { requiredKeys: ['code'] },
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

/** Around changes of the clock, ends of periods, and anywhere in a year. */
export const anyInstant: fc.Arbitrary<Date> = fc.oneof(
  fc
    .tuple(
      fc.constantFrom(
        '2026-03-29T01:00:00Z',
        '2026-10-25T01:00:00Z',
        '2026-03-08T07:00:00Z',
        '2026-12-31T23:59:59Z',
      ),
      fc.integer({ min: -7_200_000, max: 7_200_000 }),
    )
    .map(([text, shift]) => new Date(Date.parse(text) + shift)),
  fc.date({
    min: new Date('2026-01-01T00:00:00Z'),
    max: new Date('2027-01-02T00:00:00Z'),
    noInvalidDate: true,
  }),
);

const name = fc.constantFrom('a', 'b', 'c');
const line = fc.record(
  {
    sku: fc.option(name),
    category: fc.option(name),
    lineReference: name,
    quantity: fc.option(fc.integer({ min: 1, max: 4 })),
    unitPriceMinor: fc.integer({ min: 1, max: 4 }),
  },
  { requiredKeys: ['unitPriceMinor'] },
);

/** The input of a purchase, without its member and its time. */
export const anyPurchase = fc.record(
  {
    amountMinor: fc.oneof(
      { weight: 8, arbitrary: fc.nat(3_000) },
      { weight: 1, arbitrary: fc.oneof(fc.nat(1_000_000_000_000), fc.constant(1_000_000_000_000)) },
    ),
    channel: fc.constantFrom('web' as const, 'store' as const, 'app' as const),
    couponCode: fc.constantFrom('A', 'B', 'C'),
    items: fc.array(line, { maxLength: 3 }),
    attributes: fc.record(
      { x: fc.constantFrom('a', 'b', 1, 2, true), y: fc.constantFrom(0, 1, 2.5, 'a', null) },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: ['amountMinor', 'channel'] },
);

const names = fc.uniqueArray(name, { maxLength: 2 });
const used = fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(70) });

/** Everything that a purchase's points depend on, including how much of the limits was used before it. */
export const anySituation: fc.Arbitrary<PurchaseEvaluationInput> = situationsUnder(anyProgram);

/** The same under programs that earn by line. */
export const anySituationByLine: fc.Arbitrary<PurchaseEvaluationInput> = situationsUnder(anyProgramByLine);

function situationsUnder(documents: fc.Arbitrary<ProgramDocument>): fc.Arbitrary<PurchaseEvaluationInput> {
  return fc
    .record({
      document: documents,
      bought: anyPurchase,
      currency: fc.constantFrom(...[undefined, null, 'USD', 'USD', 'USD', 'USD', 'USD'], 'EUR'),
      sourceReference: fc.constantFrom(undefined, 'one'),
      at: anyInstant,
      sinceMs: fc.nat(4 * 86_400_000),
      tier: fc.constantFrom(...tiers, ...tiers, 'gone'),
      pinned: fc.boolean(),
      qualificationPoints: fc.nat(6),
      limitUsed: fc.oneof(fc.constant(0), fc.nat(130)),
      uses: fc.array(fc.tuple(used, used, used), { minLength: 8, maxLength: 8 }),
      couponUsed: fc.record({ total: fc.nat(3), member: fc.nat(3) }),
      history: fc.option(
        fc.record({
          purchaseCount: fc.nat(5),
          purchaseAmountMinor: fc.nat(4_000),
          days: fc.tuple(fc.nat(5), fc.nat(5)),
          tags: names,
          lists: names,
        }),
      ),
    })
    .map(({ document, bought, currency, sourceReference, at, history, pinned, ...more }) => {
      const daysBefore = (days: number) =>
        new Date(at.getTime() - days * 86_400_000 + (days === 5 ? 6e8 : 1));
      const { days: [first, last] = [0, 0], ...rest } = history ?? {};
      return input({
        program: document,
        mode: pinned ? 'event_time_pinned_configuration' : 'receipt_time_current_configuration',
        evaluationAt: at,
        purchase: { ...bought, currency, sourceReference, occurredAt: new Date(at.getTime() - more.sinceMs) },
        profile: { tier: more.tier, qualificationPoints: more.qualificationPoints },
        ...(history && {
          member: {
            ...(rest as Omit<typeof history, 'days'>),
            firstPurchaseAt: history.purchaseCount > 0 ? daysBefore(first) : null,
            lastPurchaseAt: history.purchaseCount > 0 ? daysBefore(last) : null,
          },
        }),
        limitUsed: document.memberLimit ? more.limitUsed : 0,
        capsUsed: new Map(
          (document.campaigns ?? []).map(({ id }, index) => {
            const [total = 0, member = 0, memberPeriod = 0] = more.uses[index] ?? [];
            return [id, { total, member, memberPeriod }];
          }),
        ),
        couponUsed: more.couponUsed,
      });
    });
}
