import type { Campaign } from '../../../src/programs/document/campaign-document.ts';
import type { LineSelection } from '../../../src/programs/document/document-values.ts';
import type { EarnRate, EarnRule, ProgramDocument } from '../../../src/programs/document/program-document.ts';
import type { ItemFacts } from '../../../src/rules/conditions/purchase-facts.ts';
import { rule } from '../../support/rules/fixtures.ts';
import { bonus, campaign, coupon, type Expected, times, type WorkedExample, when } from './example.ts';

// Where nothing else is said: gift cards earn nothing, beans two points a dollar, all else one point a dollar; all
// rounded down. Lines are `card` (gift-card), `bag` (beans) and `mug`, each with a letter where there are several.

const of = (category: string): LineSelection => ({
  match: 'all',
  conditions: [when('items.category', 'equals', category)],
});
const every: LineSelection = { match: 'all', conditions: [] };
const takes = (id: string, lines: LineSelection, earn: Partial<EarnRate> = {}): EarnRule => ({
  ...rule(id, [], earn),
  lines,
});
const gift = takes('gift', of('gift-card'), { rateNumerator: 0 });
const beans = takes('beans', of('beans'), { rateNumerator: 2 });
const base = rule('base');
const shop = { earn: { rules: [gift, beans, base] } };
const on = (its: Campaign, lines: LineSelection): Campaign => ({ ...its, lines });
const silver = { tier: 'silver', qualificationPoints: 1000 };
const gold = { tier: 'gold', qualificationPoints: 5000 };

const CATEGORIES: Record<string, string> = { card: 'gift-card', bag: 'beans', mug: 'cups' };

/** A line such as `bag a`; its category follows from the first word. @param price null for none */
function line(name: string, price: number | null, quantity = 1): ItemFacts {
  return {
    lineReference: name,
    category: CATEGORIES[name.split(' ')[0] ?? ''],
    quantity,
    ...(price !== null && { unitPriceMinor: price }),
  };
}

interface Basket extends Omit<WorkedExample, 'name' | 'arithmetic' | 'expected' | 'program'> {
  program?: Partial<ProgramDocument>;
}

function basket(
  name: string,
  amountMinor: number,
  items: ItemFacts[],
  arithmetic: string,
  expected: Omit<Expected, 'base'> & { base?: number },
  more: Basket = {},
): WorkedExample {
  return {
    name,
    arithmetic,
    program: shop,
    ...more,
    purchase: { amountMinor, items, ...more.purchase },
    expected: { base: expected.points, ...expected },
  };
}

const without = (...rules: EarnRule[]): Basket => ({ program: { earn: { rules } } });
const threeLines = [line('card', 5000), line('bag', 1500, 2), line('mug', 2000)];
/** What the rules of the shop decide of the three lines above. */
const three = [
  'earn_rule gift 0 [0: 5000 0]',
  'earn_rule beans 60 [1: 3000 60]',
  'earn_rule base 20 [2: 2000 20]',
  'tier bronze 0',
];
const withCampaigns = (...campaigns: Campaign[]): Basket => ({ program: { ...shop, campaigns } });

