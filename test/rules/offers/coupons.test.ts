import { describe, expect, test } from '@jest/globals';
import type { Coupon } from '../../../src/programs/document/campaign-document.ts';
import type { Offer } from '../../../src/programs/document/offer-document.ts';
import type { CouponUse } from '../../../src/rules/compiled/coupons.ts';
import type { OfferProgram } from '../../../src/rules/offers/cart.ts';
import {
  amount,
  applied,
  evaluate,
  gold,
  line,
  offer,
  shop,
  when,
} from '../../support/rules/offer-fixtures.ts';

const items = [line('a', 1000)];
const withCode: Offer = offer('with-code', amount(100), { couponCodes: ['SPRING', 'OTHER'] });

function program(coupon: Partial<Coupon> = {}, of: Partial<OfferProgram> = {}): OfferProgram {
  const audiences = [
    { id: 'vips', match: 'all' as const, conditions: [when('member.tags', 'equals', 'vip')] },
  ];
  return shop([withCode], { audiences, coupons: [{ code: 'SPRING', ...coupon }] }, of);
}

/** Whether a code is valid, and the first reason where no offer applies. */
function verdict(of: OfferProgram | OfferProgram[], couponCode: string | null, programId?: string | null) {
  const evaluation = evaluate(of, { items, couponCode }, programId === undefined ? {} : { programId });
  return [evaluation.coupon?.valid ?? null, evaluation.notApplied[0]?.reason ?? applied(evaluation).join()];
}

test('without a code there is no coupon, and its offers do not apply', () => {
  expect(verdict(program(), null)).toEqual([null, 'It needs a coupon code.']);
  expect(evaluate(program(), { items }).coupon).toBeNull();
});

test('a code is echoed, and opens its offers', () => {
  expect(evaluate(program(), { items, couponCode: 'SPRING' }).coupon).toEqual({
    code: 'SPRING',
    valid: true,
  });
  expect(verdict(program(), 'SPRING')).toEqual([true, 'with-code']);
});

test('codes are the same letter by letter alone', () => {
  expect(verdict(program(), 'spring')).toEqual([false, 'It needs another coupon code.']);
});

test('a code that offers name, but the program does not define, is not valid', () => {
  expect(verdict(program(), 'OTHER')).toEqual([false, 'The coupon is not valid. Unknown coupon.']);
});

test('a valid code of no offer changes nothing', () => {
  const of = shop([withCode], { coupons: [{ code: 'SPRING' }, { code: 'POINTS' }] });
  expect(verdict(of, 'POINTS')).toEqual([true, 'It needs another coupon code.']);
});

test('a schedule', () => {
  expect(verdict(program({ schedule: { until: '2026-03-04T12:00:00Z' } }), 'SPRING')).toEqual([
    false,
    'The coupon is not valid. Ended at 2026-03-04T12:00:00Z.',
  ]);
  expect(verdict(program({ schedule: { from: '2026-03-04T12:00:00Z' } }), 'SPRING')).toEqual([
    true,
    'with-code',
  ]);
});

test('audiences', () => {
  expect(verdict(program({ audiences: ['vips'] }, { customer: gold }), 'SPRING')).toEqual([
    true,
    'with-code',
  ]);
  expect(verdict(program({ audiences: ['vips'] }), 'SPRING')).toEqual([
    false,
    'The coupon is not valid. It is for some members alone, and the customer is not known.',
  ]);
});

describe('limits', () => {
  const uses = (total: number, member: number, customer: OfferProgram['customer'] = gold) => ({
    couponUses: { total, member } satisfies CouponUse,
    customer,
  });
  test.each([
    ['the last of all', { total: 5 }, uses(4, 4), true],
    ['none of all', { total: 5 }, uses(5, 0), false],
    ["the member's last", { perMember: 2 }, uses(90, 1), true],
    ["none of the member's", { perMember: 2 }, uses(90, 2), false],
    ['nobody has a limit of their own', { perMember: 2 }, uses(90, 2, null), true],
  ])('%s', (_name, limits, of, valid) => {
    expect(verdict(program({ limits }, of), 'SPRING')[0]).toBe(valid);
  });
});

describe('programs that the cart does not name', () => {
  const tea = (scope: Offer['scope']): OfferProgram => ({
    ...shop([{ ...withCode, ...(scope ? { scope } : {}) }], { coupons: [{ code: 'SPRING' }] }),
    programId: 'tea-club',
  });
  const plain = shop([]);

  test('have a say where an offer of the environment takes the code', () => {
    expect(verdict([plain, tea('environment')], 'SPRING')).toEqual([true, 'with-code']);
    expect(verdict([plain, tea('program')], 'SPRING')).toEqual([false, '']);
  });

  test('all have one where the cart names none', () => {
    expect(verdict([plain, tea('program')], 'SPRING', null)).toEqual([true, '']);
  });

  test('but not one in another currency than the cart', () => {
    const inEuro = (currency: string | null) =>
      evaluate(
        { ...tea('environment'), document: { ...tea('environment').document, currency: 'EUR' } },
        { items, couponCode: 'SPRING', currency },
        { programId: null },
      );
    expect({ inEuro: inEuro('EUR').coupon?.valid, inAny: inEuro(null).coupon?.valid }).toEqual({
      inEuro: true,
      inAny: true,
    });
    expect(inEuro('USD')).toMatchObject({ coupon: { valid: false }, effects: [] });
  });

  test("a program's coupon opens no other program's offer", () => {
    const named = shop([withCode]);
    expect(verdict([named, tea('program')], 'SPRING')).toEqual([
      false,
      'The coupon is not valid. Unknown coupon.',
    ]);
  });
});
