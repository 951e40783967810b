import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { PayWithPoints } from '../../src/programs/document/program-document.ts';
import { isRefusal } from '../../src/refusal.ts';
import { type AskedPayment, paymentOf, pointsGivenBack } from '../../src/rules/pay-with-points.ts';

/** 100 points for a dollar. */
const dollar: PayWithPoints = { pointsPerUnit: 100, unitMinor: 100 };
const bounded: PayWithPoints = {
  ...dollar,
  step: 50,
  minimumPoints: 200,
  maximumPoints: 5_000,
  maximumShareOfOrder: { numerator: 1, denominator: 2 },
};
const order = { orderAmountMinor: 4_001 };

test.each<[string, PayWithPoints, AskedPayment, number, unknown]>([
  ['points', dollar, { points: 300 }, 300, [300, 300]],
  ['points beside the step', dollar, { points: 250 }, 300, 'points_out_of_range'],
  ['more points than there are', dollar, { points: 400 }, 300, 'insufficient_points'],
  ['an amount', dollar, { amountMinor: 300 }, 1_000, [300, 300]],
  ['an amount between two steps', dollar, { amountMinor: 399 }, 1_000, [300, 300]],
  ['an amount below the first step', dollar, { amountMinor: 99 }, 1_000, 'points_out_of_range'],
  ['an amount beyond the balance', dollar, { amountMinor: 5_000 }, 1_099, [1_000, 1_000]],
  ['an amount without a step of points', dollar, { amountMinor: 5_000 }, 99, 'insufficient_points'],
  ['points above the order', dollar, { points: 1_000, orderAmountMinor: 999 }, 5_000, 'points_out_of_range'],
  ['an amount above the order', dollar, { amountMinor: 1_000, orderAmountMinor: 999 }, 5_000, [900, 900]],
  ['points of half the order', bounded, { points: 2_000, ...order }, 5_000, [2_000, 2_000]],
  ['points of more than half of it', bounded, { points: 2_050, ...order }, 5_000, 'points_out_of_range'],
  ['an amount of more than half of it', bounded, { amountMinor: 4_001, ...order }, 5_000, [2_000, 2_000]],
  ['fewer points than the minimum', bounded, { points: 150, ...order }, 5_000, 'points_out_of_range'],
  [
    'an order that is too small',
    bounded,
    { amountMinor: 399, orderAmountMinor: 399 },
    5_000,
    'points_out_of_range',
  ],
  ['a balance below the minimum', bounded, { amountMinor: 4_000, ...order }, 199, 'insufficient_points'],
  ['more than the maximum', bounded, { amountMinor: 9_000, orderAmountMinor: 90_000 }, 9_000, [5_000, 5_000]],
  ['three points for two cents', { pointsPerUnit: 3, unitMinor: 2 }, { amountMinor: 7 }, 100, [9, 6]],
  ['many points', { pointsPerUnit: 1e12, unitMinor: 1 }, { amountMinor: 1e12 }, 9e15, [9e15, 9e3]],
])('%s', (_what, reward, asked, available, expected) => {
  const payment = paymentOf(reward, asked, available);
  expect(isRefusal(payment) ? payment.code : [payment.points, payment.discountMinor]).toEqual(expected);
});

/** Rewards whose steps are worth whole minor units, as the check of documents asks for. */
const rewards = fc
  .record({
    unitMinor: fc.integer({ min: 1, max: 500 }),
    pointsPerUnit: fc.integer({ min: 1, max: 500 }),
    steps: fc.integer({ min: 1, max: 4 }),
    least: fc.integer({ min: 1, max: 5 }),
    more: fc.option(fc.integer({ min: 0, max: 50 }), { nil: undefined }),
    share: fc.option(fc.integer({ min: 1, max: 100 }), { nil: undefined }),
  })
  .map(({ unitMinor, pointsPerUnit, steps, least, more, share }): PayWithPoints => {
    const step = pointsPerUnit * steps;
    return {
      ...{ pointsPerUnit, unitMinor, step, minimumPoints: step * least },
      ...(more === undefined ? {} : { maximumPoints: step * (least + more) }),
      ...(share === undefined ? {} : { maximumShareOfOrder: { numerator: share, denominator: 100 } }),
    };
  });

const asked = fc.record({
  amountMinor: fc.integer({ min: 1, max: 100_000 }),
  orderAmountMinor: fc.integer({ min: 1, max: 100_000 }),
});

test('a discount is within the amount, the share of the order, the limits and the balance, and one step more is not', () => {
  fc.assert(
    fc.property(rewards, asked, fc.nat(200_000), (reward, { amountMinor, orderAmountMinor }, available) => {
      const { pointsPerUnit, unitMinor, step = 0, minimumPoints = 0, maximumPoints } = reward;
      const { numerator, denominator } = reward.maximumShareOfOrder ?? { numerator: 1, denominator: 1 };
      const allowed = (points: number): boolean =>
        points * unitMinor <= amountMinor * pointsPerUnit &&
        points * unitMinor * denominator <= orderAmountMinor * numerator * pointsPerUnit &&
        points <= available &&
        points <= (maximumPoints ?? Number.POSITIVE_INFINITY);
      const payment = paymentOf(reward, { amountMinor, orderAmountMinor }, available);
      if (isRefusal(payment)) {
        expect(allowed(minimumPoints)).toBe(false);
        return;
      }
      const { points, discountMinor } = payment;
      expect(points % step).toBe(0);
      expect(points).toBeGreaterThanOrEqual(minimumPoints);
      expect(discountMinor * pointsPerUnit).toBe(points * unitMinor);
      expect({ these: allowed(points), oneStepMore: allowed(points + step) }).toEqual({
        these: true,
        oneStepMore: false,
      });
      // The same points can be asked for outright.
      expect(paymentOf(reward, { points, orderAmountMinor }, available)).toEqual(payment);
    }),
    { numRuns: 2_000 },
  );
});

test('however a discount is reversed in parts, its points come back, each part within a half of its share', () => {
  const payments = fc.record({
    points: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
    discountMinor: fc.integer({ min: 1, max: 1_000_000_000_000 }),
  });
  fc.assert(
    fc.property(payments, fc.array(fc.double({ min: 0, max: 1, noNaN: true })), (payment, shares) => {
      const { points, discountMinor } = payment;
      let [reversed, back] = [0, 0];
      for (const share of [...shares, 1]) {
        const left = discountMinor - reversed;
        reversed += share === 1 ? left : Math.floor(left * share);
        const now = pointsGivenBack(payment, reversed);
        expect(now).toBeGreaterThanOrEqual(back);
        expect(now).toBeLessThanOrEqual(points);
        const twice = 2n * (BigInt(now) * BigInt(discountMinor) - BigInt(points) * BigInt(reversed));
        expect(twice <= BigInt(discountMinor) && twice > -BigInt(discountMinor)).toBe(true);
        back = now;
      }
      expect(back).toBe(points);
    }),
  );
});
