import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Condition, ConditionOperator } from '../../../src/programs/document/document-values.ts';
import { createClock } from '../../../src/rules/calendar/local-time.ts';
import { compileCondition, describeCondition } from '../../../src/rules/conditions/conditions.ts';
import { type EvaluationFacts, factsOf } from '../../../src/rules/conditions/evaluation-facts.ts';
import { newcomer } from '../../../src/rules/conditions/member-facts.ts';
import type { PurchaseFacts } from '../../../src/rules/conditions/purchase-facts.ts';
import { noon, purchase } from '../../support/rules/fixtures.ts';

function facts(overrides: Partial<PurchaseFacts> = {}): EvaluationFacts {
  const bought = purchase({
    items: [
      { lineReference: 'l1', sku: 'beans-1kg', category: 'beans', quantity: 2, unitPriceMinor: 1999 },
      { lineReference: 'l2', sku: 'mug', unitPriceMinor: 500 },
    ],
    couponCode: 'SPRING',
    sourceReference: 'order-1',
    attributes: { staff: true, visits: 3, note: '', 'a.b': 'dotted', none: null, ratio: 0.5 },
    ...overrides,
  });
  const profile = { tier: 'silver', qualificationPoints: 1200 };
  return factsOf({ purchase: bought, profile }, 'USD', createClock('UTC'), noon);
}

function holds(field: string, operator: ConditionOperator, value: Condition['value'], of = facts()): boolean {
  return compileCondition({ field, operator, value })(of);
}

describe('each operator, at and beside its bound', () => {
  test.each<[string, ConditionOperator, Condition['value'], boolean]>([
    ['purchase.amountMinor', 'equals', 10_000, true],
    ['purchase.amountMinor', 'equals', 9_999, false],
    ['purchase.channel', 'equals', 'web', true],
    ['purchase.channel', 'equals', 'store', false],
    ['attributes.staff', 'equals', true, true],
    ['attributes.staff', 'equals', 'true', false],
    ['attributes.visits', 'equals', '3', false],
    ['attributes.note', 'equals', '', true],
    ['purchase.channel', 'not_equals', 'store', true],
    ['purchase.channel', 'not_equals', 'web', false],
    ['purchase.channel', 'in', ['app', 'web'], true],
    ['purchase.channel', 'in', ['app', 'store'], false],
    ['purchase.channel', 'not_in', ['app', 'store'], true],
    ['purchase.channel', 'not_in', ['app', 'web'], false],
    ['purchase.amountMinor', 'gt', 9_999, true],
    ['purchase.amountMinor', 'gt', 10_000, false],
    ['purchase.amountMinor', 'gte', 10_000, true],
    ['purchase.amountMinor', 'gte', 10_001, false],
    ['purchase.amountMinor', 'lt', 10_001, true],
    ['purchase.amountMinor', 'lt', 10_000, false],
    ['purchase.amountMinor', 'lte', 10_000, true],
    ['purchase.amountMinor', 'lte', 9_999, false],
    ['purchase.amountMinor', 'between', [10_000, 20_000], true],
    ['purchase.amountMinor', 'between', [5_000, 10_000], true],
    ['purchase.amountMinor', 'between', [10_001, 20_000], false],
    ['purchase.amountMinor', 'between', [5_000, 9_999], false],
    ['time.date', 'between', ['2026-03-04', '2026-03-04'], true],
    ['time.date', 'gt', '2026-03-04', false],
    ['time.date', 'gte', '2026-03-04', true],
    ['time.date', 'lt', '2026-03-05', true],
    ['attributes.ratio', 'gt', 0.49, true],
    // Types are never mixed: a string is neither above nor below a number.
    ['attributes.staff', 'gt', 0, false],
    ['purchase.channel', 'lt', 5, false],
    ['purchase.couponCode', 'exists', true, true],
    ['purchase.couponCode', 'exists', false, false],
    ['attributes.note', 'exists', true, true],
    ['attributes.nothing', 'exists', true, false],
    ['attributes.nothing', 'exists', false, true],
  ])('%s %s %j: %p', (field, operator, value, expected) => {
    expect(holds(field, operator, value)).toBe(expected);
  });
});