/** Which lines a rule takes, and what they are worth. */
export const basketExamples: WorkedExample[] = [
  basket('a gift card alone', 5000, [line('card', 5000)], '5000 × 0 = 0; nothing is left', {
    points: 0,
    decisions: ['earn_rule gift 0 [0: 5000 0]', 'earn_rule beans no', 'earn_rule base 0 []', 'tier bronze 0'],
    lines: ['0: 5000 0'],
  }),
  basket('a gift card beside a mug', 7000, [line('card', 5000), line('mug', 2000)], '2000 ÷ 100 = 20', {
    points: 20,
    decisions: [
      'earn_rule gift 0 [0: 5000 0]',
      'earn_rule beans no',
      'earn_rule base 20 [1: 2000 20]',
      'tier bronze 0',
    ],
    lines: ['0: 5000 0', '1: 2000 20'],
  }),
  basket('three kinds of lines', 10_000, threeLines, '3000 × 2 ÷ 100 = 60; 2000 ÷ 100 = 20', {
    points: 80,
    decisions: three,
    lines: ['0: 5000 0', '1: 3000 60', '2: 2000 20'],
  }),
  basket(
    'the same lines the other way round',
    10_000,
    threeLines.toReversed(),
    '3000 × 2 ÷ 100 = 60; 2000 ÷ 100 = 20',
    {
      points: 80,
      decisions: [
        'earn_rule gift 0 [2: 5000 0]',
        'earn_rule beans 60 [1: 3000 60]',
        'earn_rule base 20 [0: 2000 20]',
        'tier bronze 0',
      ],
      lines: ['0: 2000 20', '1: 3000 60', '2: 5000 0'],
    },
  ),
  basket(
    'delivery goes to the rule for all that is left',
    2500,
    [line('mug', 2000)],
    '2500 ÷ 100 = 25: 20 and 5',
    {
      points: 25,
      decisions: [
        'earn_rule gift no',
        'earn_rule beans no',
        'earn_rule base 25 [0: 2000 20, rest: 500 5]',
        'tier bronze 0',
      ],
      lines: ['0: 2000 20', 'rest: 500 5'],
    },
  ),
  basket(
    'delivery of a gift card',
    5500,
    [line('card', 5000)],
    'the card takes 5000; 500 ÷ 100 = 5 are left',
    {
      points: 5,
      decisions: [
        'earn_rule gift 0 [0: 5000 0]',
        'earn_rule beans no',
        'earn_rule base 5 [rest: 500 5]',
        'tier bronze 0',
      ],
      lines: ['0: 5000 0', 'rest: 500 5'],
    },
  ),
  basket(
    'a discount is spread over all lines',
    8000,
    [line('card', 5000), line('mug', 5000)],
    '8000 × 5000 ÷ 10000 = 4000 each; 4000 ÷ 100 = 40',
    {
      points: 40,
      decisions: [
        'earn_rule gift 0 [0: 4000 0]',
        'earn_rule beans no',
        'earn_rule base 40 [1: 4000 40]',
        'tier bronze 0',
      ],
      lines: ['0: 4000 0', '1: 4000 40'],
    },
  ),
  basket(
    'an odd cent of a discount',
    100,
    [line('mug a', 100), line('mug b', 100), line('mug c', 100)],
    '33.33 → 33; 66.67 → 67, so 34; 100, so 33. One point, to the largest of 0.33, 0.34, 0.33',
    {
      points: 1,
      decisions: [
        'earn_rule gift no',
        'earn_rule beans no',
        'earn_rule base 1 [0: 33 0, 1: 34 1, 2: 33 0]',
        'tier bronze 0',
      ],
      lines: ['0: 33 0', '1: 34 1', '2: 33 0'],
    },
  ),
  basket('a cent for two lines', 1, [line('mug b', 1), line('mug a', 1)], 'a: 0.5 → 1; b: 1 − 1 = 0', {
    points: 0,
    decisions: [
      'earn_rule gift no',
      'earn_rule beans no',
      'earn_rule base 0 [0: 0 0, 1: 1 0]',
      'tier bronze 0',
    ],
    lines: ['0: 0 0', '1: 1 0'],
  }),
  basket(
    'lines without prices count by pieces',
    1000,
    [line('card', null), line('mug', null, 3)],
    '250 and 750',
    {
      points: 7,
      decisions: [
        'earn_rule gift 0 [0: 250 0]',
        'earn_rule beans no',
        'earn_rule base 7 [1: 750 7]',
        'tier bronze 0',
      ],
      lines: ['0: 250 0', '1: 750 7'],
    },
  ),
  basket('a gift card without a price', 5000, [line('card', null)], 'it explains all of the amount', {
    points: 0,
    decisions: ['earn_rule gift 0 [0: 5000 0]', 'earn_rule beans no', 'earn_rule base 0 []', 'tier bronze 0'],
    lines: ['0: 5000 0'],
  }),
  basket(
    'a line without a price beside one with',
    1000,
    [line('bag', null), line('mug', 1000)],
    '0; 1000 ÷ 100',
    {
      points: 10,
      decisions: [
        'earn_rule gift no',
        'earn_rule beans 0 [0: 0 0]',
        'earn_rule base 10 [1: 1000 10]',
        'tier bronze 0',
      ],
      lines: ['0: 0 0', '1: 1000 10'],
    },
  ),
  basket('no lines at all', 1250, [], '1250 ÷ 100 = 12.5 → 12', {
    points: 12,
    decisions: [
      'earn_rule gift no',
      'earn_rule beans no',
      'earn_rule base 12 [rest: 1250 12]',
      'tier bronze 0',
    ],
    lines: ['rest: 1250 12'],
  }),
  basket('nothing paid', 0, [line('bag', 1500)], '0 × 1500 ÷ 1500 = 0', {
    points: 0,
    decisions: ['earn_rule gift no', 'earn_rule beans 0 [0: 0 0]', 'earn_rule base 0 []', 'tier bronze 0'],
    lines: ['0: 0 0'],
  }),
  basket(
    'two lines that say the same',
    1001,
    [
      { category: 'beans', unitPriceMinor: 500 },
      { category: 'beans', unitPriceMinor: 500 },
    ],
    '1000 × 2 ÷ 100 = 20, 10 each; 1 is left',
    {
      points: 20,
      decisions: [
        'earn_rule gift no',
        'earn_rule beans 20 [0: 500 10, 1: 500 10]',
        'earn_rule base 0 [rest: 1 0]',
        'tier bronze 0',
      ],
      lines: ['0: 500 10', '1: 500 10', 'rest: 1 0'],
    },
  ),
];

