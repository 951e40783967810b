import type { Condition } from '../../../src/programs/document/document-values.ts';
import type { PurchaseFacts } from '../../../src/rules/conditions/purchase-facts.ts';
import { rule } from '../../support/rules/fixtures.ts';
import { type WorkedExample, when } from './example.ts';

// Rule `special` gives three points a dollar where its condition holds, `base` one where it does not:
// $100 × 3 = 300, or $100 × 1 = 100.
function special(
  name: string,
  conditions: Condition | Condition[],
  holds: boolean,
  purchase: Partial<PurchaseFacts> = {},
  match: 'all' | 'any' = 'all',
): WorkedExample {
  const first = { ...rule('special', [conditions].flat(), { rateNumerator: 3 }), match };
  return {
    name,
    arithmetic: holds ? '100 × 3 = 300' : '100 × 1 = 100',
    program: { earn: { rules: [first, rule('base')] } },
    purchase,
    expected: holds
      ? {
          base: 300,
          points: 300,
          decisions: ['earn_rule special 300', 'earn_rule base no', 'tier bronze 0'],
        }
      : {
          base: 100,
          points: 100,
          decisions: ['earn_rule special no', 'earn_rule base 100', 'tier bronze 0'],
        },
  };
}

const two = {
  items: [
    { sku: 'mug', category: 'ware', quantity: 2, unitPriceMinor: 1500 },
    { sku: 'beans', category: 'coffee', unitPriceMinor: 7000 },
  ],
};

/** Each operator, with a value that satisfies it and one that does not. */
export const conditionExamples: WorkedExample[] = [
  special('equals, the same text', when('purchase.channel', 'equals', 'web'), true),
  special('equals, another text', when('purchase.channel', 'equals', 'app'), false),
  special('equals never holds across types', when('attributes.visits', 'equals', '3'), false, {
    attributes: { visits: 3 },
  }),
  special('equals, any line of two', when('items.category', 'equals', 'coffee'), true, two),
  special('not_equals of an absent field holds', when('purchase.couponCode', 'not_equals', 'A'), true),
  special(
    'not_equals holds where no line matches, and one does',
    when('items.sku', 'not_equals', 'mug'),
    false,
    two,
  ),
  special('in, one of the list', when('items.sku', 'in', ['cup', 'mug']), true, two),
  special('in, none of the list', when('items.sku', 'in', ['cup', 'pot']), false, two),
  special('not_in, none of the list', when('items.sku', 'not_in', ['cup', 'pot']), true, two),
  special('not_in, the second line is', when('items.sku', 'not_in', ['cup', 'beans']), false, two),
  special('gt, one cent above', when('purchase.amountMinor', 'gt', 9_999), true),
  special('gt, the same amount', when('purchase.amountMinor', 'gt', 10_000), false),
  special('gte, the same amount', when('purchase.amountMinor', 'gte', 10_000), true),
  special('gte, one cent below', when('purchase.amountMinor', 'gte', 10_001), false),
  special('lt, of a line’s price', when('items.unitPriceMinor', 'lt', 1_501), true, two),
  special('lt, a text is not below a number', when('attributes.size', 'lt', 9), false, {
    attributes: { size: '8' },
  }),
  special('lte, a quantity that is absent is 1', when('items.quantity', 'lte', 1), true, two),
  special('lte, one above', when('items.quantity', 'lte', 1), false, { items: [{ quantity: 2 }] }),
  special('between, the lower end', when('purchase.amountMinor', 'between', [10_000, 20_000]), true),
  special(
    'between, the upper end of dates',
    when('time.date', 'between', ['2026-02-01', '2026-03-04']),
    true,
  ),
  special('between, one above the upper end', when('purchase.amountMinor', 'between', [1, 9_999]), false),
  special(
    'between, two lines around it are not in it',
    when('items.unitPriceMinor', 'between', [2_000, 6_000]),
    false,
    two,
  ),
  special('exists, an attribute', when('attributes.note', 'exists', true), true, {
    attributes: { note: '' },
  }),
  special('exists, null is not there', when('attributes.note', 'exists', true), false, {
    attributes: { note: null },
  }),
  special('exists with false, no lines at all', when('items.sku', 'exists', false), true),
  special(
    'exists with false, an attribute of a prototype',
    when('attributes.constructor', 'exists', false),
    true,
    {
      attributes: {},
    },
  ),
  special(
    'all of two, and one fails',
    [when('purchase.channel', 'equals', 'web'), when('time.hour', 'lt', 12)],
    false,
  ),
  special(
    'any of two, and one fails',
    [when('purchase.channel', 'equals', 'web'), when('time.hour', 'lt', 12)],
    true,
    {},
    'any',
  ),
  special(
    'two conditions are met by two different lines',
    [when('items.sku', 'equals', 'mug'), when('items.category', 'equals', 'coffee')],
    true,
    two,
  ),
  {
    name: 'no rule holds',
    arithmetic: '0',
    program: { earn: { rules: [rule('never', [when('purchase.amountMinor', 'lt', 1)])] } },
    expected: { base: 0, points: 0, decisions: ['earn_rule never no', 'tier bronze no'] },
  },
  {
    name: 'a currency that is the program’s by default',
    arithmetic: 'JPY of the program, with no decimals: 100 × 1 ÷ 10^0 = 100',
    program: {
      currency: 'JPY',
      earn: { rules: [rule('yen', [when('purchase.currency', 'equals', 'JPY')], { currencyExponent: 0 })] },
    },
    purchase: { amountMinor: 100 },
    expected: { base: 100, points: 100, decisions: ['earn_rule yen 100', 'tier bronze 0'] },
  },
  {
    name: 'another currency',
    arithmetic: 'refused',
    purchase: { currency: 'EUR' },
    expected: { refused: 'currency_mismatch' },
  },
];
