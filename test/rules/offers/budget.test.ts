import { expect, test } from '@jest/globals';
import type { Offer } from '../../../src/programs/document/offer-document.ts';
import { isRefusal } from '../../../src/refusal.ts';
import type { CartLine, OfferProgram } from '../../../src/rules/offers/cart.ts';
import { stepsOfSmallestCart } from '../../../src/rules/offers/compiled-offers.ts';
import { evaluateInSlices, evaluateOffers } from '../../../src/rules/offers/evaluate-offers.ts';
import { MOST_ANSWER_BYTES } from '../../../src/rules/offers/evaluation-budget.ts';
import { MOST_STEPS } from '../../../src/rules/shared/evaluation-steps.ts';
import { noon } from '../../support/rules/fixtures.ts';
import {
  applied,
  evaluate,
  freeItem,
  gold,
  line,
  offer,
  percent,
  shop,
  when,
} from '../../support/rules/offer-fixtures.ts';

const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

const lines = (count: number, tags: string[] = []): CartLine[] =>
  many(count, (index) => ({ ...line(`sku-${index}`, 10_000 + index), lineReference: `line-${index}`, tags }));

const stacking = (count: number, change: Partial<Offer> = {}): Offer[] =>
  many(count, (index) => offer(`o-${index}`, percent(10), change));

/** The answer, or the code and the message of the refusal. */
function ask(of: OfferProgram | OfferProgram[], items: CartLine[], explain = false) {
  const programs = [of].flat();
  const programId = programs[0]?.programId ?? null;
  const answer = evaluateOffers({ cart: { items }, programId, programs, at: noon, explain });
  return isRefusal(answer) ? { code: answer.code, message: answer.message, details: answer.details } : answer;
}

const tooLarge = (message: string) => ({
  code: 'cart_too_large',
  message: expect.stringContaining(message),
  details: [{ path: 'items', message: expect.any(String) }],
});

test('stacking offers on every line are refused where the answer would be too large', () => {
  expect(ask(shop(stacking(500)), lines(500))).toEqual(
    tooLarge('The answer would be larger than 1000000 bytes'),
  );
  const fits = evaluate(shop(stacking(10)), lines(500), { explain: false });
  expect(applied(fits)).toHaveLength(10);
  expect(Buffer.byteLength(JSON.stringify(fits))).toBeLessThanOrEqual(MOST_ANSWER_BYTES);
});

test.each([
  ['plain lines', 120, lines(500)],
  ['one line', 500, lines(1)],
  [
    'texts of many bytes, with quotes',
    500,
    [{ ...line('"\u65e5\u672c"'.repeat(40), 1_000_000), lineReference: '\\'.repeat(200) }],
  ],
])('an answer that is given is no larger than the budget says: %s', (_name, most, items) => {
  let largest = 0;
  for (let count = 1; count <= most; count += 1) {
    const answer = ask(shop(stacking(count, { name: '\u20ac'.repeat(300) })), items);
    if ('code' in answer) break;
    largest = Math.max(largest, Buffer.byteLength(JSON.stringify(answer)));
  }
  expect(largest).toBeGreaterThan(MOST_ANSWER_BYTES / 2);
  expect(largest).toBeLessThanOrEqual(MOST_ANSWER_BYTES);
});

test('rejections count only where they are asked for', () => {
  const closed = shop(
    many(8, (of) => of).flatMap((of) =>
      many(500, (index) =>
        offer(`${of}-${index}-${'x'.repeat(190)}`, percent(1), {
          conditions: [when('context.store', 'equals', 'nowhere')],
        }),
      ),
    ),
  );
  expect(ask(closed, lines(1))).toMatchObject({ effects: [], notApplied: [] });
  expect(ask(closed, lines(1), true)).toEqual(tooLarge('ask without `explain`'));
});

const anyOf = (field: string, count: number) => ({
  match: 'any' as const,
  conditions: many(count, (index) => when(field, 'equals', `none-${index}`)),
});

test.each<[string, Offer[], CartLine[]]>([
  ['conditions on lines', stacking(500, { lines: anyOf('items.sku', 50) }), lines(500)],
  [
    'tags of lines',
    stacking(20, { lines: anyOf('items.tags', 50) }),
    lines(
      500,
      many(10, (i) => `t${i}`),
    ),
  ],
  ['conditions of carts on lines', stacking(500, anyOf('items.sku', 50)), lines(500)],
  [
    'discounts that are compared',
    many(500, (i) => offer(`o-${i}`, freeItem(100, 1), { policy: 'best_value' })),
    lines(500),
  ],
  ['discounts of nothing', many(500, (i) => offer(`o-${i}`, freeItem(501, 1))), lines(500)],
])('%s are refused where they take too many steps', (_name, offers, items) => {
  expect(ask(shop(offers), items)).toEqual(tooLarge('take more than 250000 steps for a cart of 500 lines'));
});

test('the offers of every program count together', () => {
  const of = (id: string) =>
    shop(stacking(15, { scope: 'environment', lines: anyOf('items.sku', 10) }), { id });
  expect(ask([of('a')], lines(500))).toMatchObject({ effects: [] });
  expect(ask(['a', 'b', 'c', 'd'].map(of), lines(500))).toEqual(tooLarge('steps'));
});

test('an offer that is closed, or in another currency, looks at no line', () => {
  const dear = { lines: anyOf('items.sku', 50) };
  const closed = stacking(500, { ...dear, conditions: [when('context.store', 'equals', 'nowhere')] });
  expect(ask(shop(closed), lines(500))).toMatchObject({ effects: [] });
});

test('an audience that many offers name is tested once', () => {
  const audiences = many(20, (index) => ({ id: `a-${index}`, ...anyOf('member.tags', 50) }));
  const offers = stacking(500, { audiences: audiences.map(({ id }) => id) });
  expect(ask(shop(offers, { audiences }, { customer: gold }), lines(1))).toMatchObject({ effects: [] });
});

test('an evaluation of many steps goes in slices, and the whole of it stays within the budget', () => {
  const offers = stacking(45, { lines: anyOf('items.sku', 10) });
  const programs = [shop(offers)];
  const cart = { items: lines(500) };
  const slices = evaluateInSlices({
    cart,
    programId: programs[0]?.programId ?? null,
    programs,
    at: noon,
    explain: true,
  });
  let yields = 0;
  let slice = slices.next();
  for (; !slice.done; slice = slices.next()) yields += 1;
  expect(slice.value).toMatchObject({ effects: [], notApplied: { length: 45 } });
  // 45 offers × 500 lines × 10 conditions are 225,000 steps.
  expect(yields).toBeGreaterThanOrEqual(7);
});

test('the smallest cart is no more than what an evaluation of one line takes', () => {
  const { document } = shop([
    ...stacking(3, { scope: 'environment', conditions: [when('context.tags', 'equals', 'x')] }),
    ...stacking(2, { id: 'p', lines: anyOf('items.sku', 4) }),
  ]);
  expect(stepsOfSmallestCart(document, 'other')).toBe(1 + 3 * (10 + 1 + 10));
  expect(stepsOfSmallestCart(document, 'named')).toBe(1 + 3 * (10 + 1 + 10) + 2 * (10 + 4 + 10));
  expect(stepsOfSmallestCart(shop(stacking(500, anyOf('context.store', 50))).document, 'named')).toBeLessThan(
    MOST_STEPS,
  );
});