const delivery = takes('delivery', 'none', { rateNumerator: 0 });

/** Which rules are asked, and in which order. */
export const lineRuleExamples: WorkedExample[] = [
  basket(
    'delivery alone is named by none',
    2500,
    [line('mug', 2000)],
    '500 × 0; 2000 ÷ 100 = 20',
    {
      points: 20,
      decisions: ['earn_rule delivery 0 [rest: 500 0]', 'earn_rule base 20 [0: 2000 20]', 'tier bronze 0'],
      lines: ['0: 2000 20', 'rest: 500 0'],
    },
    without(delivery, base),
  ),
  basket(
    'none takes nothing where lines explain all',
    2000,
    [line('mug', 2000)],
    '2000 ÷ 100 = 20',
    {
      points: 20,
      decisions: ['earn_rule delivery no', 'earn_rule base 20 [0: 2000 20]', 'tier bronze 0'],
      lines: ['0: 2000 20'],
    },
    without(delivery, base),
  ),
  basket(
    'none takes all where there are no lines',
    2000,
    [],
    '2000 × 0; nothing is left',
    {
      points: 0,
      decisions: ['earn_rule delivery 0 [rest: 2000 0]', 'earn_rule base 0 []', 'tier bronze 0'],
      lines: ['rest: 2000 0'],
    },
    without(delivery, base),
  ),
  basket(
    'none takes nothing of a discount',
    1500,
    [line('mug', 2000)],
    '1500 ÷ 100 = 15',
    {
      points: 15,
      decisions: ['earn_rule delivery no', 'earn_rule base 15 [0: 1500 15]', 'tier bronze 0'],
      lines: ['0: 1500 15'],
    },
    without(delivery, base),
  ),
  basket(
    'a line is taken once, by the first rule for it',
    3000,
    [line('bag', 3000)],
    '3000 × 2 ÷ 100 = 60',
    {
      points: 60,
      decisions: ['earn_rule beans 60 [0: 3000 60]', 'earn_rule more no', 'tier bronze 0'],
      lines: ['0: 3000 60'],
    },
    without(beans, takes('more', of('beans'), { rateNumerator: 9 })),
  ),
  basket(
    'rules that overlap',
    3500,
    [line('bag a', 3000), line('bag b', 500)],
    '3000 × 3 ÷ 100 = 90; 500 × 2 ÷ 100 = 10',
    {
      points: 100,
      decisions: ['earn_rule dear 90 [0: 3000 90]', 'earn_rule beans 10 [1: 500 10]', 'tier bronze 0'],
      lines: ['0: 3000 90', '1: 500 10'],
    },
    without(
      takes(
        'dear',
        { match: 'all', conditions: [when('items.unitPriceMinor', 'gte', 1000)] },
        { rateNumerator: 3 },
      ),
      beans,
    ),
  ),
  basket(
    'any of two conditions',
    4000,
    [line('bag', 1000), line('mug', 2000), line('card', 1000)],
    '3000 × 2 ÷ 100 = 60: 20 and 40',
    {
      points: 60,
      decisions: ['earn_rule some 60 [0: 1000 20, 1: 2000 40]', 'tier bronze 0'],
      lines: ['0: 1000 20', '1: 2000 40', '2: 1000 0'],
    },
    without(
      takes(
        'some',
        {
          match: 'any',
          conditions: [when('items.category', 'equals', 'beans'), when('items.category', 'equals', 'cups')],
        },
        { rateNumerator: 2 },
      ),
    ),
  ),
  basket(
    'all conditions of one and the same line',
    4000,
    [line('bag', 1000, 1), line('mug', 1000, 3)],
    'the bag is one, the mugs are no beans',
    {
      points: 40,
      decisions: ['earn_rule packs no', 'earn_rule base 40 [0: 1000 10, 1: 3000 30]', 'tier bronze 0'],
      lines: ['0: 1000 10', '1: 3000 30'],
    },
    without(
      takes('packs', {
        match: 'all',
        conditions: [when('items.category', 'equals', 'beans'), when('items.quantity', 'gte', 3)],
      }),
      base,
    ),
  ),
  basket(
    'quantity is 1 where it is absent',
    300,
    [{ category: 'beans', unitPriceMinor: 300 }],
    '300 × 2 ÷ 100 = 6',
    {
      points: 6,
      decisions: ['earn_rule single 6 [0: 300 6]', 'tier bronze 0'],
      lines: ['0: 300 6'],
    },
    without(
      takes(
        'single',
        { match: 'all', conditions: [when('items.quantity', 'equals', 1)] },
        { rateNumerator: 2 },
      ),
    ),
  ),
  basket(
    'every line, and not delivery',
    2500,
    [line('mug', 2000)],
    '2000 ÷ 100 = 20; 500 earn nothing',
    {
      points: 20,
      decisions: ['earn_rule goods 20 [0: 2000 20]', 'tier bronze 0'],
      lines: ['0: 2000 20', 'rest: 500 0'],
    },
    without(takes('goods', every)),
  ),
  basket(
    'all but gift cards',
    7000,
    [line('card', 5000), line('mug', 2000)],
    '2000 ÷ 100 = 20',
    {
      points: 20,
      decisions: ['earn_rule goods 20 [1: 2000 20]', 'tier bronze 0'],
      lines: ['0: 5000 0', '1: 2000 20'],
    },
    without(
      takes('goods', { match: 'all', conditions: [when('items.category', 'not_equals', 'gift-card')] }),
    ),
  ),
  basket(
    'conditions speak of the purchase: in the web shop',
    3000,
    [line('bag', 3000)],
    'only in the app; 3000 ÷ 100 = 30',
    {
      points: 30,
      decisions: ['earn_rule app no', 'earn_rule base 30 [0: 3000 30]', 'tier bronze 0'],
      lines: ['0: 3000 30'],
    },
    without({ ...beans, id: 'app', conditions: [when('purchase.channel', 'equals', 'app')] }, base),
  ),
  basket(
    'conditions speak of the purchase: in the app',
    3000,
    [line('bag', 3000)],
    '3000 × 2 ÷ 100 = 60',
    {
      points: 60,
      decisions: ['earn_rule app 60 [0: 3000 60]', 'earn_rule base 0 []', 'tier bronze 0'],
      lines: ['0: 3000 60'],
    },
    {
      ...without({ ...beans, id: 'app', conditions: [when('purchase.channel', 'equals', 'app')] }, base),
      purchase: { channel: 'app' },
    },
  ),
  basket(
    'conditions see lines that were taken',
    7000,
    [line('card', 5000), line('mug', 2000)],
    'with a card, a mug earns 2000 × 3 ÷ 100 = 60',
    {
      points: 60,
      decisions: ['earn_rule gift 0 [0: 5000 0]', 'earn_rule present 60 [1: 2000 60]', 'tier bronze 0'],
      lines: ['0: 5000 0', '1: 2000 60'],
    },
    without(gift, rule('present', [when('items.category', 'equals', 'gift-card')], { rateNumerator: 3 })),
  ),
  basket(
    'a rule without lines ends the list',
    3000,
    [line('bag', 3000)],
    '3000 ÷ 100 = 30; the beans are gone',
    {
      points: 30,
      decisions: ['earn_rule base 30 [0: 3000 30]', 'earn_rule beans no', 'tier bronze 0'],
      lines: ['0: 3000 30'],
    },
    without(base, beans),
  ),
  basket(
    'a rule without lines that does not hold ends nothing',
    3000,
    [line('bag', 3000)],
    '3000 × 2 ÷ 100 = 60',
    {
      points: 60,
      decisions: ['earn_rule big no', 'earn_rule beans 60 [0: 3000 60]', 'tier bronze 0'],
      lines: ['0: 3000 60'],
    },
    without(rule('big', [when('purchase.amountMinor', 'gte', 5000)]), beans),
  ),
  basket(
    'what no rule takes earns nothing',
    5500,
    [line('bag', 3000), line('mug', 2000)],
    '3000 × 2 ÷ 100 = 60',
    {
      points: 60,
      decisions: ['earn_rule beans 60 [0: 3000 60]', 'tier bronze 0'],
      lines: ['0: 3000 60', '1: 2000 0', 'rest: 500 0'],
    },
    without(beans),
  ),
  basket(
    'no rule takes anything',
    2000,
    [line('mug', 2000)],
    'there are no beans',
    { points: 0, decisions: ['earn_rule beans no', 'tier bronze no'], lines: ['0: 2000 0'] },
    without(beans),
  ),
];

