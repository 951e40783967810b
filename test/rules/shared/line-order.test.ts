import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { CartLine } from '../../../src/rules/offers/cart.ts';
import { lineOrder } from '../../../src/rules/shared/line-order.ts';

/** Lines of so few kinds that most pairs differ in one property only. */
const cartLine: fc.Arbitrary<CartLine> = fc.record({
  sku: fc.constantFrom('a', 'b'),
  unitPriceMinor: fc.constantFrom(9, 10),
  quantity: fc.constantFrom(undefined, null, 1, 2),
  lineReference: fc.constantFrom(undefined, 'x', 'y'),
  category: fc.constantFrom(undefined, 'beans', 'mugs'),
  tags: fc.constantFrom(undefined, ['new'], ['sale']),
  attributes: fc.constantFrom(undefined, { size: 1 }, { size: 2 }),
});

/** The content of a line, with its default filled in. */
const said = ({ quantity, ...rest }: CartLine) => ({ ...rest, quantity: quantity ?? 1 });

const inOrder = (lines: readonly CartLine[]) =>
  lineOrder(lines).map((index) => said(lines[index] as CartLine));

test('law: the order follows from what the lines say, not from where they stand', () => {
  fc.assert(
    fc.property(
      fc
        .array(cartLine, { minLength: 2, maxLength: 6 })
        .chain((lines) =>
          fc.tuple(fc.constant(lines), fc.shuffledSubarray(lines, { minLength: lines.length })),
        ),
      ([lines, shuffled]) => {
        expect(inOrder(shuffled)).toEqual(inOrder(lines));
        expect([...lineOrder(lines)].sort()).toEqual(lines.map((_, index) => index));
      },
    ),
    { numRuns: 500 },
  );
});

test.each<[string, Partial<CartLine>, Partial<CartLine>]>([
  ['sku', { sku: 'a', unitPriceMinor: 20 }, { sku: 'b' }],
  ['price, as a number', { unitPriceMinor: 9, quantity: 3 }, { unitPriceMinor: 10 }],
  ['quantity, which is 1 where it is absent', { quantity: null, lineReference: 'z' }, { quantity: 2 }],
  ['reference', { lineReference: 'x', category: 'z' }, { lineReference: 'y' }],
  ['category', { category: 'beans', tags: ['z'] }, { category: 'mugs' }],
  ['tags', { tags: ['new'] }, { tags: ['sale'] }],
  ['attributes', { attributes: { size: 1 } }, { attributes: { size: 2 } }],
])('goes by %s where all before it is the same', (_what, first, second) => {
  const plain = { sku: 'a', unitPriceMinor: 10 };
  const [one, other] = [
    { ...plain, ...first },
    { ...plain, ...second },
  ];
  expect(lineOrder([one, other])).toEqual([0, 1]);
  expect(lineOrder([other, one])).toEqual([1, 0]);
});