describe('every field', () => {
  test.each<[string, Condition['value']]>([
    ['purchase.amountMinor', 10_000],
    ['purchase.channel', 'web'],
    ['purchase.currency', 'USD'],
    ['purchase.couponCode', 'SPRING'],
    ['purchase.sourceReference', 'order-1'],
    ['items.lineReference', 'l2'],
    ['items.sku', 'mug'],
    ['items.category', 'beans'],
    ['items.quantity', 2],
    ['items.quantity', 1],
    ['items.unitPriceMinor', 500],
    ['profile.tier', 'silver'],
    ['profile.qualificationPoints', 1200],
    ['time.dayOfWeek', 'wednesday'],
    ['time.hour', 12],
    ['time.dayOfMonth', 4],
    ['time.month', 3],
    ['time.date', '2026-03-04'],
    ['attributes.visits', 3],
    ['attributes.a.b', 'dotted'],
  ])('%s equals %j', (field, value) => {
    expect(holds(field, 'equals', value)).toBe(true);
    expect(holds(field, 'not_equals', value)).toBe(false);
  });

  test("the purchase's own currency comes before the program's", () => {
    expect(holds('purchase.currency', 'equals', 'EUR', facts({ currency: 'EUR' }))).toBe(true);
  });

  test('a field that does not exist is a broken document, not a false condition', () => {
    expect(() => compileCondition({ field: 'items.colour', operator: 'equals', value: 'red' })).toThrow(
      RangeError,
    );
  });
});

describe('an absent field', () => {
  const absent = facts({ items: [{}], attributes: { none: null }, couponCode: null });
  const fields = [
    'purchase.couponCode',
    'items.sku',
    'attributes.staff',
    'attributes.constructor',
    'attributes.none',
  ];
  test.each(fields)('%s: only not_equals, not_in and exists false hold', (field) => {
    const held = (
      [
        ['equals', 'x'],
        ['not_equals', 'x'],
        ['in', ['x']],
        ['not_in', ['x']],
        ['gt', 0],
        ['gte', 0],
        ['lt', 9],
        ['lte', 9],
        ['between', [0, 9]],
        ['exists', true],
        ['exists', false],
      ] as [ConditionOperator, Condition['value']][]
    )
      .filter(([operator, value]) => holds(field, operator, value, absent))
      .map(([operator, value]) => `${operator} ${value}`);
    expect(held).toEqual(['not_equals x', 'not_in x', 'exists false']);
  });

  test('items and attributes may be absent altogether', () => {
    const bare = facts({ items: null, attributes: null });
    expect(holds('items.sku', 'exists', false, bare)).toBe(true);
    expect(holds('attributes.staff', 'exists', false, bare)).toBe(true);
  });
});

describe('fields of the items', () => {
  test('hold where any line does', () => {
    expect(holds('items.unitPriceMinor', 'gte', 1999)).toBe(true);
    expect(holds('items.unitPriceMinor', 'gte', 2000)).toBe(false);
    expect(holds('items.sku', 'in', ['mug', 'cup'])).toBe(true);
  });
  test('are negated as a whole: not_equals holds where no line equals', () => {
    expect(holds('items.category', 'not_equals', 'beans')).toBe(false);
    expect(holds('items.category', 'not_equals', 'tea')).toBe(true);
    expect(holds('items.category', 'exists', false, facts({ items: [{ sku: 'a' }] }))).toBe(true);
    expect(
      holds('items.category', 'exists', false, facts({ items: [{ sku: 'a' }, { category: 'c' }] })),
    ).toBe(false);
  });
});

describe('fields of a cart', () => {
  const cart = (more: object = {}): EvaluationFacts => {
    const items = [
      { sku: 'mug', tags: ['sale', 'blue'] },
      { sku: 'beans', tags: [] },
    ];
    const of = { subtotalMinor: 2_000, quantity: 3, items, ...more };
    return factsOf({ cart: of }, 'USD', createClock('UTC'), noon);
  };

  test('tags of lines: one of them is enough, and a line without any has none', () => {
    expect(holds('items.tags', 'equals', 'blue', cart())).toBe(true);
    expect(holds('items.tags', 'not_equals', 'blue', cart())).toBe(false);
    expect(holds('items.tags', 'equals', 'red', cart())).toBe(false);
  });

  test('the currency is the program’s where the cart names none', () => {
    expect(holds('context.currency', 'equals', 'USD', cart())).toBe(true);
    expect(holds('context.currency', 'equals', 'USD', cart({ currency: 'EUR' }))).toBe(false);
    expect(holds('context.currency', 'exists', true)).toBe(false);
  });
});