const thirds = [line('bag a', 33), line('bag b', 33), line('bag c', 33)];
const two = (earn: Partial<EarnRate>): Basket =>
  without(takes('beans', of('beans'), { rateNumerator: 2, ...earn }), rule('base', [], earn));

/** Rounding: once for a rule, then once for its tier; points of lines by largest remainder. */
export const lineRoundingExamples: WorkedExample[] = [
  basket(
    'a rule rounds once, and not line by line',
    99,
    thirds,
    '99 × 2 ÷ 100 = 1.98 → 1, to the first of three equal lines',
    {
      points: 1,
      decisions: ['earn_rule beans 1 [0: 33 1, 1: 33 0, 2: 33 0]', 'earn_rule base 0 []', 'tier bronze 0'],
      lines: ['0: 33 1', '1: 33 0', '2: 33 0'],
    },
    two({}),
  ),
  basket(
    'up',
    99,
    thirds,
    '1.98 → 2, to the first two',
    {
      points: 2,
      decisions: ['earn_rule beans 2 [0: 33 1, 1: 33 1, 2: 33 0]', 'earn_rule base 0 []', 'tier bronze 0'],
      lines: ['0: 33 1', '1: 33 1', '2: 33 0'],
    },
    two({ rounding: 'ceil' }),
  ),
  basket(
    'to the first by content, whatever comes first',
    99,
    thirds.toReversed(),
    '1.98 → 1, to bag a',
    {
      points: 1,
      decisions: ['earn_rule beans 1 [0: 33 0, 1: 33 0, 2: 33 1]', 'earn_rule base 0 []', 'tier bronze 0'],
      lines: ['0: 33 0', '1: 33 0', '2: 33 1'],
    },
    two({}),
  ),
  basket(
    'half up',
    250,
    [line('bag', 125), line('mug', 125)],
    '125 × 2 ÷ 100 = 2.5 → 3; 1.25 → 1',
    {
      points: 4,
      decisions: ['earn_rule beans 3 [0: 125 3]', 'earn_rule base 1 [1: 125 1]', 'tier bronze 0'],
      lines: ['0: 125 3', '1: 125 1'],
    },
    two({ rounding: 'nearest_half_up' }),
  ),
  basket(
    'half to the even one',
    275,
    [line('bag', 125), line('mug', 150)],
    '2.5 → 2; 1.5 → 2',
    {
      points: 4,
      decisions: ['earn_rule beans 2 [0: 125 2]', 'earn_rule base 2 [1: 150 2]', 'tier bronze 0'],
      lines: ['0: 125 2', '1: 150 2'],
    },
    two({ rounding: 'nearest_half_even' }),
  ),
  basket(
    'silver multiplies the points of each rule',
    10_000,
    threeLines,
    '60 × 5/4 = 75; 20 × 5/4 = 25',
    {
      points: 100,
      decisions: [...three.slice(0, 3), 'tier silver 20'],
      lines: ['0: 5000 0', '1: 3000 75', '2: 2000 25'],
    },
    { profile: silver },
  ),
  basket(
    'and rounds each by itself',
    150,
    [line('bag', 50), line('mug', 100)],
    '1 × 5/4 = 1.25 → 1, twice: 2, and not 2.5 → 3',
    {
      points: 2,
      decisions: [
        'earn_rule gift no',
        'earn_rule beans 1 [0: 50 1]',
        'earn_rule base 1 [1: 100 1]',
        'tier silver 0',
      ],
      lines: ['0: 50 1', '1: 100 1'],
    },
    { profile: silver },
  ),
  basket(
    'gold rounds half up twice',
    150,
    [line('bag', 50), line('mug', 100)],
    '1 × 3/2 = 1.5 → 2, twice',
    {
      points: 4,
      decisions: [
        'earn_rule gift no',
        'earn_rule beans 1 [0: 50 1]',
        'earn_rule base 1 [1: 100 1]',
        'tier gold 2',
      ],
      lines: ['0: 50 2', '1: 100 2'],
    },
    { profile: gold },
  ),
  basket(
    'each rule has its own rounding for the tier',
    150,
    [line('bag', 50), line('mug', 100)],
    '1.5 → 1 down; 1.5 → 2 half up',
    {
      points: 3,
      decisions: ['earn_rule beans 1 [0: 50 1]', 'earn_rule base 1 [1: 100 1]', 'tier gold 1'],
      lines: ['0: 50 1', '1: 100 2'],
    },
    {
      ...without(takes('beans', of('beans'), { rateNumerator: 2, tierRounding: 'floor' }), base),
      profile: gold,
    },
  ),
  basket(
    'points of a line are those after the tier',
    300,
    [line('mug a', 100), line('mug b', 200)],
    '3 × 5/4 = 3.75 → 4: 1.33 and 2.67 → 1 and 3',
    {
      points: 4,
      decisions: [
        'earn_rule gift no',
        'earn_rule beans no',
        'earn_rule base 3 [0: 100 1, 1: 200 2]',
        'tier silver 1',
      ],
      lines: ['0: 100 1', '1: 200 3'],
    },
    { profile: silver },
  ),
  basket(
    'hundredths of points',
    1050,
    [line('bag', 333), line('mug', 667)],
    '333 × 2 × 100 ÷ 100 = 666; 717 × 100 ÷ 100 = 717, of which 667 and 50',
    {
      points: 1383,
      decisions: [
        'earn_rule beans 666 [0: 333 666]',
        'earn_rule base 717 [1: 667 667, rest: 50 50]',
        'tier bronze 0',
      ],
      lines: ['0: 333 666', '1: 667 667', 'rest: 50 50'],
    },
    {
      program: {
        loyaltyUnitPrecision: 2,
        earn: {
          rules: [
            takes('beans', of('beans'), { rateNumerator: 2, loyaltyUnitPrecision: 2 }),
            rule('base', [], { loyaltyUnitPrecision: 2 }),
          ],
        },
      },
    },
  ),
];

