import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { OrderRecord } from '../../../src/ledger/tables/orders.ts';
import type { ProgramDocument } from '../../../src/programs/document/program-document.ts';
import { isRefusal } from '../../../src/refusal.ts';
import { counter, type Desk, receiptOf, rows } from '../../support/commands/desk.ts';
import { rule } from '../../support/rules/fixtures.ts';

const ofCategory = (category: string) => ({
  match: 'all' as const,
  conditions: [{ field: 'items.category', operator: 'equals' as const, value: category }],
});

/** Gift cards earn nothing, beans double, all else one point a dollar; a bonus on beans, and one on everything. */
const byLine = {
  earn: {
    rules: [
      { ...rule('gift', [], { rateNumerator: 0 }), lines: ofCategory('gift-card') },
      { ...rule('beans', [], { rateNumerator: 2 }), lines: ofCategory('beans') },
      rule('base', [], { rounding: 'nearest_half_up' }),
    ],
  },
  campaigns: [
    {
      id: 'roast',
      match: 'all',
      conditions: [],
      lines: ofCategory('beans'),
      award: { multiplier: { numerator: 3, denominator: 2 }, rounding: 'nearest_half_up' },
    },
  ],
  coupons: [{ code: 'SEVEN', award: { bonusPoints: 7 } }],
} satisfies Partial<ProgramDocument>;

interface Line {
  lineReference?: string;
  category: string;
  quantity: number;
  unitPriceMinor?: number;
}

function bought(items: Line[], amountMinor: number, couponCode?: string): Desk {
  const desk = counter(byLine);
  receiptOf(desk.earn({ sourceReference: 'o1', amountMinor, items, ...(couponCode && { couponCode }) }));
  return desk;
}

const order = (desk: Desk) => desk.store.tables.orders.get('o1') as OrderRecord;
const keptPoints = (desk: Desk) =>
  (order(desk).lines as { points: number }[] | null)?.map(({ points }) => points);

/** @returns the points that were taken back; null where the return is refused */
function giveBack(desk: Desk, what: { items?: object[]; returnAmountMinor?: number }): number | null {
  const returnReference = `r-${rows(desk.store.tables.returns).length}`;
  const outcome = desk.return({ sourceReference: 'o1', returnReference, ...what } as never);
  if (isRefusal(outcome)) return null;
  return (receiptOf(outcome).return as { pointsClawedBack: number }).pointsClawedBack;
}

const basket = [
  { lineReference: 'card', category: 'gift-card', quantity: 1, unitPriceMinor: 5000 },
  { lineReference: 'bag', category: 'beans', quantity: 3, unitPriceMinor: 1000 },
  { lineReference: 'mug', category: 'cups', quantity: 1, unitPriceMinor: 2000 },
];

describe('a return by line', () => {
  test('takes back the points of its lines, and those of delivery with the last', () => {
    // 60 for beans, 25 for the mug and delivery; 30 more for beans.
    const desk = bought(basket, 10_500);
    expect(order(desk).points).toBe(115);
    expect(keptPoints(desk)).toEqual([0, 90, 20]);
    expect(giveBack(desk, { items: [{ lineReference: 'card', quantity: 1 }] })).toBe(0);
    expect(giveBack(desk, { items: [{ lineReference: 'bag', quantity: 1 }] })).toBe(30);
    expect(giveBack(desk, { items: [{ lineReference: 'mug', quantity: 1 }] })).toBe(20);
    expect(giveBack(desk, { items: [{ lineReference: 'bag', quantity: 2 }] })).toBe(65);
    expect(order(desk)).toMatchObject({ state: 'returned', clawedBack: 115 });
  });

  test('of an order that earned as a whole takes back the share of its value', () => {
    const desk = counter();
    receiptOf(desk.earn({ sourceReference: 'o1', amountMinor: 10_000, items: basket as never }));
    expect(order(desk).lines).toEqual(basket);
    expect(giveBack(desk, { items: [{ lineReference: 'card', quantity: 1 }] })).toBe(50);
  });

  test('after a return by amount takes back its points and what the amount has become of the rest', () => {
    const desk = bought(basket, 10_000);
    expect(order(desk).points).toBe(110);
    // 2500 of 10000: 27.5.
    expect(giveBack(desk, { returnAmountMinor: 2500 })).toBe(28);
    // The card has no points, but of the 5000 that are left beside it 2500 are back: 110 / 2.
    expect(giveBack(desk, { items: [{ lineReference: 'card', quantity: 1 }] })).toBe(27);
    expect(giveBack(desk, { returnAmountMinor: 2500 })).toBe(55);
    expect(order(desk)).toMatchObject({ state: 'returned', clawedBack: 110 });
  });

  test('of a line that is worth nothing is possible when all the value is back', () => {
    const items = [
      { lineReference: 'bag', category: 'beans', quantity: 1 },
      { lineReference: 'mug', category: 'cups', quantity: 1, unitPriceMinor: 2000 },
    ];
    const desk = bought(items, 2000, 'SEVEN');
    expect(keptPoints(desk)).toEqual([0, 27]);
    expect(giveBack(desk, { items: [{ lineReference: 'mug', quantity: 1 }] })).toBe(27);
    expect(giveBack(desk, { items: [{ lineReference: 'bag', quantity: 1 }] })).toBe(0);
  });

  test('of an order of no value takes back the points of its lines', () => {
    const desk = bought([{ ...basket[1], quantity: 3 } as Line, basket[2] as Line], 0, 'SEVEN');
    // By pieces: 3 and 1 of 4.
    expect(keptPoints(desk)).toEqual([5, 2]);
    expect(giveBack(desk, { items: [{ lineReference: 'bag', quantity: 1 }] })).toBe(2);
    expect(giveBack(desk, { items: [{ lineReference: 'mug', quantity: 1 }] })).toBe(2);
    expect(giveBack(desk, { items: [{ lineReference: 'bag', quantity: 2 }] })).toBe(3);
    expect(order(desk)).toMatchObject({ state: 'returned', clawedBack: 7 });
  });
});