test('a member without qualification points has 0 of them', () => {
  const profile = { tier: 'bronze', qualificationPoints: 0 };
  const fresh = factsOf({ purchase: purchase(), profile }, 'USD', createClock('UTC'), noon);
  expect(holds('profile.qualificationPoints', 'equals', 0, fresh)).toBe(true);
  expect(holds('profile.qualificationPoints', 'exists', true, fresh)).toBe(true);
});

test('every field of the time is read off the program’s clock', () => {
  // Midnight of the new year is long past in Auckland: it is Friday, 1 January 2027, 2 o'clock.
  const at = new Date('2026-12-31T13:30:00Z');
  const there = factsOf({ purchase: purchase() }, 'USD', createClock('Pacific/Auckland'), at);
  const read: [string, string | number][] = [
    ['time.dayOfWeek', 'friday'],
    ['time.hour', 2],
    ['time.dayOfMonth', 1],
    ['time.month', 1],
    ['time.date', '2027-01-01'],
  ];
  for (const [field, value] of read)
    expect([field, holds(field, 'equals', value, there)]).toEqual([field, true]);
});

test('a newcomer’s history counts to 0, and has no days', () => {
  const fresh = factsOf({ purchase: purchase(), member: newcomer }, 'USD', createClock('UTC'), noon);
  expect(holds('history.purchaseCount', 'equals', 0, fresh)).toBe(true);
  expect(holds('history.purchaseAmountMinor', 'equals', 0, fresh)).toBe(true);
  expect(holds('history.purchaseAmountMinor', 'lt', 1, fresh)).toBe(true);
  expect(holds('history.daysSinceFirstPurchase', 'exists', false, fresh)).toBe(true);
  expect(holds('history.daysSinceLastPurchase', 'lte', 9_999, fresh)).toBe(false);
});

test('the attributes of an event are its own, where it is no purchase', () => {
  const event = factsOf({ attributes: { grams: 250 } }, 'USD', createClock('UTC'), noon);
  expect(holds('attributes.grams', 'equals', 250, event)).toBe(true);
  expect(holds('purchase.amountMinor', 'exists', false, event)).toBe(true);
});

test('a purchase that is dated after the instant was 0 days ago, not before', () => {
  const after = new Date(noon.getTime() + 86_400_000);
  const member = { ...newcomer, firstPurchaseAt: after, lastPurchaseAt: after };
  const early = factsOf({ purchase: purchase(), member }, 'USD', createClock('UTC'), noon);
  expect(holds('history.daysSinceFirstPurchase', 'equals', 0, early)).toBe(true);
  expect(holds('history.daysSinceLastPurchase', 'equals', 0, early)).toBe(true);
});

test('law: not_equals negates equals, not_in negates in, and in is any equals', () => {
  const value = fc.oneof(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 0, max: 3 }), fc.boolean());
  const line = fc.record({ sku: fc.option(fc.constantFrom('a', 'b', 'c')) });
  const of = fc.record({
    items: fc.option(fc.array(line, { maxLength: 3 })),
    attributes: fc.option(fc.record({ x: value }, { requiredKeys: [] })),
  });
  fc.assert(
    fc.property(
      of,
      fc.constantFrom('items.sku', 'attributes.x', 'attributes.y'),
      fc.array(value, { minLength: 1, maxLength: 4 }),
      (overrides, field, values) => {
        const some = facts(overrides);
        const [first = 'a'] = values;
        const equals = holds(field, 'equals', first, some);
        expect(holds(field, 'not_equals', first, some)).toBe(!equals);
        const within = holds(field, 'in', values, some);
        expect(holds(field, 'not_in', values, some)).toBe(!within);
        expect(values.some((one) => holds(field, 'equals', one, some))).toBe(within);
      },
    ),
  );
});

test('a condition in words stays short', () => {
  expect(describeCondition({ field: 'items.sku', operator: 'in', value: ['a', 'b'] })).toBe(
    'items.sku in ["a","b"]',
  );
  const long = describeCondition({ field: 'items.sku', operator: 'in', value: Array(500).fill('abc') });
  expect(long.length).toBeLessThan(100);
});