const bags = [line('bag a', 1000), line('bag b', 2000), line('mug', 2000)];
/** What the rules of the shop decide of the lines above. */
const ofBags = [
  'earn_rule gift no',
  'earn_rule beans 60 [0: 1000 20, 1: 2000 40]',
  'earn_rule base 20 [2: 2000 20]',
  'tier bronze 0',
];
const limit = (points: number, onExceed: 'trim' | 'reject' = 'trim') => ({
  memberLimit: { points, period: 'month' as const, onExceed },
});

/** Campaigns on lines, coupons, caps and the member limit. */
export const lineCampaignExamples: WorkedExample[] = [
  basket(
    'a multiplier on lines',
    5000,
    bags,
    'the beans have 60 of 80 base points: 60 × (2 − 1)',
    {
      base: 80,
      campaigns: { twice: 60 },
      points: 140,
      decisions: [...ofBags, 'campaign twice 60 [0: 1000 20, 1: 2000 40]'],
      lines: ['0: 1000 40', '1: 2000 80', '2: 2000 20'],
    },
    withCampaigns(on(campaign('twice', times(2)), of('beans'))),
  ),
  basket(
    'a multiplier on base points after the tier',
    5000,
    bags,
    '60 × 5/4 = 75, 20 × 5/4 = 25; 75 × (2 − 1)',
    {
      base: 100,
      campaigns: { twice: 75 },
      points: 175,
      decisions: [...ofBags.slice(0, 3), 'tier silver 20', 'campaign twice 75 [0: 1000 25, 1: 2000 50]'],
      lines: ['0: 1000 50', '1: 2000 100', '2: 2000 25'],
    },
    { ...withCampaigns(on(campaign('twice', times(2)), of('beans'))), profile: silver },
  ),
  basket(
    'a multiplier on lines that earned nothing',
    10_000,
    threeLines,
    '0 × (2 − 1)',
    {
      base: 80,
      points: 80,
      decisions: [...three, 'campaign twice 0 [0: 5000 0]'],
      lines: ['0: 5000 0', '1: 3000 60', '2: 2000 20'],
    },
    withCampaigns(on(campaign('twice', times(2)), of('gift-card'))),
  ),
  basket(
    'a multiplier on lines that are not there',
    2000,
    [line('mug', 2000)],
    'no beans',
    {
      points: 20,
      decisions: [
        'earn_rule gift no',
        'earn_rule beans no',
        'earn_rule base 20 [0: 2000 20]',
        'tier bronze 0',
        'campaign twice no',
      ],
      lines: ['0: 2000 20'],
    },
    withCampaigns(on(campaign('twice', times(2)), of('beans'))),
  ),
  basket(
    'a bonus on lines, in proportion to their values',
    5000,
    bags,
    '25 over 1000 and 2000: 8.33 and 16.67',
    {
      base: 80,
      campaigns: { thanks: 25 },
      points: 105,
      decisions: [...ofBags, 'campaign thanks 25 [0: 1000 8, 1: 2000 17]'],
      lines: ['0: 1000 28', '1: 2000 57', '2: 2000 20'],
    },
    withCampaigns(on(campaign('thanks', bonus(25)), of('beans'))),
  ),
  basket(
    'a bonus on lines that are not there',
    5000,
    bags,
    'no gift card',
    {
      points: 80,
      decisions: [...ofBags, 'campaign thanks no'],
      lines: ['0: 1000 20', '1: 2000 40', '2: 2000 20'],
    },
    withCampaigns(on(campaign('thanks', bonus(25)), of('gift-card'))),
  ),
  basket(
    'a bonus on lines that are worth nothing, by pieces',
    1000,
    [line('bag a', null, 3), line('bag b', null, 1), line('mug', 1000)],
    '10 over 3 and 1 pieces: 7.5 and 2.5, the odd one to the first by content: b, of fewer pieces',
    {
      base: 10,
      campaigns: { sample: 10 },
      points: 20,
      decisions: [
        'earn_rule gift no',
        'earn_rule beans 0 [0: 0 0, 1: 0 0]',
        'earn_rule base 10 [2: 1000 10]',
        'tier bronze 0',
        'campaign sample 10 [0: 0 7, 1: 0 3]',
      ],
      lines: ['0: 0 7', '1: 0 3', '2: 1000 10'],
    },
    withCampaigns(on(campaign('sample', bonus(10)), of('beans'))),
  ),
  basket(
    'a bonus for delivery',
    2500,
    [line('mug', 2000)],
    '10 to what no line explains',
    {
      base: 25,
      campaigns: { parcel: 10 },
      points: 35,
      decisions: [
        'earn_rule gift no',
        'earn_rule beans no',
        'earn_rule base 25 [0: 2000 20, rest: 500 5]',
        'tier bronze 0',
        'campaign parcel 10 [rest: 500 10]',
      ],
      lines: ['0: 2000 20', 'rest: 500 15'],
    },
    withCampaigns(on(campaign('parcel', bonus(10)), 'none')),
  ),
  basket(
    'a multiplier on delivery',
    2500,
    [line('mug', 2000)],
    '5 × (3 − 1) = 10',
    {
      base: 25,
      campaigns: { parcel: 10 },
      points: 35,
      decisions: [
        'earn_rule gift no',
        'earn_rule beans no',
        'earn_rule base 25 [0: 2000 20, rest: 500 5]',
        'tier bronze 0',
        'campaign parcel 10 [rest: 500 10]',
      ],
      lines: ['0: 2000 20', 'rest: 500 15'],
    },
    withCampaigns(on(campaign('parcel', times(3)), 'none')),
  ),
  basket(
    'a multiplier on the whole purchase goes where base points are',
    10_000,
    threeLines,
    '80 × (2 − 1): 60 and 20',
    {
      base: 80,
      campaigns: { twice: 80 },
      points: 160,
      decisions: [...three, 'campaign twice 80'],
      lines: ['0: 5000 0', '1: 3000 120', '2: 2000 40'],
    },
    withCampaigns(campaign('twice', times(2))),
  ),
  basket(
    'a bonus on the whole purchase goes by values',
    10_000,
    threeLines,
    '10 over 5000, 3000 and 2000',
    {
      base: 80,
      campaigns: { thanks: 10 },
      points: 90,
      decisions: [...three, 'campaign thanks 10'],
      lines: ['0: 5000 5', '1: 3000 63', '2: 2000 22'],
    },
    withCampaigns(campaign('thanks', bonus(10))),
  ),
  basket(
    'two campaigns on the same lines',
    5000,
    bags,
    'each works on the 60 base points: 60 + 30',
    {
      base: 80,
      campaigns: { a: 60, b: 30 },
      points: 170,
      decisions: [
        ...ofBags,
        'campaign a 60 [0: 1000 20, 1: 2000 40]',
        'campaign b 30 [0: 1000 10, 1: 2000 20]',
      ],
      lines: ['0: 1000 50', '1: 2000 100', '2: 2000 20'],
    },
    withCampaigns(on(campaign('a', times(2)), of('beans')), on(campaign('b', times(3, 2)), of('beans'))),
  ),
  basket(
    'an exclusive one on lines keeps others away from all lines',
    5000,
    bags,
    '60 × (2 − 1); the other is not asked',
    {
      base: 80,
      campaigns: { a: 60 },
      points: 140,
      decisions: [...ofBags, 'campaign a 60 [0: 1000 20, 1: 2000 40]', 'campaign b no'],
      lines: ['0: 1000 40', '1: 2000 80', '2: 2000 20'],
    },
    withCampaigns(
      on(campaign('a', times(2), { stacking: 'exclusive' }), of('beans')),
      on(campaign('b', bonus(5)), of('cups')),
    ),
  ),
  basket(
    'the best of two on other lines',
    5000,
    bags,
    '60 of beans; 20 × (3 − 1) = 40 of mugs',
    {
      base: 80,
      campaigns: { a: 60 },
      points: 140,
      decisions: [...ofBags, 'campaign a 60 [0: 1000 20, 1: 2000 40]', 'campaign b no'],
      lines: ['0: 1000 40', '1: 2000 80', '2: 2000 20'],
    },
    withCampaigns(
      on(campaign('a', times(2), { stacking: 'best' }), of('beans')),
      on(campaign('b', times(3), { stacking: 'best' }), of('cups')),
    ),
  ),
  basket(
    'a capped campaign is divided after the cap',
    5000,
    bags,
    '60 − 57 = 3 are left: 1 and 2',
    {
      base: 80,
      campaigns: { twice: 3 },
      points: 83,
      decisions: [...ofBags, 'campaign twice 60 [0: 1000 20, 1: 2000 40]', 'campaign_cap twice.total -57'],
      lines: ['0: 1000 21', '1: 2000 42', '2: 2000 20'],
    },
    {
      ...withCampaigns(on(campaign('twice', times(2), { caps: { totalPoints: 100 } }), of('beans'))),
      capsUsed: { twice: { total: 97 } },
    },
  ),
  basket(
    'a coupon with a bonus goes by values',
    5000,
    bags,
    '10 over 1000, 2000 and 2000',
    {
      base: 80,
      coupon: 10,
      points: 90,
      decisions: [...ofBags, 'coupon TEN 10'],
      lines: ['0: 1000 22', '1: 2000 44', '2: 2000 24'],
    },
    { program: { ...shop, coupons: [coupon('TEN', bonus(10))] }, purchase: { couponCode: 'TEN' } },
  ),
  basket(
    'a coupon with a multiplier goes where base points are',
    10_000,
    threeLines,
    '80 × (2 − 1): 60 and 20',
    {
      base: 80,
      coupon: 80,
      points: 160,
      decisions: [...three, 'coupon TWICE 80'],
      lines: ['0: 5000 0', '1: 3000 120', '2: 2000 40'],
    },
    { program: { ...shop, coupons: [coupon('TWICE', times(2))] }, purchase: { couponCode: 'TWICE' } },
  ),
  basket(
    'a coupon on an order of no value, by pieces',
    0,
    [line('bag', 1500, 2), line('mug', 2000, 3)],
    '10 over 2 and 3 pieces',
    {
      base: 0,
      coupon: 10,
      points: 10,
      decisions: [
        'earn_rule gift no',
        'earn_rule beans 0 [0: 0 0]',
        'earn_rule base 0 [1: 0 0]',
        'tier bronze 0',
        'coupon TEN 10',
      ],
      lines: ['0: 0 4', '1: 0 6'],
    },
    { program: { ...shop, coupons: [coupon('TEN', bonus(10))] }, purchase: { couponCode: 'TEN' } },
  ),
  basket(
    'the member limit takes campaigns first',
    5000,
    bags,
    '80 + 60 − 50 = 90: 10 of the campaign, 3.33 and 6.67',
    {
      base: 80,
      campaigns: { twice: 10 },
      points: 90,
      decisions: [...ofBags, 'campaign twice 60 [0: 1000 20, 1: 2000 40]', 'member_limit member_limit -50'],
      lines: ['0: 1000 23', '1: 2000 47', '2: 2000 20'],
    },
    { program: { ...shop, ...limit(90), campaigns: [on(campaign('twice', times(2)), of('beans'))] } },
  ),
  basket(
    'then base points of the last rule',
    5000,
    bags,
    '80 − 15 = 65: 60 of beans, 5 of the mug',
    {
      points: 65,
      decisions: [...ofBags, 'member_limit member_limit -15'],
      lines: ['0: 1000 20', '1: 2000 40', '2: 2000 5'],
    },
    { program: { ...shop, ...limit(65) } },
  ),
  basket(
    'then those of the rule before',
    5000,
    bags,
    '80 − 50 = 30 of beans: 10 and 20',
    {
      points: 30,
      decisions: [...ofBags, 'member_limit member_limit -50'],
      lines: ['0: 1000 10', '1: 2000 20', '2: 2000 0'],
    },
    { program: { ...shop, ...limit(30) } },
  ),
  {
    ...basket(
      'a limit that rejects looks at the whole basket',
      5000,
      bags,
      '80 > 79',
      { points: 0, decisions: [] },
      {
        program: { ...shop, ...limit(79, 'reject') },
      },
    ),
    expected: { refused: 'member_limit_reached' },
  },
];