const anyLine = fc.record(
  {
    category: fc.constantFrom('gift-card', 'beans', 'cups'),
    quantity: fc.integer({ min: 1, max: 4 }),
    unitPriceMinor: fc.integer({ min: 1, max: 3000 }),
  },
  { requiredKeys: ['category', 'quantity'] },
);
const anyOrder = fc.record({
  items: fc.array(anyLine, { minLength: 1, maxLength: 5 }),
  amountMinor: fc.oneof(fc.nat(20), fc.nat(20_000)),
  coupon: fc.constantFrom(undefined, 'SEVEN'),
});
const named = (items: readonly Omit<Line, 'lineReference'>[]): Line[] =>
  items.map((item, index) => ({ ...item, lineReference: `line-${index}` }));

describe('laws of returns by line', () => {
  test('any split by lines takes back exactly the points of the order, each just those of its lines', () => {
    const pieces = anyOrder.chain(({ items, ...more }) => {
      const all = named(items).flatMap(({ lineReference, quantity }) =>
        Array.from({ length: quantity }, () => ({ lineReference, quantity: 1 })),
      );
      return fc.tuple(
        fc.constant({ items: named(items), ...more }),
        fc.shuffledSubarray(all, { minLength: all.length }),
        fc.infiniteStream(fc.integer({ min: 1, max: 3 })),
      );
    });
    fc.assert(
      fc.property(pieces, ([{ items, amountMinor, coupon }, returned, sizes]) => {
        const desk = bought(items, amountMinor, coupon);
        const { points } = order(desk);
        const kept = keptPoints(desk) ?? [];
        const backOf = new Map<string, number>();
        let taken = 0;
        for (let from = 0; from < returned.length; ) {
          const size = sizes.next().value ?? 1;
          const part = returned.slice(from, from + size);
          from += size;
          const of = giveBack(desk, { items: part }) ?? Number.NaN;
          taken += of;
          for (const { lineReference = '' } of part) {
            backOf.set(lineReference, (backOf.get(lineReference) ?? 0) + 1);
          }
          const due = items.map(({ lineReference = '', quantity }, index) =>
            Math.floor(
              (2 * (kept[index] ?? 0) * (backOf.get(lineReference) ?? 0) + quantity) / (2 * quantity),
            ),
          );
          const gone = order(desk).state === 'returned';
          expect(taken).toBe(gone ? points : due.reduce((sum, one) => sum + one, 0));
        }
        expect(taken).toBe(points);
        expect(order(desk).state).toBe('returned');
      }),
      { numRuns: 300 },
    );
  });

  test('returns of both forms, in any order, take back no more than is left, and all in the end', () => {
    const steps = fc.array(
      fc.oneof(fc.record({ line: fc.nat(4), quantity: fc.integer({ min: 1, max: 2 }) }), fc.nat(5_000)),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(anyOrder, steps, ({ items, amountMinor, coupon }, wanted) => {
        const desk = bought(named(items), amountMinor, coupon);
        const { points } = order(desk);
        let taken = 0;
        for (const step of wanted) {
          const what =
            typeof step === 'number'
              ? { returnAmountMinor: step + 1 }
              : { items: [{ lineReference: `line-${step.line % items.length}`, quantity: step.quantity }] };
          const of = giveBack(desk, what) ?? 0;
          expect(of).toBeGreaterThanOrEqual(0);
          taken += of;
          expect(order(desk).clawedBack).toBe(taken);
          expect(taken).toBeLessThanOrEqual(points);
        }
        const left = amountMinor - order(desk).returnedMinor;
        if (left > 0) taken += giveBack(desk, { returnAmountMinor: left }) ?? 0;
        if (amountMinor > 0) expect(taken).toBe(points);
      }),
      { numRuns: 300 },
    );
  });

  test('returns by amount alone take back what they take back of any order', () => {
    fc.assert(
      fc.property(anyOrder, fc.integer({ min: 1, max: 99 }), ({ items, amountMinor, coupon }, percent) => {
        const desk = bought(named(items), amountMinor, coupon);
        const { points } = order(desk);
        const returnAmountMinor = Math.ceil((amountMinor * percent) / 100);
        if (returnAmountMinor === 0) return;
        const due =
          (2n * BigInt(points) * BigInt(returnAmountMinor) + BigInt(amountMinor)) /
          (2n * BigInt(amountMinor));
        expect(giveBack(desk, { returnAmountMinor })).toBe(Number(due));
      }),
      { numRuns: 200 },
    );
  });
});
